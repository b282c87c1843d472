//===- RegisterWebs.h - Which values may be one register --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An output of inline assembly that is not written early ("=&r") may be in the
// register of an input. Code for NVIDIA has as many registers as it has
// values: two of them are one where one is copied to the other, as in a loop
// that goes on with what it got:
//
//   %p = phi i64 [ %start, %entry ], [ %v, %loop ]
//   %v = asm "mov.b64 $0, 64; st.global.b32 [$1], 1;", "=l,l"(i64 %p)
//
// Values that copies may connect are a web.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_IMPORT_REGISTERWEBS_H
#define SWIZZLE_LIB_IMPORT_REGISTERWEBS_H

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace swizzle::importing {

class RegisterWebs {
public:
  /// The webs of a function as it is now.
  explicit RegisterWebs(const llvm::Function &function);

  /// By argument of the assembly: whether it may be in the register of a
  /// result.
  llvm::SmallVector<bool> shareResult(const llvm::CallInst &assembly) const;

private:
  void join(const llvm::Instruction &instruction);
  void joinAll(const llvm::Instruction &instruction);
  void joinTied(const llvm::CallInst &assembly);
  void join(const llvm::Value *one, const llvm::Value *other) {
    webs.unionSets(one, other);
  }

  /// Null stands for whatever is out of sight: other functions and memory.
  llvm::EquivalenceClasses<const llvm::Value *> webs;
};

} // namespace swizzle::importing

#endif // SWIZZLE_LIB_IMPORT_REGISTERWEBS_H
