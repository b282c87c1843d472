//===- ChipJSON.h - Descriptions of chips as JSON ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes `HardwareSpec`, without LLVM. What goes in, what comes out:
//
//   HardwareSpec chip;
//   std::string wrong = readHardware(R"({"schema": "swizzle-hardware/2",
//                                        "name": "mi300x", ...})", chip);
//   // wrong: "" or "num_xcds: 0 is not allowed; it must be ..."
//   std::string text = writeHardware(chip); // reads back as `chip`
//
// The format is explained in docs/adding-a-chip.md.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_CHIPJSON_H
#define SWIZZLE_HARDWARE_CHIPJSON_H

#include "swizzle/Hardware/HardwareSpec.h"

namespace swizzle {

/// Reads one description, `swizzle-hardware/2` or `swizzle-chip/1`, into
/// `spec`. Returns what is wrong with it, field, value and what is allowed; ""
/// if nothing is. After an error, `spec` holds a part of it.
std::string readHardware(std::string_view text, HardwareSpec &spec);

/// The same for a file of hardware/usual: it is checked by what it states
/// alone, because what stands in for open numbers comes from these files.
std::string readUsualHardware(std::string_view text, HardwareSpec &spec);

/// The description as `swizzle-hardware/2`. A number without a source gets the
/// source "not stated".
std::string writeHardware(const HardwareSpec &spec);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_CHIPJSON_H
