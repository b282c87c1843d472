//===- TypeLayout.h - Where types lie in memory -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes of types of the llvm dialect, as LLVM counts them. MLIR's own count
// differs for vectors: it gives each of the eight lanes of a vector<8xi1> a
// byte, where LLVM packs them into one.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_MEMORY_TYPELAYOUT_H
#define SWIZZLE_LIB_ANALYSIS_READ_MEMORY_TYPELAYOUT_H

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace swizzle::analysis {

struct TypeExtent {
  int64_t size = 0; ///< bytes that a load or a store of the type touches
  int64_t alignment = 1;

  /// Bytes from one element of an array to the next.
  int64_t stride() const { return int64_t(llvm::alignTo(size, alignment)); }
};

TypeExtent extentOf(const mlir::DataLayout &layout, mlir::Type type);

/// Bytes in front of member `member` of `record`.
int64_t memberOffset(const mlir::DataLayout &layout,
                     mlir::LLVM::LLVMStructType record, int64_t member);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_MEMORY_TYPELAYOUT_H
