//===- PtxMeaning.h - What a statement of PTX does ------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the words of an opcode to what a statement does, for those that may
// stand in a kernel of which the order of workgroups changes.
//
//   ld.global.L1::evict_last.v2.b32    a load of two elements of 32 bits
//   atom.global.gpu.relaxed.add.f32    an atomic addition
//   red.release.gpu.global.add.f32     the same, without the old value
//   mma.sync.aligned.m16n8k16...       a product, of one subgroup
//   mbarrier.try_wait.parity...        a value, from workgroup memory
//   atom.global.gpu.relaxed.cas.b32    unknown
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
    Nothing, ///< orders, hints, or touches memory that no load reads
    Fence,   ///< orders accesses to memory
    Branch,
    Move,
    Load,
    Store,
    Fill,   ///< writes `bits` that nobody knows, at its first operand
    Atomic, ///< an update of memory
    Copy,   ///< from its second address to its first
    Tensor, ///< a copy by a tensor map
    Matrix, ///< a product of a subgroup, or of a group of them
    Value,  ///< a function of registers, or of memory that no store writes
    Image,  ///< an access to a texture or a surface
    Call,   ///< what an intrinsic does
  };
  Effect effect = Unknown;
  unsigned space = 0;  ///< LLVM's address space; of a copy, where it goes
  unsigned from = 0;   ///< of a copy, where it comes from
  unsigned bits = 0;   ///< of an element
  unsigned count = 1;  ///< elements
  std::string product; ///< "16x128x16", of one subgroup
  /// Its name in LLVM, of `Tensor` and `Call`; of `Image`, "texture.read",
  /// "surface.read" or "surface.write".
  std::string intrinsic;
  bool isVolatile = false; ///< of `Load` and `Store`
  bool isSigned = false;  ///< what is loaded keeps its sign in a wider register
  bool hasPolicy = false; ///< the last operand says how caches keep the line
  bool takesAddress = false; ///< of `Value`: of workgroup or tensor memory
  bool ofCluster = false; ///< its addresses may be in the memory of a cluster
  /// Of an access or an update: what others may see of its order.
  llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic;
  llvm::StringRef scope = ""; ///< LLVM's name; "": all of the device
  /// Of an update.
  bool isFloat = false, isBrain = false; ///< "bf16" is both
  unsigned lanes = 1;                    ///< numbers in one register
  llvm::AtomicRMWInst::BinOp update = llvm::AtomicRMWInst::BAD_BINOP;
};

/// `Unknown` for whatever is not understood, and for what is not listed.
PtxMeaning meaningOf(const PtxStatement &statement);

/// The same of instructions that move many bytes or use units of their own;
/// `words` is not empty.
PtxMeaning meaningOfMachine(llvm::ArrayRef<llvm::StringRef> words);

/// The address space that `word` names, in LLVM's numbers.
std::optional<unsigned> spaceOfPtx(llvm::StringRef word);

} // namespace swizzle::importing

#endif // SWIZZLE_LIB_IMPORT_PTXMEANING_H
