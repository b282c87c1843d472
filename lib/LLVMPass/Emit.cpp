//===- Emit.cpp - Lowered operations as LLVM IR ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back end of Emit/Emit.h that writes LLVM IR. A curve is a block
// that branches to itself; what follows it stands in a block of its own.
//
//===----------------------------------------------------------------------===//

#include "swizzle/LLVMPass/Emit.h"

#include "swizzle/Emit/Emit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace swizzle::llvmpass {

namespace {

class LLVMBackend {
public:
  using Value = llvm::Value *;

  LLVMBackend(IRBuilderBase &builder, const LaunchValues &launch)
      : builder(builder), launch(launch) {}

  Value constant(unsigned width, int64_t value) {
    return ConstantInt::get(builder.getIntNTy(width),
                            APInt(width, value, /*isSigned=*/true,
                                  /*implicitTrunc=*/true));
  }
  Value given(unsigned axis) { return launch.ids[axis]; }
  Value id(unsigned axis, unsigned width) {
    return resized(launch.ids[axis], width);
  }
  Value extent(unsigned axis, unsigned width) {
    return resized(launch.extents[axis], width);
  }
  Value asGiven(Value value) {
    // All ids have one type.
    return resized(value, launch.ids[0]->getType()->getIntegerBitWidth());
  }

  Value binary(LoweredKind kind, Value a, Value b, Wrapping wrapping) {
    switch (kind) {
#define SWIZZLE_WRAPPING(kind, arithOp, llvmOp)                                \
  case LoweredKind::kind:                                                      \
    return builder.Create##llvmOp(a, b, "", wrapping.noUnsigned,               \
                                  wrapping.noSigned);
#define SWIZZLE_BINARY(kind, arithOp, llvmOp)                                  \
  case LoweredKind::kind:                                                      \
    return builder.CreateBinOp(Instruction::llvmOp, a, b);
#define SWIZZLE_EXTREME(kind, arithOp, llvmOp)                                 \
  case LoweredKind::kind:                                                      \
    return builder.CreateBinaryIntrinsic(Intrinsic::llvmOp, a, b);
#define SWIZZLE_COMPARISON(kind, predicate, llvmOp)                            \
  case LoweredKind::kind:                                                      \
    return builder.CreateICmp(CmpInst::llvmOp, a, b);
#include "swizzle/Emit/LoweredOps.def"
    default:
      llvm_unreachable("no operation of two operands");
    }
  }
  Value convert(LoweredKind kind, unsigned width, Value value) {
    Type *type = builder.getIntNTy(width);
    switch (kind) {
#define SWIZZLE_CONVERSION(kind, arithOp, llvmOp)                              \
  case LoweredKind::kind:                                                      \
    return builder.CreateCast(Instruction::llvmOp, value, type);
#include "swizzle/Emit/LoweredOps.def"
    default:
      llvm_unreachable("no conversion");
    }
  }
  Value select(Value condition, Value then, Value otherwise) {
    return builder.CreateSelect(condition, then, otherwise);
  }
  /// The upper half of a product of 64 bits.
  Value mulHigh(Value a, Value b) {
    Type *wide = builder.getInt64Ty();
    Value product = builder.CreateMul(builder.CreateZExt(a, wide),
                                      builder.CreateZExt(b, wide), "",
                                      /*HasNUW=*/true);
    return builder.CreateTrunc(builder.CreateLShr(product, 32),
                               builder.getInt32Ty());
  }

  // The builder folds constants by itself.
  Value fold(LoweredKind kind, Value a, Value b) {
    return binary(kind, a, b, {});
  }
  Value foldSelect(Value condition, Value then, Value otherwise) {
    return select(condition, then, otherwise);
  }
  std::optional<int64_t> asConstant(Value value) {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return constant->getSExtValue();
    return std::nullopt;
  }
  unsigned widthOf(Value value) {
    return value->getType()->getIntegerBitWidth();
  }

  SmallVector<Value>
  repeat(unsigned times, ArrayRef<Value> state,
         function_ref<SmallVector<Value>(ArrayRef<Value>)> body);

private:
  Value resized(Value value, unsigned width) {
    return builder.CreateZExtOrTrunc(value, builder.getIntNTy(width));
  }
  /// Ends the builder's block in front of its insertion point; returns the
  /// block that holds the rest.
  BasicBlock *splitHere();

  IRBuilderBase &builder;
  const LaunchValues &launch;
};

} // namespace

BasicBlock *LLVMBackend::splitHere() {
  BasicBlock *before = builder.GetInsertBlock();
  if (builder.GetInsertPoint() == before->end())
    return BasicBlock::Create(before->getContext(), "", before->getParent(),
                              before->getNextNode());
  BasicBlock *after = before->splitBasicBlock(builder.GetInsertPoint());
  before->getTerminator()->eraseFromParent();
  return after;
}

SmallVector<llvm::Value *>
LLVMBackend::repeat(unsigned times, ArrayRef<Value> state,
                    function_ref<SmallVector<Value>(ArrayRef<Value>)> body) {
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *after = splitHere();
  BasicBlock *loop = BasicBlock::Create(before->getContext(), "curve",
                                        before->getParent(), after);
  builder.SetInsertPoint(before);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  PHINode *trip = builder.CreatePHI(builder.getInt32Ty(), 2);
  trip->addIncoming(builder.getInt32(0), before);
  SmallVector<Value> carried;
  for (Value start : state) {
    PHINode *phi = builder.CreatePHI(start->getType(), 2);
    phi->addIncoming(start, before);
    carried.push_back(phi);
  }
  SmallVector<Value> next = body(carried);
  Value nextTrip = builder.CreateNUWAdd(trip, builder.getInt32(1));
  trip->addIncoming(nextTrip, loop);
  for (auto [phi, value] : zip_equal(carried, next))
    cast<PHINode>(phi)->addIncoming(value, loop);
  builder.CreateCondBr(builder.CreateICmpULT(nextTrip, builder.getInt32(times)),
                       loop, after);
  builder.SetInsertPoint(after, after->begin());
  return next;
}

RemappedIds emit(IRBuilderBase &builder, const LoweredFormula &lowered,
                 const LaunchValues &launch) {
  LLVMBackend backend(builder, launch);
  return emitFormula(backend, lowered);
}

void guardGrid(IRBuilderBase &builder, const Grid &grid,
               const LaunchValues &launch, RemappedIds &results) {
  LLVMBackend backend(builder, launch);
  emitGridGuard(backend, grid, results);
}

} // namespace swizzle::llvmpass
