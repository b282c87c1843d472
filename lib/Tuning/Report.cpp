//===- Report.cpp - The report for programs -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that are not known are null; figures say where they come from.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Tuning/Report.h"

#include "swizzle/Bundle/Compare.h"
#include "swizzle/Records/HistoryJSON.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace swizzle {

std::string fullName(StringRef module, StringRef kernel) {
  return module.empty() ? kernel.str() : (module + "::" + kernel).str();
}

const JobResult *MeasuredFinalists::find(unsigned number) const {
  if (!number)
    return &original();
  std::string name = "attempt " + std::to_string(number);
  auto row = llvm::find_if(
      rows, [&](const JobResult &one) { return one.variant == name; });
  return row != rows.end() ? &*row : nullptr;
}

static json::Value textOrNull(StringRef text) {
  return text.empty() ? json::Value(nullptr) : toJSONText(text);
}

static json::Array toJSON(ArrayRef<std::string> lines) {
  json::Array array;
  for (const std::string &line : lines)
    array.push_back(toJSONText(line));
  return array;
}

json::Object toJSON(const PhaseSeconds &seconds) {
  return json::Object{{"agent", seconds.agent}, {"build", seconds.build},
                      {"check", seconds.check}, {"measure", seconds.measure},
                      {"loop", seconds.loop()}, {"total", seconds.total}};
}

static json::Value proofOf(const Variant &variant) {
  if (!variant.proof)
    return nullptr;
  return json::Object{{"kind", toString(variant.proof->kind)},
                      {"ids", variant.proof->ids},
                      {"assumptions", toJSON(variant.proof->assumptions)}};
}

static json::Object toJSON(const TuningResult &result) {
  auto figures = [&](const Metrics &metrics) {
    return result.isProfiled ? json::Value(toJSON(metrics)) : nullptr;
  };
  json::Array attempts;
  for (const Attempt &attempt : result.attempts)
    attempts.push_back(toJSON(attempt));
  json::Array confirmed(result.confirmed);
  json::Object best{{"attempt", result.best.attempt},
                    {"formula", nullptr},
                    {"params", toJSON(result.best.params)},
                    {"proof", proofOf(result.best)},
                    {"measurement", figures(result.bestMeasurement)}};
  if (result.best.formula)
    best["formula"] = toJSONText(result.best.formula->print());
  return json::Object{{"objective", toString(result.objective)},
                      {"objective_reason", textOrNull(result.objectiveReason)},
                      {"baseline", figures(result.baseline)},
                      {"best", std::move(best)},
                      {"attempts", std::move(attempts)},
                      {"confirmed", std::move(confirmed)},
                      {"rounds", result.rounds},
                      {"evaluations", result.evaluations},
                      {"usage", toJSON(result.usage)},
                      {"seconds", toJSON(result.seconds)},
                      {"end", toString(result.end)},
                      {"end_reason", textOrNull(result.endReason)}};
}

json::Object toJSON(const MeasuredFinalists &measured) {
  json::Array rows;
  for (const JobResult &row : measured.rows) {
    Expected<json::Value> tree = json::parse(writeResult(row));
    if (!tree)
      consumeError(tree.takeError()); // not possible: it was written just now
    else
      rows.push_back(std::move(*tree));
  }
  const JobResult *chosen =
      measured.attempt ? measured.find(measured.attempt) : nullptr;
  double speedUp =
      chosen ? 1 / compareWithOriginal(measured.original(), *chosen).ratio : 1;
  return json::Object{{"attempt", measured.attempt},
                      {"speed_up", speedUp},
                      {"reason", toJSONText(measured.reason)},
                      {"notes", toJSON(measured.notes)},
                      {"rows", std::move(rows)}};
}

json::Object toJSON(const TuningReport &report) {
  json::Array kernels;
  for (const KernelTuning &tuning : report.kernels) {
    bool remapped = tuning.result && tuning.result->best.attempt != 0;
    StringRef outcome = remapped ? "remapped"
                        : tuning.reasonCode.empty() || tuning.result
                            ? "kept"
                            : "refused";
    kernels.push_back(json::Object{
        {"module", toJSONText(tuning.module)},
        {"name", toJSONText(tuning.kernel)},
        {"chip", textOrNull(tuning.chip)},
        {"grid", toJSON(tuning.grid)},
        {"block", toJSON(tuning.block)},
        {"model_grid", toJSON(tuning.modelGrid)},
        {"outcome", outcome},
        {"reason_code", textOrNull(tuning.reasonCode)},
        {"reason", textOrNull(tuning.reason)},
        {"assumptions", toJSON(tuning.assumptions)},
        {"notes", toJSON(tuning.notes)},
        {"constants", toJSON(tuning.constants)},
        {"ir_difference", toJSON(tuning.irDifference)},
        {"measured", tuning.measured ? json::Value(toJSON(*tuning.measured))
                                     : json::Value(nullptr)},
        {"tuning", tuning.result ? json::Value(toJSON(*tuning.result))
                                 : json::Value(nullptr)}});
  }
  return json::Object{{"schema", "swizzle-tuning/1"},
                      {"tool_version", report.toolVersion},
                      {"input_hash", report.inputHash},
                      {"compiler", textOrNull(report.compiler)},
                      {"profiler", report.profiler},
                      {"agents", toJSONText(report.agents)},
                      {"output", textOrNull(report.output)},
                      {"kernels", std::move(kernels)}};
}

static StringRef toString(TuningEvent::Kind kind) {
  switch (kind) {
  case TuningEvent::Baseline:
    return "baseline";
  case TuningEvent::Asking:
    return "asking";
  case TuningEvent::Tried:
    return "attempt";
  case TuningEvent::RoundDone:
    return "round";
  case TuningEvent::Ended:
    return "end";
  }
  llvm_unreachable("unknown kind of event");
}

json::Object toRefusalEvent(const KernelTuning &tuning) {
  return json::Object{
      {"schema", "swizzle-tuning-event/1"},
      {"event", "refused"},
      {"kernel", toJSONText(fullName(tuning.module, tuning.kernel))},
      {"reason_code", textOrNull(tuning.reasonCode)},
      {"reason", textOrNull(tuning.reason)}};
}

json::Object toJSON(const TuningEvent &event, StringRef kernel) {
  const TuningResult &result = event.result;
  json::Object object{
      {"schema", "swizzle-tuning-event/1"}, {"event", toString(event.kind)},
      {"kernel", toJSONText(kernel)},       {"round", event.round},
      {"best", result.best.attempt},        {"evaluations", result.evaluations},
      {"seconds", result.seconds.total},    {"usage", toJSON(result.usage)}};
  switch (event.kind) {
  case TuningEvent::Baseline:
    object["measurement"] = toJSON(result.baseline);
    object["objective"] = toString(result.objective);
    object["objective_reason"] = textOrNull(result.objectiveReason);
    break;
  case TuningEvent::Asking:
    object["agent"] = toJSONText(event.agent);
    break;
  case TuningEvent::Tried:
    object["attempt"] = toJSON(*event.attempt);
    break;
  case TuningEvent::RoundDone:
    break;
  case TuningEvent::Ended:
    object["end"] = toString(result.end);
    object["end_reason"] = textOrNull(result.endReason);
    object["measurement"] = toJSON(result.bestMeasurement);
    break;
  }
  return object;
}

} // namespace swizzle
