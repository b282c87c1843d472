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
// and at the end what came out. A seed is the same kernel everywhere: ranges
// may be run one after another, or on several machines, and add up. A crash
// names its seed. `--print=SEED` prints a kernel instead. Exit status 1 if
// anything disagreed.
//
// What a change of the analysis does can be tried without running each kernel:
//
//   JudgeFuzz --answers=before.txt                     as it is: runs nothing
//   JudgeFuzz --unless=before.txt --first              with the change
//
// runs only the kernels that the analysis answers in another way than before,
// up to the first disagreement (benchmarks/mutants does so). `--coverage` adds
// what was never met: rows of the table of operations, and refusals.
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
#include <memory>

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

static cl::opt<std::string>
    answers("answers", cl::value_desc("FILE"),
            cl::desc("only writes what the analysis answers, a hash a line"));
static cl::opt<std::string> unless(
    "unless", cl::value_desc("FILE"),
    cl::desc("runs only kernels that are answered otherwise than there"));
static cl::opt<std::string> with("with", cl::value_desc("FEATURE"),
                                 cl::desc("passes kernels without it over"));
static cl::opt<bool> first("first", cl::init(false),
                           cl::desc("ends with the first disagreement"));
static cl::opt<bool>
    coverage("coverage", cl::init(false),
             cl::desc("counts the rows of the table of operations"));

/// The answers of an earlier run of the same seeds.
static std::vector<uint64_t> readAnswers(const std::string &path) {
  std::vector<uint64_t> all;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return all;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    if (line.getAsInteger(16, all.emplace_back()))
      return {};
  return all;
}

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

/// Prints one kernel and what is found of it.
static int judgeOne(const JudgeOptions &options) {
  FuzzKernel kernel;
  if (file.empty()) {
    kernel = writeKernel(Choices(printed));
    llvm::outs() << kernel.text;
    llvm::outs().flush();
  } else if (auto buffer = llvm::MemoryBuffer::getFile(file)) {
    kernel.text = (*buffer)->getBuffer().str();
  }
  Verdict verdict = judgeAgainstOracle(kernel, options);
  auto answer = [](const std::string &code) {
    return code.empty() ? std::string("accepted") : code;
  };
  llvm::outs() << "// " << answer(verdict.code) << ", "
               << verdict.assumptions.size()
               << " assumptions; strict: " << answer(verdict.strictCode) << "; "
               << toString(verdict.race.outcome) << " " << verdict.race.reason
               << "; model " << toString(verdict.model) << " "
               << verdict.modelMessage << "; remapped "
               << toString(verdict.remapped) << " " << verdict.remappedMessage
               << "\n";
  for (const std::string &assumption : verdict.assumptions)
    llvm::outs() << "// assuming that " << assumption << "\n";
  report(printed, kernel, verdict);
  return !verdict.agrees();
}

static int fail(const llvm::Twine &what) {
  llvm::errs() << "JudgeFuzz: " << what << "\n";
  return 2;
}

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::EnablePrettyStackTrace();
  cl::ParseCommandLineOptions(argc, argv, "judges random kernels\n");
  JudgeOptions options;
  options.compareModel = model;
  options.checkRemapped = remap;
  if (printed >= 0 || !file.empty())
    return judgeOne(options);
  int64_t begin = 0, end = 0;
  auto [from, to] = llvm::StringRef(seeds).split("..");
  if (from.getAsInteger(10, begin) || to.getAsInteger(10, end))
    return fail("--seeds=" + seeds + ": expected A..B");
  std::vector<uint64_t> known;
  if (!unless.empty()) {
    known = readAnswers(unless);
    if (int64_t(known.size()) < end - begin)
      return fail(unless + ": expected a number a line, one for each seed");
  }
  std::unique_ptr<llvm::raw_fd_ostream> written;
  if (!answers.empty()) {
    std::error_code error;
    written = std::make_unique<llvm::raw_fd_ostream>(answers, error);
    if (error)
      return fail(answers + ": " + error.message());
    options.onlyAnswer = true;
  }
  auto start = std::chrono::steady_clock::now();
  Statistics statistics;
  Coverage rows;
  if (coverage)
    options.coverage = &rows;
  bool agrees = true;
  int64_t seed = begin;
  for (; seed < end && (agrees || !first); ++seed) {
    llvm::PrettyStackTraceFormat crash("judging seed %lld", (long long)seed);
    FuzzKernel kernel = writeKernel(Choices(seed));
    if (!with.empty() && !kernel.has(with))
      continue;
    if (!known.empty())
      options.knownAnswer = known[seed - begin];
    auto before = std::chrono::steady_clock::now();
    Verdict verdict = judgeAgainstOracle(kernel, options);
    if (std::chrono::steady_clock::now() - before > std::chrono::seconds(2))
      llvm::outs() << "seed " << seed << ": slow\n";
    if (written)
      *written << llvm::format_hex_no_prefix(verdict.answer, 16) << "\n";
    statistics.add(kernel, verdict);
    agrees &= verdict.agrees();
    report(seed, kernel, verdict);
    if (progress && (seed - begin) % progress == progress - 1)
      llvm::errs() << llvm::formatv("{0} of {1}\n", seed - begin + 1,
                                    end - begin);
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  llvm::outs() << llvm::formatv("seeds {0}..{1}, {2:f1} s, {3:f1} kernels/s\n",
                                begin, seed, seconds,
                                double(seed - begin) / seconds);
  // Of kernels that were not run there is nothing to count.
  if (!written && known.empty())
    statistics.print(llvm::outs());
  if (coverage)
    rows.print(llvm::outs());
  return !agrees;
}
