//===- PlanKernel.h - Plan one kernel in MLIR -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a kernel in MLIR to a decision: finds the chip, reads the facts, and
// hands both to swizzle/Planning. Does not change the IR.
//
//   PlanSettings settings;
//   settings.chip = "mi300x";
//   settings.planning.advisers = {askingOnce(makePlannerAgent())};
//   LocatedKernel read = readForPlanning(kernel, settings);
//   Decision decision = plan(read.facts, read.chip, settings.planning);
//   emitDecision(read.location, {facts, chip, decision}, false);
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_PLANKERNEL_H
#define SWIZZLE_TRANSFORMS_PLANKERNEL_H

#include "swizzle/Analysis/Describe/ReadFacts.h"
#include "swizzle/Planning/Planning.h"

namespace swizzle {

/// The options of planning, read and checked.
struct PlanSettings {
  std::string chip, hardwareFile;
  std::optional<Grid> grid, block;   ///< where the IR does not say
  int64_t registers = 0;             ///< of a thread; 0 if nobody says
  int64_t dynamicWorkgroupBytes = 0; ///< that launches add
  /// Kernels were made by swizzle/Import, as `FactsOptions` has it.
  bool imported = false;
  bool compose = false;
  /// With `compose`, take a remap that a kernel carries out before it is read,
  /// where that is possible: what is decided takes its place.
  bool replace = false;
  PlanningOptions planning;
};

struct LocatedKernel {
  KernelFacts facts;
  TargetChip chip;
  mlir::Location location;             ///< of the kernel, or of what is refused
  std::optional<CarriedRemap> carried; ///< was taken out of `facts`
};

/// What planning needs to know of `kernel`, which lies in `module`. Never
/// fails: a chip that cannot be used is noted.
LocatedKernel readForPlanning(mlir::FunctionOpInterface kernel,
                              const PlanSettings &settings,
                              const ModuleFacts &module);
LocatedKernel readForPlanning(mlir::FunctionOpInterface kernel,
                              const PlanSettings &settings);

/// Tells what was decided: an error, which is also the result, or warnings and
/// the `passed`, `missed` and `analysis` remarks. `askedFor`: somebody gave the
/// formula, and is warned where it has no effect.
mlir::LogicalResult emitDecision(mlir::Location location,
                                 const PlannedKernel &planned, bool askedFor);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_PLANKERNEL_H
