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

using namespace mlir;

namespace swizzle::analysis {

namespace {
class Pressure {
public:
  Pressure(Operation *root, llvm::function_ref<int64_t()> subgroupSize)
      : liveness(root), subgroupSize(subgroupSize) {}

  void visit(Region &region, const Liveness::ValueSetT &around) {
    for (Block &block : region)
      for (Operation &op : block) {
        Liveness::ValueSetT live = around;
        Liveness::ValueSetT here =
            liveness.getLiveness(&block)->currentlyLiveValues(&op);
        live.insert(here.begin(), here.end());
        // A result may take the register of an operand that ends here: what an
        // operation needs is what lives before it, or what lives behind it.
        for (Value result : op.getResults())
          live.erase(result);
        int64_t before = bitsOf(live);
        for (Value operand : op.getOperands())
          if (!around.contains(operand) && liveness.isDeadAfter(operand, &op))
            live.erase(operand);
        int64_t after = bitsOf(live);
        for (Value result : op.getResults())
          after += bitsOf(result);
        most = std::max({most, registersOf(before), registersOf(after)});
        for (Region &inner : op.getRegions())
          visit(inner, live);
      }
  }

  int64_t most = 0;

private:
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
