//===- PlanRemarks.cpp - Tell what was decided ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks of the category `swizzle`, through MLIR's remark engine: `passed` for
// a remap with its formula, proof and prediction; `missed` with the code and
// the reason; `analysis` for what was found out about the kernel either way.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/KernelPlan.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using remark::RemarkOpts;

namespace swizzle {

/// "81.3 %", or "none" for a level that does not exist.
static std::string percent(const std::optional<double> &rate) {
  return rate ? llvm::formatv("{0:f1} %", *rate * 100).str() : "none";
}

static std::string megabytes(double bytes) {
  return llvm::formatv("{0:f1} MB", bytes / 1e6).str();
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

static RemarkOpts options(const KernelPlan &plan, StringRef name) {
  return RemarkOpts::name(name).category("swizzle").function(plan.name);
}

static void emitPassed(const KernelPlan &plan) {
  auto remark = remark::passed(plan.location, options(plan, "WorkgroupRemap"));
  remark << remark::metric("Formula", plan.formula->printLine())
         << remark::metric("Params", join(plan.environment.params))
         << remark::metric("Proof", toString(plan.proof->kind).str())
         << remark::metric("Ids", plan.proof->ids)
         << remark::metric("Reason", plan.reason);
  for (const std::string &assumption : plan.proof->assumptions)
    remark << remark::metric("Assuming", assumption);
  for (const std::string &assumption : plan.assumptions)
    remark << remark::metric("Assuming", assumption);
  if (plan.scalarCost)
    remark << remark::metric("ScalarCost", *plan.scalarCost);
  if (!plan.prediction)
    return;
  const Metrics &before = plan.prediction->before;
  const Metrics &after = plan.prediction->after;
  remark << remark::metric("Chip", plan.hardware->name)
         << remark::metric("SimulatedL2Hit", change(percent(before.l2HitRate),
                                                    percent(after.l2HitRate)))
         << remark::metric("SimulatedDramRead",
                           change(megabytes(before.dramReadBytes),
                                  megabytes(after.dramReadBytes)))
         << remark::metric("SimulatedTime",
                           llvm::formatv("{0:f1} us -> {1:f1} us",
                                         before.timeUs, after.timeUs)
                               .str());
}

static void emitMissed(const KernelPlan &plan) {
  auto remark = remark::missed(plan.location, options(plan, "WorkgroupRemap"));
  remark << remark::metric("Code", plan.reasonCode)
         << remark::metric("Reason", plan.reason);
  if (!plan.counterexample.empty())
    remark << remark::metric("Counterexample", plan.counterexample);
}

static void emitAnalysis(const KernelPlan &plan) {
  auto say = [&](StringRef name, StringRef key, const std::string &text) {
    remark::analysis(plan.location, options(plan, name))
        << remark::metric(key, text);
  };
  if (plan.chipSource == "target")
    say("Chip", "Assumed",
        plan.hardware->name + ", the default chip of target " +
            plan.hardware->target);
  else if (plan.hardware)
    say("Chip", "Chip",
        plan.hardware->name + " (from " + plan.chipSource + ")");
  if (plan.guarded)
    say("Grid", "Assumed",
        toString(plan.environment.grid) +
            (plan.sizes.gridSource == SizeSource::Option
                 ? ", as the option says"
                 : ", as the launches that are visible say"));
  if (plan.outcome == Outcome::Remapped && plan.lowered &&
      plan.lowered->maxExtentProduct)
    say("Grid", "KeepsOrder",
        "of more than " + std::to_string(plan.lowered->maxExtentProduct) +
            " workgroups, which the arithmetic of 32 bits does not hold");
  for (const BufferReuse &reuse : plan.reuse.buffers)
    say("Reuse", "Buffer", describe(plan.model, reuse));
  if (plan.prediction && !plan.prediction->before.roofline.empty())
    say("Bottleneck", "Bound",
        describeBottleneck(plan.prediction->before).text);
  for (const NotModelled &access : plan.model.notModelled)
    say("NotModelled", "Access", access.what + ": " + access.reason);
  for (const std::string &note : plan.notes)
    say("Note", "Note", note);
}

void emitRemarks(const KernelPlan &plan) {
  emitAnalysis(plan);
  if (plan.outcome == Outcome::Remapped)
    emitPassed(plan);
  else
    emitMissed(plan);
}

} // namespace swizzle
