//===- Elsewhere.h - What a kernel does for other numbers -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nominal numbers show one way through a kernel, and a launch may take another.
// Others are read as well: under other numbers (OtherNumbers.h), and under the
// nominal ones with tests of them the other way (SharedTests.h), as other numbers
// have them, or none that were tried. What is met on these ways may refuse a
// kernel; it proves nothing.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_ELSEWHERE_H
#define SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_ELSEWHERE_H

#include "NominalNumbers.h"

#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Lowering/LowerKernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace swizzle::analysis {

class KernelReader;

/// Adds to `reading` what the kernel does beside `usual`, its reading under
/// nominal numbers. `make` makes a reader of it.
void readElsewhere(KernelReading &reading, const LoweredKernel &lowered,
                   const NominalReading &usual,
                   llvm::function_ref<KernelReader()> make);

/// Reads the kernel under sizes that differ widely, unless that takes long.
void readOtherSizes(KernelReading &reading, const NominalReading &usual,
                    llvm::function_ref<KernelReader()> make);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_ELSEWHERE_H
