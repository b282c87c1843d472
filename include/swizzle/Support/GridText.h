//===- GridText.h - Grids and workgroup ids as text -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `96x61`, `64x64x4`, `?x?`: x first, as every launch has it; `(8,0)` for the
// workgroup x = 8, y = 0.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_GRIDTEXT_H
#define SWIZZLE_SUPPORT_GRIDTEXT_H

#include "swizzle/Support/Grid.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace swizzle {

/// A grid or a block, `96x61`, `64x64x4`, `?x?`: x first. Errors name what is
/// wrong with the text; callers say whose it is.
llvm::Expected<Grid> parseGrid(llvm::StringRef text);

/// Inverse of `parseGrid`; trailing extents of 1 are left out, x stays.
std::string toString(const Grid &grid);
/// 1, 2 or 3: axes up to the last one whose extent is not 1.
unsigned rankOf(const Grid &grid);
/// `(8)`, `(8,0)` or `(8,0,0)`, by the rank of the grid.
std::string toString(WorkgroupId id, const Grid &grid);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_GRIDTEXT_H
