//===- PtxInteger.cpp - Arithmetic of PTX with integers -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What addresses and predicates are computed by is followed; the rest is a
// value that nobody looks into.
//
//   add.u32 $0, $1, 4          %1 + 4
//   mul.wide.s32 %rd, $1, $2   sext(%1) * sext(%2)
//   setp.ne.b32 p, $1, 0       %1 != 0
//   cvta.to.shared.u64 a, $1   where workgroup memory has what %1 points to
//
//===----------------------------------------------------------------------===//

#include "PtxReplacer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::importing {

namespace {
/// "s32"
struct IntegerType {
  unsigned bits = 0;
  bool isSigned = false;
};
} // namespace

static IntegerType integerType(StringRef word) {
  if (word == "pred")
    return {1, false};
  unsigned bits;
  if (word.empty() || !StringRef("bus").contains(word.front()) ||
      word.drop_front().getAsInteger(10, bits) ||
      !is_contained({8u, 16u, 32u, 64u}, bits))
    return {};
  return {bits, word.front() == 's'};
}

/// Null if the operand is no integer of so many bits.
Value *PtxReplacer::integerOperand(const PtxOperand &operand, unsigned bits) {
  Type *type = builder.getIntNTy(bits);
  if (operand.kind == PtxOperand::Number)
    return ConstantInt::get(type, uint64_t(operand.number) &
                                      maskTrailingOnes<uint64_t>(bits));
  if (operand.kind != PtxOperand::Register)
    return nullptr;
  unsigned number = operand.registers[0];
  if (call.getDataLayout().getTypeSizeInBits(types[number]) != bits)
    return nullptr;
  return resized(values[number], type);
}

static std::optional<CmpInst::Predicate> comparison(StringRef word,
                                                    bool isSigned) {
  using Answer = std::optional<CmpInst::Predicate>;
  return StringSwitch<Answer>(word)
      .Case("eq", CmpInst::ICMP_EQ)
      .Case("ne", CmpInst::ICMP_NE)
      .Case("lt", isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
      .Case("le", isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
      .Case("gt", isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
      .Case("ge", isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
      .Case("lo", CmpInst::ICMP_ULT)
      .Case("ls", CmpInst::ICMP_ULE)
      .Case("hi", CmpInst::ICMP_UGT)
      .Case("hs", CmpInst::ICMP_UGE)
      .Default(std::nullopt);
}

/// The result of two operands of one type; null if it is not followed.
static Value *twoOperands(IRBuilder<> &builder, StringRef name,
                          IntegerType type, Value *a, Value *b) {
  bool isSigned = type.isSigned;
  if (name == "add")
    return builder.CreateAdd(a, b);
  if (name == "sub")
    return builder.CreateSub(a, b);
  if (name == "and")
    return builder.CreateAnd(a, b);
  if (name == "or")
    return builder.CreateOr(a, b);
  if (name == "xor")
    return builder.CreateXor(a, b);
  if (name == "min")
    return builder.CreateBinaryIntrinsic(
        isSigned ? Intrinsic::smin : Intrinsic::umin, a, b);
  if (name == "max")
    return builder.CreateBinaryIntrinsic(
        isSigned ? Intrinsic::smax : Intrinsic::umax, a, b);
  return nullptr;
}

/// Of cvta[.to].SPACE.u64.
Value *PtxReplacer::convertedPointer(const PtxStatement &statement) {
  ArrayRef<StringRef> words = statement.opcode;
  bool back = words[1] == "to";
  if (words.size() != (back ? 4u : 3u) || words.back() != "u64")
    return nullptr;
  std::optional<unsigned> space = spaceOfPtx(words[back ? 2 : 1]);
  Value *from = integerOperand(statement.operands[1], 64);
  if (!space || !from)
    return nullptr;
  Value *pointer =
      builder.CreateIntToPtr(from, builder.getPtrTy(back ? 0 : *space));
  pointer =
      builder.CreateAddrSpaceCast(pointer, builder.getPtrTy(back ? *space : 0));
  return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
}

/// Of mul and mad, .lo and .wide, with operands of `bits`.
Value *PtxReplacer::productOf(const PtxStatement &statement, unsigned bits,
                              bool isSigned) {
  ArrayRef<PtxOperand> operands = statement.operands;
  bool adds = statement.opcode[0] == "mad";
  unsigned wide = statement.opcode[1] == "wide" ? 2 * bits : bits;
  if (operands.size() != (adds ? 4u : 3u) || wide > 64)
    return nullptr;
  Value *a = integerOperand(operands[1], bits);
  Value *b = integerOperand(operands[2], bits);
  Type *into = builder.getIntNTy(wide);
  Value *c =
      adds ? integerOperand(operands[3], wide) : ConstantInt::get(into, 0);
  if (!a || !b || !c)
    return nullptr;
  Value *product = builder.CreateMul(builder.CreateIntCast(a, into, isSigned),
                                     builder.CreateIntCast(b, into, isSigned));
  return builder.CreateAdd(product, c);
}

/// What the statement computes; null if it is not followed.
Value *PtxReplacer::integerOf(const PtxStatement &statement) {
  ArrayRef<StringRef> words = statement.opcode;
  ArrayRef<PtxOperand> operands = statement.operands;
  StringRef name = words[0];
  IntegerType type = integerType(words.back());
  if (!type.bits)
    return nullptr;
  if (name == "cvta")
    return convertedPointer(statement);
  if ((name == "mul" || name == "mad") && words.size() == 3 &&
      (words[1] == "lo" || words[1] == "wide"))
    return productOf(statement, type.bits, type.isSigned);
  Value *a = integerOperand(operands[1], type.bits);
  if (!a)
    return nullptr;
  if (name == "cvt" && words.size() == 3 && operands.size() == 2) {
    unsigned into = integerType(words[1]).bits;
    return into ? builder.CreateIntCast(a, builder.getIntNTy(into),
                                        type.isSigned)
                : nullptr;
  }
  if (name == "not" && words.size() == 2 && operands.size() == 2)
    return builder.CreateNot(a);
  if (operands.size() < 3)
    return nullptr;
  if ((name == "shl" || name == "shr") && words.size() == 2) {
    // Shifts by all bits and more yield what shifting one by one would.
    std::optional<int64_t> by = constantOf(operands[2]);
    if (!by || *by < 0 || *by >= int64_t(type.bits))
      return nullptr;
    return name == "shl"   ? builder.CreateShl(a, *by)
           : type.isSigned ? builder.CreateAShr(a, *by)
                           : builder.CreateLShr(a, *by);
  }
  Value *b = integerOperand(operands[2], type.bits);
  if (!b)
    return nullptr;
  if (name == "setp" && words.size() == 3 && operands.size() == 3) {
    auto predicate = comparison(words[1], type.isSigned);
    return predicate ? builder.CreateICmp(*predicate, a, b) : nullptr;
  }
  if (name == "selp" && words.size() == 2 && operands.size() == 4) {
    Value *which = integerOperand(operands[3], 1);
    return which ? builder.CreateSelect(which, a, b) : nullptr;
  }
  return words.size() == 2 && operands.size() == 3
             ? twoOperands(builder, name, type, a, b)
             : nullptr;
}

/// False if what the statement computes is not followed.
bool PtxReplacer::emitInteger(const PtxStatement &statement) {
  ArrayRef<PtxOperand> operands = statement.operands;
  if (statement.opcode.size() < 2 || operands.size() < 2 ||
      operands[0].kind != PtxOperand::Register)
    return false;
  unsigned to = operands[0].registers[0];
  Value *result = integerOf(statement);
  if (!result || result->getType()->getIntegerBitWidth() !=
                     call.getDataLayout().getTypeSizeInBits(types[to]))
    return false;
  values[to] = resized(result, types[to]);
  return true;
}

} // namespace swizzle::importing
