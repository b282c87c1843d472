//===- ExchangeLoop.h - Updates by compare-and-exchange ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atomic update for which there is no instruction is a loop:
//
//   %0 = load %p
//   ^loop(%old):                        ; from %0 at first
//     %new = mul %old, %v
//     %now, %ok = cmpxchg %p, %old, %new
//     cond_br %ok, ^done, ^loop(%now)
//
// It leaves what one atomic multiplication would leave.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_EXCHANGELOOP_H
#define SWIZZLE_LIB_ANALYSIS_READ_EXCHANGELOOP_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <optional>
#include <string>

namespace swizzle {

struct ExchangeLoop {
  mlir::Block *block = nullptr;
  /// The load that the loop starts from.
  mlir::LLVM::LoadOp start;
  /// As of `Access`; empty if the update does not commute with itself.
  std::string update;
};

/// The loop around `exchange`, if it is one whose old value nobody else uses.
std::optional<ExchangeLoop>
asExchangeLoop(mlir::LLVM::AtomicCmpXchgOp exchange);

/// The same, for the only compare-and-exchange of `block`.
std::optional<ExchangeLoop> asExchangeLoop(mlir::Block *block);

/// True if `load` does nothing but start such a loop.
bool startsExchangeLoop(mlir::LLVM::LoadOp load);

} // namespace swizzle

#endif // SWIZZLE_LIB_ANALYSIS_READ_EXCHANGELOOP_H
