//===- Print.h - Simulated figures for people and programs ---- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of all levels, before and after, and the same facts as JSON (schema
// `swizzle-sim/1`). Every figure is labelled as simulated.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SIMULATION_PRINT_H
#define SWIZZLE_SIMULATION_PRINT_H

#include "swizzle/Simulation/Simulator.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace swizzle {

/// One kernel, simulated on one chip in one or two orders.
struct SimulationReport {
  std::string module, kernel;
  std::string chip, chipDescription;
  std::string chipSource; ///< "option", "file", "dlti", "target"
  Grid grid, block;
  int64_t residentWorkgroups = 0; ///< on one compute unit
  SimulationOptions options;
  /// A part of the workgroups is one from within, not the first.
  bool isWithin = false;
  std::optional<Metrics> original; ///< in the order of the hardware
  std::string formula;             ///< of `remapped`, one statement a line
  std::map<std::string, int64_t> params;
  /// Scalar instructions of the remap, which are part of the time; of a
  /// recording, no instructions are.
  std::optional<int64_t> remapInstructions;
  std::optional<Metrics> remapped;
  std::vector<std::string> assumed;     ///< sizes that the model assumes
  std::vector<std::string> notModelled; ///< accesses that are left out
};

/// A table with one row a level, and notes below it.
void printReport(const SimulationReport &report, llvm::raw_ostream &os);

/// One entry of `kernels` of schema `swizzle-sim/1`.
llvm::json::Object toJSON(const SimulationReport &report);

} // namespace swizzle

#endif // SWIZZLE_SIMULATION_PRINT_H
