//===- FindTool.h - Where a program of this project is ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   findTool("swizzle-check")   // "/opt/swizzle/bin/swizzle-check", or ""
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_FINDTOOL_H
#define SWIZZLE_SUPPORT_FINDTOOL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace swizzle {

/// The program `name` beside the running one, else in $PATH; empty if there is
/// none.
std::string findTool(llvm::StringRef name);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_FINDTOOL_H
