//===- Compiling.h - Which variants are compiled ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chip of another vendor than AMD and NVIDIA can be simulated, but its code
// cannot be made here.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_COMPILING_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_COMPILING_H

#include "Options.h"

namespace swizzle {

/// Says on standard error which chips of the session variants are not compiled
/// for; if there is no other one, nothing is. Fails if they are to be measured.
llvm::Error chooseCompiling(TuneOptions &options, const TuningSession &session);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_COMPILING_H
