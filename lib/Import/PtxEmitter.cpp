//===- PtxEmitter.cpp - Instructions that stand for statements of PTX -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement becomes instructions in front of the assembly, one with a
// predicate a block of its own. What is computed and not followed is a call
// that nobody looks into.
//
//===----------------------------------------------------------------------===//

#include "PtxReplacer.h"
#include "swizzle/Import/ImportModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace swizzle::importing {

/// True if an address of one space is a mere number in the other: no memory is
/// both global and of a workgroup.
static bool isElsewhere(unsigned from, unsigned to) {
  constexpr unsigned global = NVPTXAS::ADDRESS_SPACE_GLOBAL,
                     shared = NVPTXAS::ADDRESS_SPACE_SHARED;
  return (from == global && to == shared) || (from == shared && to == global);
}

Value *PtxReplacer::address(const PtxOperand &operand, unsigned space) {
  Value *base = values[operand.registers.front()];
  Type *pointer = builder.getPtrTy(space);
  if (base->getType()->isIntegerTy())
    base = builder.CreateIntToPtr(base, pointer);
  else if (isElsewhere(base->getType()->getPointerAddressSpace(), space))
    base = builder.CreateIntToPtr(
        builder.CreatePtrToInt(base, builder.getInt64Ty()), pointer);
  else if (base->getType() != pointer)
    base = builder.CreateAddrSpaceCast(base, pointer);
  if (!operand.number)
    return base;
  return builder.CreatePtrAdd(base, builder.getInt64(operand.number));
}

/// `value` as `type`, bits for bits; what is wider is filled with zeros.
Value *PtxReplacer::resized(Value *value, Type *type) {
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

/// A call of which nothing is known but that it touches no memory of others,
/// and that no other call yields the same.
Value *PtxReplacer::callOpaque(StringRef name, Type *type,
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
    function =
        Function::Create(signature, GlobalValue::ExternalLinkage, full, module);
    function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return builder.CreateCall(function, operands);
}

void PtxReplacer::emitMove(const PtxStatement &statement) {
  ArrayRef<PtxOperand> operands = statement.operands;
  unsigned to = operands[0].registers[0];
  Value *from = operands[1].kind == PtxOperand::Number
                    ? builder.getInt64(operands[1].number)
                    : values[operands[1].registers[0]];
  values[to] = resized(from, types[to]);
}

/// What an access moves: a vector, or where it is atomic one number.
Type *PtxReplacer::accessType(const PtxMeaning &meaning) {
  if (meaning.ordering == AtomicOrdering::NotAtomic)
    return FixedVectorType::get(builder.getIntNTy(meaning.bits), meaning.count);
  return builder.getIntNTy(meaning.bits * meaning.count);
}

/// Says of a load or a store what others may see of its order.
template <typename Instruction>
Instruction *PtxReplacer::accessed(Instruction *access,
                                   const PtxMeaning &meaning) {
  access->setVolatile(meaning.isVolatile);
  if (meaning.ordering != AtomicOrdering::NotAtomic)
    access->setAtomic(meaning.ordering,
                      call.getContext().getOrInsertSyncScopeID(meaning.scope));
  return access;
}

void PtxReplacer::emitLoad(const PtxStatement &statement,
                           const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  // One access, of all elements.
  Type *element = builder.getIntNTy(meaning.bits);
  Type *all = FixedVectorType::get(element, meaning.count);
  Value *loaded =
      accessed(builder.CreateAlignedLoad(
                   accessType(meaning), address(operands[1], meaning.space),
                   Align(meaning.bits / 8 * meaning.count)),
               meaning);
  loaded = builder.CreateBitCast(loaded, all);
  for (auto [index, number] : enumerate(operands[0].registers)) {
    Value *one = builder.CreateExtractElement(loaded, index);
    unsigned bits = types[number]->getPrimitiveSizeInBits();
    if (meaning.isSigned && bits > meaning.bits)
      one = builder.CreateSExt(one, builder.getIntNTy(bits));
    values[number] = resized(one, types[number]);
  }
}

void PtxReplacer::emitStore(const PtxStatement &statement,
                            const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  Type *element = builder.getIntNTy(meaning.bits);
  Type *all = FixedVectorType::get(element, meaning.count);
  Value *stored = PoisonValue::get(all);
  for (auto [index, number] : enumerate(operands[1].registers))
    stored = builder.CreateInsertElement(
        stored, resized(values[number], element), index);
  accessed(builder.CreateAlignedStore(
               builder.CreateBitCast(stored, accessType(meaning)),
               address(operands[0], meaning.space),
               Align(meaning.bits / 8 * meaning.count)),
           meaning);
}

/// One update of each element.
void PtxReplacer::emitUpdates(const PtxStatement &statement,
                              const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  Type *type = builder.getIntNTy(meaning.bits);
  if (meaning.isFloat)
    type = meaning.isBrain      ? builder.getBFloatTy()
           : meaning.bits == 16 ? builder.getHalfTy()
           : meaning.bits == 32 ? builder.getFloatTy()
                                : builder.getDoubleTy();
  Type *all = FixedVectorType::get(type, meaning.lanes);
  // Results come first, if there are any.
  PtxOperand at = operands.drop_back().back();
  bool returns = operands.size() > 2;
  for (auto [index, from] : enumerate(operands.back().registers)) {
    Value *added = resized(values[from], all);
    Value *old = PoisonValue::get(all);
    for (unsigned lane = 0; lane < meaning.lanes; ++lane) {
      Value *before = builder.CreateAtomicRMW(
          meaning.update, address(at, meaning.space),
          builder.CreateExtractElement(added, lane), Align(meaning.bits / 8),
          meaning.ordering,
          call.getContext().getOrInsertSyncScopeID(meaning.scope));
      if (returns)
        old = builder.CreateInsertElement(old, before, lane);
      at.number += meaning.bits / 8;
    }
    if (returns) {
      unsigned to = operands[0].registers[index];
      values[to] = resized(old, types[to]);
    }
  }
}

bool PtxReplacer::isBulk(const PtxStatement &statement) {
  return is_contained(statement.opcode, "bulk") ||
         statement.opcode.front() == "tensormap";
}

void PtxReplacer::emitCopy(const PtxStatement &statement,
                           const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  Value *to = address(operands[0], meaning.space);
  Value *from = address(operands[1], meaning.from);
  std::optional<int64_t> size = constantOf(operands[2]);
  if (!isBulk(statement)) {
    Type *bytes = FixedVectorType::get(builder.getInt8Ty(), *size);
    Value *copied = builder.CreateAlignedLoad(bytes, from, Align(*size));
    builder.CreateAlignedStore(copied, to, Align(*size));
    return;
  }
  Value *length =
      size ? builder.getInt32(*size)
           : resized(values[operands[2].registers[0]], builder.getInt32Ty());
  if (statement.opcode.front() == "tensormap") {
    builder.CreateMemCpy(to, Align(16), from, Align(16), length);
    return;
  }
  Value *noHint = builder.getInt64(0), *isNoHint = builder.getFalse();
  if (meaning.space == 1)
    builder.CreateIntrinsic(Intrinsic::nvvm_cp_async_bulk_shared_cta_to_global,
                            {to, from, length, noHint, isNoHint});
  else
    builder.CreateIntrinsic(
        Intrinsic::nvvm_cp_async_bulk_global_to_shared_cta,
        {to, address(operands[3], 3), from, length, noHint, isNoHint});
}

void PtxReplacer::emitTensorCopy(const PtxStatement &statement,
                                 const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  bool loads = meaning.space == 3;
  const PtxOperand &map = operands[loads];
  // Where im2col begins, within the box.
  ArrayRef<unsigned> offsets;
  if (operands.size() > 3)
    offsets = operands[3].registers;
  SmallVector<Value *> arguments = {address(operands[loads ? 0 : 1], 3)};
  if (loads)
    arguments.push_back(address(operands[2], 3));
  arguments.push_back(address(map, 0));
  for (unsigned coordinate : ArrayRef(map.registers).drop_front())
    arguments.push_back(values[coordinate]);
  for (unsigned offset : offsets)
    arguments.push_back(values[offset]);
  Function *function = Intrinsic::getOrInsertDeclaration(
      call.getModule(), Intrinsic::lookupIntrinsicID(meaning.intrinsic));
  // The rest says how caches keep the lines.
  ArrayRef<Type *> parameters = function->getFunctionType()->params();
  for (Type *type : parameters.drop_front(arguments.size()))
    arguments.push_back(Constant::getNullValue(type));
  builder.CreateCall(function, arguments);
}

/// Of "tcgen05.mma", what its descriptor says: rows and columns, in units of 16
/// and 8, and the bytes along the third dimension, which are always 32.
static std::string productOfDescriptor(ArrayRef<StringRef> words,
                                       uint64_t descriptor) {
  unsigned columns = descriptor >> 17 & 0x3f, rows = descriptor >> 24 & 0x1f;
  unsigned depth =
      is_contained(words, "kind::f16")    ? 16
      : is_contained(words, "kind::tf32") ? 8
      : is_contained(words, "kind::f8f6f4") || is_contained(words, "kind::i8")
          ? 32
          : 0;
  if (!columns || !rows || !depth)
    return "";
  return std::to_string(16 * rows) + "x" + std::to_string(8 * columns) + "x" +
         std::to_string(depth);
}

void PtxReplacer::emitProduct(const PtxStatement &statement,
                              const PtxMeaning &meaning) {
  if (statement.opcode.front() != "tcgen05")
    return emitValue(statement, "matrix." + meaning.product);
  if (is_contained(statement.opcode, "sp"))
    return;
  std::optional<int64_t> descriptor = constantOf(statement.operands[3]);
  std::string product =
      productOfDescriptor(statement.opcode, descriptor.value_or(0));
  if (!product.empty())
    callOpaque("matrix." + product, builder.getVoidTy(), {});
}

void PtxReplacer::emitCall(const PtxStatement &statement,
                           const PtxMeaning &meaning) {
  ArrayRef<PtxOperand> operands = statement.operands;
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(meaning.intrinsic);
  if (operands.empty()) {
    builder.CreateIntrinsic(id, {});
    return;
  }
  bool reads = operands[1].kind == PtxOperand::Address;
  const PtxOperand &data = operands[reads ? 0 : 1];
  SmallVector<Value *> arguments = {
      address(operands[reads ? 1 : 0], meaning.space)};
  if (!reads)
    for (unsigned number : data.registers)
      arguments.push_back(values[number]);
  Value *result = builder.CreateCall(
      Intrinsic::getOrInsertDeclaration(call.getModule(), id,
                                        overloadOf(id, meaning.space)),
      arguments);
  if (!reads)
    return;
  for (auto [index, number] : enumerate(data.registers))
    values[number] = result->getType()->isStructTy()
                         ? builder.CreateExtractValue(result, index)
                         : result;
}

/// All registers that are read go into a call named `name`, and its results
/// come out.
void PtxReplacer::emitValue(const PtxStatement &statement,
                            const std::string &name) {
  ArrayRef<PtxOperand> operands = statement.operands;
  SmallVector<Value *> inputs;
  for (const PtxOperand &operand : operands.drop_front())
    for (unsigned number : operand.registers)
      inputs.push_back(values[number]);
  SmallVector<Type *> results;
  for (unsigned number : operands[0].registers)
    results.push_back(types[number]);
  Value *all =
      callOpaque(name, StructType::get(builder.getContext(), results), inputs);
  for (auto [index, number] : enumerate(operands[0].registers))
    values[number] = builder.CreateExtractValue(all, index);
}

/// Where an image lies is told by its handle, and nobody here knows it.
void PtxReplacer::emitImage(const PtxStatement &statement,
                            const PtxMeaning &meaning) {
  if (writesFirst(statement, meaning))
    return emitValue(statement, meaning.intrinsic);
  SmallVector<Value *> inputs;
  for (const PtxOperand &operand : statement.operands)
    for (unsigned number : operand.registers)
      inputs.push_back(values[number]);
  callOpaque(meaning.intrinsic, builder.getVoidTy(), inputs);
}

void PtxReplacer::emitUnconditionally(const PtxStatement &statement,
                                      const PtxMeaning &meaning) {
  switch (meaning.effect) {
  case Effect::Unknown:
  case Effect::Nothing:
  case Effect::Branch:
    return;
  case Effect::Fence:
    builder.CreateFence(AtomicOrdering::AcquireRelease);
    return;
  case Effect::Move:
    return emitMove(statement);
  case Effect::Load:
    return emitLoad(statement, meaning);
  case Effect::Store:
    return emitStore(statement, meaning);
  case Effect::Fill:
    builder.CreateStore(
        callOpaque("value", builder.getIntNTy(meaning.bits), {}),
        address(statement.operands[0], meaning.space));
    return;
  case Effect::Atomic:
    return emitUpdates(statement, meaning);
  case Effect::Copy:
    return emitCopy(statement, meaning);
  case Effect::Tensor:
    return emitTensorCopy(statement, meaning);
  case Effect::Matrix:
    return emitProduct(statement, meaning);
  case Effect::Value:
    if (!emitInteger(statement))
      emitValue(statement, "value");
    return;
  case Effect::Image:
    return emitImage(statement, meaning);
  case Effect::Call:
    return emitCall(statement, meaning);
  }
}

/// Nothing is known of an output that is read, or kept, before it is written.
void PtxReplacer::defineWhatIsRead(const PtxStatement &statement,
                                   const PtxMeaning &meaning) {
  SmallVector<unsigned> read;
  bool keeps = statement.predicate.has_value();
  for (const PtxOperand &operand :
       ArrayRef(statement.operands)
           .drop_front(writesFirst(statement, meaning) && !keeps))
    append_range(read, operand.registers);
  if (keeps)
    read.push_back(*statement.predicate);
  for (unsigned number : read) {
    if (values[number])
      continue;
    Intrinsic::ID ofMachine =
        number >= numOperands && !isWritable(number)
            ? machineRegister(text.registers[number - numOperands].name)
            : Intrinsic::not_intrinsic;
    if (ofMachine)
      values[number] = builder.CreateCall(
          Intrinsic::getOrInsertDeclaration(call.getModule(), ofMachine));
    else
      values[number] = callOpaque("value", types[number], {});
  }
}

/// Shows the addresses that may be of another workgroup's memory to whoever can
/// tell: of a copy where it goes and its barrier, else the first.
void PtxReplacer::emitReach(const PtxStatement &statement,
                            const PtxMeaning &meaning) {
  SmallVector<unsigned, 2> places = {0};
  if (meaning.effect == Effect::Copy || meaning.effect == Effect::Tensor)
    places.push_back(meaning.effect == Effect::Copy ? 3 : 2);
  for (unsigned place : places)
    if (place < statement.operands.size() && isPlain(statement.operands[place]))
      callOpaque("reach", builder.getVoidTy(),
                 address(statement.operands[place],
                         NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER));
}

void PtxReplacer::emit(const PtxStatement &statement,
                       const PtxMeaning &meaning) {
  if (meaning.effect == Effect::Nothing && !meaning.ofCluster)
    return;
  defineWhatIsRead(statement, meaning);
  if (meaning.ofCluster)
    emitReach(statement, meaning);
  if (meaning.effect == Effect::Nothing)
    return;
  Value *condition =
      statement.predicate ? values[*statement.predicate] : nullptr;
  if (condition && statement.negated)
    condition = builder.CreateNot(condition);
  // A copy of no bytes reads nothing, nor does one whose predicate says that
  // its source is to be ignored.
  if (meaning.effect == Effect::Copy && !isBulk(statement) &&
      statement.operands.size() == 4) {
    Value *last = values[statement.operands[3].registers[0]];
    Value *some = last->getType()->isIntegerTy(1)
                      ? builder.CreateNot(last)
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
  for (unsigned number = 0; number < values.size(); ++number) {
    if (values[number] == before[number])
      continue;
    PHINode *phi = builder.CreatePHI(types[number], 2);
    phi->addIncoming(values[number], then);
    phi->addIncoming(before[number], from);
    values[number] = phi;
  }
}

} // namespace swizzle::importing
