//===- SharedTests.h - Tests that come out alike for all --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests of what a launch passes, and of nothing that differs between threads:
//
//   if (n - m == 3) ...
//   if (block == 0 || n & 3) ...       the second one
//   if (bias != nullptr) ...
//   if (alpha == 0.0f) ...             either way
//
// Under nominal numbers each comes out one way, in all workgroups, or nobody
// knows. Of those that decide where the kernel goes, and nothing else, the way is
// written down; and a reading may be told which way some come out.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_SHAREDTESTS_H
#define SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_SHAREDTESTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <utility>

namespace swizzle::analysis {

class KernelReader;

/// An operation, and the calls that it is met in, as a hash; 0 outside of all.
using OpInCalls = std::pair<mlir::Operation *, size_t>;

/// Which way tests come out.
using TestWays = llvm::MapVector<OpInCalls, bool>;

/// The tests of one reading.
class SharedTests {
public:
  struct Test {
    std::optional<bool> holds; ///< nullopt: no nominal number says so
    /// What is tested serves for something else, too, which would not fit to
    /// another way: `2048 / n > 0`, where 2048 / n is a size.
    bool isTied = false;
    llvm::SmallVector<std::string> restsOn; ///< what nobody gave, by name
  };

  /// Instead of reading `op`, sets its result to the way that is told; false if
  /// none is.
  bool answer(KernelReader &reader, mlir::Operation *op) const;
  /// After `reader` has read `op`: writes down which way it comes out, if it is
  /// such a test.
  void follow(KernelReader &reader, mlir::Operation *op);

  const llvm::MapVector<OpInCalls, Test> &all() const { return tests; }

  TestWays told; ///< instead of what nominal numbers say

private:
  bool decidesOnly(mlir::Operation *op);

  llvm::MapVector<OpInCalls, Test> tests;
  llvm::DenseMap<mlir::Operation *, bool> decides;
  /// Those that came out both ways, or are not the same for all.
  llvm::DenseSet<OpInCalls> unsteady;
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_SHAREDTESTS_H
