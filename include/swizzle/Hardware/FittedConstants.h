//===- FittedConstants.h - What was measured of a chip ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants that a description may have under `fitted`: their names, limits
// and meanings, of which FittedConstants.def is the only list. No value of any
// chip stands here.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_FITTEDCONSTANTS_H
#define SWIZZLE_HARDWARE_FITTEDCONSTANTS_H

#include "swizzle/Hardware/HardwareSpec.h"

namespace swizzle {

/// One constant that a description may have under `fitted`.
struct FittedConstant {
  std::string_view key;
  bool isCount; ///< an integer
  double least, most;
  double neutral; ///< has no effect
  std::string_view meaning;
};

/// All of them, in the order of FittedConstants.def.
const std::vector<FittedConstant> &fittedConstants();

/// The constant called `key`, or nullptr.
const FittedConstant *findFittedConstant(std::string_view key);

/// Sets `spec.fitted[key]`; `shown` is the value as the user wrote it. Returns
/// what is wrong with name or value, without a place, or "".
std::string setFittedConstant(HardwareSpec &spec, const std::string &key,
                              std::optional<double> value,
                              const std::string &shown);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_FITTEDCONSTANTS_H
