//===- KernelPlan.h - What is decided about one kernel ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision about one kernel, as plain data: made by `planKernel` without
// touching the IR, then acted on by the pass, told by remarks and written into
// the report.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_KERNELPLAN_H
#define SWIZZLE_TRANSFORMS_KERNELPLAN_H

#include "mlir/IR/Location.h"
#include "swizzle/Analysis/KernelAnalysis.h"
#include "swizzle/Analysis/Legality.h"
#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Simulation/Simulator.h"
#include "swizzle/Transforms/AgentPlan.h"
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

/// What to do when the agent has nothing to offer or is not there.
enum class OnFailure : uint8_t { Keep, Planner, Error };

/// The pass's options, read and checked.
struct PlanSettings {
  std::string chip, hardwareFile;
  std::optional<Formula> formula; ///< explicit
  std::string agent = "planner";
  AgentSettings agents;
  std::optional<Grid> grid, block;
  bool strict = false, compose = false;
  OnFailure onFailure = OnFailure::Keep;
};

enum class Outcome : uint8_t {
  Remapped, ///< a remap goes in
  Kept,     ///< legal, but better or only left alone
  Refused,  ///< not legal
  Failed,   ///< asked for the impossible: an error
};

struct KernelPlan {
  explicit KernelPlan(mlir::Location location) : location(location) {}

  std::string module, name;
  mlir::Location location; ///< of the kernel, or of what is refused
  Outcome outcome = Outcome::Kept;
  std::string reasonCode, reason, counterexample;

  LaunchSizes sizes;
  std::optional<HardwareSpec> hardware;
  std::string chipSource; ///< "option", "file", "dlti", "target"

  /// Remapped: the formula, what it is bound to, and why it is legal.
  std::optional<Formula> formula;
  Environment environment;
  bool guarded = false;
  std::optional<Proof> proof;
  std::string description; ///< of the order, where the planner found it
  std::optional<int64_t> scalarCost, vectorCost; ///< estimated instructions
  /// What will be emitted, where it can be lowered.
  std::optional<LoweredFormula> lowered;

  KernelModel model;
  ReuseTable reuse;
  std::optional<Prediction> prediction;
  std::vector<std::string> notes; ///< "not bit-stable: ...", existing remaps
  std::vector<std::string> assumptions; ///< of the kernel's independence

  void decide(Outcome result, llvm::StringRef code, const llvm::Twine &why) {
    outcome = result;
    reasonCode = code.str();
    reason = why.str();
  }
};

/// Judges `kernel`, finds an order for it and proves it. Does not change the
/// IR.
KernelPlan planKernel(mlir::FunctionOpInterface kernel,
                      const PlanSettings &settings);

/// The first half of that: sizes, legality and chip, and no formula yet. An
/// empty `reasonCode` means that the kernel may be remapped; else all is
/// decided. A chip is required.
KernelPlan prepareKernel(mlir::FunctionOpInterface kernel,
                         const PlanSettings &settings);

/// The second half: proves `formula` with `params` for a prepared kernel,
/// whoever proposes it, and makes it the plan. False if it is refused; the plan
/// then says why. Without a prediction.
bool takeProposal(KernelPlan &plan, const Formula &formula,
                  const ParamValues &params, llvm::StringRef code,
                  const llvm::Twine &reason);

/// Emits the `passed`, `missed` and `analysis` remarks about `plan`.
void emitRemarks(const KernelPlan &plan);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_KERNELPLAN_H
