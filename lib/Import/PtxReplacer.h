//===- PtxReplacer.h - One piece of inline PTX, while it is replaced -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First all registers get types and all statements meanings that fit their
// operands; only then are instructions written, so that what is not understood
// stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_IMPORT_PTXREPLACER_H
#define SWIZZLE_LIB_IMPORT_PTXREPLACER_H

#include "PtxMeaning.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"

namespace swizzle::importing {

/// The intrinsic that reads a register of the machine ("tid.x");
/// `not_intrinsic` if there is none, and for workgroup ids, which nobody would
/// rewrite here.
llvm::Intrinsic::ID machineRegister(llvm::StringRef name);

class PtxReplacer {
public:
  /// `shareResult`: which arguments may be in the register of a result.
  PtxReplacer(llvm::CallInst &call, PtxText text,
              llvm::ArrayRef<bool> shareResult)
      : call(call), text(std::move(text)), shareResult(shareResult) {}

  /// False, and nothing is changed, if a statement is not understood.
  bool run(bool isPtx);

private:
  using Effect = PtxMeaning::Effect;
  using Value = llvm::Value;
  using Type = llvm::Type;

  // What registers and statements are (PtxReplacer.cpp).
  bool bindOperands();
  bool bindInput(const llvm::InlineAsm::ConstraintInfo &info,
                 unsigned argument);
  bool bindRegisters();
  void forgetInputs(const PtxStatement &statement, const PtxMeaning &meaning);
  bool fits(const PtxStatement &statement, const PtxMeaning &meaning) const;
  llvm::SmallVector<Type *, 1> overloadOf(llvm::Intrinsic::ID id,
                                          unsigned space) const;
  bool fitsCall(const PtxStatement &statement, const PtxMeaning &meaning) const;
  bool fitsCopy(const PtxStatement &statement, const PtxMeaning &meaning) const;
  bool isWritable(unsigned number) const;
  bool isDeclared(unsigned number) const {
    return number >= numOperands && isWritable(number);
  }
  bool isAddress(const PtxOperand &operand) const;
  bool isPlain(const PtxOperand &operand) const;
  bool isResult(const PtxOperand &operand) const;
  std::optional<int64_t> constantOf(const PtxOperand &operand) const;
  bool onlyWaits() const;
  static bool isBulk(const PtxStatement &statement);
  static bool writesFirst(const PtxStatement &statement,
                          const PtxMeaning &meaning);

  // What stands for them (PtxEmitter.cpp).
  void defineWhatIsRead(const PtxStatement &statement,
                        const PtxMeaning &meaning);
  void emit(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitReach(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitUnconditionally(const PtxStatement &statement,
                           const PtxMeaning &meaning);
  void emitMove(const PtxStatement &statement);
  llvm::Type *accessType(const PtxMeaning &meaning);
  template <typename Instruction>
  Instruction *accessed(Instruction *access, const PtxMeaning &meaning);
  void emitLoad(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitStore(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitUpdates(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitCopy(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitTensorCopy(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitProduct(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitImage(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitCall(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitValue(const PtxStatement &statement, const std::string &name);
  bool emitInteger(const PtxStatement &statement);
  Value *integerOf(const PtxStatement &statement);
  Value *convertedPointer(const PtxStatement &statement);
  Value *productOf(const PtxStatement &statement, unsigned bits, bool isSigned);
  Value *integerOperand(const PtxOperand &operand, unsigned bits);
  Value *address(const PtxOperand &operand, unsigned space);
  Value *resized(Value *value, Type *type);
  Value *callOpaque(llvm::StringRef name, Type *type,
                    llvm::ArrayRef<Value *> operands);

  llvm::CallInst &call;
  PtxText text;
  llvm::ArrayRef<bool> shareResult; ///< by argument
  llvm::IRBuilder<> builder{&call};
  unsigned numOutputs = 0, numOperands = 0;
  llvm::SmallVector<Type *> types;   ///< by register
  llvm::SmallVector<Value *> values; ///< by register; null: nothing is written
  /// By operand: the register that it is. A tied input is its output.
  llvm::SmallVector<unsigned> registers;
  /// By operand: an output and an input of which this is true may be one
  /// register.
  llvm::SmallVector<bool> mayShare;
  llvm::SmallVector<PtxMeaning> meanings; ///< by statement
};

} // namespace swizzle::importing

#endif // SWIZZLE_LIB_IMPORT_PTXREPLACER_H
