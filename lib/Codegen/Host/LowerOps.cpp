//===- LowerOps.cpp - What only a GPU has, as calls -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ids become loads from the state of the running thread; barriers, exchanges
// between lanes and reductions become calls. Kernels that were lowered for
// NVIDIA or AMD are read as well, as far as their operations have a plain
// meaning.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"

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
  bool lowerTargetId(Operation *op);
  bool lowerExchange(Operation *op);
  bool lowerTargetExchange(Operation *op);
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

bool OpLowering::lowerTargetId(Operation *op) {
  StringRef name = op->getName().getStringRef();
  size_t axis = name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 0;
  int64_t first = llvm::StringSwitch<int64_t>(name.drop_back(2))
                      .Cases({"nvvm.read.ptx.sreg.tid", "rocdl.workitem.id"},
                             offsetof(ThreadState, threadId))
                      .Cases({"nvvm.read.ptx.sreg.ctaid", "rocdl.workgroup.id"},
                             offsetof(ThreadState, blockId))
                      .Cases({"nvvm.read.ptx.sreg.ntid", "rocdl.workgroup.dim"},
                             offsetof(ThreadState, blockDim))
                      .Cases({"nvvm.read.ptx.sreg.nctaid", "rocdl.grid.dim"},
                             offsetof(ThreadState, gridDim))
                      .Default(-1);
  if (first < 0) {
    axis = 0;
    first = llvm::StringSwitch<int64_t>(name)
                .Case("nvvm.read.ptx.sreg.laneid", offsetof(ThreadState, lane))
                .Cases({"nvvm.read.ptx.sreg.warpsize", "rocdl.wavefrontsize"},
                       offsetof(ThreadState, subgroupSize))
                .Default(-1);
  }
  if (first >= 0) {
    replaceWithId(op, idOf(first, axis));
    return true;
  }
  // Lanes below this one, of those in a mask; only the full mask is known.
  bool low = name == "rocdl.mbcnt.lo";
  if (!low && name != "rocdl.mbcnt.hi")
    return false;
  IntegerAttr mask;
  if (auto constant = op->getOperand(0).getDefiningOp<LLVM::ConstantOp>())
    mask = dyn_cast<IntegerAttr>(constant.getValue());
  if (!mask || !mask.getValue().isAllOnes())
    return false;
  Value lane = field(offsetof(ThreadState, lane));
  Value half = makeInteger(b, loc, 32), none = makeInteger(b, loc, 0);
  Value part =
      low ? arith::MinSIOp::create(b, loc, lane, half).getResult()
          : arith::MaxSIOp::create(
                b, loc, arith::SubIOp::create(b, loc, lane, half), none)
                .getResult();
  replace(op, arith::AddIOp::create(b, loc,
                                    fromBits(part, op->getResult(0).getType()),
                                    op->getOperand(1)));
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

bool OpLowering::lowerTargetExchange(Operation *op) {
  Type i64 = b.getI64Type();
  StringRef name = op->getName().getStringRef();
  auto shuffle = [&](Value value, Value offset, Value width, ShuffleMode mode) {
    return fromBits(call("swizzle_shuffle", i64,
                         {site(op), toBits(value), offset, width,
                          makeInteger(b, loc, int64_t(mode), 32)}),
                    value.getType());
  };
  if (auto shfl = dyn_cast<NVVM::ShflOp>(op)) {
    ShuffleMode mode = shfl.getKind() == NVVM::ShflKind::bfly ? ShuffleMode::Xor
                       : shfl.getKind() == NVVM::ShflKind::up ? ShuffleMode::Up
                       : shfl.getKind() == NVVM::ShflKind::down
                           ? ShuffleMode::Down
                           : ShuffleMode::Index;
    // Bits 8 to 12 of the last operand are those of the lane that stay.
    Value kept = arith::AndIOp::create(
        b, loc,
        arith::ShRUIOp::create(b, loc, shfl.getMaskAndClamp(),
                               makeInteger(b, loc, 8, 32)),
        makeInteger(b, loc, 31, 32));
    Value width =
        arith::SubIOp::create(b, loc, makeInteger(b, loc, 32, 32), kept);
    Value result = shuffle(shfl.getVal(), shfl.getOffset(), width, mode);
    if (auto both =
            dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType())) {
      Value valid =
          fromBits(field(offsetof(ThreadState, valid)), b.getI1Type());
      Value pair = LLVM::PoisonOp::create(b, loc, both);
      pair = LLVM::InsertValueOp::create(b, loc, pair, result,
                                         ArrayRef<int64_t>{0});
      result = LLVM::InsertValueOp::create(b, loc, pair, valid,
                                           ArrayRef<int64_t>{1});
    }
    replace(op, result);
    return true;
  }
  if (name == "rocdl.ds_bpermute") {
    Value lane = arith::ShRUIOp::create(b, loc, op->getOperand(0),
                                        makeInteger(b, loc, 2, 32));
    replace(op, shuffle(op->getOperand(1), lane,
                        makeInteger(b, loc, c.subgroupSize, 32),
                        ShuffleMode::Index));
    return true;
  }
  if (name == "rocdl.readfirstlane" || name == "rocdl.readlane") {
    Value lane = name == "rocdl.readlane" ? op->getOperand(1)
                                          : makeInteger(b, loc, -1, 32);
    replace(op, fromBits(call("swizzle_broadcast", i64,
                              {site(op), toBits(op->getOperand(0)), lane}),
                         op->getResult(0).getType()));
    return true;
  }
  bool vote =
      name == "nvvm.vote.sync" &&
      cast<NVVM::VoteSyncOp>(op).getKind() == NVVM::VoteSyncKind::ballot;
  if (vote || name == "rocdl.ballot") {
    Value predicate = op->getOperand(op->getNumOperands() - 1);
    replace(op,
            fromBits(call("swizzle_ballot", i64, {site(op), toBits(predicate)}),
                     op->getResult(0).getType()));
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
  if (name == "nvvm.barrier0" || name == "rocdl.barrier" ||
      name == "rocdl.s.barrier" ||
      (name == "nvvm.barrier" && !op->getNumOperands() &&
       !op->getNumResults())) {
    call("swizzle_barrier", Type(), site(op));
    op->erase();
    return llvm::Error::success();
  }
  if (name == "rocdl.s.waitcnt" || name == "rocdl.sched.barrier" ||
      name == "rocdl.s.setprio" || name == "amdgpu.sched_barrier") {
    op->erase();
    return llvm::Error::success();
  }
  if (name == "amdgpu.lds_barrier") {
    call("swizzle_barrier", Type(), site(op));
    op->erase();
    return llvm::Error::success();
  }
  if (dialect == "nvvm" || dialect == "rocdl") {
    if (lowerTargetId(op) || lowerTargetExchange(op))
      return llvm::Error::success();
    return makeUnchecked(op);
  }
  if (dialect == "nvgpu" || dialect == "amdgpu" || dialect == "xegpu" ||
      dialect == "async" || isa<memref::DeallocOp, memref::AllocOp>(op) ||
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
