//===- Reuse.h - Which grid axes share a buffer -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An axis of the grid that a buffer's access map does not depend on is an axis
// along which workgroups *share* that buffer; an axis along which neighbours'
// footprints intersect is one along which they *overlap* (a stencil's halo, a
// cache line cut in two). Both are read off the model by brute force on the
// footprints of a few neighbouring workgroups, not by name or pattern.
//
//   C = A * B in tiles: a workgroup (x, y) reads row y of A and column x of B
//     A: shared along x, none along y;  B: none along x, shared along y
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_REUSE_H
#define SWIZZLE_KERNEL_REUSE_H

#include "swizzle/Kernel/KernelModel.h"

namespace swizzle {

enum class AxisReuse : uint8_t {
  None,    ///< neighbours along the axis touch different lines
  Overlap, ///< some lines in common
  Shared,  ///< the same lines
  Absent,  ///< the grid has extent 1 along the axis
};

struct BufferReuse {
  uint32_t buffer = 0;
  bool read = false, written = false;
  int64_t bytesPerWorkgroup = 0; ///< distinct bytes, in whole lines
  std::array<AxisReuse, 3> axis{AxisReuse::Absent, AxisReuse::Absent,
                                AxisReuse::Absent};
  /// Fraction of a workgroup's lines that its +1 neighbour touches, per axis.
  std::array<double, 3> sharedFraction{0, 0, 0};
  /// Along an axis of which neighbours have nothing in common: how far from
  /// each other the nearest are that were found to; 0: none were.
  std::array<int64_t, 3> distance{0, 0, 0};
};

struct ReuseTable {
  int64_t lineBytes = 0;
  std::vector<BufferReuse> buffers; ///< one for each buffer that is accessed
};

/// Footprints in lines of `lineBytes` (a power of two) of sampled workgroups.
ReuseTable analyseReuse(const KernelModel &model, int64_t lineBytes);

/// "A: 1.0 MiB per workgroup; shared along x, overlaps along y".
std::string describe(const KernelModel &model, const BufferReuse &reuse);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_REUSE_H
