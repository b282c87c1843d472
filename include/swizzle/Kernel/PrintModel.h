//===- PrintModel.h - A kernel model as text --------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model in a form that people can read and tests can match.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_PRINTMODEL_H
#define SWIZZLE_KERNEL_PRINTMODEL_H

#include "swizzle/Kernel/KernelModel.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle {

/// One line a statement, indented by nesting:
/// ```
/// kernel @m::@k grid 64x64x1 block 256x1x1
///   buffer arg0 16384 bytes of 4
///   loop i < min(x + 1, 8)
///     read arg0[4*tx + 128*i] 4 bytes
///   not modelled: memref.load of arg1: loaded from memory
///   assumed: dim 0 of arg1 = 4096 (nominal)
/// ```
void printModel(const KernelModel &model, llvm::raw_ostream &os);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_PRINTMODEL_H
