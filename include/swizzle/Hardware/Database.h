//===- Database.h - Chips by name -------------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chips of `hardware/*.json`, embedded at build time, and the reader for a
// file of the user's own. Every error names file, field, value and what is
// allowed.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_DATABASE_H
#define SWIZZLE_HARDWARE_DATABASE_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace swizzle {

/// Names of all built-in chips, sorted.
std::vector<std::string> listChips();

/// A built-in chip by name, case-insensitive; `native` asks the machine. The
/// error of an unknown name lists the chips, nearest spelling first.
llvm::Expected<HardwareSpec> findChip(llvm::StringRef name);

/// The default chip of a compiler target such as `gfx942` or `sm_90a`;
/// nullopt if no chip claims the target.
std::optional<HardwareSpec> findChipForTarget(llvm::StringRef target);

/// The error for who needs a chip where nobody says which; `user` opens the
/// message ("the planner", "the formula"). Says how to give one, and lists the
/// chips.
llvm::Error makeNoChipError(llvm::StringRef user);

/// Reads one chip from JSON text; `fileName` is for messages.
llvm::Expected<HardwareSpec> parseChip(llvm::StringRef json,
                                       llvm::StringRef fileName);

/// Reads one chip from a file.
llvm::Expected<HardwareSpec> readChipFile(llvm::StringRef path);

/// This machine's own: as AMD's topology tells it, else as a driver does that
/// `swizzle-run` can open. The error says what was looked for.
llvm::Expected<HardwareSpec> findNativeChip();

/// A chip of which a driver has told what it tells, with the rest from the
/// built-in chip that it is; called native.
HardwareSpec completeNativeChip(const HardwareSpec &told);

/// Reads the GPU that the KFD driver lists below `root` (by default the
/// kernel's own topology tree); the first GPU node unless `node` says
/// otherwise.
llvm::Expected<HardwareSpec> readKfdTopology(llvm::StringRef root = "",
                                             int node = -1);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_DATABASE_H
