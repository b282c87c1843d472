//===- PtxMeaning.h - What a statement of PTX does ------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the words of an opcode to what a statement does, for those that may stand in
// a kernel of which the order of workgroups changes.
//
//   ld.global.L1::evict_last.v2.b32    a load of two elements of 32 bits
//   atom.global.gpu.relaxed.add.f32    an atomic addition
//   red.release.gpu.global.add.f32     the same, without the old value
//   mma.sync.aligned.m16n8k16...       a product, of one subgroup
//   atom.global.gpu.relaxed.exch.b32   unknown: it does not commute
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_IMPORT_PTXMEANING_H
#define SWIZZLE_LIB_IMPORT_PTXMEANING_H

#include "swizzle/Import/Ptx.h"

#include "llvm/IR/Instructions.h"

namespace swizzle::importing {

struct PtxMeaning {
  enum Effect : uint8_t {
    Unknown, ///< not understood
    Nothing, ///< orders what the workgroup does itself
    Move,
    Load,
    Store,
    Atomic, ///< an update of memory
    Copy,   ///< asynchronous, from global to workgroup memory
    Matrix, ///< a product of a subgroup, or of a group of them
    Value,  ///< a function of registers
  };
  Effect effect = Unknown;
  unsigned space = 0;  ///< LLVM's address space
  unsigned bits = 0;   ///< of an element
  unsigned count = 1;  ///< elements
  std::string product; ///< "16x128x16", of one subgroup
  bool hasPolicy = false; ///< the last operand says how caches keep the line
  /// Of an update.
  bool isFloat = false;
  llvm::AtomicRMWInst::BinOp update = llvm::AtomicRMWInst::BAD_BINOP;
  llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic;
  llvm::StringRef scope = ""; ///< LLVM's name; "": all of the device
};

/// `Unknown` for whatever is not understood, and for what is not listed above.
PtxMeaning meaningOf(const PtxStatement &statement);

} // namespace swizzle::importing

#endif // SWIZZLE_LIB_IMPORT_PTXMEANING_H
