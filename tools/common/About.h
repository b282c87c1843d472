//===- About.h - What every tool says of itself -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--version`, with ours and LLVM's, and `--list-chips`: the same in all tools.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_COMMON_ABOUT_H
#define SWIZZLE_TOOLS_COMMON_ABOUT_H

#include "llvm/Support/CommandLine.h"

namespace swizzle {

/// A row for each chip: name, compiler target, what it is.
void printChips(llvm::raw_ostream &os);

/// To be declared once in a tool, before its command line is parsed; both
/// options end the program.
class About {
public:
  About(const char *tool, llvm::cl::OptionCategory &category);

private:
  llvm::cl::opt<bool> listChips;
};

} // namespace swizzle

#endif // SWIZZLE_TOOLS_COMMON_ABOUT_H
