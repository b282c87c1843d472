//===- KernelHash.h - What a kernel is known by --------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tuning database knows a kernel by its structure: two kernels with the
// same hash compute the same from the same ids.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_DESCRIBE_KERNELHASH_H
#define SWIZZLE_ANALYSIS_DESCRIBE_KERNELHASH_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Support/Grid.h"
#include <string>

namespace swizzle {

/// 32 hexadecimal digits over operations, types, attributes and data flow of
/// `kernel` and of the functions that it calls, and over its block. Left out:
/// names of symbols and values, locations, the order of attributes, and the
/// grid, which is a key of its own.
std::string hashKernel(mlir::FunctionOpInterface kernel, const Grid &block);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_DESCRIBE_KERNELHASH_H
