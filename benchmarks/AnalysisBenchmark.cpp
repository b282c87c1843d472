//===- AnalysisBenchmark.cpp - How long it takes to know a kernel ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each benchmark kernel of the tree, as stock mlir-opt lowers it: lowering
// a clone of it to the llvm dialect, reading that into a model, and judging
// whether workgroups communicate. Each apart, on one core, for the first
// launch. And the sizes of all kernels of a module of many, which have to take
// n times as long as those of one.
//
//===----------------------------------------------------------------------===//

#include "../lib/Analysis/Read/KernelReader.h"
#include "swizzle/Analysis/Legality/Legality.h"
#include "swizzle/IR/SwizzleDialect.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

#include <benchmark/benchmark.h>
#include <cstdlib>

using namespace mlir;
using namespace swizzle;
using namespace swizzle::analysis;

namespace {

struct Subject {
  std::string name;
  FunctionOpInterface kernel;
  LaunchSizes sizes;
};

LoweredKernel lowerSubject(const Subject &subject) {
  return llvm::cantFail(
      lowerKernel(subject.kernel, howToLower(subject.kernel, subject.sizes)));
}

void lowerOne(benchmark::State &state, const Subject &subject) {
  for (auto _ : state)
    benchmark::DoNotOptimize(lowerSubject(subject));
}

void readOne(benchmark::State &state, const Subject &subject) {
  LoweredKernel lowered = lowerSubject(subject);
  ModuleFacts module(subject.kernel);
  auto launches = module.launchesOf(subject.kernel);
  gpu::LaunchFuncOp launch = launches.empty() ? nullptr : launches.front();
  for (auto _ : state) {
    KernelReader reader(subject.kernel, lowered, subject.sizes, launch);
    benchmark::DoNotOptimize(reader.run());
  }
}

void judgeOne(benchmark::State &state, const Subject &subject) {
  KernelReading reading = readKernel(subject.kernel, subject.sizes);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        judgeKernel(subject.kernel, reading, subject.sizes));
}

/// Many kernels of one name, each in a module of its own, and their launches.
std::string writeMany(int64_t count) {
  std::string kernels, launches;
  for (int64_t i = 0; i < count; ++i) {
    std::string name = "@m" + std::to_string(i);
    kernels +=
        "gpu.module " + name + " { gpu.func @k() kernel { gpu.return } }\n";
    launches += "gpu.launch_func " + name +
                "::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)\n";
  }
  return kernels + "func.func @main(%n: index) {\n" + launches + "return\n}\n";
}

void findSizesOfMany(benchmark::State &state, MLIRContext &context) {
  // Without the verifier, which looks launches up one by one.
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      writeMany(state.range(0)),
      ParserConfig(&context, /*verifyAfterParse=*/false));
  SmallVector<FunctionOpInterface> kernels = findKernels(*module);
  for (auto _ : state) {
    ModuleFacts facts(*module);
    for (FunctionOpInterface kernel : kernels)
      benchmark::DoNotOptimize(
          findLaunchSizes(kernel, std::nullopt, std::nullopt, facts));
  }
  state.SetComplexityN(state.range(0));
}

/// Parses what lies below `folder`, KERNEL/VARIANT.mlir; the modules stay alive
/// in `modules`.
std::vector<Subject> collect(MLIRContext &context, llvm::StringRef folder,
                             std::vector<OwningOpRef<ModuleOp>> &modules) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  llvm::sort(files);
  std::vector<Subject> subjects;
  for (const std::string &file : files) {
    modules.push_back(parseSourceFile<ModuleOp>(file, &context));
    if (!modules.back())
      continue; // the parser has said why
    llvm::StringRef name = file;
    name.consume_front((folder + "/").str());
    name.consume_back(".mlir");
    for (FunctionOpInterface kernel : findKernels(*modules.back()))
      subjects.push_back({name.str(), kernel,
                          findLaunchSizes(kernel, std::nullopt, std::nullopt)});
  }
  return subjects;
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("swizzle-analysis", folder)) {
    llvm::errs() << "error: no temporary folder: " << error.message() << "\n";
    return 1;
  }
  llvm::scope_exit cleanUp(
      [&] { (void)llvm::sys::fs::remove_directories(folder); });
  std::string command =
      (SWIZZLE_SOURCE_DIR "/benchmarks/kernels/lower.py -o " + folder).str();
  if (std::system(command.c_str()) != 0) {
    llvm::errs() << "error: the benchmark kernels could not be lowered\n";
    return 1;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<SwizzleDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<Subject> subjects = collect(context, folder, modules);
  for (const Subject &subject : subjects) {
    auto add = [&](const char *step,
                   void (*run)(benchmark::State &, const Subject &)) {
      std::string name = step + ("/" + subject.name);
      benchmark::RegisterBenchmark(name.c_str(), run, subject)
          ->Unit(benchmark::kMillisecond);
    };
    add("lower", lowerOne);
    add("read", readOne);
    add("judge", judgeOne);
  }
  benchmark::RegisterBenchmark(
      "sizes/many",
      [&](benchmark::State &state) { findSizesOfMany(state, context); })
      ->RangeMultiplier(4)
      ->Range(256, 16384)
      ->Complexity(benchmark::oN)
      ->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
  return subjects.empty();
}
