//===- PrintPasses.h - What the analysis makes of a kernel ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//
// Passes for people who wonder what is read from their kernel. They print to
// standard output, and leave the module as it is.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_PRINTPASSES_H
#define SWIZZLE_TRANSFORMS_PRINTPASSES_H

namespace swizzle {

/// Registers `swizzle-print-model`, which prints the model of every kernel;
/// `swizzle-print-lowered`, which prints what the model is read from; and
/// `swizzle-print-kernel`, which prints what an agent is shown of each kernel,
/// and what the tuning database knows it by.
void registerPrintPasses();

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_PRINTPASSES_H
