//===- Interpreter.h - Runs one thread for its addresses --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle of the analysis: executes small kernels on plain numbers, thread
// by thread, and writes down each element of global memory that a thread
// touches, in order. It shares no code with the analysis and knows nothing
// affine. Floating-point numbers are not computed.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_ANALYSIS_INTERPRETER_H
#define SWIZZLE_UNITTESTS_ANALYSIS_INTERPRETER_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Kernel/KernelModel.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <string>
#include <vector>

namespace swizzle::test {

/// One element touched: which buffer (index of the kernel's argument), at which
/// byte, how.
struct Touch {
  int buffer = 0;
  int64_t byte = 0;
  AccessKind kind = AccessKind::Read;

  bool operator==(const Touch &other) const {
    return buffer == other.buffer && byte == other.byte && kind == other.kind;
  }
};

/// A number, a memref, or a vector of numbers.
struct Datum {
  int64_t number = 0;
  std::vector<int64_t> lanes;
  int buffer = -1; ///< -1: no memref, or one that is not global
  int64_t offset = 0, elementBytes = 1;
  std::vector<int64_t> sizes, strides;
};

class Interpreter {
public:
  /// `dynamicExtent` stands in for extents and arguments that are not known.
  Interpreter(mlir::FunctionOpInterface kernel, Grid grid, Grid block,
              int64_t dynamicExtent)
      : kernel(kernel), grid(grid), block(block), dynamicExtent(dynamicExtent) {
  }

  /// What thread `thread` of workgroup `workgroup` touches, in order. Sets
  /// `error` at an operation that the interpreter does not know.
  std::vector<Touch> run(std::array<int64_t, 3> workgroup,
                         std::array<int64_t, 3> thread);

  std::string error;

private:
  using Data = std::vector<Datum>;

  void bindArguments();
  Data runBlock(mlir::Block &block);
  Data runFunction(mlir::FunctionOpInterface function);
  bool runOperation(mlir::Operation *op);
  bool runId(mlir::Operation *op);
  bool runInteger(mlir::Operation *op);
  bool runIndex(mlir::Operation *op);
  bool runControlFlow(mlir::Operation *op);
  bool runView(mlir::Operation *op);
  bool runAccess(mlir::Operation *op);
  bool runVector(mlir::Operation *op);
  bool runReduction(mlir::vector::ReductionOp reduction);
  bool runTransfer(mlir::Operation *op);
  bool runMatrix(mlir::Operation *op);

  int64_t number(mlir::Value value) { return data[value].number; }
  int64_t number(mlir::OpFoldResult value);
  std::vector<int64_t> numbers(mlir::ValueRange values);
  std::vector<int64_t> numbers(llvm::ArrayRef<mlir::OpFoldResult> values);
  std::vector<int64_t> apply(mlir::AffineMap map, mlir::ValueRange operands);
  void set(mlir::Value value, int64_t number) {
    data[value] = Datum();
    data[value].number = number;
  }
  /// Touches the element at `indices`.
  void touch(const Datum &memref, llvm::ArrayRef<int64_t> indices,
             AccessKind kind);
  /// Touches a block of `shape` elements from `indices` on, at the trailing
  /// dimensions.
  void touchBlock(const Datum &memref, std::vector<int64_t> indices,
                  llvm::ArrayRef<int64_t> shape, AccessKind kind);
  int64_t linearThread() const {
    return (thread[2] * block.y() + thread[1]) * block.x() + thread[0];
  }

  mlir::FunctionOpInterface kernel;
  Grid grid, block;
  int64_t dynamicExtent;
  std::array<int64_t, 3> workgroup{0, 0, 0}, thread{0, 0, 0};
  llvm::DenseMap<mlir::Value, Datum> data;
  std::vector<Touch> touches;
  mlir::Value activeMask; ///< of the enclosing vector.mask
};

/// What thread `thread` of workgroup `workgroup` touches according to `model`.
std::vector<Touch> enumerate(const KernelModel &model,
                             std::array<int64_t, 3> workgroup,
                             std::array<int64_t, 3> thread,
                             int64_t subgroupSize = 32);

} // namespace swizzle::test

#endif // SWIZZLE_UNITTESTS_ANALYSIS_INTERPRETER_H
