//===- FormulaBenchmark.cpp - How long proofs take ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proof by enumeration of typical formulas, on one core. The goals: 65,536 ids
// in 5 ms, 16 M ids in 1 s. Curves are slower and stand apart.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "benchmark/benchmark.h"

using namespace swizzle;

namespace {

/// A formula of the catalogue on a square grid, each parameter at its third
/// value (or its last, if it has fewer).
void prove(benchmark::State &state, const char *family) {
  Formula formula = llvm::cantFail(readFormulaOption(family));
  Environment environment;
  environment.grid = Grid(state.range(0), state.range(0));
  environment.hardware["num_xcds"] = 8;
  environment.hardware["cus_per_xcd"] = 38;
  environment.hardware["num_cus"] = 304;
  for (const ParamDecl &param : formula.params())
    environment.params[param.name] =
        param.values[std::min<size_t>(2, param.values.size() - 1)];
  ProofOptions options;
  options.maxIds = int64_t(1) << 26;
  for (auto _ : state) {
    Verdict verdict = prove(formula, environment, options);
    if (!verdict.legal())
      state.SkipWithError("not legal");
    benchmark::DoNotOptimize(verdict);
  }
  state.SetItemsProcessed(state.iterations() * environment.grid.count());
}

/// Bands of rows for each die in turn, with a fallback: the shape of formula
/// that language models write.
constexpr const char *kBands =
    "param B in {8}\ni = y * gx + x\n"
    "d, j = i % num_xcds, i // num_xcds\nu = B * gx\n"
    "ok = gy % (B * num_xcds) == 0\nb = j // u * num_xcds + d\nk = j % u\n"
    "return (k // B if ok else x), (b * B + k % B if ok else y)";

void bind(benchmark::State &state) {
  Environment environment;
  environment.grid = Grid(64, 64);
  environment.hardware["num_xcds"] = 8;
  environment.params["B"] = 8;
  for (auto _ : state) {
    Formula formula = llvm::cantFail(Formula::parse(kBands));
    BoundFormula bound =
        llvm::cantFail(BoundFormula::bind(formula, environment));
    benchmark::DoNotOptimize(bound);
  }
}

#define SWIZZLE_PROVE(name, family)                                            \
  BENCHMARK_CAPTURE(prove, name, family)                                       \
      ->Arg(256)                                                               \
      ->Arg(4096)                                                              \
      ->Unit(benchmark::kMillisecond)

SWIZZLE_PROVE(row_major, "@row-major");
SWIZZLE_PROVE(xcd_balanced_super_group, "@xcd-balanced-super-group");
SWIZZLE_PROVE(xcd_chunked_super_group, "@xcd-chunked-super-group");
SWIZZLE_PROVE(bands_with_fallback, kBands);
SWIZZLE_PROVE(hilbert, "@hilbert");
SWIZZLE_PROVE(morton, "@morton");
BENCHMARK(bind)->Unit(benchmark::kMicrosecond);

} // namespace
