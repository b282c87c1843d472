//===- IssueCounter.cpp - Instructions that a thread issues ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counter, and what each operation of a lowered kernel counts as.
//
//===----------------------------------------------------------------------===//

#include "../KernelReader.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace mlir;

namespace swizzle::analysis {

bool IssueCounter::Number::operator<(const Number &other) const {
  if (base != other.base)
    return base < other.base;
  return std::lexicographical_compare(
      form.terms.begin(), form.terms.end(), other.form.terms.begin(),
      other.form.terms.end(), [](const Term &a, const Term &b) {
        return std::tie(a.variable, a.coefficient) <
               std::tie(b.variable, b.coefficient);
      });
}

/// Instructions of all iterations together up to which a loop is unrolled in
/// full: LLVM's threshold for code that is optimised for speed
/// (lib/Transforms/Scalar/LoopUnrollPass.cpp, unroll-threshold-aggressive).
static constexpr double kUnrolledInstructions = 300;

void IssueCounter::addTest() {
  constexpr double testAndBranch = 2;
  if (paused)
    return;
  bodies.back().count += testAndBranch;
  bodies.back().test = testAndBranch;
}

double IssueCounter::close(DependsOn dependsOn) {
  Body body = std::move(bodies.back());
  bodies.pop_back();
  if (!body.loop || body.loop->trips <= 0 ||
      body.count * double(body.loop->trips) > kUnrolledInstructions)
    return body.count;
  double count = body.count - body.test;
  VariableId counter = body.loop->counter;
  for (Number number : body.known) {
    llvm::erase_if(number.form.terms,
                   [&](const Term &term) { return term.variable == counter; });
    if (dependsOn(number.form, counter))
      continue; // not by a constant
    --count;
    add(std::move(number), dependsOn);
  }
  return count;
}

void IssueCounter::add(Number number, DependsOn dependsOn) {
  if (paused || number.form.terms.empty())
    return;
  size_t home = bodies.size() - 1;
  for (size_t i = bodies.size(); i-- > 1;)
    if (bodies[i].loop) {
      if (dependsOn(number.form, bodies[i].loop->counter))
        break;
      home = i - 1;
    }
  for (size_t i = 0; i <= home; ++i)
    if (bodies[i].known.count(number))
      return;
  ++bodies[home].count;
  bodies[home].known.insert(std::move(number));
}

void KernelReader::inBody(std::vector<Statement> &body,
                          std::optional<IssueCounter::CountedLoop> loop,
                          llvm::function_ref<void()> read) {
  std::vector<Statement> *target = out;
  out = &body;
  issued.open(loop);
  if (loop && isCounted())
    issued.addTest();
  read();
  if (double instructions = closeBody())
    emit({Issue{instructions}});
  out = target;
}

double KernelReader::closeBody() {
  return issued.close([&](const AffineForm &form, VariableId counter) {
    return domain.dependsOn(form, counter);
  });
}

void KernelReader::issue(double instructions) {
  if (isCounted())
    issued.add(instructions);
}

/// Bits that one lane of an access moves at most: a vector of four words, on
/// either vendor.
static constexpr int64_t kAccessBits = 128;

/// Instructions for one operation on values of `type`: one for each register of
/// 32 bits in a vector, or for as much as an access moves.
static double instructionsFor(Type type, bool isAccess) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = getElementTypeOrSelf(type);
  double lanes = vector ? vector.getNumElements() : 1;
  if (!element.isIntOrFloat()) // each lane has an address of its own
    return lanes;
  int64_t bits = element.getIntOrFloatBitWidth();
  if (isAccess)
    return std::ceil(lanes * bits / kAccessBits);
  return std::ceil(lanes * std::min<int64_t>(bits, 32) / 32);
}

/// True for a product that an addition takes along.
static bool isFused(Operation *op) {
  auto contracts = [](Operation *op) {
    auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op);
    return flags && bitEnumContainsAny(
                        cast<LLVM::FastmathFlagsAttr>(flags.getFastmathAttr())
                            .getValue(),
                        LLVM::FastmathFlags::contract);
  };
  if (!isa<LLVM::FMulOp>(op) || !op->hasOneUse() || !contracts(op))
    return false;
  Operation *user = *op->user_begin();
  return isa<LLVM::FAddOp, LLVM::FSubOp>(user) && contracts(user);
}

void KernelReader::countIssued(Operation *op, const OperationEffect &effect) {
  if (effect.isFree || effect.kind == OperationKind::Calls || issued.paused ||
      !isCounted() || isFused(op))
    return;
  bool isAccess = effect.kind == OperationKind::Access ||
                  effect.kind == OperationKind::Atomic;
  double instructions = 1;
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes())))
    instructions = std::max(instructions, instructionsFor(type, isAccess));
  if (isAccess || op->getNumResults() != 1)
    return issued.add(instructions);
  AbstractValue value = get(op->getResult(0));
  // Addresses into different memory are different numbers.
  int64_t base = value.isPointer() ? value.buffer + int64_t(1) : 0;
  bool follows = value.isNumber() || (value.isPointer() && value.single() &&
                                      value.buffer != kNoBuffer);
  if (follows && llvm::all_of(value.lanes, [](const CasesRef &lane) {
        return lane && lane->isLeaf();
      })) {
    for (const CasesRef &lane : value.lanes)
      issued.add({value.isGlobal() ? base : -base, lane->form},
                 [&](const AffineForm &form, VariableId counter) {
                   return domain.dependsOn(form, counter);
                 });
    return;
  }
  issued.add(instructions);
}

} // namespace swizzle::analysis
