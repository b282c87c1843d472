//===- PrintRaces.h - What --races says -------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was found, for people or as JSON (schema swizzle-check-races/1).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_CHECK_PRINTRACES_H
#define SWIZZLE_TOOLS_SWIZZLE_CHECK_PRINTRACES_H

#include "swizzle/Codegen/Host/FindRaces.h"

namespace swizzle {

/// To standard output.
void printRaces(const RaceResult &result, bool json);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_CHECK_PRINTRACES_H
