//===- Stated.h - A description without what stands in ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A description must also agree with what stands in for the numbers that it
// leaves open. The usual chips are where those come from: they are read and
// checked by what they state alone.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_HARDWARE_SPEC_STATED_H
#define SWIZZLE_LIB_HARDWARE_SPEC_STATED_H

#include "swizzle/Hardware/Schema.h"

namespace swizzle {

/// `checkChip`, of the numbers that `spec` states.
std::string checkStated(const HardwareSpec &spec, Spelling keys);

} // namespace swizzle

#endif // SWIZZLE_LIB_HARDWARE_SPEC_STATED_H
