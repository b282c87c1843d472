//===- Progress.cpp - The report for people -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A terminal shows one line that is rewritten while an agent thinks, and keeps
// a line for each verdict; anything else gets plain lines.
//
//===----------------------------------------------------------------------===//

#include "History/HistoryText.h"
#include "swizzle/Bundle/Compare.h"
#include "swizzle/Tuning/Report.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

using namespace tuning;

/// Text from elsewhere on one line, without what would steer a terminal.
static std::string plain(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\n')
      result += " | ";
    else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)
      result += c;
  }
  return result;
}

/// "; left: 3 evaluations, 12 s": nothing if there is no limit.
static std::string describeLeft(const TuningEvent &event) {
  const TuningBudget &budget = event.budget;
  const TuningResult &result = event.result;
  std::string text;
  auto add = [&](std::string part) {
    text += (text.empty() ? "; left: " : ", ") + std::move(part);
  };
  if (budget.evaluations)
    add(formatv("{0} evaluations",
                int64_t(budget.evaluations) - int64_t(result.evaluations)));
  if (budget.seconds > 0)
    add(formatv("{0:F0} s",
                std::max(0.0, budget.seconds - result.seconds.total)));
  if (budget.tokens)
    add(formatv("{0} tokens",
                std::max<int64_t>(0, budget.tokens - result.usage.inputTokens -
                                         result.usage.outputTokens)));
  if (budget.money > 0)
    add(formatv("{0:F2} of {1:F2} to pay",
                std::max(0.0, budget.money - result.usage.money),
                budget.money));
  return text;
}

static std::string describeBest(const TuningResult &result) {
  return "best so far: " + nameAttempt(result.best.attempt);
}

void Progress::line(std::string text, bool stays) {
  if (!terminal) {
    os << text << '\n';
    os.flush();
    return;
  }
  os << '\r' << text;
  if (text.size() < shown)
    os.indent(unsigned(shown - text.size()));
  shown = stays ? 0 : text.size();
  if (stays)
    os << '\n';
  os.flush();
}

void Progress::begin(StringRef kernel) {
  line("kernel " + plain(kernel), /*stays=*/true);
}

void Progress::show(const TuningEvent &event) {
  const TuningResult &result = event.result;
  switch (event.kind) {
  case TuningEvent::Baseline:
    line(formatv("  as it is: time {0:F1} us ({1}); objective: {2}",
                 result.baseline.timeUs, toString(result.baseline.from.origin),
                 result.objectiveReason.empty()
                     ? toString(result.objective).str()
                     : result.objectiveReason),
         /*stays=*/true);
    return;
  case TuningEvent::Asking:
    line(formatv("  round {0}: asking {1}; {2}{3}", event.round,
                 plain(event.agent), describeBest(result), describeLeft(event)),
         /*stays=*/!terminal);
    return;
  case TuningEvent::Tried: {
    const Attempt &attempt = *event.attempt;
    bool profiled = attempt.status == AttemptStatus::Profiled;
    std::string text =
        formatv("  #{0} {1}: {2}{3}", attempt.number, plain(attempt.agent),
                profiled ? "" : toString(attempt.status).str() + ": ",
                plain(attempt.message));
    if (profiled)
      text += ": " + describeChange(result.baseline, *attempt.measurement);
    line(std::move(text), /*stays=*/true);
    return;
  }
  case TuningEvent::RoundDone:
    line(formatv("  round {0} done; {1}{2}", event.round, describeBest(result),
                 describeLeft(event)),
         /*stays=*/true);
    return;
  case TuningEvent::Ended:
    line("  ended: " + plain(result.endReason), /*stays=*/true);
    return;
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::string percent(const std::optional<double> &rate) {
  return rate ? formatv("{0:F1}", 100 * *rate).str() : "-";
}

static void printFigures(raw_ostream &os, const Metrics &m) {
  Count dram = m.dramBytes();
  os << formatv("{0,11:F1} {1,9} {2,7}", m.timeUs,
                dram.isCounted() ? formatv("{0:F1}", dram / 1e6).str() : "-",
                percent(m.hitRate("l2")));
}

static void printNoFigures(raw_ostream &os) {
  os << formatv("{0,11} {1,9} {2,7}", "-", "-", "-");
}

/// What the GPU said, one row an order.
static void printMeasured(const MeasuredFinalists &measured, raw_ostream &os) {
  const JobResult &original = measured.rows.front();
  os << "  measured on " << plain(original.metrics.from.device) << ":\n";
  for (const JobResult &row : measured.rows) {
    os << formatv("    {0,-12}", row.variant);
    if (!row.failure.empty()) {
      os << " failed: " << plain(row.failure) << '\n';
      continue;
    }
    os << formatv("{0,11:F1} us +- {1:F2} %  {2:F3}x", row.metrics.timeUs,
                  100 * row.metrics.noise.value_or(0),
                  1 + compareWithOriginal(original, row).gain());
    if (row.metrics.energyJoules)
      os << formatv("  {0:F3} J", *row.metrics.energyJoules);
    if (row.measurement)
      os << "  outputs " << row.measurement->outputs;
    os << '\n';
  }
  for (const std::string &note : measured.notes)
    os << "    " << plain(note) << '\n';
  os << "  " << measured.reason << '\n';
}

void printTable(const KernelTuning &tuning, raw_ostream &os) {
  os << "kernel " << plain(fullName(tuning.module, tuning.kernel));
  if (!tuning.chip.empty())
    os << " on " << tuning.chip;
  os << ", grid " << toString(tuning.grid) << '\n';
  if (!tuning.result) {
    os << "  left alone: " << plain(tuning.reason) << " [" << tuning.reasonCode
       << "]\n";
    return;
  }
  const TuningResult &result = *tuning.result;
  os << formatv("  objective {0}, figures {1}\n", toString(result.objective),
                toString(result.baseline.from.origin));
  os << "    #  round  agent        verdict          time us   DRAM MB  L2 hit"
        "  reason\n";
  os << "    0      -  -            as it is     ";
  if (result.isProfiled)
    printFigures(os, result.baseline);
  else
    printNoFigures(os);
  os << '\n';
  for (const Attempt &attempt : result.attempts) {
    std::string verdict = attempt.status == AttemptStatus::Profiled
                              ? attempt.code
                              : toString(attempt.status).str();
    os << formatv(" {0}{1,4} {2,6}  {3,-12} {4,-13}",
                  result.best.attempt == attempt.number ? '*' : ' ',
                  attempt.number, attempt.round,
                  plain(attempt.agent).substr(0, 12), verdict);
    if (attempt.measurement)
      printFigures(os, *attempt.measurement);
    else
      printNoFigures(os);
    os << "  ";
    if (!attempt.params.empty())
      os << "[" << describeParams(attempt.params) << "] ";
    os << plain(attempt.message);
    if (StringRef more = addedTo(attempt.message, attempt.counterexample);
        !more.empty())
      os << " (" << plain(more) << ")";
    if (attempt.unchecked)
      os << " (unchecked)";
    os << '\n';
  }
  if (!result.confirmed.empty()) {
    os << "  looked at once more, in finer detail: the kernel as it is";
    for (unsigned number : result.confirmed)
      os << ", " << nameAttempt(number);
    os << '\n';
  }
  if (tuning.measured)
    printMeasured(*tuning.measured, os);
  if (!tuning.notMeasured.empty())
    os << "  not measured: " << plain(tuning.notMeasured) << '\n';
  os << "  ended: " << plain(result.endReason) << '\n';
  const PhaseSeconds &s = result.seconds;
  os << formatv("  {0} evaluations, {1} tokens{2}, {3:F2} s: agent {4:F2}, "
                "build {5:F2}, check {6:F2}, profile {7:F2}, loop {8:F2}\n",
                result.evaluations,
                result.usage.inputTokens + result.usage.outputTokens,
                result.usage.estimated ? " (estimated)" : "", s.total, s.agent,
                s.build, s.check, s.measure, s.loop());
  if (!result.best.attempt) {
    os << "  best: leave it as it is\n";
    return;
  }
  os << "  best: #" << result.best.attempt;
  if (!result.best.params.empty())
    os << " with " << describeParams(result.best.params);
  os << ", ";
  if (tuning.measured) // the clock's word first
    os << tuning.measured->reason << "; ";
  os << describeChange(result.baseline, result.bestMeasurement) << '\n';
  SmallVector<StringRef> lines;
  std::string text = result.best.formula->print();
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef one : lines)
    os << "    " << one << '\n';
}

} // namespace swizzle
