//===- ImportModule.h - Kernels that came as LLVM IR ----------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From LLVM IR, as clang, Triton and IREE write it, to the `llvm` dialect that
// the analysis reads. A copy is made, cleaned and translated; what came is
// never touched, and what is translated is only read: translating it back would
// lose metadata.
//
//   in   llvm::Module with  define amdgpu_kernel void @mm(ptr addrspace(1) ...)
//   out  mlir::ModuleOp with  llvm.func amdgpu_kernelcc @mm(%arg0: !llvm.ptr<1> ...)
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IMPORT_IMPORTMODULE_H
#define SWIZZLE_IMPORT_IMPORTMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace swizzle {

/// How the functions begin that stand for inline PTX in what is imported; no
/// other function may.
inline constexpr llvm::StringLiteral kPtxMarker = "swizzle.ptx.";

/// True if `path` names LLVM IR, as text or bitcode, rather than MLIR.
inline bool isLLVMFile(llvm::StringRef path) {
  return path.ends_with(".ll") || path.ends_with(".bc");
}

/// True if `module` is compiled for a GPU, as its target triple says, or,
/// without one, the calling convention of a function.
bool isForGpu(const llvm::Module &module);

/// True of the function that clang puts an OpenCL kernel's body into, and that
/// the kernel does nothing but call: it is as good as a part of the kernel.
bool isBodyOfKernel(const llvm::Function &function);

/// `module` as bitcode: a copy that shares nothing with it.
std::string copyAsBitcode(const llvm::Module &module);

/// The module that `bitcode` holds as it is read: inlined, out of stack slots,
/// in the `llvm` dialect. An error says what has no translation.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importBitcode(llvm::StringRef bitcode, mlir::MLIRContext &context);

/// The module in the file at `path`, which holds LLVM IR as text or bitcode.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importFile(llvm::StringRef path, mlir::MLIRContext &context);

} // namespace swizzle

#endif // SWIZZLE_IMPORT_IMPORTMODULE_H
