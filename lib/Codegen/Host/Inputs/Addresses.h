//===- Addresses.h - Addresses in a lowered kernel --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address as the sum that it is:
//
//   a[4 * tx + i + 2] of f32      argument 0: 16 * tx + 4 * i + 8
//
// Numbers that are known for one launch (sizes and strides of descriptors among
// them) are constants in it. It is what inputs are guessed by, no proof:
// integers are taken to not wrap around.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INPUTS_ADDRESSES_H
#define SWIZZLE_LIB_CODEGEN_HOST_INPUTS_ADDRESSES_H

#include "swizzle/Lowering/LowerKernel.h"
#include "swizzle/Support/Grid.h"
#include "swizzle/Support/Interval.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace swizzle::host {

/// One launch of a lowered kernel.
struct LoweredLaunch {
  mlir::LLVM::LLVMFuncOp function;
  Grid grid, block;
  int64_t subgroupSize = 32;
  /// By argument of the lowered kernel: the number, if it is one.
  std::vector<std::optional<int64_t>> values;
};

struct LinearForm {
  struct Term {
    mlir::Value value;
    int64_t factor = 1;
  };
  int64_t constant = 0;
  llvm::SmallVector<Term> terms;
};

struct LinearAddress {
  mlir::Value root;  ///< where the memory begins
  LinearForm offset; ///< bytes
};

class Addresses {
public:
  explicit Addresses(const LoweredLaunch &launch);

  /// The address that `pointer` is. Of a buffer resource, where it begins.
  LinearAddress addressOf(mlir::Value pointer) const;
  /// `value` as a sum of what is no sum.
  LinearForm formOf(mlir::Value value) const;
  /// Of ids, sizes, and what is computed of them; both ends included.
  std::optional<Interval> rangeOf(mlir::Value value) const;
  std::optional<Interval> rangeOf(const LinearForm &form) const;

  /// `value` without casts and detours through descriptors.
  mlir::Value strip(mlir::Value value) const;
  /// What a value of a block or a function may have been before.
  llvm::SmallVector<mlir::Value> incoming(mlir::BlockArgument argument) const;
  /// True if `argument` is carried round a loop and added to.
  bool isCounter(mlir::BlockArgument argument) const;
  /// The argument of the kernel that `root` is; -1: none.
  int argumentOf(mlir::Value root) const;

private:
  void add(mlir::Value value, int64_t factor, LinearForm &form,
           int &budget) const;
  std::optional<Interval> computeRange(mlir::Value value) const;
  std::optional<Interval> rangeOfCounter(mlir::BlockArgument argument) const;
  std::optional<Interval> rangeOfId(mlir::Operation *op) const;
  std::optional<Interval> rangeOfResult(mlir::Operation *op) const;

  const LoweredLaunch &launch;
  mlir::DataLayout layout;
  /// Ranges found so far; of what is being looked at, none.
  mutable llvm::DenseMap<mlir::Value, std::optional<Interval>> known;
};

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INPUTS_ADDRESSES_H
