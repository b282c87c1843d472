//===- JudgeFuzz.cpp - A long run of random kernels -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   JudgeFuzz --seeds=0..100000
//
// judges the kernels of these seeds, prints each disagreement with its seed,
// and at the end what came out. A seed is the same kernel everywhere: ranges may
// be run one after another, or on several machines, and add up. A crash names
// its seed.
// `--print=SEED` prints a kernel instead. Exit status 1 if anything disagreed.
//
//===----------------------------------------------------------------------===//

#include "kernels/Judge.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace swizzle::fuzz;
namespace cl = llvm::cl;

static cl::opt<std::string> seeds("seeds", cl::init("0..1000"),
                                  cl::value_desc("A..B"),
                                  cl::desc("the kernels to judge, without B"));
static cl::opt<int64_t> printed("print", cl::init(-1), cl::value_desc("SEED"),
                                cl::desc("prints this kernel and what is "
                                         "found of it"));
static cl::opt<std::string> file("file", cl::value_desc("K.mlir"),
                                 cl::desc("judges the kernel of this file"));
static cl::opt<bool> model("model", cl::init(true),
                           cl::desc("compares models with recorded traces"));
static cl::opt<bool> remap("remap", cl::init(true),
                           cl::desc("checks remapped kernels"));
static cl::opt<bool>
    unplanned("unplanned", cl::init(false),
              cl::desc("prints kernels that race without a mistake put in, or "
                       "cannot be run"));
static cl::opt<int64_t> progress("progress", cl::init(0), cl::value_desc("N"),
                                 cl::desc("a line after every N kernels"));

static void report(int64_t seed, const FuzzKernel &kernel,
                   const Verdict &verdict) {
  auto say = [&](const char *what, const std::string &text) {
    if (!text.empty())
      llvm::outs() << "seed " << seed << ": " << what << ": " << text << "\n  "
                   << toString(kernel.features) << "\n";
  };
  say("invalid", verdict.invalid);
  say("false accept", verdict.falseAccept);
  say("wrong model", verdict.wrongModel);
  say("wrong remap", verdict.wrongRemap);
  if (unplanned && !kernel.planted && verdict.race.race)
    say("racing unplanned", verdict.race.reason);
  if (unplanned && verdict.race.outcome == swizzle::RaceOutcome::Unchecked)
    say("unchecked", verdict.race.reason);
  llvm::outs().flush();
}

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  cl::ParseCommandLineOptions(argc, argv, "judges random kernels\n");
  JudgeOptions options;
  options.compareModel = model;
  options.checkRemapped = remap;
  if (printed >= 0 || !file.empty()) {
    FuzzKernel kernel;
    if (file.empty()) {
      kernel = writeKernel(Choices(printed));
      llvm::outs() << kernel.text;
      llvm::outs().flush();
    } else if (auto buffer = llvm::MemoryBuffer::getFile(file)) {
      kernel.text = (*buffer)->getBuffer().str();
    }
    Verdict verdict = judgeAgainstOracle(kernel, options);
    llvm::outs() << "// "
                 << (verdict.code.empty() ? "accepted" : verdict.code) << ", "
                 << verdict.assumptions.size() << " assumptions; "
                 << toString(verdict.race.outcome) << " " << verdict.race.reason
                 << "; model " << toString(verdict.model) << " "
                 << verdict.modelMessage << "; remapped "
                 << toString(verdict.remapped) << " " << verdict.remappedMessage
                 << "\n";
    report(printed, kernel, verdict);
    return !verdict.agrees();
  }
  int64_t first = 0, last = 0;
  auto [from, to] = llvm::StringRef(seeds).split("..");
  if (from.getAsInteger(10, first) || to.getAsInteger(10, last)) {
    llvm::errs() << "JudgeFuzz: --seeds=" << seeds << ": expected A..B\n";
    return 2;
  }
  auto start = std::chrono::steady_clock::now();
  Statistics statistics;
  bool agrees = true;
  for (int64_t seed = first; seed < last; ++seed) {
    llvm::PrettyStackTraceFormat crash("judging seed %lld", (long long)seed);
    FuzzKernel kernel = writeKernel(Choices(seed));
    auto begin = std::chrono::steady_clock::now();
    Verdict verdict = judgeAgainstOracle(kernel, options);
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(2))
      llvm::outs() << "seed " << seed << ": slow\n";
    statistics.add(kernel, verdict);
    agrees &= verdict.agrees();
    report(seed, kernel, verdict);
    if (progress && (seed - first) % progress == progress - 1)
      llvm::errs() << llvm::formatv("{0} of {1}\n", seed - first + 1,
                                    last - first);
  }
  double seconds = std::chrono::duration<double>(
                       std::chrono::steady_clock::now() - start)
                       .count();
  llvm::outs() << llvm::formatv("seeds {0}..{1}, {2:f1} s, {3:f1} kernels/s\n",
                                first, last, seconds,
                                double(last - first) / seconds);
  statistics.print(llvm::outs());
  return !agrees;
}
