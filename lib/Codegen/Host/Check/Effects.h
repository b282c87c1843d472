//===- Effects.h - What a workgroup wrote -----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that one run of a workgroup wrote, and the first difference between
// two of them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_CHECK_EFFECTS_H
#define SWIZZLE_LIB_CODEGEN_HOST_CHECK_EFFECTS_H

#include "swizzle/Codegen/Host/Check.h"

namespace swizzle::host {

struct Effects {
  /// Written without a gap; sorted, and apart from each other.
  struct Piece {
    uint64_t begin = 0, end = 0; ///< as `HostAccess::place`
    bool floatAtomic = false;
    size_t bytes = 0; ///< index into `contents`
  };
  std::vector<Piece> pieces;
  std::vector<char> contents;

  bool empty() const { return pieces.empty(); }
};

/// What the last run of `kernel` wrote.
Effects collectEffects(const HostKernel &kernel);

/// The first difference; the workgroups are not filled in.
std::optional<CheckDifference> compare(const Effects &original,
                                       const Effects &variant,
                                       llvm::ArrayRef<HostBuffer> buffers,
                                       double atomicTolerance);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_CHECK_EFFECTS_H
