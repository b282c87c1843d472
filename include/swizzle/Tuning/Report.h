//===- Report.h - What a tuning run found, told -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a run for programs (JSON, schema `swizzle-tuning/1`) and for
// people (a table of all attempts with reasons), and its progress while it goes
// on.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_REPORT_H
#define SWIZZLE_TUNING_REPORT_H

#include "swizzle/Bundle/Job.h"
#include "swizzle/Tuning/Tuner.h"
#include "llvm/Support/JSON.h"

namespace swizzle {

/// What a GPU said about the best few.
struct MeasuredFinalists {
  std::vector<JobResult> rows; ///< "original" first, then "attempt 3", ...
  unsigned attempt = 0;        ///< that was chosen; 0: the kernel as it is
  std::string reason;          ///< one sentence
  std::vector<std::string> notes;

  const JobResult &original() const { return rows.front(); }
  /// The row of the attempt of this number (0: the original), or nullptr.
  const JobResult *find(unsigned number) const;
};

/// What became of one kernel.
struct KernelTuning {
  std::string module, kernel, chip;
  Grid grid, block;
  Grid modelGrid; ///< what is simulated; it stands for extents not known
  /// Empty if the loop ran; else why it did not: a refusal's code and sentence.
  std::string reasonCode, reason;
  std::optional<TuningResult> result;
  std::optional<MeasuredFinalists> measured;
  /// Why nobody could measure the best few, which was asked for; empty: no such
  /// failure.
  std::string notMeasured;
  std::vector<std::string> assumptions, notes;
  HardwareConstants constants; ///< of the chip, as formulas know them
  /// What the best formula changes in the kernel's IR (`differenceOfLines`).
  std::vector<std::string> irDifference;
};

/// What all of a report is about.
struct TuningReport {
  std::string toolVersion, inputHash, compiler, profiler, agents, output;
  std::vector<KernelTuning> kernels;
};

/// The name as journal, events and report have it: "module::kernel".
std::string fullName(llvm::StringRef module, llvm::StringRef kernel);

llvm::json::Object toJSON(const TuningReport &report);
llvm::json::Object toJSON(const MeasuredFinalists &measured);
llvm::json::Object toJSON(const PhaseSeconds &seconds);

/// One row an attempt: number, round, agent, verdict, figures, reason; then the
/// best formula and where the time went.
void printTable(const KernelTuning &tuning, llvm::raw_ostream &os);

/// One event as a JSON object, schema `swizzle-tuning-event/1`.
llvm::json::Object toJSON(const TuningEvent &event, llvm::StringRef kernel);

/// The event of a kernel that was not tuned, and why.
llvm::json::Object toRefusalEvent(const KernelTuning &tuning);

/// Shows events as lines, or as one line that is rewritten on a terminal.
class Progress {
public:
  Progress(llvm::raw_ostream &os, bool terminal) : os(os), terminal(terminal) {}

  void begin(llvm::StringRef kernel);
  void show(const TuningEvent &event);

private:
  void line(std::string text, bool stays);

  llvm::raw_ostream &os;
  bool terminal;
  size_t shown = 0; ///< width of the line that can be rewritten
};

} // namespace swizzle

#endif // SWIZZLE_TUNING_REPORT_H
