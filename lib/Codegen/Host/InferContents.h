//===- InferContents.h - Numbers that kernels use as indices ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers that a kernel loads and then indexes with cannot be any numbers: a
// gather would leave its buffer. What they may be follows from their use.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INFERCONTENTS_H
#define SWIZZLE_LIB_CODEGEN_HOST_INFERCONTENTS_H

#include "Memory.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace swizzle::host {

/// Sets kind and range of `contents` if numbers loaded from `argument` end as
/// indices (then they lie within what they index) or as the bounds of a loop
/// (then they never fall, as the row starts of a sparse matrix).
/// `shapes[i]` are the extents of memref argument i.
void inferContents(mlir::FunctionOpInterface kernel, unsigned argument,
                   llvm::ArrayRef<llvm::SmallVector<int64_t>> shapes,
                   Contents &contents);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INFERCONTENTS_H
