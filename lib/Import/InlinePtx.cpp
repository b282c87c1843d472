//===- InlinePtx.cpp - Inline PTX as instructions of LLVM IR --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces inline assembly, on the copy that is read, by what it does:
//
//   asm "mov.u32 $0, 0x0; @$2 ld.global.b32 $0, [ $1 + 16 ];", "=r,l,b"
//
//   if %2:  %loaded = load i32, ptr addrspace(1) (%1 + 16)
//   %0 = phi [ %loaded ], [ 0 ]
//
// Assembly of which one statement is not understood stays as it is, and refuses its
// kernel. Understood are plain loads and stores, atomic updates that commute,
// asynchronous copies to workgroup memory, matrix products of a group of subgroups,
// and statements that work on registers alone; their results are calls that nobody
// looks into. What a kernel waits for within its workgroup leaves nothing behind.
// Assembly without a statement, a barrier for the compiler, is understood for every
// vendor.
//
//===----------------------------------------------------------------------===//

#include "PtxMeaning.h"
#include "Steps.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/Import/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace swizzle::importing {

namespace {
/// One piece of inline assembly, while it is being replaced.
class AsmReplacer {
public:
  AsmReplacer(CallInst &call, MutableArrayRef<PtxStatement> statements)
      : call(call), statements(statements) {}

  /// False, and nothing is changed, if a statement is not understood.
  bool run(bool isPtx);

private:
  using Effect = PtxMeaning::Effect;

  bool bindRegisters();
  bool fits(const PtxStatement &statement, const PtxMeaning &meaning) const;
  bool isRegister(unsigned number) const { return number < types.size(); }
  std::optional<int64_t> constantOf(const PtxOperand &operand) const;

  static bool writesFirst(const PtxStatement &statement,
                          const PtxMeaning &meaning);
  void defineWhatIsRead(const PtxStatement &statement,
                        const PtxMeaning &meaning);
  void emit(const PtxStatement &statement, const PtxMeaning &meaning);
  void emitUnconditionally(const PtxStatement &statement,
                           const PtxMeaning &meaning);
  void emitUpdates(const PtxStatement &statement, const PtxMeaning &meaning);
  Value *address(const PtxOperand &operand, unsigned space);
  Value *resized(Value *value, Type *type);
  Type *floatOf(unsigned bits) {
    return bits == 16   ? builder.getHalfTy()
           : bits == 32 ? builder.getFloatTy()
                        : builder.getDoubleTy();
  }
  Value *callOpaque(StringRef name, Type *type, ArrayRef<Value *> operands);

  CallInst &call;
  MutableArrayRef<PtxStatement> statements;
  IRBuilder<> builder{&call};
  unsigned numOutputs = 0;
  SmallVector<Type *> types;   ///< by register
  SmallVector<Value *> values; ///< by register; null where nothing is written
};
} // namespace

/// Numbers, pointers, and vectors of numbers.
static bool isRegisterType(Type *type) {
  return type->isPointerTy() || (type->getPrimitiveSizeInBits() > 0 &&
                                 !isa<ScalableVectorType>(type));
}

/// Gives each register its type, and those that are read their values.
bool AsmReplacer::bindRegisters() {
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
      ++numOutputs;
      if (!isRegisterType(types.back()))
        return false;
      continue;
    }
    if (info.Type != InlineAsm::isInput || info.isIndirect)
      return false;
    Value *value = call.getArgOperand(argument++);
    types.push_back(value->getType());
    values.push_back(value);
    if (!isRegisterType(value->getType()))
      return false;
    // An input "0" is what output 0 begins as.
    for (unsigned output = 0; output < numOutputs; ++output)
      if (is_contained(info.Codes, std::to_string(output)))
        values[output] = value;
  }
  return true;
}

/// A number, or that of an operand which is one ("n"(16)).
std::optional<int64_t>
AsmReplacer::constantOf(const PtxOperand &operand) const {
  if (operand.kind == PtxOperand::Number)
    return operand.number;
  if (operand.kind != PtxOperand::Register)
    return std::nullopt;
  auto *number =
      dyn_cast_or_null<ConstantInt>(values[operand.registers.front()]);
  if (!number || operand.registers.front() < numOutputs ||
      number->getBitWidth() > 64)
    return std::nullopt;
  return number->getSExtValue();
}

/// True if the operands are those that the statement takes.
bool AsmReplacer::fits(const PtxStatement &statement,
                       const PtxMeaning &meaning) const {
  ArrayRef<PtxOperand> operands = statement.operands;
  using Kind = PtxOperand;
  for (const PtxOperand &operand : operands)
    for (unsigned number : operand.registers)
      if (!isRegister(number))
        return false;
  if (statement.predicate && (!isRegister(*statement.predicate) ||
                              !types[*statement.predicate]->isIntegerTy(1)))
    return false;
  auto isOutput = [&](unsigned number) { return number < numOutputs; };
  auto holds = [&](const PtxOperand &operand) {
    return (operand.kind == Kind::Register || operand.kind == Kind::List) &&
           operand.registers.size() == meaning.count &&
           all_of(operand.registers, [&](unsigned number) {
             Type *type = types[number];
             return type->getPrimitiveSizeInBits() >= meaning.bits;
           });
  };
  auto isAddress = [&](const PtxOperand &operand) {
    Type *type = operand.kind == Kind::Address
                     ? types[operand.registers.front()]
                     : nullptr;
    return type && (type->isPointerTy() || type->isIntegerTy(32) ||
                    type->isIntegerTy(64));
  };
  switch (meaning.effect) {
  case Effect::Unknown:
    return false;
  case Effect::Nothing:
    return true;
  case Effect::Move:
    return operands.size() == 2 && operands[0].kind == Kind::Register &&
           isOutput(operands[0].registers[0]) &&
           (operands[1].kind == Kind::Number ||
            operands[1].kind == Kind::Register);
  case Effect::Load:
    return operands.size() == 2 && holds(operands[0]) &&
           all_of(operands[0].registers, isOutput) && isAddress(operands[1]);
  case Effect::Store:
    return operands.size() == 2 && isAddress(operands[0]) && holds(operands[1]);
  case Effect::Atomic:
    if (statement.opcode.front() == "red")
      return operands.size() == 2 && isAddress(operands[0]) &&
             holds(operands[1]);
    return operands.size() == 3 && holds(operands[0]) &&
           all_of(operands[0].registers, isOutput) && isAddress(operands[1]) &&
           holds(operands[2]);
  case Effect::Copy:
    return (operands.size() == 3 || operands.size() == 4) &&
           isAddress(operands[0]) && isAddress(operands[1]) &&
           is_contained({4, 8, 16}, constantOf(operands[2]).value_or(0)) &&
           (operands.size() == 3 ||
            (operands[3].kind == Kind::Register &&
             types[operands[3].registers[0]]->isIntegerTy()));
  case Effect::Matrix:
  case Effect::Value:
    return !operands.empty() &&
           (operands[0].kind == Kind::Register ||
            operands[0].kind == Kind::List) &&
           all_of(operands[0].registers, isOutput) &&
           none_of(operands, [](const PtxOperand &operand) {
             return operand.kind == Kind::Address;
           });
  }
  llvm_unreachable("an effect without operands");
}

Value *AsmReplacer::address(const PtxOperand &operand, unsigned space) {
  Value *base = values[operand.registers.front()];
  Type *pointer = builder.getPtrTy(space);
  if (base->getType()->isIntegerTy())
    base = builder.CreateIntToPtr(base, pointer);
  else if (base->getType() != pointer)
    base = builder.CreateAddrSpaceCast(base, pointer);
  return builder.CreatePtrAdd(base, builder.getInt64(operand.number));
}

/// `value` as `type`, bits for bits; what is wider is filled with zeros.
Value *AsmReplacer::resized(Value *value, Type *type) {
  if (value->getType() == type)
    return value;
  auto asInteger = [&](Type *type) {
    return builder.getIntNTy(
        call.getDataLayout().getTypeSizeInBits(type).getFixedValue());
  };
  Type *own = asInteger(value->getType());
  value = value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, own)
                                          : builder.CreateBitCast(value, own);
  value = builder.CreateZExtOrTrunc(value, asInteger(type));
  return type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                             : builder.CreateBitCast(value, type);
}

/// A call of which nothing is known but that it touches no memory of others, and
/// that no other call yields the same.
Value *AsmReplacer::callOpaque(StringRef name, Type *type,
                               ArrayRef<Value *> operands) {
  SmallVector<Type *> parameters;
  for (Value *operand : operands)
    parameters.push_back(operand->getType());
  auto *signature = FunctionType::get(type, parameters, false);
  Module &module = *call.getModule();
  Function *function = nullptr;
  // One function for each signature.
  for (unsigned index = 0;
       !function || function->getFunctionType() != signature; ++index) {
    std::string full = (kPtxMarker + name + "." + Twine(index)).str();
    function = module.getFunction(full);
    if (function)
      continue;
    function = Function::Create(signature, GlobalValue::ExternalLinkage, full,
                                module);
    function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return builder.CreateCall(function, operands);
}

/// One update of each element.
void AsmReplacer::emitUpdates(const PtxStatement &statement,
                              const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  Type *type = meaning.isFloat ? floatOf(meaning.bits)
                               : builder.getIntNTy(meaning.bits);
  // Results come first, if there are any.
  PtxOperand at = operands.drop_back().back();
  bool returns = operands.size() > 2;
  for (auto [index, from] : enumerate(operands.back().registers)) {
    Value *old = builder.CreateAtomicRMW(
        meaning.update, address(at, meaning.space),
        resized(values[from], type), Align(meaning.bits / 8),
        meaning.ordering,
        call.getContext().getOrInsertSyncScopeID(meaning.scope));
    if (returns) {
      unsigned to = operands[0].registers[index];
      values[to] = resized(old, types[to]);
    }
    at.number += meaning.bits / 8;
  }
}

void AsmReplacer::emitUnconditionally(const PtxStatement &statement,
                                      const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  Type *element =
      meaning.bits ? builder.getIntNTy(meaning.bits) : builder.getInt8Ty();
  auto elementAt = [&](const PtxOperand &operand, unsigned index) {
    PtxOperand at = operand;
    at.number += index * (meaning.bits / 8);
    return address(at, meaning.space);
  };
  switch (meaning.effect) {
  case Effect::Unknown:
  case Effect::Nothing:
    return;
  case Effect::Move: {
    unsigned to = operands[0].registers[0];
    Value *from = operands[1].kind == PtxOperand::Number
                      ? builder.getInt64(operands[1].number)
                      : values[operands[1].registers[0]];
    values[to] = resized(from, types[to]);
    return;
  }
  case Effect::Load: {
    // One access, of all elements.
    Type *all = FixedVectorType::get(element, meaning.count);
    Value *loaded = builder.CreateAlignedLoad(
        all, elementAt(operands[1], 0),
        Align(meaning.bits / 8 * meaning.count));
    for (auto [index, number] : enumerate(operands[0].registers))
      values[number] = resized(builder.CreateExtractElement(loaded, index),
                               types[number]);
    return;
  }
  case Effect::Store: {
    Type *all = FixedVectorType::get(element, meaning.count);
    Value *stored = PoisonValue::get(all);
    for (auto [index, number] : enumerate(operands[1].registers))
      stored = builder.CreateInsertElement(
          stored, resized(values[number], element), index);
    builder.CreateAlignedStore(stored, elementAt(operands[0], 0),
                               Align(meaning.bits / 8 * meaning.count));
    return;
  }
  case Effect::Atomic:
    return emitUpdates(statement, meaning);
  case Effect::Copy: {
    int64_t size = *constantOf(operands[2]);
    Type *bytes = FixedVectorType::get(builder.getInt8Ty(), size);
    Value *copied = builder.CreateAlignedLoad(bytes, address(operands[1], 1),
                                              Align(size));
    builder.CreateAlignedStore(copied, address(operands[0], 3), Align(size));
    return;
  }
  case Effect::Matrix:
  case Effect::Value: {
    SmallVector<Value *> inputs;
    for (const PtxOperand &operand : operands.drop_front())
      for (unsigned number : operand.registers)
        inputs.push_back(values[number]);
    SmallVector<Type *> results;
    for (unsigned number : operands[0].registers)
      results.push_back(types[number]);
    std::string name = meaning.effect == Effect::Matrix
                           ? "matrix." + meaning.product
                           : std::string("value");
    Value *all = callOpaque(
        name, StructType::get(builder.getContext(), results), inputs);
    for (auto [index, number] : enumerate(operands[0].registers))
      values[number] = builder.CreateExtractValue(all, index);
    return;
  }
  }
}

/// True if the first operand is a result.
bool AsmReplacer::writesFirst(const PtxStatement &statement,
                              const PtxMeaning &meaning) {
  return !statement.operands.empty() &&
         statement.operands[0].kind != PtxOperand::Address &&
         meaning.effect != Effect::Nothing;
}

/// Nothing is known of an output that is read, or kept, before it is written.
void AsmReplacer::defineWhatIsRead(const PtxStatement &statement,
                                   const PtxMeaning &meaning) {
  SmallVector<unsigned> read;
  bool keeps = statement.predicate.has_value();
  for (const PtxOperand &operand :
       ArrayRef(statement.operands)
           .drop_front(writesFirst(statement, meaning) && !keeps))
    append_range(read, operand.registers);
  if (keeps)
    read.push_back(*statement.predicate);
  for (unsigned number : read)
    if (!values[number])
      values[number] = callOpaque("value", types[number], {});
}

void AsmReplacer::emit(const PtxStatement &statement, const PtxMeaning &meaning) {
  if (meaning.effect == Effect::Nothing)
    return;
  defineWhatIsRead(statement, meaning);
  Value *condition =
      statement.predicate ? values[*statement.predicate] : nullptr;
  if (condition && statement.negated)
    condition = builder.CreateNot(condition);
  // A copy of no bytes reads nothing, nor does one whose predicate says that its
  // source is to be ignored.
  if (meaning.effect == Effect::Copy && statement.operands.size() == 4) {
    Value *last = values[statement.operands[3].registers[0]];
    Value *some = last->getType()->isIntegerTy(1) ? builder.CreateNot(last)
                                                  : builder.CreateIsNotNull(last);
    condition = condition ? builder.CreateAnd(condition, some) : some;
  }
  if (!condition)
    return emitUnconditionally(statement, meaning);
  SmallVector<Value *> before = values;
  BasicBlock *from = builder.GetInsertBlock();
  Instruction *end = SplitBlockAndInsertIfThen(condition, &call,
                                               /*Unreachable=*/false);
  builder.SetInsertPoint(end);
  emitUnconditionally(statement, meaning);
  BasicBlock *then = builder.GetInsertBlock();
  builder.SetInsertPoint(&call);
  for (unsigned number = 0; number < numOutputs; ++number) {
    if (values[number] == before[number])
      continue;
    PHINode *phi = builder.CreatePHI(types[number], 2);
    phi->addIncoming(values[number], then);
    phi->addIncoming(before[number], from);
    values[number] = phi;
  }
}

bool AsmReplacer::run(bool isPtx) {
  if (!bindRegisters())
    return false;
  // Registers of other machines may hold a workgroup id when a kernel begins.
  if (!isPtx && is_contained(ArrayRef(values).take_front(numOutputs), nullptr))
    return false;
  SmallVector<PtxMeaning> meanings;
  for (PtxStatement &statement : statements) {
    meanings.push_back(meaningOf(statement));
    // How caches keep a line says nothing of what is read.
    if (meanings.back().hasPolicy && !statement.operands.empty())
      statement.operands.pop_back();
    if (!fits(statement, meanings.back()))
      return false;
  }
  for (auto [statement, meaning] : zip(statements, meanings))
    emit(statement, meaning);
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

/// `__nvvm_reflect` asks how the kernel is compiled: a number that is not known.
static void hideReflection(Module &module) {
  Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect || !reflect->isDeclaration())
    return;
  FunctionCallee opaque = module.getOrInsertFunction(
      (kPtxMarker + "value.reflect").str(), reflect->getReturnType());
  auto *function = cast<Function>(opaque.getCallee());
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  function->setDoesNotThrow();
  function->setWillReturn();
  for (User *user : make_early_inc_range(reflect->users()))
    if (auto *call = dyn_cast<CallInst>(user);
        call && call->getCalledFunction() == reflect) {
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateCall(opaque));
      call->eraseFromParent();
    }
}

void replaceInlineAssembly(Module &module, bool isPtx) {
  if (isPtx)
    hideReflection(module);
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->isInlineAsm())
        calls.push_back(call);
  for (CallInst *call : calls) {
    std::string text =
        cast<InlineAsm>(call->getCalledOperand())->getAsmString().str();
    if (!isPtx && !StringRef(text).trim().empty())
      continue;
    Expected<SmallVector<PtxStatement, 4>> statements = parsePtx(text);
    if (statements)
      (void)AsmReplacer(*call, *statements).run(isPtx);
    else
      consumeError(statements.takeError()); // it stays, and refuses its kernel
  }
}

} // namespace swizzle::importing
