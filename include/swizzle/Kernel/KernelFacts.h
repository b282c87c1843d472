//===- KernelFacts.h - What is known of a kernel ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that planning needs to know of a kernel, as plain data without
// MLIR: an analysis of any IR fills it in, and nobody looks at the IR again.
//
//   KernelFacts facts = readFacts(kernel, {}).facts;     // swizzle/Analysis
//   facts.model           read A[4*tx + 1024*x] 4 bytes, ...
//   facts.verdict.code    "", or "cross-workgroup-write": leave it alone
//   facts.sizes           64x64, as the option says: an assumption
//   facts.gridToProve()   the grid on which a formula must be a permutation
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_KERNELFACTS_H
#define SWIZZLE_KERNEL_KERNELFACTS_H

#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Kernel/LaunchSizes.h"

namespace swizzle {

/// Whether the order of a kernel's workgroups may be changed at all.
struct KernelVerdict {
  /// Empty: it may. Else a stable code; docs/legality.md lists all.
  std::string code;
  std::string message;        ///< one sentence
  std::string counterexample; ///< two workgroups and a byte, where there is one
  std::vector<std::string> assumptions; ///< "arg0 and arg1 do not overlap ..."
  std::vector<std::string> notes; ///< "not bit-stable: ...", remaps by hand

  bool legal() const { return code.empty(); }
};

struct KernelFacts {
  std::string module, name;
  /// Of the kernel, or of what rules a remap out: "kernel.mlir:12:3".
  std::string location;
  LaunchSizes sizes;
  KernelModel model;
  KernelVerdict verdict;
  /// The kernel's IR, trimmed to index arithmetic and accesses: for prompts.
  std::string text;
  /// Of the kernel's structure, without names and locations: what the tuning
  /// database knows it by.
  std::string hash;

  /// True if the grid is a claim that a remap compares at run time.
  bool gridIsGuarded() const {
    return sizes.gridIsAssumption() && sizes.grid.isStatic();
  }
  /// True if the block is a claim that a remap compares at run time, too.
  bool blockIsGuarded() const {
    return sizes.blockIsAssumption() && sizes.block.isStatic();
  }
  /// The extents of the claimed block that have to be compared; the others are
  /// unknown here. Where the kernel allows less than twice the threads that the
  /// block has, extents of 1 follow from the others.
  Grid blockToCompare() const {
    Grid block = sizes.block;
    if (sizes.mostThreads >= block.count() &&
        sizes.mostThreads - block.count() < block.count())
      for (int64_t &extent : block.extent)
        if (extent == 1)
          extent = kUnknownExtent;
    return block;
  }
  /// Rough number of scalar instructions of the comparisons: each extent is
  /// read and compared, and each id selected.
  int64_t guardInstructions() const {
    int64_t compared = gridIsGuarded() ? 3 : 0;
    if (blockIsGuarded())
      for (int64_t extent : blockToCompare().extent)
        compared += extent != kUnknownExtent;
    return compared ? 2 * compared + 3 : 0;
  }
  /// The grid that the emitted code will see; extents that the launch decides
  /// are unknown. Half a claim cannot be guarded: then nothing is known.
  Grid gridToProve() const {
    if (sizes.gridIsAssumption() && !sizes.grid.isStatic())
      return Grid(kUnknownExtent, kUnknownExtent, kUnknownExtent);
    return sizes.grid;
  }
  bool gridIsEmpty() const {
    Grid grid = gridToProve();
    return grid[0] == 0 || grid[1] == 0 || grid[2] == 0;
  }
};

} // namespace swizzle

#endif // SWIZZLE_KERNEL_KERNELFACTS_H
