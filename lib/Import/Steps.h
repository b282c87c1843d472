//===- Steps.h - What importing does, in its order ------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read assembly, clean, then translate, then say what reads of the launch's own
// numbers mean.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_IMPORT_STEPS_H
#define SWIZZLE_LIB_IMPORT_STEPS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace llvm {
class CallInst;
class Module;
} // namespace llvm

namespace swizzle::importing {

/// Replaces inline PTX by what it does, as far as the grammar of Ptx.h reaches;
/// of another language (`isPtx` false) only what has no text, or only waits.
void replaceInlineAssembly(llvm::Module &module, bool isPtx);

/// Replaces a call of AMD's assembly that only lets time pass; false, and
/// nothing is changed, if it is anything else.
bool replaceWait(llvm::CallInst &call);

/// Says in front of each copy by a tensor map that the kernel makes what the
/// map is of.
void announceMadeMaps(llvm::Module &module);

/// Replaces intrinsics that take metadata, which have no translation.
void forgetMetadataOperands(llvm::Module &module);

/// Replaces intrinsics that update memory in one scope by instructions.
void replaceScopedAtomics(llvm::Module &module);

/// An error if a function is too large to be read once all that is marked
/// always_inline is inlined into it.
llvm::Error checkInlinedSizes(llvm::Module &module);

/// Lets no branch go where all that comes traps.
void forgetTraps(llvm::Module &module);

/// Inlines calls, takes variables out of the stack and simplifies: what has one
/// meaning in many forms gets the form that the analysis reads.
void cleanForReading(llvm::Module &module);

/// By the function's name, threads of a workgroup along x, y and z.
using RequiredSizes = llvm::StringMap<llvm::SmallVector<int32_t>>;

/// The sizes of workgroups that functions of `module` require.
RequiredSizes findRequiredSizes(const llvm::Module &module);

/// Puts them on the translated functions.
void noteRequiredSizes(mlir::ModuleOp module, const RequiredSizes &sizes);

/// On AMD a kernel reads the sizes of its launch from memory behind its
/// arguments, or from the packet that it is launched by. Makes operations of
/// those reads; others stay as they are.
void nameLaunchSizes(mlir::ModuleOp module);

/// Makes operations of NVIDIA's intrinsics for copies by the hardware.
void nameBulkCopies(mlir::ModuleOp module);

} // namespace swizzle::importing

#endif // SWIZZLE_LIB_IMPORT_STEPS_H
