//===- NoteClaims.h - Claims on the arguments of a kernel -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A claim that does not fit its argument would change nothing, in silence:
//
//   args=64+?     of   k(ptr, i32)
//   '64' for argument 0, which is '!llvm.ptr': a pointer has no size; '?' ...
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_DESCRIBE_NOTECLAIMS_H
#define SWIZZLE_ANALYSIS_DESCRIBE_NOTECLAIMS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Kernel/ArgumentClaims.h"

namespace swizzle {

/// Notes `claims` on the arguments of `kernel`, where `readFacts` and
/// `buildKernelModel` find them. Returns what is wrong with those that do not
/// fit, a sentence each: they are left out.
std::vector<std::string> noteClaims(mlir::FunctionOpInterface kernel,
                                    llvm::ArrayRef<ArgumentClaim> claims);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_DESCRIBE_NOTECLAIMS_H
