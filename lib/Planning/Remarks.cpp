//===- Remarks.cpp - What was decided, as remarks -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each kind of remark.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planning/Remarks.h"

#include "swizzle/Planning/Summary.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

/// "81.3 %", or "none" for a level that does not exist.
static std::string percent(const std::optional<double> &rate) {
  return rate ? formatv("{0:f1} %", *rate * 100).str() : "none";
}

static std::string megabytes(double bytes) {
  return formatv("{0:f1} MB", bytes / 1e6).str();
}

/// "before -> after" for one figure.
static std::string change(const std::string &before, const std::string &after) {
  return before + " -> " + after;
}

static std::string join(const ParamValues &params) {
  std::string text;
  for (const auto &[name, value] : params)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text.empty() ? "none" : text;
}

static RemarkText describePassed(const PlannedKernel &planned) {
  const Decision &decision = planned.decision;
  const ProvedRemap &remap = *decision.remap;
  RemarkText remark{RemarkText::Passed,
                    "WorkgroupRemap",
                    summarise(planned),
                    {{"Formula", remap.formula.printLine()},
                     {"Params", join(remap.environment.params)},
                     {"Proof", toString(remap.proof.kind).str()},
                     {"Ids", std::to_string(remap.proof.ids)},
                     {"Reason", decision.reason}}};
  auto add = [&](const char *key, std::string text) {
    remark.values.emplace_back(key, std::move(text));
  };
  if (std::string order = explainOrder(remap); !order.empty())
    add("Order", order);
  for (const std::string &assumption : remap.proof.assumptions)
    add("Assuming", assumption);
  for (const std::string &assumption : decision.assumptions)
    add("Assuming", assumption);
  if (remap.scalarCost)
    add("ScalarCost", std::to_string(*remap.scalarCost));
  if (!decision.prediction) {
    add("Simulated", "no, so no speed-up is claimed");
    return remark;
  }
  const Metrics &before = decision.prediction->before;
  const Metrics &after = decision.prediction->after;
  add("Chip", planned.chip.hardware->name);
  add("SimulatedL2Hit",
      change(percent(before.hitRate("l2")), percent(after.hitRate("l2"))));
  add("SimulatedDramRead",
      change(megabytes(before.dramReadBytes), megabytes(after.dramReadBytes)));
  add("SimulatedTime",
      formatv("{0:f1} us -> {1:f1} us", before.timeUs, after.timeUs).str());
  return remark;
}

static RemarkText describeMissed(const PlannedKernel &planned) {
  const Decision &decision = planned.decision;
  RemarkText remark{
      RemarkText::Missed,
      "WorkgroupRemap",
      summarise(planned),
      {{"Code", decision.reasonCode}, {"Reason", decision.reason}}};
  if (!decision.counterexample.empty())
    remark.values.emplace_back("Counterexample", decision.counterexample);
  return remark;
}

/// The counterexample of a refusal in a message of its own, unless the reason
/// has it.
static std::optional<RemarkText>
describeCounterexample(const Decision &decision) {
  StringRef more = addedTo(decision.reason, decision.counterexample);
  if (decision.remap || more.empty())
    return std::nullopt;
  return RemarkText{RemarkText::Missed,
                    "Counterexample",
                    shorten(more.str()),
                    {{"Counterexample", decision.counterexample}}};
}

static std::vector<RemarkText> describeAnalysis(const PlannedKernel &planned) {
  const KernelFacts &facts = planned.facts;
  const TargetChip &chip = planned.chip;
  const Decision &decision = planned.decision;
  std::vector<RemarkText> remarks;
  auto say = [&](const char *name, const char *key, std::string text) {
    remarks.push_back(
        {RemarkText::Analysis, name, "", {{key, std::move(text)}}});
  };
  if (chip.source == "target")
    say("Chip", "Assumed",
        chip.hardware->name + ", the default chip of target " +
            chip.hardware->target);
  else if (chip.hardware)
    say("Chip", "Chip", chip.hardware->name + " (from " + chip.source + ")");
  if (facts.gridIsGuarded())
    say("Grid", "Assumed",
        toString(facts.gridToProve()) +
            (facts.sizes.gridSource == SizeSource::Option
                 ? ", as the option says"
                 : ", as the launches that are visible say"));
  if (decision.remap && decision.remap->lowered &&
      decision.remap->lowered->maxExtentProduct)
    say("Grid", "KeepsOrder",
        "of more than " +
            std::to_string(decision.remap->lowered->maxExtentProduct) +
            " workgroups, which the arithmetic of 32 bits does not hold");
  // What is not modelled may share more, and may be what takes the time.
  std::string ofWhat =
      facts.model.unseen().empty() ? "" : " (of what is modelled)";
  for (const BufferReuse &reuse : decision.reuse.buffers)
    say("Reuse", "Buffer", describe(facts.model, reuse) + ofWhat);
  if (decision.prediction && !decision.prediction->before.roofline.empty())
    say("Bottleneck", "Bound",
        describeBottleneck(decision.prediction->before).text + ofWhat);
  for (const NotModelled *access : facts.model.unseen())
    say("NotModelled", "Access", access->what + ": " + access->reason);
  for (const std::string &note : decision.notes)
    say("Note", "Note", note);
  return remarks;
}

std::vector<RemarkText> describeInRemarks(const PlannedKernel &planned) {
  std::vector<RemarkText> remarks = describeAnalysis(planned);
  remarks.push_back(planned.decision.remap ? describePassed(planned)
                                           : describeMissed(planned));
  if (auto counterexample = describeCounterexample(planned.decision))
    remarks.push_back(std::move(*counterexample));
  return remarks;
}

} // namespace swizzle
