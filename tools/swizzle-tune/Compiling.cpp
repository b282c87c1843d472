//===- Compiling.cpp - Which variants are compiled ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Compiling.h.
//
//===----------------------------------------------------------------------===//

#include "Compiling.h"

#include <set>

using namespace llvm;

namespace swizzle {

/// Fails if `profiler` is the driver of another vendor than the chip's.
static Error checkDriver(StringRef profiler,
                         const std::optional<HardwareSpec> &chip) {
  StringRef vendor = profiler == "cuda"  ? "nvidia"
                     : profiler == "hip" ? "amd"
                                         : "";
  if (!chip || vendor.empty() || chip->vendor.empty() || chip->vendor == vendor)
    return Error::success();
  return createStringError("--profiler=" + profiler + " measures chips by " +
                           vendor + ", and chip '" + chip->name + "' is by " +
                           chip->vendor);
}

Error chooseCompiling(TuneOptions &options, const TuningSession &session) {
  // Whoever names a target wants its code.
  if (!options.build.compile || !options.build.target.empty())
    return Error::success();
  bool anyCompiled = false;
  std::set<std::string> said;
  for (const PlannedKernel &planned : session.kernels()) {
    const std::optional<HardwareSpec> &chip = planned.chip.hardware;
    if (Error error = checkDriver(options.profiler, chip))
      return error;
    if (!chip || chip->target.empty() || isCompilable(*chip)) {
      anyCompiled = true;
      continue;
    }
    std::string why = "code is made for AMD's and NVIDIA's chips, and chip '" +
                      chip->name + "' has the target '" + chip->target + "'";
    if (options.build.compilerRequired)
      return createStringError("--profiler=" + options.profiler +
                               " needs compiled variants, but " + why);
    if (said.insert(chip->name).second)
      errs() << "swizzle-tune: note: variants are not compiled: " << why
             << "; --compile=TARGET compiles them for another one\n";
  }
  options.build.compile = anyCompiled;
  return Error::success();
}

} // namespace swizzle
