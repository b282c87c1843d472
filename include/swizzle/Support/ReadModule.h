//===- ReadModule.h - LLVM IR that may be invalid ------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM ends the process where a module that it parses is not valid, as one by a
// newer LLVM may be: an intrinsic that this one knows by another type.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_READMODULE_H
#define SWIZZLE_SUPPORT_READMODULE_H

#include "llvm/Support/MemoryBufferRef.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class SMDiagnostic;
} // namespace llvm

namespace swizzle {

/// The module in `buffer`, text or bitcode. Null with a `problem`, whose line
/// is 0 where all of it can be read and is not valid.
std::unique_ptr<llvm::Module> readModule(llvm::MemoryBufferRef buffer,
                                         llvm::SMDiagnostic &problem,
                                         llvm::LLVMContext &context);

/// The same of a file; "-" is what comes in.
std::unique_ptr<llvm::Module> readModuleFile(llvm::StringRef path,
                                             llvm::SMDiagnostic &problem,
                                             llvm::LLVMContext &context);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_READMODULE_H
