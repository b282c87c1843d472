//===- IndexUses.h - Numbers that kernels use as indices --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers that a kernel loads and then indexes with cannot be any numbers: a
// gather would leave its buffer. What they may be follows from their use in the
// lowered kernel:
//
//   i = index[t]; x[i + 1]      index holds numbers from 0 to size(x) - 2
//   for (j = rows[t]; j < rows[t + 1]; ++j)      rows never falls
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INPUTS_INDEXUSES_H
#define SWIZZLE_LIB_CODEGEN_HOST_INPUTS_INDEXUSES_H

#include "Addresses.h"

namespace swizzle::host {

/// The memory of one argument of the original kernel.
struct BufferExtents {
  int64_t bytes = 0;
  bool open = false;                         ///< nobody says how large it is
  llvm::SmallVector<int64_t> shape, strides; ///< strides in bytes
};

/// What numbers that are loaded from a buffer are used for.
struct IndexUse {
  bool isIndex = false;                ///< they decide addresses
  bool isBound = false;                ///< a loop runs from one to the next
  int64_t low = 0, high = INT64_MAX;   ///< numbers in [low, high) stay inside
  llvm::SmallVector<unsigned> indexed; ///< buffers, by argument
  int64_t reach = 0; ///< bytes of it that are known to be used
};

/// By argument of the original kernel.
std::vector<IndexUse> findIndexUses(const LoweredLaunch &launch,
                                    llvm::ArrayRef<LoweredArgument> arguments,
                                    llvm::ArrayRef<BufferExtents> buffers);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INPUTS_INDEXUSES_H
