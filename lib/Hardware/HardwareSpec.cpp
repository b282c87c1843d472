//===- HardwareSpec.cpp - What the passes know of a chip ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The view of a chip that formulas have.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/HardwareSpec.h"

namespace swizzle {

std::map<std::string, std::optional<int64_t>>
HardwareSpec::formulaConstants() const {
  const HardwareSpec &spec = *this;
  return {
#define SWIZZLE_HARDWARE_NAME(NAME, VALUE)                                     \
  {#NAME, std::optional<int64_t>(VALUE)},
#include "swizzle/Support/HardwareNames.def"
  };
}

} // namespace swizzle
