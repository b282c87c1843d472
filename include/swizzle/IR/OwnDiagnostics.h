//===- OwnDiagnostics.h - What this thread is told --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler of diagnostics hears those of the whole context, also what passes on
// other modules say at the same time. This one leaves these to others.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IR_OWNDIAGNOSTICS_H
#define SWIZZLE_IR_OWNDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

namespace swizzle {

/// Hands diagnostics of the thread that makes it to a function, which keeps them
/// from others if it returns success.
class OwnDiagnostics {
public:
  template <typename Fn>
  OwnDiagnostics(mlir::MLIRContext *context, Fn fn)
      : handler(context,
                [owner = llvm::get_threadid(),
                 fn](mlir::Diagnostic &diagnostic) -> llvm::LogicalResult {
                  if (llvm::get_threadid() != owner)
                    return mlir::failure();
                  return fn(diagnostic);
                }) {}

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace swizzle

#endif // SWIZZLE_IR_OWNDIAGNOSTICS_H
