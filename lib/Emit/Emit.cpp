//===- Emit.cpp - What may be promised of an operation --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler may be told `nuw` or `nsw` only where it holds for every
// workgroup, also for those that do not use the result: a result that wraps
// would be undefined, and so might be whatever it is merged with.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Emit/Emit.h"

#include <algorithm>

namespace swizzle {

Wrapping wrappingOf(const LoweredFormula &lowered, const LoweredOp &op) {
  bool total = op.total, isUnsigned = op.low >= 0;
  int64_t low = op.low, high = op.high;
  for (unsigned i = 0; i < 2; ++i) {
    const LoweredOp &from = lowered.ops[op.operands[i]];
    total &= from.total;
    isUnsigned &= from.low >= 0;
    low = std::min(low, from.low);
    high = std::max(high, from.high);
  }
  if (!total)
    return {};
  int64_t signedMin = op.width == 64 ? INT64_MIN : INT32_MIN;
  int64_t signedMax = op.width == 64 ? INT64_MAX : INT32_MAX;
  int64_t unsignedMax = op.width == 64 ? INT64_MAX : int64_t(UINT32_MAX);
  return {low >= signedMin && high <= signedMax,
          isUnsigned && high <= unsignedMax};
}

} // namespace swizzle
