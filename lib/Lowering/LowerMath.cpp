//===- LowerMath.cpp - Mathematics without a device library -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversion for NVIDIA calls CUDA's libdevice (`__nv_expf`), which
// no driver brings. What PTX has an instruction for becomes an intrinsic of
// LLVM, and fp32 functions are expanded by upstream's polynomials.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Calls of libdevice that are one instruction of PTX become LLVM's intrinsics.
/// Upstream's conversion refuses to meet those, so this comes after it.
void swizzle::useMathIntrinsics(gpu::GPUModuleOp gpuModule) {
  static const std::pair<llvm::StringRef, llvm::StringRef> intrinsics[] = {
      {"ceil", "ceil"},   {"copysign", "copysign"}, {"fabs", "fabs"},
      {"floor", "floor"}, {"fma", "fma"},           {"fmax", "maxnum"},
      {"fmin", "minnum"}, {"rint", "rint"},         {"sqrt", "sqrt"},
      {"trunc", "trunc"}};
  gpuModule.walk([&](LLVM::CallOp call) {
    llvm::StringRef name = call.getCallee().value_or("");
    if (!name.consume_front("__nv_") || call->getNumResults() != 1)
      return;
    Type type = call->getResult(0).getType();
    if (type.isF32())
      name.consume_back("f");
    else if (!type.isF64())
      return;
    for (auto [function, intrinsic] : intrinsics) {
      if (name != function)
        continue;
      OpBuilder builder(call);
      std::string full =
          ("llvm." + intrinsic + (type.isF32() ? ".f32" : ".f64")).str();
      auto instead = LLVM::CallIntrinsicOp::create(builder, call.getLoc(), type,
                                                   builder.getStringAttr(full),
                                                   call.getArgOperands());
      call->replaceAllUsesWith(instead->getResults());
      call->erase();
      return;
    }
  });
}

LogicalResult swizzle::lowerCommonMath(gpu::GPUModuleOp gpuModule) {
  bool intrinsics = false, powers = false;
  gpuModule.walk([&](Operation *op) {
    intrinsics |=
        isa<math::AbsIOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp,
            math::CtPopOp, math::TruncOp>(op);
    powers |= isa<math::IPowIOp>(op);
  });
  MLIRContext *context = gpuModule.getContext();
  if (intrinsics) {
    LLVMTypeConverter types(context);
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect>();
    target.addLegalOp<UnrealizedConversionCastOp>();
    target.addIllegalOp<math::AbsIOp, math::CountLeadingZerosOp,
                        math::CountTrailingZerosOp, math::CtPopOp,
                        math::TruncOp>();
    RewritePatternSet patterns(context);
    populateMathToLLVMConversionPatterns(types, patterns);
    if (failed(applyPartialConversion(gpuModule, target, std::move(patterns))))
      return failure();
  }
  if (!powers)
    return success();
  auto holder = cast<ModuleOp>(gpuModule->getParentOp());
  ConvertMathToFuncsOptions options;
  options.minWidthOfFPowIExponent = IntegerType::kMaxWidth; // only integers
  PassManager pass(context);
  pass.enableVerifier(false); // the functions are moved to their calls below
  pass.addPass(createConvertMathToFuncs(options));
  if (failed(pass.run(holder)))
    return failure();
  auto functions = holder.getOps<func::FuncOp>();
  for (auto function : llvm::make_early_inc_range(functions))
    function->moveBefore(&gpuModule.getBodyRegion().front().front());
  return success();
}

/// Expands every other function that upstream has an expansion for.
LogicalResult swizzle::expandMath(gpu::GPUModuleOp gpuModule) {
  // The functions that are expressed by others first: 2^x, x^y, sinh, ...
  RewritePatternSet composed(gpuModule.getContext());
  math::populateExpansionPatterns(composed, {"acosh", "asinh", "atanh", "cosh",
                                             "exp2", "fpowi", "powf", "round",
                                             "rsqrt", "sinh", "tan"});
  if (failed(applyPatternsGreedily(gpuModule, std::move(composed))))
    return failure();
  RewritePatternSet approximated(gpuModule.getContext());
  auto all = [](llvm::StringRef name) {
    return name != math::SqrtOp::getOperationName() &&
           name != math::RsqrtOp::getOperationName() &&
           name != math::AbsFOp::getOperationName() &&
           name != math::FmaOp::getOperationName() &&
           name != math::FloorOp::getOperationName() &&
           name != math::CeilOp::getOperationName();
  };
  populateMathF32ExpansionPatterns(approximated, all);
  populateMathPolynomialApproximationPatterns(approximated, all);
  return applyPatternsGreedily(gpuModule, std::move(approximated));
}
