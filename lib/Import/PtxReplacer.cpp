//===- PtxReplacer.cpp - What registers and statements of PTX are ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of the assembly have the types of the call, declared registers
// integers of their size, those of the machine what the intrinsic that reads
// them yields.
//
//===----------------------------------------------------------------------===//

#include "PtxReplacer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;

namespace swizzle::importing {

Intrinsic::ID machineRegister(StringRef name) {
  if (name.starts_with("ctaid"))
    return Intrinsic::not_intrinsic;
  std::string full = ("llvm.nvvm.read.ptx.sreg." + name).str();
  std::replace(full.begin(), full.end(), '_', '.');
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(full);
  return id != Intrinsic::not_intrinsic && Intrinsic::isOverloaded(id)
             ? Intrinsic::not_intrinsic
             : id;
}

/// True for registers of PTX that LLVM does not know, of 32 bits, which hold the
/// same in all workgroups: where the part of workgroup memory lies that
/// cooperative groups use.
static bool isOfLaunch(StringRef name) {
  return name == "reserved_smem_offset_0" || name == "reserved_smem_offset_1";
}

/// Numbers, pointers, and vectors of numbers.
static bool isRegisterType(Type *type) {
  return type->isPointerTy() ||
         (type->getPrimitiveSizeInBits() > 0 && !isa<ScalableVectorType>(type));
}

/// Gives each operand its type, and those that are read their values.
bool PtxReplacer::bindOperands() {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  unsigned argument = 0;
  Type *result = call.getType();
  auto *several = dyn_cast<StructType>(result);
  for (const InlineAsm::ConstraintInfo &info : assembly->ParseConstraints()) {
    if (info.Type == InlineAsm::isClobber)
      continue;
    if (info.Type == InlineAsm::isOutput && !info.isIndirect) {
      types.push_back(several ? several->getElementType(numOutputs) : result);
      values.push_back(nullptr);
      registers.push_back(numOutputs);
      mayShare.push_back(!info.isEarlyClobber);
      ++numOutputs;
      if (!isRegisterType(types.back()))
        return false;
      continue;
    }
    if (info.Type != InlineAsm::isInput || info.isIndirect)
      return false;
    if (!bindInput(info, argument++))
      return false;
  }
  numOperands = types.size();
  return true;
}

/// An input "0" is what output 0 begins as, in the same register.
bool PtxReplacer::bindInput(const InlineAsm::ConstraintInfo &info,
                            unsigned argument) {
  Value *value = call.getArgOperand(argument);
  unsigned number = types.size();
  for (unsigned output = 0; output < numOutputs; ++output) {
    if (!is_contained(info.Codes, std::to_string(output)))
      continue;
    if (value->getType() != types[output])
      return false;
    values[output] = value;
    number = output;
  }
  types.push_back(value->getType());
  values.push_back(value);
  registers.push_back(number);
  bool isImmediate = all_of(info.Codes, [](const std::string &code) {
    return code == "n" || code == "i";
  });
  mayShare.push_back(number >= numOutputs && !isImmediate &&
                     shareResult[argument]);
  return isRegisterType(value->getType());
}

/// Registers are apart by their sizes: 1, 16, 32, 64 or 128 bits.
static uint64_t registerBits(const CallInst &call, Type *type) {
  uint64_t bits = call.getDataLayout().getTypeSizeInBits(type);
  return bits > 1 && bits < 16 ? 16 : bits;
}

/// Where the statement writes an output that is not said to be written early
/// ("=&r"), nobody knows from here on what those inputs hold that are in
/// registers of its size: one of them may be the same.
void PtxReplacer::forgetInputs(const PtxStatement &statement,
                               const PtxMeaning &meaning) {
  if (!writesFirst(statement, meaning))
    return;
  for (unsigned written : statement.operands[0].registers)
    for (unsigned number = numOutputs; number < numOperands; ++number)
      if (written < numOutputs && mayShare[written] && mayShare[number] &&
          registerBits(call, types[written]) ==
              registerBits(call, types[number]))
        values[number] = callOpaque("value", types[number], {});
}

/// Gives the registers that the text names theirs, and numbers behind the
/// operands'.
bool PtxReplacer::bindRegisters() {
  for (const PtxRegister &named : text.registers) {
    Type *type = nullptr;
    if (!named.ofMachine)
      type = builder.getIntNTy(named.bits);
    else if (isOfLaunch(named.name))
      type = builder.getInt32Ty();
    else if (Intrinsic::ID id = machineRegister(named.name))
      type = Intrinsic::getType(call.getContext(), id)->getReturnType();
    else
      return false;
    types.push_back(type);
    values.push_back(nullptr);
  }
  auto renumber = [&](unsigned &number) {
    if (number >= kFirstPtxRegister)
      number = number - kFirstPtxRegister + numOperands;
    else if (number >= numOperands)
      return false;
    else
      number = registers[number];
    return true;
  };
  for (PtxStatement &statement : text.statements) {
    if (statement.predicate && !renumber(*statement.predicate))
      return false;
    for (PtxOperand &operand : statement.operands)
      if (!all_of(operand.registers, renumber))
        return false;
  }
  return true;
}

bool PtxReplacer::isWritable(unsigned number) const {
  return number < numOutputs ||
         (number >= numOperands &&
          !text.registers[number - numOperands].ofMachine);
}

bool PtxReplacer::isAddress(const PtxOperand &operand) const {
  if (operand.kind != PtxOperand::Address)
    return false;
  Type *type = types[operand.registers.front()];
  return type->isPointerTy() || type->isIntegerTy(32) || type->isIntegerTy(64);
}

/// An address without coordinates.
bool PtxReplacer::isPlain(const PtxOperand &operand) const {
  return isAddress(operand) && operand.registers.size() == 1;
}

bool PtxReplacer::isResult(const PtxOperand &operand) const {
  return (operand.kind == PtxOperand::Register ||
          operand.kind == PtxOperand::List) &&
         all_of(operand.registers,
                [&](unsigned number) { return isWritable(number); });
}

/// A number, or that of an operand which is one ("n"(16)).
std::optional<int64_t>
PtxReplacer::constantOf(const PtxOperand &operand) const {
  if (operand.kind == PtxOperand::Number)
    return operand.number;
  if (operand.kind != PtxOperand::Register)
    return std::nullopt;
  unsigned from = operand.registers.front();
  auto *number = dyn_cast_or_null<ConstantInt>(values[from]);
  if (!number || isWritable(from) || number->getBitWidth() > 64)
    return std::nullopt;
  return number->getSExtValue();
}

/// True if the addresses are where the copy has them.
bool PtxReplacer::fitsCopy(const PtxStatement &statement,
                           const PtxMeaning &meaning) const {
  ArrayRef<PtxOperand> operands = statement.operands;
  auto hasType = [&](ArrayRef<unsigned> registers, unsigned bits) {
    return all_of(registers, [&](unsigned number) {
      return types[number]->isIntegerTy(bits);
    });
  };
  if (meaning.effect == Effect::Tensor) {
    bool loads = meaning.space == 3;
    size_t offsets = 0;
    if (loads && operands.size() == 4) {
      offsets = operands.back().registers.size();
      operands = operands.drop_back();
      if (statement.operands.back().kind != PtxOperand::List ||
          !hasType(statement.operands.back().registers, 16))
        return false;
    }
    if (operands.size() != (loads ? 3 : 2))
      return false;
    const PtxOperand &map = operands[loads];
    Intrinsic::ID id = Intrinsic::lookupIntrinsicID(meaning.intrinsic);
    if (id == Intrinsic::not_intrinsic || !isAddress(map) || map.number != 0 ||
        !hasType(ArrayRef(map.registers).drop_front(), 32))
      return false;
    for (auto [index, operand] : enumerate(operands))
      if (index != size_t(loads) && !isPlain(operand))
        return false;
    // Behind the coordinates stand two more: how caches keep the lines.
    return Intrinsic::getType(call.getContext(), id)->getNumParams() ==
           operands.size() - 1 + map.registers.size() + offsets + 2;
  }
  if (operands.size() < 3 || !isPlain(operands[0]) || !isPlain(operands[1]))
    return false;
  if (isBulk(statement))
    return operands.size() <= 4 &&
           (operands[2].kind == PtxOperand::Number ||
            (operands[2].kind == PtxOperand::Register &&
             types[operands[2].registers[0]]->isIntegerTy())) &&
           (meaning.space == 3) == (operands.size() == 4) &&
           (operands.size() == 3 || isPlain(operands[3]));
  return is_contained({4, 8, 16}, constantOf(operands[2]).value_or(0)) &&
         (operands.size() == 3 ||
          (operands.size() == 4 && operands[3].kind == PtxOperand::Register &&
           types[operands[3].registers[0]]->isIntegerTy()));
}

/// The type that tells apart an intrinsic for pointers into every space.
SmallVector<Type *, 1> PtxReplacer::overloadOf(Intrinsic::ID id,
                                               unsigned space) const {
  if (!Intrinsic::isOverloaded(id))
    return {};
  return {PointerType::get(call.getContext(), space)};
}

/// True if the intrinsic takes these operands: none, or rows of a matrix and
/// the address that they come from or go to.
bool PtxReplacer::fitsCall(const PtxStatement &statement,
                           const PtxMeaning &meaning) const {
  ArrayRef<PtxOperand> operands = statement.operands;
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(meaning.intrinsic);
  if (id == Intrinsic::not_intrinsic)
    return false;
  if (operands.empty())
    return !Intrinsic::isOverloaded(id) &&
           Intrinsic::getType(call.getContext(), id)->getNumParams() == 0;
  if (operands.size() != 2)
    return false;
  bool reads = operands[1].kind == PtxOperand::Address;
  const PtxOperand &data = operands[reads ? 0 : 1];
  FunctionType *type =
      Intrinsic::getType(call.getContext(), id, overloadOf(id, meaning.space));
  if (type->getReturnType()->isVoidTy() == reads ||
      (reads ? type->getNumParams() != 1 : type->getNumParams() < 2))
    return false;
  auto *several = dyn_cast<StructType>(type->getReturnType());
  size_t count = !reads    ? type->getNumParams() - 1
                 : several ? several->getNumElements()
                           : 1;
  return isPlain(operands[reads ? 1 : 0]) && (!reads || isResult(data)) &&
         (data.kind == PtxOperand::List || data.kind == PtxOperand::Register) &&
         data.registers.size() == count &&
         all_of(data.registers, [&](unsigned number) {
           return types[number]->isIntegerTy(32);
         });
}

/// True if the operands are those that the statement takes.
bool PtxReplacer::fits(const PtxStatement &statement,
                       const PtxMeaning &meaning) const {
  ArrayRef<PtxOperand> operands = statement.operands;
  using Kind = PtxOperand;
  if (statement.predicate && !types[*statement.predicate]->isIntegerTy(1))
    return false;
  auto holds = [&](const PtxOperand &operand) {
    return (operand.kind == Kind::Register || operand.kind == Kind::List) &&
           operand.registers.size() == meaning.count &&
           all_of(operand.registers, [&](unsigned number) {
             Type *type = types[number];
             return type->getPrimitiveSizeInBits() >=
                    meaning.bits * meaning.lanes;
           });
  };
  auto isLabel = [](const PtxOperand &operand) {
    return operand.kind == Kind::Label;
  };
  if (meaning.effect != Effect::Branch && any_of(operands, isLabel))
    return false;
  switch (meaning.effect) {
  case Effect::Unknown:
    return false;
  case Effect::Nothing:
  case Effect::Fence:
    return true;
  case Effect::Branch:
    return operands.size() == 1 && isLabel(operands[0]);
  case Effect::Move:
    return operands.size() == 2 && operands[0].kind == Kind::Register &&
           isResult(operands[0]) &&
           (operands[1].kind == Kind::Number ||
            operands[1].kind == Kind::Register);
  case Effect::Load:
    return operands.size() == 2 && holds(operands[0]) &&
           isResult(operands[0]) && isPlain(operands[1]);
  case Effect::Store:
    return operands.size() == 2 && isPlain(operands[0]) && holds(operands[1]);
  case Effect::Fill:
    return !operands.empty() && isPlain(operands[0]);
  case Effect::Atomic:
    if (statement.opcode.front() == "red")
      return operands.size() == 2 && isPlain(operands[0]) && holds(operands[1]);
    return operands.size() == 3 && holds(operands[0]) &&
           isResult(operands[0]) && isPlain(operands[1]) && holds(operands[2]);
  case Effect::Copy:
  case Effect::Tensor:
    return fitsCopy(statement, meaning);
  case Effect::Matrix:
    if (statement.opcode.front() == "tcgen05")
      return operands.size() > 3 && isPlain(operands[0]);
    [[fallthrough]];
  case Effect::Value:
    return !operands.empty() && isResult(operands[0]) &&
           (meaning.takesAddress ||
            none_of(operands, [](const PtxOperand &operand) {
              return operand.kind == Kind::Address;
            }));
  case Effect::Image: {
    bool reads = StringRef(meaning.intrinsic).ends_with(".read");
    return operands.size() >= 2 && isAddress(operands[reads ? 1 : 0]) &&
           (!reads || isResult(operands[0]));
  }
  case Effect::Call:
    return fitsCall(statement, meaning);
  }
  llvm_unreachable("an effect without operands");
}

/// True if the first operand is a result.
bool PtxReplacer::writesFirst(const PtxStatement &statement,
                              const PtxMeaning &meaning) {
  return !statement.operands.empty() &&
         (statement.operands[0].kind == PtxOperand::Register ||
          statement.operands[0].kind == PtxOperand::List) &&
         meaning.effect != Effect::Nothing;
}

/// True if nothing is left behind by the text but that time passes: its
/// statements wait, and compute what only they use.
bool PtxReplacer::onlyWaits() const {
  for (auto [statement, meaning] : zip(text.statements, meanings)) {
    if (!is_contained({Effect::Nothing, Effect::Fence, Effect::Branch,
                       Effect::Move, Effect::Value},
                      meaning.effect) ||
        meaning.ofCluster)
      return false;
    if (writesFirst(statement, meaning) &&
        !all_of(statement.operands[0].registers,
                [&](unsigned number) { return isDeclared(number); }))
      return false;
  }
  return true;
}

bool PtxReplacer::run(bool isPtx) {
  if (!bindOperands() || !bindRegisters())
    return false;
  // Registers of other machines may hold a workgroup id when a kernel begins.
  if (!isPtx && is_contained(ArrayRef(values).take_front(numOutputs), nullptr))
    return false;
  for (PtxStatement &statement : text.statements) {
    meanings.push_back(meaningOf(statement));
    // How caches keep a line says nothing of what is read.
    if (meanings.back().hasPolicy && !statement.operands.empty())
      statement.operands.pop_back();
    if (!fits(statement, meanings.back()))
      return false;
  }
  bool goesElsewhere = any_of(text.statements,
                              [](const PtxStatement &statement) {
                                return statement.isLabelled;
                              }) ||
                       any_of(meanings, [](const PtxMeaning &meaning) {
                         return meaning.effect == Effect::Branch;
                       });
  if (goesElsewhere && !onlyWaits())
    return false;
  if (!goesElsewhere)
    for (auto [statement, meaning] : zip(text.statements, meanings)) {
      emit(statement, meaning);
      forgetInputs(statement, meaning);
    }
  for (unsigned number = 0; number < numOutputs; ++number)
    if (!values[number])
      values[number] = callOpaque("value", types[number], {});
  if (auto *several = dyn_cast<StructType>(call.getType())) {
    Value *result = PoisonValue::get(several);
    for (unsigned number = 0; number < numOutputs; ++number)
      result = builder.CreateInsertValue(result, values[number], number);
    call.replaceAllUsesWith(result);
  } else if (numOutputs) {
    call.replaceAllUsesWith(values[0]);
  }
  call.eraseFromParent();
  return true;
}

} // namespace swizzle::importing
