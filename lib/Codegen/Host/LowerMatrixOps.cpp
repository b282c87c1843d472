//===- LowerMatrixOps.cpp - Matrix fragments in plain registers -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fragment becomes a vector in each lane: element e of a matrix belongs to
// lane e mod S, slot e / S, where S is the size of the subgroup. What a GPU
// does with its fragments' layout is its own secret, so any layout will do, as
// long as nobody asks where an element is; who asks is unchecked. The layouts
// of AMD's mfma are public, and are followed.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace swizzle::host {

namespace {

/// Signed and unsigned integers as signless ones.
Type signless(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

ElementFormat formatOf(Type type) {
  ElementFormat format;
  format.bits = type.getIntOrFloatBitWidth();
  if (auto floating = dyn_cast<FloatType>(type)) {
    format.kind = ElementFormat::Kind::Float;
    format.semantics = &floating.getFloatSemantics();
  } else if (type.isUnsignedInteger()) {
    format.kind = ElementFormat::Kind::Unsigned;
  }
  return format;
}

class MatrixLowering {
public:
  MatrixLowering(Compilation &c, MLIRContext *context) : c(c), b(context) {}

  VectorType fragment(gpu::MMAMatrixType type) {
    int64_t elements = type.getShape()[0] * type.getShape()[1];
    return VectorType::get((elements + c.subgroupSize - 1) / c.subgroupSize,
                           signless(type.getElementType()));
  }
  /// Before types are replaced: what is lost with them.
  llvm::Error note(Operation *op);
  void lower(Operation *op);

private:
  struct Noted {
    Operation *op;
    SmallVector<gpu::MMAMatrixType> types; ///< operands', then result's
  };

  Value slotFor(Type type);
  Value spill(Value value);
  Value addressOf(Value memref, ValueRange indices);
  void lowerMove(Operation *op, gpu::MMAMatrixType type, Value memref,
                 ValueRange indices, int64_t lead, bool transpose,
                 Value stored);
  void lowerProduct(Operation *op, const MatrixShape &shape, Value a, Value x,
                    Value y);
  /// By the generic accessors: the types are no longer those of the operation.
  Value elementwise(gpu::SubgroupMmaElementwiseOp op);
  std::optional<MatrixShape> mfmaShape(amdgpu::MFMAOp op);

  Compilation &c;
  OpBuilder b;
  Location loc = b.getUnknownLoc();
  llvm::DenseMap<Operation *, gpu::MMAMatrixType> types;
  llvm::DenseMap<Operation *, MatrixShape> shapes;
};

std::optional<MatrixShape> MatrixLowering::mfmaShape(amdgpu::MFMAOp op) {
  auto elementOf = [](Value value) {
    return getElementTypeOrSelf(value.getType());
  };
  auto lanesOf = [](Value value) -> int64_t {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? vector.getNumElements() : 1;
  };
  Type in = elementOf(op.getSourceA()), out = elementOf(op.getDestC());
  bool plain = op.getBlocks() == 1 && (op.getM() == 16 || op.getM() == 32) &&
               op.getM() == op.getN() && op.getCbsz() == 0 &&
               op.getAbid() == 0 && op.getBlgp() == amdgpu::MFMAPermB::none &&
               !op.getReducePrecision() && !op.getNegateA() &&
               !op.getNegateB() && !op.getNegateC();
  MatrixShape shape;
  shape.layout = MatrixShape::Layout::MFMA;
  shape.m = op.getM();
  shape.n = op.getN();
  shape.k = op.getK();
  shape.aPerLane = lanesOf(op.getSourceA());
  shape.bPerLane = lanesOf(op.getSourceB());
  shape.cPerLane = lanesOf(op.getDestC());
  shape.ab = formatOf(in);
  shape.cd = formatOf(out);
  if (!plain || in != elementOf(op.getSourceB()) ||
      !(out.isF32() || out.isInteger(32)) || c.subgroupSize != 64 ||
      shape.aPerLane * 64 != shape.m * shape.k ||
      shape.cPerLane * 64 != shape.m * shape.n)
    return std::nullopt;
  return shape;
}

llvm::Error MatrixLowering::note(Operation *op) {
  if (auto mfma = dyn_cast<amdgpu::MFMAOp>(op)) {
    std::optional<MatrixShape> shape = mfmaShape(mfma);
    if (!shape)
      return makeUnchecked(op, "only mfma of one 16x16 or 32x32 block, without "
                               "modifiers, by 64 lanes");
    shapes[op] = *shape;
  } else if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op)) {
    types[op] = cast<gpu::MMAMatrixType>(load.getRes().getType());
  } else if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op)) {
    types[op] = cast<gpu::MMAMatrixType>(store.getSrc().getType());
  } else if (auto product = dyn_cast<gpu::SubgroupMmaComputeOp>(op)) {
    auto a = cast<gpu::MMAMatrixType>(product.getOpA().getType());
    auto x = cast<gpu::MMAMatrixType>(product.getOpB().getType());
    auto y = cast<gpu::MMAMatrixType>(product.getOpC().getType());
    MatrixShape shape;
    shape.m = a.getShape()[0];
    shape.k = a.getShape()[1];
    shape.n = x.getShape()[1];
    shape.aPerLane = fragment(a).getNumElements();
    shape.bPerLane = fragment(x).getNumElements();
    shape.cPerLane = fragment(y).getNumElements();
    shape.ab = formatOf(a.getElementType());
    shape.cd = formatOf(y.getElementType());
    if (a.getElementType() != x.getElementType())
      return makeUnchecked(op, "factors of two types");
    shapes[op] = shape;
  } else if (isa<gpu::SubgroupMmaExtractThreadLocalOp,
                 gpu::SubgroupMmaInsertThreadLocalOp>(op)) {
    return makeUnchecked(op, "which lane holds which element is not defined");
  }
  return llvm::Error::success();
}

/// A place on the stack, outside of all loops.
Value MatrixLowering::slotFor(Type type) {
  OpBuilder::InsertionGuard guard(b);
  Operation *function = b.getInsertionBlock()->getParentOp();
  if (!isa<FunctionOpInterface>(function))
    function = function->getParentOfType<FunctionOpInterface>();
  b.setInsertionPointToStart(
      &cast<FunctionOpInterface>(function).getFunctionBody().front());
  return LLVM::AllocaOp::create(b, loc,
                                LLVM::LLVMPointerType::get(b.getContext()),
                                type, makeInteger(b, loc, 1));
}

Value MatrixLowering::spill(Value value) {
  Value slot = slotFor(value.getType());
  LLVM::StoreOp::create(b, loc, value, slot);
  return slot;
}

Value MatrixLowering::addressOf(Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  auto view = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  Value at = view.getOffset();
  for (auto [index, stride] : llvm::zip(indices, view.getStrides()))
    at = arith::AddIOp::create(b, loc, at,
                               arith::MulIOp::create(b, loc, index, stride));
  Type element = type.getElementType();
  int64_t bytes = getElementTypeOrSelf(element).getIntOrFloatBitWidth() / 8;
  if (auto vector = dyn_cast<VectorType>(element))
    bytes *= vector.getNumElements();
  Value scale = arith::ConstantIndexOp::create(b, loc, bytes);
  at = arith::AddIOp::create(b, loc, base,
                             arith::MulIOp::create(b, loc, at, scale));
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), at);
}

void MatrixLowering::lowerMove(Operation *op, gpu::MMAMatrixType type,
                               Value memref, ValueRange indices, int64_t lead,
                               bool transpose, Value stored) {
  int64_t bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  uint32_t site =
      c.addSite(op, stored ? AccessKind::Write : AccessKind::Read, bytes);
  Value registers = stored ? spill(stored) : slotFor(fragment(type));
  callRuntime(b, loc, "swizzle_moveMatrix", Type(),
              {makeAddress(b, loc, c.workgroup), makeInteger(b, loc, site, 32),
               addressOf(memref, indices), makeInteger(b, loc, lead),
               makeInteger(b, loc, type.getShape()[0]),
               makeInteger(b, loc, type.getShape()[1]),
               makeInteger(b, loc, transpose, 32), registers});
  if (!stored)
    op->getResult(0).replaceAllUsesWith(
        LLVM::LoadOp::create(b, loc, fragment(type), registers));
  op->erase();
}

void MatrixLowering::lowerProduct(Operation *op, const MatrixShape &shape,
                                  Value a, Value x, Value y) {
  c.shapes.push_back(shape);
  c.shapes.back().place(c.subgroupSize);
  uint32_t site = c.addSite(op, AccessKind::Read, 0);
  Value result = slotFor(y.getType());
  callRuntime(b, loc, "swizzle_multiply", Type(),
              {makeAddress(b, loc, c.workgroup), makeInteger(b, loc, site, 32),
               makeAddress(b, loc, &c.shapes.back()), spill(a), spill(x),
               spill(y), result});
  op->getResult(0).replaceAllUsesWith(
      LLVM::LoadOp::create(b, loc, y.getType(), result));
  op->erase();
}

Value MatrixLowering::elementwise(gpu::SubgroupMmaElementwiseOp op) {
  ValueRange args = op->getOperands();
  Type type = op->getResult(0).getType();
  using Kind = gpu::MMAElementwiseOp;
  switch (op.getOpType()) {
  case Kind::ADDF:
    return arith::AddFOp::create(b, loc, args[0], args[1]);
  case Kind::MULF:
    return arith::MulFOp::create(b, loc, args[0], args[1]);
  case Kind::SUBF:
    return arith::SubFOp::create(b, loc, args[0], args[1]);
  case Kind::MAXF:
    return arith::MaximumFOp::create(b, loc, args[0], args[1]);
  case Kind::MINF:
    return arith::MinimumFOp::create(b, loc, args[0], args[1]);
  case Kind::DIVF:
    return arith::DivFOp::create(b, loc, args[0], args[1]);
  case Kind::ADDI:
    return arith::AddIOp::create(b, loc, args[0], args[1]);
  case Kind::MULI:
    return arith::MulIOp::create(b, loc, args[0], args[1]);
  case Kind::SUBI:
    return arith::SubIOp::create(b, loc, args[0], args[1]);
  case Kind::DIVS:
    return arith::DivSIOp::create(b, loc, args[0], args[1]);
  case Kind::DIVU:
    return arith::DivUIOp::create(b, loc, args[0], args[1]);
  case Kind::NEGATEF:
    return arith::NegFOp::create(b, loc, args[0]);
  case Kind::NEGATES: {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return arith::SubIOp::create(b, loc, zero, args[0]);
  }
  case Kind::EXTF:
    return arith::ExtFOp::create(b, loc, type, args[0]);
  }
  llvm_unreachable("all elementwise operations are listed");
}

void MatrixLowering::lower(Operation *op) {
  b.setInsertionPoint(op);
  loc = op->getLoc();
  if (auto mfma = dyn_cast<amdgpu::MFMAOp>(op))
    return lowerProduct(op, shapes[op], mfma.getSourceA(), mfma.getSourceB(),
                        mfma.getDestC());
  if (isa<gpu::SubgroupMmaComputeOp>(op))
    return lowerProduct(op, shapes[op], op->getOperand(0), op->getOperand(1),
                        op->getOperand(2));
  if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
    return lowerMove(op, types[op], load.getSrcMemref(), load.getIndices(),
                     load.getLeadDimension().getSExtValue(),
                     load.getTranspose().value_or(false), Value());
  if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op))
    return lowerMove(op, types[op], store.getDstMemref(), store.getIndices(),
                     store.getLeadDimension().getSExtValue(),
                     store.getTranspose().value_or(false), op->getOperand(0));
  if (auto constant = dyn_cast<gpu::SubgroupMmaConstantMatrixOp>(op)) {
    op->getResult(0).replaceAllUsesWith(vector::BroadcastOp::create(
        b, loc, op->getResult(0).getType(), constant.getValue()));
    op->erase();
  } else if (auto each = dyn_cast<gpu::SubgroupMmaElementwiseOp>(op)) {
    op->getResult(0).replaceAllUsesWith(elementwise(each));
    op->erase();
  }
}

} // namespace

llvm::Error lowerMatrixOps(ModuleOp module, Compilation &compilation) {
  MatrixLowering lowering(compilation, module.getContext());
  SmallVector<Operation *> ops;
  llvm::Error error = llvm::Error::success();
  bool refused = false;
  module.walk([&](Operation *op) {
    if (isa<amdgpu::MFMAOp>(op) ||
        op->getName().getStringRef().starts_with("gpu.subgroup_mma_")) {
      ops.push_back(op);
      if (!refused)
        if (llvm::Error wrong = lowering.note(op)) {
          refused = true;
          llvm::consumeError(std::move(error));
          error = std::move(wrong);
        }
    }
  });
  if (refused)
    return error;
  llvm::consumeError(std::move(error));
  if (ops.empty())
    return llvm::Error::success();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](gpu::MMAMatrixType type) -> std::optional<Type> {
    return lowering.fragment(type);
  });
  replacer.recursivelyReplaceElementsIn(module, true, false, true);
  for (Operation *op : ops)
    lowering.lower(op);
  return llvm::Error::success();
}

} // namespace swizzle::host
