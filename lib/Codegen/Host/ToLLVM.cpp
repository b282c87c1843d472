//===- ToLLVM.cpp - Upstream's conversions, for the CPU -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs upstream's passes in the order that works for kernels, and converts what
// no CPU has: 8-bit floats are stored as bytes and computed with as f32.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace swizzle::host {

namespace {

/// Runs `passes` and turns the first diagnostic into an error.
llvm::Error runPasses(ModuleOp module,
                      llvm::function_ref<void(OpPassManager &)> passes) {
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  passes(manager);
  std::string message;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
    if (message.empty() && d.getSeverity() == DiagnosticSeverity::Error)
      message = describe(d.getLocation()) + ": " + d.str();
    return success();
  });
  if (succeeded(manager.run(module)))
    return llvm::Error::success();
  return llvm::make_error<UncheckedError>(
      "cannot be lowered for the CPU: " +
      (message.empty() ? "a pass failed" : message));
}

/// Formats that LLVM has no type for.
bool isNarrowFloat(Type type) {
  auto floating = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return floating && floating.getWidth() <= 8;
}

/// A conversion to or from a narrow float, one element at a time.
void lowerNarrowConversion(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  bool widens = isa<arith::ExtFOp>(op);
  Value from = op->getOperand(0);
  Type to = op->getResult(0).getType();
  Type narrow = getElementTypeOrSelf(widens ? from.getType() : to);
  Type element = getElementTypeOrSelf(to);
  unsigned bits = narrow.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  Value semantics =
      makeAddress(b, loc, &cast<FloatType>(narrow).getFloatSemantics());
  auto convert = [&](Value value) -> Value {
    if (widens) {
      value = arith::BitcastOp::create(b, loc, integer, value);
      value = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
      value = callRuntime(b, loc, "swizzle_decodeFloat", b.getF64Type(),
                          {semantics, value});
      return element.isF64()
                 ? value
                 : arith::TruncFOp::create(b, loc, element, value).getResult();
    }
    if (!value.getType().isF64())
      value = arith::ExtFOp::create(b, loc, b.getF64Type(), value);
    value = callRuntime(b, loc, "swizzle_encodeFloat", b.getI64Type(),
                        {semantics, value});
    return arith::TruncIOp::create(b, loc, integer, value);
  };
  // Narrow results stay bytes until they are complete: there is no constant of
  // such a type to start from.
  auto finish = [&](Value value, Type type) -> Value {
    return widens ? value
                  : arith::BitcastOp::create(b, loc, type, value).getResult();
  };
  auto type = dyn_cast<VectorType>(to);
  if (!type) {
    op->getResult(0).replaceAllUsesWith(finish(convert(from), to));
    op->erase();
    return;
  }
  int64_t count = type.getNumElements();
  Value flat = vector::ShapeCastOp::create(
      b, loc, VectorType::get({count}, getElementTypeOrSelf(from)), from);
  auto partial = VectorType::get({count}, widens ? element : integer);
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(partial));
  for (int64_t i = 0; i < count; ++i)
    result = vector::InsertOp::create(
        b, loc, convert(vector::ExtractOp::create(b, loc, flat, i)), result, i);
  result = finish(result, VectorType::get({count}, element));
  op->getResult(0).replaceAllUsesWith(
      vector::ShapeCastOp::create(b, loc, type, result));
  op->erase();
}

} // namespace

llvm::Error toLLVM(ModuleOp module) {
  arith::ArithEmulateUnsupportedFloatsOptions narrow;
  narrow.sourceTypeStrs = {"bf16",       "f8E4M3",     "f8E4M3FN", "f8E5M2",
                           "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E3M4"};
  narrow.targetTypeStr = "f32";
  if (llvm::Error error = runPasses(module, [&](OpPassManager &pm) {
        pm.addPass(createConvertLinalgToLoopsPass());
        pm.addPass(createLowerAffinePass());
        pm.addPass(math::createMathExtendToSupportedTypes());
        pm.addPass(arith::createArithEmulateUnsupportedFloats(narrow));
        pm.addPass(createConvertVectorToSCFPass(
            VectorTransferToSCFOptions().enableFullUnroll()));
      }))
    return error;

  SmallVector<Operation *> conversions;
  module.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        (isNarrowFloat(op->getOperand(0).getType()) ||
         isNarrowFloat(op->getResult(0).getType())))
      conversions.push_back(op);
  });
  for (Operation *op : conversions)
    lowerNarrowConversion(op);

  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  return runPasses(module, [&](OpPassManager &pm) {
    pm.addPass(memref::createExpandOpsPass());
    pm.addPass(memref::createExpandStridedMetadataPass());
    pm.addPass(createLowerAffinePass());
    pm.addPass(arith::createArithExpandOpsPass(expand));
    pm.addPass(createSCFToControlFlowPass());
    pm.addPass(createConvertMathToLLVMPass());
    pm.addPass(createConvertMathToLibmPass());
    pm.addPass(createConvertComplexToLLVMPass());
    pm.addPass(createConvertVectorToLLVMPass());
    pm.addPass(createConvertIndexToLLVMPass());
    pm.addPass(createArithToLLVMConversionPass());
    pm.addPass(createFinalizeMemRefToLLVMConversionPass());
    pm.addPass(createConvertFuncToLLVMPass());
    pm.addPass(createConvertControlFlowToLLVMPass());
    pm.addPass(createUBToLLVMConversionPass());
    pm.addPass(createReconcileUnrealizedCastsPass());
  });
}

} // namespace swizzle::host
