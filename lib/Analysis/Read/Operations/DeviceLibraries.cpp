//===- DeviceLibraries.cpp - Functions that should have been linked -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compilation without device libraries (`-nogpulib`) leaves calls behind that
// refuse a kernel. What they do would be known with the libraries, so that is
// what to say.
//
// Source: Khronos, "The OpenCL C Specification", Built-in Functions.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace swizzle::analysis {

/// What a name of OpenCL's begins with before the types of its operands.
static constexpr llvm::StringLiteral
    kBuiltIns("abs abs_diff acos* add_sat all any as_* asin* "
              "async_work_group_* atan* atom_* "
              "atomic_* barrier bitselect cbrt ceil clamp clz convert_* "
              "copysign cos* cross ctz "
              "degrees distance dot erf* exp exp2 exp10 expm1 fabs fast_* fdim "
              "floor fma fmax fmin "
              "fmod fract frexp get_* half_* hadd hypot ilogb is* ldexp length "
              "lgamma* log log2 "
              "log10 log1p logb mad mad24 mad_hi mad_sat max maxmag mem_fence "
              "min minmag mix modf "
              "mul24 mul_hi nan native_* nextafter normalize popcount pow pown "
              "powr prefetch "
              "radians read_image* read_mem_fence remainder remquo rhadd rint "
              "rootn rotate round "
              "rsqrt select shuffle shuffle2 sign signbit sin* smoothstep sqrt "
              "step sub_group_* "
              "sub_sat tan* tgamma trunc upsample vload* vstore* "
              "wait_group_events work_group_* "
              "write_image* write_mem_fence");

/// `clamp` of `_Z5clampiii`; empty if the name is not mangled so.
static llvm::StringRef withoutTypes(llvm::StringRef name) {
  size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length))
    return "";
  return name.size() < length ? "" : name.take_front(length);
}

bool isOfLlvmIr(Operation *op) {
  Operation *table = op->getParentWithTrait<OpTrait::SymbolTable>();
  return table && llvm::any_of(table->getRegion(0).getOps<LLVM::LLVMFuncOp>(),
                               [](LLVM::LLVMFuncOp function) {
                                 LLVM::CConv how = function.getCConv();
                                 return how == LLVM::CConv::AMDGPU_KERNEL ||
                                        how == LLVM::CConv::PTX_Kernel;
                               });
}

std::string adviseToLink(Operation *op, llvm::StringRef name) {
  if (!isOfLlvmIr(op))
    return "";
  bool isOfLibrary = name.starts_with("__ockl_") ||
                     name.starts_with("__ocml_") || name.starts_with("__nv_");
  if (isOfLibrary && !isOfNoMathLibrary(name))
    return " (link the device libraries: drop -nogpulib)";
  llvm::StringRef builtIn = withoutTypes(name);
  if (!builtIn.empty() && matches(kBuiltIns, builtIn))
    return " (if it is OpenCL's, link the device libraries: drop -nogpulib)";
  return "";
}

} // namespace swizzle::analysis
