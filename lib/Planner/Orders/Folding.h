//===- Folding.h - Rows of workgroups that a kernel cuts itself -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many kernels are launched as one row of workgroups, and compute from an id
// which tile of a matrix is theirs:
//
//   pid = blockIdx.x; row = pid / 48; column = pid % 48       a grid of 3072
//
// Their tiles have two or three axes, as those of other kernels, and orders are
// looked for among them: the model is folded to a grid of 48 x 64, and the
// formula that was found for that one is unfolded to the row that is launched.
//
//   x, y of 48x64:  return y // 8 ...        on 48x64
//   fx, fy = x % 48, x // 48
//   ...                                      the same text of fx and fy, on 3072
//   return its x + 48 * its y
//
// Workgroups beyond the last full row stay where they are.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_ORDERS_FOLDING_H
#define SWIZZLE_LIB_PLANNER_ORDERS_FOLDING_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Kernel/KernelModel.h"

namespace swizzle::planner {

struct Folding {
  Grid grid;          ///< of the folded kernel; x follows x in the row
  int64_t length = 0; ///< workgroups of the row that is launched

  /// `model` with workgroup x of it at x % grid.x, x / grid.x and so on.
  KernelModel fold(const KernelModel &model) const;

  /// What `formula`, a permutation of `grid`, does to the row.
  Formula unfold(const Formula &formula) const;
};

/// How `model` cuts its only row into tiles by itself; nullopt if it does not,
/// or if the row's length is not known.
std::optional<Folding> findFolding(const KernelModel &model);

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_ORDERS_FOLDING_H
