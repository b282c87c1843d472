//===- HostBenchmark.cpp - How fast workgroups run on the host ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recorded accesses a second on one core, for accesses of single elements and
// of vectors, and the time of a check as a whole.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Host/Check.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>

using namespace swizzle;

namespace {

/// Each thread of 256 copies 64 elements of a row, a block apart.
const char *kCopy = R"(
gpu.module @m {
  gpu.func @k(%a: memref<64x64x256x!T>, %b: memref<64x64x256x!T>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %w = gpu.block_id x
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %a[%w, %i, %t] : memref<64x64x256x!T>
      memref.store %v, %b[%w, %i, %t] : memref<64x64x256x!T>
    }
    gpu.return
  }
})";

struct Fixture {
  explicit Fixture(const std::string &type) {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    std::string text = kCopy;
    for (size_t at; (at = text.find("!T")) != std::string::npos;)
      text.replace(at, 2, type);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    kernel = llvm::cantFail(HostKernel::compile(
        llvm::cantFail(findKernel(*module, "k")), HostOptions()));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<HostKernel> kernel;
};

void record(benchmark::State &state, const char *type) {
  Fixture fixture(type);
  int64_t accesses = 0, id = 0;
  for (auto _ : state) {
    llvm::cantFail(fixture.kernel->run(
        {id++ % 64, 0, 0}, ThreadOrder::Ascending, Recording::Everything));
    accesses += fixture.kernel->accesses().size();
    benchmark::DoNotOptimize(fixture.kernel->accesses().data());
  }
  state.counters["accesses/s"] =
      benchmark::Counter(double(accesses), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(record, f32, "f32");
BENCHMARK_CAPTURE(record, vector, "vector<4xf32>");

void checkCopy(benchmark::State &state) {
  Fixture fixture("f32");
  auto identity = llvm::cantFail(Formula::parse("return x"));
  Environment environment;
  environment.grid = Grid(64);
  auto bound = llvm::cantFail(BoundFormula::bind(identity, environment));
  for (auto _ : state) {
    CheckResult result = check(*fixture.module, *fixture.module, "k", bound);
    if (result.status != CheckStatus::Passed)
      state.SkipWithError(result.message.c_str());
  }
}
BENCHMARK(checkCopy)->Unit(benchmark::kMillisecond);

} // namespace
