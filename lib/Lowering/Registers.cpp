//===- Registers.cpp - Registers that are wider than they say -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that read a register may have a result of any width, but their
// translation to LLVM IR yields the register's own:
//
//   %g = rocdl.grid.dim.x : i32            %g = call i64 @__ockl_get_num_groups
//   llvm.store %g, %p : i32, !llvm.ptr     store i64 %g, ptr %p
//
// Such a store touches more bytes than anybody who reads the llvm dialect sees.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace swizzle {

/// Bits that the translation of `name` yields; 0: those that it says.
static unsigned translatedBits(StringRef name) {
  if (name.starts_with("rocdl.workgroup.dim.") ||
      name.starts_with("rocdl.grid.dim."))
    return 64;
  for (StringRef prefix :
       {"nvvm.read.ptx.sreg.", "rocdl.workitem.id.", "rocdl.workgroup.id.",
        "rocdl.cluster.", "rocdl.wavefrontsize", "rocdl.mbcnt."})
    if (name.starts_with(prefix))
      return 32;
  return 0;
}

/// True if `user` takes `bits` bits of its operand, whatever type that has.
static bool extendsTo(Operation *user, unsigned bits) {
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(user))
    return user->getResult(0).getType().isIndex() && bits == 64;
  return isa<LLVM::SExtOp, LLVM::ZExtOp, arith::ExtSIOp, arith::ExtUIOp>(
             user) &&
         user->getResult(0).getType().isInteger(bits);
}

unsigned bitsBeyondType(Operation *op) {
  unsigned bits = translatedBits(op->getName().getStringRef());
  if (bits == 0 || op->getNumResults() != 1)
    return 0;
  auto type = dyn_cast<IntegerType>(op->getResult(0).getType());
  if (!type || type.getWidth() >= bits ||
      llvm::all_of(op->getUsers(),
                   [&](Operation *user) { return extendsTo(user, bits); }))
    return 0;
  return bits;
}

} // namespace swizzle
