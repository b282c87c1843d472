//===- Argument.h - What --argument gives ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape or a value, contents, or both, of an argument of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_CHECK_ARGUMENT_H
#define SWIZZLE_TOOLS_SWIZZLE_CHECK_ARGUMENT_H

#include "swizzle/Codegen/Host/HostKernel.h"

namespace swizzle {

/// Reads `2=64x32`, `2=17` or `2=@file` into `options`; fails if it is none of
/// them, or says again what was said.
llvm::Error readArgument(llvm::StringRef text, HostOptions &options);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_CHECK_ARGUMENT_H
