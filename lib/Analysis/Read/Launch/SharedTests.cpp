//===- SharedTests.cpp - Tests that come out alike for all ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SharedTests.h. A test of numbers that says which one is a size, as in
// `n < 100 ? n : 100`, is left alone: the other way, it would be none that any n
// gives.
//
//===----------------------------------------------------------------------===//

#include "SharedTests.h"

#include "../KernelReader.h"
#include "NominalNumbers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace swizzle::analysis {

static bool isTest(Operation *op) {
  return isa<LLVM::ICmpOp, LLVM::FCmpOp, LLVM::TruncOp>(op) &&
         op->getResult(0).getType().isInteger(1);
}

/// True if `use` decides where the kernel goes, or which buffer or data it
/// takes, or makes a number that places nothing; `more` gets results of logic.
static bool decidesAt(OpOperand &use, llvm::SetVector<Value> &more) {
  Operation *user = use.getOwner();
  if (isa<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp, LLVM::FreezeOp>(user)) {
    more.insert(user->getResult(0));
    return true;
  }
  if (auto select = dyn_cast<LLVM::SelectOp>(user)) {
    if (select.getType().isInteger(1))
      more.insert(select.getResult());
    return !select.getType().isIntOrIndex() || select.getType().isInteger(1) ||
           placesNothing(select.getResult());
  }
  if (isa<LLVM::ZExtOp, LLVM::SExtOp>(user))
    return placesNothing(user->getResult(0));
  if (isa<LLVM::UIToFPOp, LLVM::SIToFPOp, LLVM::StoreOp>(user))
    return true;
  auto branch = dyn_cast<BranchOpInterface>(user);
  if (!branch)
    return false;
  if (auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber()))
    more.insert(*argument);
  return true;
}

/// True if nothing is computed with what the test `op` says.
bool SharedTests::decidesOnly(Operation *op) {
  constexpr size_t most = 32;
  auto [known, isNew] = decides.try_emplace(op, false);
  if (!isNew)
    return known->second;
  llvm::SetVector<Value> values;
  values.insert(op->getResult(0));
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses())
      if (values.size() > most || !decidesAt(use, values))
        return false;
  return known->second = true;
}

/// True if `number` is computed, and not for tests alone.
static bool isUsed(Value number) {
  constexpr size_t most = 16;
  if (!number.getDefiningOp() || !number.getType().isIntOrIndex())
    return false;
  llvm::SetVector<Value> values;
  values.insert(number);
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isTest(user))
        continue;
      if (i == most ||
          !isa<LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp, LLVM::FreezeOp>(user))
        return true;
      values.insert(user->getResult(0));
    }
  return false;
}

/// True for a number that a launch passes in a structure; `name` is its member.
static bool isMember(KernelReader &reader, Value number, std::string &name) {
  auto found =
      llvm::find_if(reader.loadedMembers, [&](const NamedNumber &member) {
        return member.second == number;
      });
  if (found == reader.loadedMembers.end())
    return false;
  name = found->first;
  return true;
}

/// The argument of the kernel, as it came, that `argument` is of.
static std::string nameOf(KernelReader &reader, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  return "arg" + std::to_string(reader.lowered.arguments[number].argument);
}

namespace {
struct Sources {
  SmallVector<std::string> open; ///< what nobody gave, by name
  bool onNumbers = false;        ///< numbers are among what it rests on
};
} // namespace

/// What `test` rests on that nobody gave; nullopt if it may come out differently
/// in two threads, or that is not clear.
static std::optional<Sources> findSources(KernelReader &reader,
                                          Operation *test) {
  constexpr size_t most = 64;
  Sources found;
  auto add = [&](const std::string &name) {
    if (!llvm::is_contained(found.open, name))
      found.open.push_back(name);
  };
  llvm::SetVector<Value> values(test->operand_begin(), test->operand_end());
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == most)
      return std::nullopt;
    Value value = values[i];
    const AbstractValue known = reader.get(value);
    // Whatever differs between threads is no constant.
    if (known.isNumber() && !reader.scalars.constantOf(known.single()))
      return std::nullopt;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Value passed = reader.passedFor(argument);
      if (!passed)
        return std::nullopt;
      if (passed != value)
        values.insert(passed);
      else if (reader.openArguments.contains(value) || known.isUnknown())
        add(nameOf(reader, argument));
      found.onNumbers |= passed == value && known.isNumber();
      continue;
    }
    std::string name;
    Operation *op = value.getDefiningOp();
    if (isMember(reader, value, name)) {
      bool isNumber = llvm::is_contained(reader.nominalNumbers, name) ||
                      reader.otherNumbers.contains(name);
      if (isNumber || !known.isNumber())
        add(name);
      found.onNumbers |= isNumber;
      continue;
    }
    if (std::optional<MemoryInstruction> load = asMemoryInstruction(op)) {
      auto view = reader.pointer(load->pointer);
      if (load->kind != AccessKind::Read || !view || !view->isGlobal())
        return std::nullopt;
      add("memory");
      values.insert(load->pointer);
      continue;
    }
    if (reader.effectOf(op).kind != OperationKind::Pure)
      return std::nullopt;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return found;
}

bool SharedTests::answer(KernelReader &reader, Operation *op) const {
  if (told.empty() || !isTest(op))
    return false;
  const auto *way = told.find({op, reader.currentCalls()});
  if (way == told.end())
    return false;
  reader.set(op->getResult(0), reader.scalars.constant(way->second));
  return true;
}

static bool isTied(KernelReader &reader, Operation *test) {
  return llvm::any_of(test->getOperands(), [&](Value number) {
    std::string member;
    return isUsed(number) && !isMember(reader, number, member) &&
           !matchPattern(number, m_Constant());
  });
}

void SharedTests::follow(KernelReader &reader, Operation *op) {
  if (!isTest(op))
    return;
  OpInCalls place(op, reader.currentCalls());
  if (unsteady.contains(place))
    return;
  const AbstractValue value = reader.get(op->getResult(0));
  std::optional<bool> way;
  if (value.isNumber() && !value.maybePoison)
    if (auto number = reader.scalars.constantOf(value.single()))
      way = *number != 0;
  auto *known = tests.find(place);
  if (known != tests.end() && way == known->second.holds)
    return;
  std::optional<Sources> sources;
  // What differs has a form, or rests on what does.
  if (known == tests.end() && (way || value.isUnknown()))
    sources = findSources(reader, op);
  // Pointers and floats may be anything, whatever is made of a test of them.
  if (sources && !sources->open.empty() &&
      (!sources->onNumbers || decidesOnly(op))) {
    tests[place] = {way, isTied(reader, op), std::move(sources->open)};
    return;
  }
  if (known != tests.end())
    tests.erase(known);
  unsteady.insert(place);
}

} // namespace swizzle::analysis
