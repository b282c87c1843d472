//===- Names.h - Words that the language reserves ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which names mean something by themselves.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_NAMES_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_NAMES_H

#include "swizzle/Formula/Formula.h"

namespace swizzle::formula {

/// `x`, `y` and `z`: the id that the hardware dealt.
inline bool isIdName(llvm::StringRef name) {
  return name == "x" || name == "y" || name == "z";
}

/// `gx`, `gy` and `gz`: the extents of the grid.
inline bool isExtentName(llvm::StringRef name) {
  return name == "gx" || name == "gy" || name == "gz";
}

/// A number of the hardware, whatever the chip.
bool isHardwareName(llvm::StringRef name);

/// A word of Python's grammar, whether the language uses it or not.
bool isKeyword(llvm::StringRef word);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_NAMES_H
