//===- Loops.cpp - How often a loop goes round ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops get a normalised counter 0, 1, ...; what they carry is a function of it
// (Carried.cpp). How often one goes round follows from its test:
//
//   ^head(%i): cond_br (%i < %n), ^body, ^exit     i = 4*w, w < ceil(n / 4)
//
//===----------------------------------------------------------------------===//

#include "LoopReader.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::analysis {

using Kind = AbstractValue::Kind;

/// The trip count of a loop that goes on while `condition`, a boolean tree,
/// holds, where `counter` is its counter; null if it is not affine. A leaf 1 is
/// a loop without end, which a large number stands for.
static CasesRef tripsOf(Scalars &scalars, const CasesRef &condition,
                        VariableId counter) {
  Domain &domain = scalars.domain;
  constexpr int64_t kForever = int64_t(1) << 40;
  if (condition->isLeaf()) {
    std::optional<int64_t> value = scalars.constantOf(condition);
    if (!value)
      return nullptr;
    return scalars.constant(*value ? kForever : 0);
  }
  Condition goOn = condition->condition;
  if (!domain.dependsOn(goOn.form, counter)) {
    CasesRef yes = tripsOf(scalars, condition->yes, counter);
    CasesRef no = tripsOf(scalars, condition->no, counter);
    return scalars.branch(goOn, yes, no);
  }
  auto ends = [&](const CasesRef &tree) {
    return tree->isLeaf() && scalars.constantOf(tree) == 0;
  };
  int64_t slope = 0;
  for (const Term &term : goOn.form.terms)
    if (term.variable == counter)
      slope = term.coefficient;
  AffineForm rest = goOn.form - makeVariable(counter, slope);
  if (slope == 0 || domain.dependsOn(rest, counter))
    return nullptr;
  CasesRef others;
  if (ends(condition->no)) {
    others = tripsOf(scalars, condition->yes, counter);
    if (goOn.equality)
      return nullptr;
  } else if (ends(condition->yes)) {
    others = tripsOf(scalars, condition->no, counter);
    if (goOn.equality) {
      // Until slope * c + rest = 0: -rest / slope iterations, if that is even.
      AffineForm span = rest * (slope > 0 ? -1 : 1);
      slope = std::abs(slope);
      bool even = span.constant % slope == 0;
      for (const Term &term : span.terms)
        even &= term.coefficient % slope == 0;
      std::optional<AffineForm> trip = domain.floorDivide(span, slope);
      // A negative count would mean that the counter wraps around.
      if (!even || !trip || domain.range(*trip).low < 0)
        return nullptr;
      return scalars.minimum(scalars.leaf(*trip), others);
    }
    slope = -slope;
    rest = makeConstant(-1) - rest;
  }
  if (slope >= 0)
    return nullptr;
  // rest - |slope| * c >= 0 for c = 0 ... floor(rest / |slope|).
  std::optional<AffineForm> last = domain.floorDivide(rest, -slope);
  if (!last)
    return nullptr;
  return scalars.minimum(scalars.leaf(*last + makeConstant(1)), others);
}

/// How many iterations there are if the counter stays below `most`, under the
/// changes; null if that is not affine.
CasesRef KernelReader::LoopReader::tripsBelow(int64_t most, std::string &why) {
  CasesRef trips;
  VariableId counter = reader.domain.addCounter("w", most);
  reader.dryRun([&] {
    bind(carried(scalars.leaf(makeVariable(counter))));
    CasesRef condition = loop.before();
    // Where nothing is read any more, values are those of an earlier try.
    if (reader.work >= reader.kMaxWork)
      why = "a loop in too large a kernel";
    else if (condition)
      trips = tripsOf(scalars, condition, counter);
    else
      why = "a loop whose condition is not affine: " + scalars.reason;
  });
  return trips;
}

/// How often each integer that is carried can take its increment before it
/// leaves its type.
int64_t KernelReader::LoopReader::iterationsBeforeWrap() const {
  int64_t most = kUnbounded;
  size_t part = 0;
  for (auto [argument, init] : llvm::zip(loop.arguments, loop.inits)) {
    if (init.kind == Kind::Aggregate)
      return kUnbounded;
    size_t index = part++;
    Type type = getElementTypeOrSelf(argument.getType());
    if (!type.isInteger() || type.getIntOrFloatBitWidth() > 62 ||
        !inits[index].isNumber())
      continue;
    int64_t end = int64_t(1) << (type.getIntOrFloatBitWidth() - 1);
    for (auto [number, change] :
         llvm::zip(inits[index].lanes, changes[index])) {
      int64_t increment = change.increment.value_or(0);
      if (!number || increment == 0)
        continue;
      Interval start = scalars.range(number);
      int64_t room = increment > 0 ? end - 1 - start.high : start.low + end;
      most = std::min(most, std::max<int64_t>(room, 0) / std::abs(increment));
    }
  }
  return most;
}

/// How many iterations there are, under the increments; null if that is not
/// affine. The range of the counter is not known before the trip count is, and
/// the other way round: a small one is tried first. If fewer iterations than
/// that come out, the range held in all of them, and where the loop ends. Where
/// numbers wrap around in a range, those that end where the first does are
/// tried: the test may look at the number before the increment or after it.
CasesRef KernelReader::LoopReader::findTrips(std::string &why) {
  auto tripsWithin = [&](int64_t most, bool &isAffine) -> CasesRef {
    CasesRef trips = tripsBelow(most, why);
    isAffine = bool(trips);
    return trips && scalars.range(trips).high < most ? trips : nullptr;
  };
  for (unsigned bits : {10, 20, 40}) {
    int64_t most = int64_t(1) << bits;
    bool isAffine = false;
    if (CasesRef trips = tripsWithin(most, isAffine))
      return trips;
    if (isAffine)
      continue;
    std::string first = why;
    int64_t room = iterationsBeforeWrap();
    for (int64_t fewer : {room + 1, room, room / 2})
      if (fewer > 0 && fewer < most)
        if (CasesRef trips = tripsWithin(fewer, isAffine))
          return trips;
    why = first;
    return nullptr;
  }
  return nullptr;
}

/// Reads the body as a loop of `trips` iterations. If something is not carried
/// as expected, all traces of that are removed, and the increments corrected.
bool KernelReader::LoopReader::readIterations(const CasesRef &trips) {
  bool holds = true;
  size_t statements = reader.out->size();
  size_t skipped = reader.model.notModelled.size();
  IssueCounter counted = reader.issued;
  auto assumedOps = reader.assumedOps;
  Changes kept = changes;
  auto run = [&](const std::vector<AffineForm> &counts) {
    reader.emitLoop(counts, [&](const CasesRef &now) {
      bind(carried(now));
      tellTurn(now);
      loop.before();
      AbstractValues after = next();
      CasesRef following = scalars.add(now, scalars.constant(1));
      holds &= confirm(carried(following, /*turnsBack=*/0), after, kept);
    });
    return AbstractValues();
  };
  if (auto counts = scalars.asMinimum(trips))
    run(*counts);
  else
    reader.forEachCase(trips,
                       [&](const AffineForm &trip) { return run({trip}); });
  tellTurn(nullptr);
  if (holds)
    return true;
  changes = kept;
  reader.issued = std::move(counted);
  reader.assumedOps = std::move(assumedOps);
  reader.out->resize(statements);
  reader.dropNotModelled(skipped);
  return false;
}

bool KernelReader::LoopReader::readCounted(std::string &why) {
  // What was found when the loop was read before is a good guess, unless more
  // may be found now.
  auto &[known, knownDelay] = reader.knownChanges[loop.key];
  if (isKnown(known)) {
    changes = known;
    delay = knownDelay;
  } else {
    guess();
  }
  while (CasesRef trips = findTrips(why)) {
    if (scalars.range(trips).high > loop.mostTrips) {
      why = "a loop that its test may let go on for very long";
      return false;
    }
    if (reader.usual && !reader.usual->loops.contains(loop.key))
      trips = scalars.minimum(trips, scalars.constant(1));
    if (!readIterations(trips))
      continue; // with less that is expected, of which there is finitely much
    reader.knownChanges[loop.key] = {changes, delay};
    // The test that ends the loop.
    CasesRef last = scalars.maximum(trips, scalars.constant(0));
    bind(carried(last));
    tellTurn(last);
    loop.before();
    tellTurn(nullptr);
    return true;
  }
  return false;
}

int64_t KernelReader::LoopReader::mostTurns() {
  std::string why;
  guess();
  CasesRef trips = findTrips(why);
  return trips ? scalars.range(trips).high : kUnbounded;
}

void KernelReader::LoopReader::readTurns() {
  guess();
  while (!readIterations(scalars.constant(kAssumedTurns)))
    ; // with less that is expected, of which there is finitely much
}

llvm::DenseSet<Operation *> KernelReader::countedLoops() const {
  llvm::DenseSet<Operation *> loops;
  for (const auto &[loop, changes] : knownChanges)
    if (!changes.first.empty())
      loops.insert(loop);
  return loops;
}

bool KernelReader::readCounted(const WhileLoop &loop, std::string &why) {
  return LoopReader(*this, loop).readCounted(why);
}

int64_t KernelReader::mostTurnsOf(const WhileLoop &loop) {
  return LoopReader(*this, loop).mostTurns();
}

void KernelReader::readTurns(const WhileLoop &loop) {
  llvm::SaveAndRestore decided(isByData, false);
  LoopReader(*this, loop).readTurns();
}

} // namespace swizzle::analysis
