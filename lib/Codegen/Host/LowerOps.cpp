//===- LowerOps.cpp - What only a GPU has, as calls -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ids become loads from the state of the running thread; barriers, exchanges
// between lanes and reductions become calls. What a vendor's dialects have is
// left to the way by LLVM IR (Intrinsics/Intrinsics.h).
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cstddef>

using namespace mlir;

namespace swizzle::host {

namespace {

/// Lowers the operations of one function body, one by one.
class OpLowering {
public:
  explicit OpLowering(Compilation &c, MLIRContext *context)
      : c(c), b(context) {}

  llvm::Error lower(Operation *op);

private:
  Value field(size_t offset);
  Value idOf(size_t first, unsigned axis) {
    return field(first + axis * sizeof(int64_t));
  }
  Value call(StringRef name, Type result, ArrayRef<Value> arguments);
  Value site(Operation *op);
  Value toBits(Value value);
  Value fromBits(Value bits, Type type);
  /// `type` may be a vector: `each` is applied to its elements.
  Value elementwise(Value value, llvm::function_ref<Value(Value)> each);
  void replace(Operation *op, Value with);
  /// With an id of type index or i32.
  void replaceWithId(Operation *op, Value id);
  bool lowerId(Operation *op);
  bool lowerExchange(Operation *op);
  llvm::Error lowerReduce(Operation *op, gpu::AllReduceOperation kind,
                          Value value, int64_t cluster, int64_t stride);
  llvm::Error lowerCopy(nvgpu::DeviceAsyncCopyOp op);

  Compilation &c;
  OpBuilder b;
  Location loc = b.getUnknownLoc();
};

Value OpLowering::field(size_t offset) {
  Value at =
      makeAddress(b, loc, reinterpret_cast<const char *>(c.state) + offset);
  return LLVM::LoadOp::create(b, loc, b.getI64Type(), at);
}

Value OpLowering::call(StringRef name, Type result, ArrayRef<Value> arguments) {
  SmallVector<Value> all{makeAddress(b, loc, c.workgroup)};
  all.append(arguments.begin(), arguments.end());
  return callRuntime(b, loc, name, result, all);
}

Value OpLowering::site(Operation *op) {
  return makeInteger(b, loc, c.addSite(op, AccessKind::Read, 0), 32);
}

Value OpLowering::toBits(Value value) {
  Type type = value.getType(), i64 = b.getI64Type();
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, i64, value);
  if (isa<FloatType>(type)) {
    type = b.getIntegerType(type.getIntOrFloatBitWidth());
    value = arith::BitcastOp::create(b, loc, type, value);
  }
  return type == i64 ? value
                     : arith::ExtUIOp::create(b, loc, i64, value).getResult();
}

Value OpLowering::fromBits(Value bits, Type type) {
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, bits);
  Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
  if (integer != bits.getType())
    bits = arith::TruncIOp::create(b, loc, integer, bits);
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(b, loc, type, bits).getResult()
             : bits;
}

Value OpLowering::elementwise(Value value,
                              llvm::function_ref<Value(Value)> each) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return each(value);
  Value result = value;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value element = each(vector::ExtractOp::create(b, loc, value, i));
    result = vector::InsertOp::create(b, loc, element, result, i);
  }
  return result;
}

void OpLowering::replace(Operation *op, Value with) {
  op->getResult(0).replaceAllUsesWith(with);
  op->erase();
}

void OpLowering::replaceWithId(Operation *op, Value id) {
  replace(op, fromBits(id, op->getResult(0).getType()));
}

bool OpLowering::lowerId(Operation *op) {
  auto axisOf = [](auto id) { return unsigned(id.getDimension()); };
  Value value;
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    value = idOf(offsetof(ThreadState, threadId), axisOf(id));
  else if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    value = idOf(offsetof(ThreadState, blockId), axisOf(id));
  else if (auto id = dyn_cast<gpu::BlockDimOp>(op))
    value = idOf(offsetof(ThreadState, blockDim), axisOf(id));
  else if (auto id = dyn_cast<gpu::GridDimOp>(op))
    value = idOf(offsetof(ThreadState, gridDim), axisOf(id));
  else if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
    value = arith::AddIOp::create(
        b, loc,
        arith::MulIOp::create(
            b, loc, idOf(offsetof(ThreadState, blockId), axisOf(id)),
            idOf(offsetof(ThreadState, blockDim), axisOf(id))),
        idOf(offsetof(ThreadState, threadId), axisOf(id)));
  else if (isa<gpu::LaneIdOp>(op))
    value = field(offsetof(ThreadState, lane));
  else if (isa<gpu::SubgroupIdOp>(op))
    value = field(offsetof(ThreadState, subgroup));
  else if (isa<gpu::NumSubgroupsOp>(op))
    value = field(offsetof(ThreadState, numSubgroups));
  else if (isa<gpu::SubgroupSizeOp>(op))
    value = field(offsetof(ThreadState, subgroupSize));
  else
    return false;
  replaceWithId(op, value);
  return true;
}

bool OpLowering::lowerExchange(Operation *op) {
  Type i64 = b.getI64Type();
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    Value at = site(op);
    Value mode = makeInteger(b, loc, int64_t(shuffle.getMode()), 32);
    Value result = elementwise(shuffle.getValue(), [&](Value element) {
      return fromBits(call("swizzle_shuffle", i64,
                           {at, toBits(element), shuffle.getOffset(),
                            shuffle.getWidth(), mode}),
                      element.getType());
    });
    Value valid = fromBits(field(offsetof(ThreadState, valid)), b.getI1Type());
    shuffle.getShuffleResult().replaceAllUsesWith(result);
    shuffle.getValid().replaceAllUsesWith(valid);
    op->erase();
    return true;
  }
  if (auto rotate = dyn_cast<gpu::RotateOp>(op)) {
    Value at = site(op);
    Value offset = makeInteger(b, loc, rotate.getOffset(), 32);
    Value width = makeInteger(b, loc, rotate.getWidth(), 32);
    Value mode = makeInteger(b, loc, int64_t(ShuffleMode::Rotate), 32);
    Value result = elementwise(rotate.getValue(), [&](Value element) {
      return fromBits(call("swizzle_shuffle", i64,
                           {at, toBits(element), offset, width, mode}),
                      element.getType());
    });
    Value valid = fromBits(field(offsetof(ThreadState, valid)), b.getI1Type());
    rotate.getRotateResult().replaceAllUsesWith(result);
    rotate.getValid().replaceAllUsesWith(valid);
    op->erase();
    return true;
  }
  if (auto broadcast = dyn_cast<gpu::SubgroupBroadcastOp>(op)) {
    Value at = site(op);
    Value lane =
        broadcast.getLane() ? broadcast.getLane() : makeInteger(b, loc, -1, 32);
    replace(op, elementwise(broadcast.getSrc(), [&](Value element) {
              return fromBits(
                  call("swizzle_broadcast", i64, {at, toBits(element), lane}),
                  element.getType());
            }));
    return true;
  }
  return false;
}

llvm::Error OpLowering::lowerReduce(Operation *op, gpu::AllReduceOperation kind,
                                    Value value, int64_t cluster,
                                    int64_t stride) {
  Type type = getElementTypeOrSelf(value.getType());
  ElementFormat format;
  format.bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (auto floating = dyn_cast<FloatType>(type)) {
    format.kind = ElementFormat::Kind::Float;
    format.semantics = &floating.getFloatSemantics();
  }
  c.formats.push_back(format);
  static_assert(int(gpu::AllReduceOperation::MAXIMUMF) ==
                int(ReduceOp::Maximum));
  Value at = site(op);
  Value operation = makeInteger(b, loc, int64_t(kind), 32);
  Value with = makeAddress(b, loc, &c.formats.back());
  Value group = makeInteger(b, loc, cluster),
        step = makeInteger(b, loc, stride);
  replace(op, elementwise(value, [&](Value element) {
            return fromBits(
                call("swizzle_reduce", b.getI64Type(),
                     {at, toBits(element), operation, with, group, step}),
                element.getType());
          }));
  return llvm::Error::success();
}

/// The copy happens at once: who waits for it sees no difference.
llvm::Error OpLowering::lowerCopy(nvgpu::DeviceAsyncCopyOp op) {
  if (op.getSrcElements())
    return makeUnchecked(op, "copies a number of elements decided at run time");
  int64_t count = op.getDstElements().getSExtValue();
  Type element = cast<MemRefType>(op.getDst().getType()).getElementType();
  auto type = VectorType::get({count}, element);
  Value data =
      vector::LoadOp::create(b, loc, type, op.getSrc(), op.getSrcIndices());
  vector::StoreOp::create(b, loc, data, op.getDst(), op.getDstIndices());
  // Its token is still used by a group, which goes next.
  op->dropAllUses();
  op->erase();
  return llvm::Error::success();
}

llvm::Error OpLowering::lower(Operation *op) {
  b.setInsertionPoint(op);
  loc = op->getLoc();
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef name = op->getName().getStringRef();
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    c.messages.push_back(assertion.getMsg().str());
    Value message = makeAddress(b, loc, c.messages.back().c_str());
    call("swizzle_check", Type(),
         {site(op), toBits(assertion.getArg()), message});
    op->erase();
    return llvm::Error::success();
  }
  if (dialect == "gpu") {
    if (lowerId(op) || lowerExchange(op))
      return llvm::Error::success();
    if (isa<gpu::BarrierOp>(op)) {
      call("swizzle_barrier", Type(), site(op));
      op->erase();
      return llvm::Error::success();
    }
    if (isa<gpu::PrintfOp>(op)) {
      op->erase();
      return llvm::Error::success();
    }
    if (auto reduce = dyn_cast<gpu::AllReduceOp>(op)) {
      if (!reduce.getOp())
        return makeUnchecked(op, "reduces with a body of its own");
      return lowerReduce(op, *reduce.getOp(), reduce.getValue(), -1, 1);
    }
    if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
      return lowerReduce(op, reduce.getOp(), reduce.getValue(),
                         reduce.getClusterSize().value_or(0),
                         reduce.getClusterStride());
    return makeUnchecked(op);
  }
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
    return lowerCopy(copy);
  if (name == "nvgpu.device_async_create_group" ||
      name == "nvgpu.device_async_wait") {
    op->dropAllUses();
    op->erase();
    return llvm::Error::success();
  }
  if (name == "amdgpu.sched_barrier") {
    op->erase();
    return llvm::Error::success();
  }
  if (name == "amdgpu.lds_barrier") {
    call("swizzle_barrier", Type(), site(op));
    op->erase();
    return llvm::Error::success();
  }
  if (dialect == "nvvm" || dialect == "rocdl" || dialect == "nvgpu" ||
      dialect == "amdgpu" || dialect == "xegpu" || dialect == "async" ||
      isa<memref::DeallocOp, memref::AllocOp>(op) ||
      isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op))
    return makeUnchecked(op);
  return llvm::Error::success();
}

} // namespace

llvm::Error lowerOps(ModuleOp module, Compilation &compilation) {
  if (llvm::Error error = lowerMatrixOps(module, compilation))
    return error;
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  OpLowering lowering(compilation, module.getContext());
  for (Operation *op : ops)
    if (llvm::Error error = lowering.lower(op))
      return error;
  return llvm::Error::success();
}

} // namespace swizzle::host
