//===- StandardOutput.h - What a tool printed was written -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's streams end the program with status 1 if what they hold cannot be
// written, and 1 is an answer of some tools.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_COMMON_STANDARDOUTPUT_H
#define SWIZZLE_TOOLS_COMMON_STANDARDOUTPUT_H

namespace swizzle {

/// From here on the program, however it ends, says if something of its standard
/// output is lost, and has `status` then.
void watchStandardOutput(const char *tool, int status = 2);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_COMMON_STANDARDOUTPUT_H
