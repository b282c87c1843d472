//===- RegisterPressure.cpp - Registers that a thread needs ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Liveness of MLIR speaks of one block at a time: what lives on after a loop is
// not live inside it. So the values that live across an operation are handed
// down into its regions.
//
//===----------------------------------------------------------------------===//

#include "RegisterPressure.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace swizzle::analysis {

namespace {
class Pressure {
public:
  Pressure(Operation *root, llvm::function_ref<int64_t()> subgroupSize)
      : liveness(root), subgroupSize(subgroupSize) {}

  void visit(Region &region, const Liveness::ValueSetT &around) {
    for (Block &block : region)
      visit(block, around, bitsOf(around));
  }

  int64_t most = 0;

private:
  /// From the end to the front, so that each value comes and goes once.
  void visit(Block &block, const Liveness::ValueSetT &around,
             int64_t aroundBits) {
    Liveness::ValueSetT live = around; ///< at the operation, results included
    int64_t bits = aroundBits;
    auto begin = [&](Value value) {
      bool isNew = live.insert(value).second;
      bits += isNew ? bitsOf(value) : 0;
      return isNew;
    };
    for (Value value : liveness.getLiveness(&block)->out())
      begin(value);
    for (Operation &op : llvm::reverse(block)) {
      int64_t results = 0;
      for (Value result : op.getResults()) {
        int64_t own = bitsOf(result);
        results += own;
        bits -= live.erase(result) ? own : 0;
      }
      // A result may take the register of an operand that ends here: what an
      // operation needs is what lives before it, or what lives behind it.
      SmallVector<Value> ending;
      for (Value operand : op.getOperands())
        if (begin(operand))
          ending.push_back(operand);
      if (op.getNumRegions())
        mlir::visitUsedValuesDefinedAbove(
            op.getRegions(), [&](OpOperand *use) { begin(use->get()); });
      if (&op == &block.front())
        llvm::for_each(block.getArguments(), begin);
      int64_t ended = 0;
      for (Value value : ending)
        ended += bitsOf(value);
      most = std::max(
          {most, registersOf(bits), registersOf(bits - ended + results)});
      if (!op.getNumRegions())
        continue;
      Liveness::ValueSetT inside = live;
      for (Value value : ending)
        inside.erase(value);
      for (Region &inner : op.getRegions())
        visit(inner, inside);
    }
  }

  static int64_t registersOf(int64_t bits) { return (bits + 31) / 32; }

  int64_t bitsOf(const Liveness::ValueSetT &values) {
    int64_t bits = 0;
    for (Value value : values)
      bits += bitsOf(value);
    return bits;
  }

  /// Bits of one thread's share of `value`, a whole register for a scalar.
  int64_t bitsOf(Value value) {
    // A number that is known stands in the instruction.
    if (matchPattern(value, m_Constant()))
      return 0;
    Type type = value.getType();
    if (auto fragment = dyn_cast<gpu::MMAMatrixType>(type)) {
      int64_t bits = fragment.getElementType().getIntOrFloatBitWidth();
      for (int64_t extent : fragment.getShape())
        bits *= extent;
      return bits / std::max<int64_t>(subgroupSize(), 1);
    }
    if (auto vector = dyn_cast<VectorType>(type)) {
      Type element = vector.getElementType();
      return vector.getNumElements() *
             (element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32);
    }
    if (isa<FloatType>(type))
      return std::max<int64_t>(32, type.getIntOrFloatBitWidth());
    // Buffers are shared by the workgroup, and a back end computes indices
    // where it needs them rather than keep them.
    return 0;
  }

  Liveness liveness;
  llvm::function_ref<int64_t()> subgroupSize;
};
} // namespace

int64_t estimateDataRegisters(FunctionOpInterface kernel,
                              llvm::function_ref<int64_t()> subgroupSize) {
  Pressure pressure(kernel, subgroupSize);
  pressure.visit(kernel.getFunctionBody(), {});
  return pressure.most;
}

} // namespace swizzle::analysis
