//===- KernelText.h - The slice of a kernel that matters ------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel as an agent is shown it: how ids become addresses, in which loops
// and under which guards, and nothing of the arithmetic on data.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_DESCRIBE_KERNELTEXT_H
#define SWIZZLE_ANALYSIS_DESCRIBE_KERNELTEXT_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>

namespace swizzle {

/// The operations of `kernel`, and of the functions that it calls, that read
/// ids, compute indices, access memory, synchronise, or decide what runs, one a
/// line, indented by nesting. The same IR gives the same text. What exceeds
/// `cap` bytes is cut, and a last line says how much was.
std::string kernelText(mlir::FunctionOpInterface kernel,
                       size_t cap = 16 * 1024);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_DESCRIBE_KERNELTEXT_H
