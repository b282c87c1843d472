//===- Options.h - Options of the pass on LLVM IR ------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One text, `name=value` separated by semicolons, as it stands in a textual
// pipeline or in the environment:
//
//   in   "chip=mi300x;grid=64x64+128x128;strict"
//   out  chip "mi300x", grids 64x64x1 and 128x128x1, strict
//
// Textual pipelines know no comma inside of a pass's options, so lists are
// joined by `+`. The names are those of `hw-aware-swizzle` in MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LLVMPASS_OPTIONS_H
#define SWIZZLE_LLVMPASS_OPTIONS_H

#include "swizzle/Kernel/ArgumentClaims.h"
#include "swizzle/Tuning/PassOptions.h"

#include "llvm/ADT/StringMap.h"

namespace swizzle::llvmpass {

/// What somebody claims about the launches of a kernel. Nothing of it is
/// believed: the remap compares it at run time.
struct LaunchClaim {
  std::vector<Grid> grids; ///< at most four
  std::optional<Grid> block;
  int64_t registers = 0;             ///< of a thread; 0 if nobody says
  int64_t dynamicWorkgroupBytes = 0; ///< that launches add
  ArgumentClaims args;
};

struct PassSettings {
  std::string chip, hardwareFile, report;
  std::string target; ///< of kernels that name none
  PlanningOptions planning;
  LaunchClaim claim;                   ///< of kernels that `claims` lacks
  llvm::StringMap<LaunchClaim> claims; ///< by the kernel's name
  bool tag = true;                     ///< notes on each kernel what was done
  std::vector<FileRole> files;         ///< that the options name
  std::vector<std::string> warnings;
};

/// Grids that one kernel may be remapped for, each of which costs a comparison
/// and arithmetic of its own.
inline constexpr size_t kMostGrids = 4;

/// Reads options; the error names the one that cannot be used. `check` is asked
/// about the files that they name before any is written to.
llvm::Expected<PassSettings> parseOptions(llvm::StringRef text,
                                          FileCheck check = nullptr);

/// The reference of all options, a line each.
std::string printOptions();

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LLVMPASS_OPTIONS_H
