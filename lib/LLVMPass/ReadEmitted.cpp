//===- ReadEmitted.cpp - Emitted LLVM IR, read back -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the instructions that stand in the function, not the list that they
// were made from: straight-line code, and blocks that branch to themselves
// while a counter is below a constant. A flag that is not known (exact,
// disjoint, nneg, samesign) is a promise that would go unchecked, so it is
// refused.
//
//===----------------------------------------------------------------------===//

#include "swizzle/LLVMPass/Emit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace swizzle::llvmpass {

namespace {

using Slot = EmittedProgram::Slot;

class Reader {
public:
  Expected<EmittedProgram> read(ArrayRef<Value *> inputs,
                                ArrayRef<Value *> outputs);

private:
  void findNeeded(ArrayRef<Value *> outputs);
  Error readChain(BasicBlock *block);
  Error readBody(BasicBlock &block);
  Error readInstruction(Instruction &instruction);
  Expected<BasicBlock *> readLoop(BasicBlock &before, BasicBlock &loop);
  Expected<Slot> slotOf(Value *value);
  /// The lanes of `slot`, of `width` bits, in a column of 64.
  Slot widened(Slot slot, unsigned width, EmittedProgram::Origin origin);

  EmittedProgram program{describe};
  DenseMap<Value *, Slot> slots;
  SetVector<Instruction *> needed;

  static std::string describe(EmittedProgram::Origin origin);
};

/// A block that branches to itself while a counter is below a constant.
struct CountedLoop {
  PHINode *counter = nullptr;
  EmittedProgram::LoopBounds bounds = {0, 0, 1, 32};
  BasicBlock *after = nullptr;
};

} // namespace

std::string Reader::describe(EmittedProgram::Origin origin) {
  std::string text;
  raw_string_ostream os(text);
  os << *static_cast<const Value *>(origin);
  return StringRef(text).ltrim().str();
}

static Error unknownInstruction(const Instruction &instruction) {
  std::string text;
  raw_string_ostream os(text);
  os << instruction;
  return createStringError("'" + StringRef(text).ltrim() +
                           "' is not an instruction that emission makes");
}

static unsigned widthOf(const Value *value) {
  return value->getType()->getIntegerBitWidth();
}

/// True for an integer of at most 64 bits.
static bool isModelled(const Value *value) {
  return value->getType()->isIntegerTy() && widthOf(value) <= 64;
}

Expected<Slot> Reader::slotOf(Value *value) {
  if (auto *constant = dyn_cast<ConstantInt>(value);
      constant && isModelled(value))
    return program.addConstant(widthOf(value), constant->getZExtValue());
  auto found = slots.find(value);
  if (found == slots.end())
    return createStringError("an emitted instruction depends on a value that "
                             "is neither an id nor an extent");
  return found->second;
}

Slot Reader::widened(Slot slot, unsigned width, EmittedProgram::Origin origin) {
  return width == 64
             ? slot
             : program.add(LoweredKind::ZExt, width, 64, {slot}, {}, origin);
}

/// Whatever the outputs depend on.
void Reader::findNeeded(ArrayRef<Value *> outputs) {
  std::vector<Value *> stack(outputs.begin(), outputs.end());
  while (!stack.empty()) {
    Value *value = stack.back();
    stack.pop_back();
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || slots.count(value) || !needed.insert(instruction))
      continue;
    append_range(stack, instruction->operand_values());
    // A value of a loop depends on how often it runs.
    Instruction *end = instruction->getParent()->getTerminator();
    if (isa<PHINode>(instruction) && end)
      append_range(stack, end->operand_values());
  }
}

Expected<EmittedProgram> Reader::read(ArrayRef<Value *> inputs,
                                      ArrayRef<Value *> outputs) {
  for (Value *input : inputs) {
    if (!isModelled(input))
      return createStringError("an id or an extent is no integer of up to 64 "
                               "bits");
    Slot slot = program.addInput();
    if (widthOf(input) < 64)
      slot = program.add(LoweredKind::Trunc, 64, widthOf(input), {slot}, {},
                         input);
    slots[input] = slot;
  }
  findNeeded(outputs);
  if (!needed.empty()) {
    Function *function = needed.front()->getFunction();
    if (Error error = readChain(&function->getEntryBlock()))
      return std::move(error);
  }
  for (Value *output : outputs) {
    Expected<Slot> slot = slotOf(output);
    if (!slot)
      return slot.takeError();
    program.addOutput(widened(*slot, widthOf(output), output));
  }
  program.finish();
  return std::move(program);
}

/// Reads what is needed of the blocks that run one after the other.
Error Reader::readChain(BasicBlock *block) {
  SmallPtrSet<BasicBlock *, 8> seen;
  while (block && seen.insert(block).second) {
    if (Error error = readBody(*block))
      return error;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || branch->isConditional())
      break;
    BasicBlock *next = branch->getSuccessor(0);
    if (is_contained(successors(next), next)) {
      Expected<BasicBlock *> after = readLoop(*block, *next);
      if (!after)
        return after.takeError();
      next = *after;
    }
    block = next;
  }
  for (Instruction *instruction : needed)
    if (!slots.count(instruction))
      return unknownInstruction(*instruction);
  return Error::success();
}

Error Reader::readBody(BasicBlock &block) {
  for (Instruction &instruction : block)
    if (needed.contains(&instruction) && !slots.count(&instruction))
      if (Error error = readInstruction(instruction))
        return error;
  return Error::success();
}

/// The loop that `loop` is, entered from `before`, or nullopt.
static std::optional<CountedLoop> asCountedLoop(BasicBlock &before,
                                                BasicBlock &loop) {
  auto *branch = dyn_cast<BranchInst>(loop.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) != &loop ||
      pred_size(&loop) != 2)
    return std::nullopt;
  auto *test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || test->getPredicate() != CmpInst::ICMP_ULT)
    return std::nullopt;
  auto *next = dyn_cast<BinaryOperator>(test->getOperand(0));
  auto *upper = dyn_cast<ConstantInt>(test->getOperand(1));
  if (!next || !upper || next->getOpcode() != Instruction::Add)
    return std::nullopt;
  auto *counter = dyn_cast<PHINode>(next->getOperand(0));
  auto *stride = dyn_cast<ConstantInt>(next->getOperand(1));
  if (!counter || !stride || counter->getParent() != &loop ||
      counter->getIncomingValueForBlock(&loop) != next)
    return std::nullopt;
  auto *lower =
      dyn_cast<ConstantInt>(counter->getIncomingValueForBlock(&before));
  // The body runs before the test, and nothing may wrap.
  if (!lower || !isModelled(counter) || upper->getValue().ugt(1 << 20) ||
      !lower->getValue().ult(upper->getValue()) ||
      stride->getValue().ugt(1 << 20) || stride->isZero())
    return std::nullopt;
  CountedLoop found;
  found.counter = counter;
  found.bounds = {int64_t(lower->getZExtValue()),
                  int64_t(upper->getZExtValue()),
                  int64_t(stride->getZExtValue()), widthOf(counter)};
  found.after = branch->getSuccessor(1);
  return found;
}

/// Returns the block that runs after the loop, or null if nothing of the loop
/// is needed: then nothing behind it is either.
Expected<BasicBlock *> Reader::readLoop(BasicBlock &before, BasicBlock &loop) {
  if (none_of(loop, [&](Instruction &one) { return needed.contains(&one); }))
    return nullptr;
  std::optional<CountedLoop> counted = asCountedLoop(before, loop);
  if (!counted)
    return createStringError("an emitted loop does not count up to a constant");
  std::vector<PHINode *> carried;
  std::vector<Slot> inits, yielded;
  for (PHINode &phi : loop.phis()) {
    if (&phi == counted->counter || !needed.contains(&phi))
      continue;
    if (!isModelled(&phi))
      return unknownInstruction(phi);
    Expected<Slot> init = slotOf(phi.getIncomingValueForBlock(&before));
    if (!init)
      return init.takeError();
    carried.push_back(&phi);
    inits.push_back(*init);
  }
  Expected<std::vector<Slot>> arguments =
      program.beginLoop(counted->bounds, inits);
  if (!arguments)
    return arguments.takeError();
  slots[counted->counter] = arguments->front();
  for (auto [phi, slot] : zip_equal(carried, drop_begin(*arguments)))
    slots[phi] = slot;
  if (Error error = readBody(loop))
    return std::move(error);
  for (PHINode *phi : carried) {
    Expected<Slot> next = slotOf(phi->getIncomingValueForBlock(&loop));
    if (!next)
      return next.takeError();
    yielded.push_back(*next);
  }
  std::vector<Slot> results = program.endLoop(yielded);
  // What is read of the loop behind it is what the last trip handed on.
  for (auto [phi, slot] : zip_equal(carried, results))
    if (Value *next = phi->getIncomingValueForBlock(&loop);
        !isa<ConstantInt>(next))
      slots[next] = slot;
  return counted->after;
}

/// True if the instruction promises something that is not checked here.
static bool promisesMore(const Instruction &instruction) {
  if (auto *exact = dyn_cast<PossiblyExactOperator>(&instruction))
    return exact->isExact();
  if (auto *either = dyn_cast<PossiblyDisjointInst>(&instruction))
    return either->isDisjoint();
  if (auto *natural = dyn_cast<PossiblyNonNegInst>(&instruction))
    return natural->hasNonNeg();
  if (auto *cut = dyn_cast<TruncInst>(&instruction))
    return cut->hasNoSignedWrap() || cut->hasNoUnsignedWrap();
  if (auto *compare = dyn_cast<ICmpInst>(&instruction))
    return compare->hasSameSign();
  return false;
}

/// The kind of a comparison, and whether its operands change places.
static std::pair<LoweredKind, bool> kindOf(CmpInst::Predicate predicate) {
  switch (predicate) {
#define SWIZZLE_COMPARISON(kind, arithOp, llvmOp)                              \
  case CmpInst::llvmOp:                                                        \
    return {LoweredKind::kind, false};
#include "swizzle/Emit/LoweredOps.def"
  case CmpInst::ICMP_SGT:
    return {LoweredKind::CmpSLt, true};
  case CmpInst::ICMP_SGE:
    return {LoweredKind::CmpSLe, true};
  case CmpInst::ICMP_UGT:
    return {LoweredKind::CmpULt, true};
  default: // ICMP_UGE, the last one of integers
    return {LoweredKind::CmpULe, true};
  }
}

static std::optional<LoweredKind> kindOf(const Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    switch (call->getIntrinsicID()) {
#define SWIZZLE_EXTREME(kind, arithOp, llvmOp)                                 \
  case Intrinsic::llvmOp:                                                      \
    return LoweredKind::kind;
#include "swizzle/Emit/LoweredOps.def"
    default:
      return std::nullopt;
    }
  }
  switch (instruction.getOpcode()) {
#define SWIZZLE_WRAPPING(kind, arithOp, llvmOp)                                \
  case Instruction::llvmOp:                                                    \
    return LoweredKind::kind;
#define SWIZZLE_BINARY(kind, arithOp, llvmOp)                                  \
  SWIZZLE_WRAPPING(kind, arithOp, llvmOp)
#define SWIZZLE_CONVERSION(kind, arithOp, llvmOp)                              \
  SWIZZLE_WRAPPING(kind, arithOp, llvmOp)
#include "swizzle/Emit/LoweredOps.def"
  case Instruction::Select:
    return LoweredKind::Select;
  default:
    return std::nullopt;
  }
}

Error Reader::readInstruction(Instruction &instruction) {
  if (!isModelled(&instruction) || promisesMore(instruction))
    return unknownInstruction(instruction);
  std::optional<LoweredKind> kind;
  SmallVector<Value *> values;
  bool turned = false;
  if (auto *call = dyn_cast<CallBase>(&instruction))
    append_range(values, call->args());
  else
    append_range(values, instruction.operand_values());
  if (auto *compare = dyn_cast<ICmpInst>(&instruction))
    std::tie(kind, turned) = kindOf(compare->getPredicate());
  else
    kind = kindOf(instruction);
  if (!kind)
    return unknownInstruction(instruction);
  std::vector<Slot> operands;
  for (Value *value : values) {
    Expected<Slot> slot = slotOf(value);
    if (!slot)
      return slot.takeError();
    operands.push_back(*slot);
  }
  if (turned)
    std::swap(operands[0], operands[1]);
  Wrapping wrapping;
  if (auto *sum = dyn_cast<OverflowingBinaryOperator>(&instruction))
    wrapping = {sum->hasNoSignedWrap(), sum->hasNoUnsignedWrap()};
  slots[&instruction] =
      program.add(*kind, widthOf(values.back()), widthOf(&instruction),
                  operands, wrapping, &instruction);
  return Error::success();
}

Expected<EmittedProgram> readEmitted(ArrayRef<Value *> inputs,
                                     ArrayRef<Value *> outputs) {
  return Reader().read(inputs, outputs);
}

Error checkEmitted(const RemappedIds &results, const LaunchValues &launch,
                   const EmittedExpectation &expected) {
  SmallVector<Value *> inputs(launch.ids.begin(), launch.ids.end());
  append_range(inputs, launch.extents);
  Expected<EmittedProgram> program = readEmitted(inputs, results);
  if (!program)
    return program.takeError();
  return compareEmitted(*program, expected);
}

} // namespace swizzle::llvmpass
