//===- CompiledFor.h - Whose GPUs lowered code is for -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of the `gpu` dialect runs wherever it is compiled for. LLVM IR reads
// its ids by the intrinsics of one vendor, and a back end of another aborts on
// them: whoever compiles, or emits code into such a kernel, asks here first.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IR_COMPILEDFOR_H
#define SWIZZLE_IR_COMPILEDFOR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace swizzle {

/// "amd" or "nvidia", as chips call their vendor; empty for other targets.
llvm::StringRef vendorOfTriple(llvm::StringRef triple);

/// The vendor of lowered code: by the target triple of the
/// nearest module around `op` that has one, else by the calling convention of
/// kernels in `op`. Empty: nothing says so, as of kernels that are not lowered.
llvm::StringRef vendorOf(mlir::Operation *op);

/// The value of LLVM's function attribute `name`, of those that the llvm
/// dialect has no attribute for and passes through as pairs of texts; empty if
/// there is none.
llvm::StringRef readPassedThrough(mlir::Operation *kernel,
                                  llvm::StringRef name);

/// An error if the code of `op` is for GPUs of another vendor than `vendor`,
/// whose chip or compiler target is `name`.
llvm::Error checkVendor(mlir::Operation *op, llvm::StringRef vendor,
                        llvm::StringRef name);

/// The same for code of vendor `ours` with the target triple `triple`, which
/// may be empty.
llvm::Error checkVendors(llvm::StringRef ours, llvm::StringRef triple,
                         llvm::StringRef vendor, llvm::StringRef name);

} // namespace swizzle

#endif // SWIZZLE_IR_COMPILEDFOR_H
