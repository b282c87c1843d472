//===- LoweringBenchmark.cpp - How long lowering and its check take -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On one core. The goal: the check of the emitted operations takes at most 20
// ms for 65,536 ids.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include "benchmark/benchmark.h"

using namespace swizzle;
using namespace mlir;

namespace {

Environment environmentFor(const Formula &formula, Grid grid) {
  Environment environment;
  environment.grid = grid;
  for (llvm::StringRef name : knownHardwareNames())
    environment.hardware[name.str()] = 304;
  environment.hardware["num_xcds"] = 8;
  for (const ParamDecl &param : formula.params())
    environment.params[param.name] =
        param.values[std::min<size_t>(2, param.values.size() - 1)];
  return environment;
}

void lowerFamily(benchmark::State &state, const char *family) {
  Formula formula = llvm::cantFail(readFormulaOption(family));
  Environment environment =
      environmentFor(formula, Grid(state.range(0), state.range(0)));
  for (auto _ : state) {
    LoweredFormula lowered = llvm::cantFail(lower(formula, environment));
    benchmark::DoNotOptimize(lowered);
  }
  state.SetItemsProcessed(state.iterations() * environment.grid.count());
}

void checkFamily(benchmark::State &state, const char *family) {
  MLIRContext context;
  context.loadDialect<SwizzleDialect, arith::ArithDialect, func::FuncDialect,
                      scf::SCFDialect>();
  Formula formula = llvm::cantFail(readFormulaOption(family));
  Environment environment =
      environmentFor(formula, Grid(state.range(0), state.range(0)));
  LoweredFormula lowered = llvm::cantFail(lower(formula, environment));
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  llvm::SmallVector<Type> inputs(3, builder.getIndexType());
  auto function = func::FuncOp::create(builder, loc, "kernel",
                                       builder.getFunctionType(inputs, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  llvm::SmallVector<Value> ids(function.getArguments());
  std::array<Value, 3> results = emit(builder, loc, lowered, ids, {});
  for (auto _ : state)
    if (llvm::Error error =
            checkEmitted(results, ids, {}, {formula, environment})) {
      state.SkipWithError(llvm::toString(std::move(error)).c_str());
    }
  state.SetItemsProcessed(state.iterations() * environment.grid.count());
}

} // namespace

BENCHMARK_CAPTURE(lowerFamily, xcd_groups, "@xcd-balanced-super-group")
    ->Arg(255)
    ->Arg(256)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(checkFamily, xcd_groups, "@xcd-balanced-super-group")
    ->Arg(255)
    ->Arg(256)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(checkFamily, hilbert, "@hilbert")
    ->Arg(255)
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
