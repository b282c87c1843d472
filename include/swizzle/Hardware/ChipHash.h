//===- ChipHash.h - Tells descriptions of chips apart -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name is not enough to know a chip by: anybody may write a file for it.
//
//   hashOf(chip)             // "blake3:6437b3ac38465133ffb63b75273a8db5"
//   hashUnlessBuiltIn(chip)  // "": `chip` is the built-in one of its name
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_CHIPHASH_H
#define SWIZZLE_HARDWARE_CHIPHASH_H

#include "swizzle/Hardware/HardwareSpec.h"

namespace swizzle {

/// A hash of all that is known about a chip: all fields of its description but
/// what it says in words (`description`, sources and reasons) and whether it is
/// the usual chip of its target.
std::string hashOf(const HardwareSpec &hardware);

/// Empty if the built-in chip of the same name has the same hash, else
/// `hashOf`. The wave size of a built-in chip may be the one that a kernel asks
/// for.
std::string hashUnlessBuiltIn(const HardwareSpec &hardware);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_CHIPHASH_H
