//===- LoopPaths.h - Where the ways within a loop meet ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nearest common postdominator of two blocks of a natural loop, as if the
// loop were never left: all ways lead to its header then. Where a loop has
// several exits, the postdominators of the function lie behind the loop.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_CONTROL_LOOPPATHS_H
#define SWIZZLE_LIB_ANALYSIS_READ_CONTROL_LOOPPATHS_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace swizzle::analysis {

class LoopPaths {
public:
  explicit LoopPaths(const mlir::CFGLoop &loop);

  bool contains(mlir::Block *block) const { return loop.contains(block); }

  /// The first block that all ways from `a` and from `b` to the header have in
  /// common; the header if there is none before.
  mlir::Block *meet(mlir::Block *a, mlir::Block *b) const;

private:
  /// A block's place in the tree of postdominators. Nothing stands for the
  /// header, once more.
  struct Node {
    unsigned number = 0;         ///< smaller than that of what is behind it
    mlir::Block *next = nullptr; ///< that all its ways have in common
    bool isKnown = false;
  };
  mlir::Block *common(mlir::Block *a, mlir::Block *b) const;

  const mlir::CFGLoop &loop;
  llvm::DenseMap<mlir::Block *, Node> nodes;
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_CONTROL_LOOPPATHS_H
