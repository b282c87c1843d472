//===- GlobalOffset.h - Loads of where a launch begins ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a load of an imported module that yields the first id of an OpenCL launch
// along an axis:
//
//   %o = llvm.load %p {swizzle.global_offset = 0 : i32} : !llvm.ptr<4> -> i64
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_GLOBALOFFSET_H
#define SWIZZLE_SUPPORT_GLOBALOFFSET_H

#include "llvm/ADT/StringRef.h"

namespace swizzle {

/// The axis, as a number of 32 bits.
inline constexpr llvm::StringLiteral kGlobalOffsetAttr =
    "swizzle.global_offset";

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_GLOBALOFFSET_H
