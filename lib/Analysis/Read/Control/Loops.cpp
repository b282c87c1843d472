//===- Loops.cpp - Loops and what they carry ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops get a normalised counter 0, 1, ... An integer or an address that a loop
// carries from iteration to iteration is modelled if it grows by a constant:
//
//   ^head(%i, %p): cond_br (%i < %n), ^body, ^exit     i = 4*w, p = a + 16*w,
//   ^body: load %p; br ^head(%i + 4, %p + 16)          w < ceil(n / 4)
//
// The increment is guessed by reading the body once with a variable of which
// nothing is known in place of what is carried. The guess is checked when the
// body is read with the values that follow from it: what goes into the next
// iteration must be, as a whole, what was expected there (the buffer, the kind
// of memory, every member of a struct). What does not stand the check is
// unknown, and the body is read again. That what is carried is not poison is
// expected and checked in the same way: it holds before the loop, and each
// iteration leaves it so.
//
//===----------------------------------------------------------------------===//

#include "../KernelReader.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::analysis {

/// What the reason begins with where a number may be too large for its type.
static constexpr llvm::StringLiteral kMayWrap("may wrap around");

static constexpr const char *kNotLinear =
    "a value that a loop carries and does not change by a constant";

//===----------------------------------------------------------------------===//
// What a loop carries
//===----------------------------------------------------------------------===//

using Kind = AbstractValue::Kind;

/// Appends the numbers and pointers that `value` is made of, in the order of
/// `shape`, which is the value that the loop starts with.
static void flatten(const AbstractValue &shape, const AbstractValue &value,
                    AbstractValues &parts) {
  if (shape.kind != Kind::Aggregate)
    return parts.push_back(value);
  for (auto [i, member] : llvm::enumerate(shape.members)) {
    bool known = value.kind == Kind::Aggregate && i < value.members.size();
    flatten(member,
            known ? value.members[i]
                  : AbstractValue::unknown(value.isUnknown() ? value.reason
                                                             : kNotLinear),
            parts);
  }
}

/// Puts the parts together again.
static AbstractValue rebuild(AbstractValue shape,
                             AbstractValues::const_iterator &part) {
  if (shape.kind != Kind::Aggregate)
    return *part++;
  for (AbstractValue &member : shape.members)
    member = rebuild(member, part);
  return shape;
}

/// `value` without what is not followed in a loop: only the kind of memory is
/// known of a pointer to memory of the workgroup's own that has no offset.
static AbstractValue followed(AbstractValue value) {
  bool any = llvm::any_of(value.lanes, [](const CasesRef &l) { return !!l; });
  if (value.isPointer() && !value.isGlobal())
    return any ? value : AbstractValue::local(value.space);
  if (value.isUnknown() || (any && value.kind != Kind::Choice))
    return value;
  return AbstractValue::unknown(kNotLinear);
}

/// Reads one loop.
struct KernelReader::LoopReader {
  LoopReader(KernelReader &reader, const WhileLoop &loop)
      : reader(reader), scalars(reader.scalars), loop(loop) {
    for (const AbstractValue &init : loop.inits)
      flatten(init, init, inits);
    llvm::transform(inits, inits.begin(), followed);
    for (const AbstractValue &init : inits)
      poison.push_back(init.maybePoison);
  }

  bool readCounted(std::string &why);
  void readTurns();

private:
  void bind(const AbstractValues &parts) {
    AbstractValues::const_iterator part = parts.begin();
    for (auto [argument, init] : llvm::zip(loop.arguments, loop.inits))
      reader.set(argument, rebuild(init, part));
  }
  /// What goes into the next iteration, in parts.
  AbstractValues next() {
    AbstractValues values = loop.after(), parts;
    values.resize(loop.inits.size());
    for (auto [init, value] : llvm::zip(loop.inits, values))
      flatten(init, value, parts);
    return parts;
  }
  /// `inits` with `change` done to each lane that is known.
  AbstractValues
  changed(llvm::function_ref<CasesRef(size_t part, size_t lane)> change) {
    AbstractValues result = inits;
    for (auto [i, part] : llvm::enumerate(result)) {
      for (auto [lane, number] : llvm::enumerate(part.lanes))
        if (number)
          number = change(i, lane);
      if (!part.isUnknown())
        part.reason = kNotLinear;
      part.maybePoison = poison[i];
      part = followed(part);
    }
    return result;
  }
  bool isKnown(const Increments &known) const;
  Increments guess();
  Increments guessBelow(int64_t margin, bool &wraps);
  AbstractValues carried(const CasesRef &iteration);
  bool confirm(const AbstractValues &expected, const AbstractValues &actual,
               Increments &kept);
  CasesRef findTrips(std::string &why);
  CasesRef tripsBelow(int64_t most, std::string &why);
  int64_t iterationsBeforeWrap() const;
  bool readIterations(const CasesRef &trips);
  void tellTurn(const CasesRef &turn) {
    if (loop.turn)
      *loop.turn = turn;
  }

  KernelReader &reader;
  Scalars &scalars;
  const WhileLoop &loop;
  AbstractValues inits;     ///< in parts, as are all values below
  std::vector<bool> poison; ///< parts that may be poison in some iteration
  Increments increments;
};

/// True if `known` has an increment for each lane.
bool KernelReader::LoopReader::isKnown(const Increments &known) const {
  if (known.size() != inits.size())
    return false;
  for (auto [init, lanes] : llvm::zip(inits, known)) {
    if (lanes.size() != init.lanes.size())
      return false;
    for (auto [number, increment] : llvm::zip(init.lanes, lanes))
      if (number && !increment)
        return false;
  }
  return true;
}

/// The increments, from a reading with numbers of which no more is known than
/// that they are at most `margin` above what the loop starts with. Sets `wraps`
/// if one is not known because a number that large may wrap around.
KernelReader::Increments KernelReader::LoopReader::guessBelow(int64_t margin,
                                                              bool &wraps) {
  Increments guesses;
  for (const AbstractValue &init : inits)
    guesses.emplace_back(init.lanes.size());
  if (isKnown(guesses)) // there are none
    return guesses;
  size_t variables = reader.domain.variableCount();
  reader.dryRun([&] {
    AbstractValues marked = changed([&](size_t part, size_t lane) {
      Interval interval = scalars.range(inits[part].lanes[lane]);
      interval.high = std::min(interval.high + margin, kUnbounded);
      return scalars.leaf(
          makeVariable(reader.domain.addOpaque("carried", interval)));
    });
    bind(marked);
    loop.before();
    AbstractValues after = next();
    for (size_t i = 0; i < inits.size(); ++i) {
      wraps |= !marked[i].isUnknown() &&
               llvm::StringRef(after[i].reason).starts_with(kMayWrap);
      if (after[i].kind != inits[i].kind ||
          after[i].lanes.size() != inits[i].lanes.size())
        continue;
      for (auto [guess, mark, value] :
           llvm::zip(guesses[i], marked[i].lanes, after[i].lanes))
        if (mark && value && value->isLeaf())
          if (AffineForm change = value->form - mark->form;
              change.terms.empty())
            guess = change.constant;
    }
  });
  reader.domain.dropVariables(variables);
  return guesses;
}

KernelReader::Increments KernelReader::LoopReader::guess() {
  bool wraps = false;
  Increments guesses = guessBelow(int64_t(1) << 20, wraps);
  // An increment may leave less room than that; what is carried takes one at
  // least.
  return wraps ? guessBelow(0, wraps) : guesses;
}

/// What the loop carries into `iteration`; null: one that is not known.
AbstractValues KernelReader::LoopReader::carried(const CasesRef &iteration) {
  return changed([&](size_t part, size_t lane) -> CasesRef {
    std::optional<int64_t> increment = increments[part][lane];
    if (!increment || !iteration)
      return nullptr;
    return scalars.add(inits[part].lanes[lane],
                       scalars.scale(iteration, *increment));
  });
}

/// Clears those of `kept` that `actual` does not bear out; true if none is, and
/// nothing turns out to be poison. What is something else altogether is not
/// known from the start.
bool KernelReader::LoopReader::confirm(const AbstractValues &expected,
                                       const AbstractValues &actual,
                                       Increments &kept) {
  bool holds = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    const AbstractValue &a = expected[i], &b = actual[i];
    if (a.isUnknown())
      continue;
    if (b.maybePoison && !poison[i]) {
      poison[i] = true;
      holds = false;
    }
    if (a.kind != b.kind || (a.isPointer() && !sameMemory(a, b))) {
      inits[i] = AbstractValue::unknown(kNotLinear);
      kept[i].clear();
      holds = false;
      continue;
    }
    bool same = a.buffer == b.buffer && a.lanes.size() == b.lanes.size();
    for (size_t lane = 0; lane < kept[i].size(); ++lane) {
      if (!kept[i][lane])
        continue;
      CasesRef gap =
          same ? scalars.subtract(a.lanes[lane], b.lanes[lane]) : nullptr;
      if (gap && scalars.constantOf(gap) == 0)
        continue;
      kept[i][lane].reset();
      holds = false;
    }
  }
  return holds;
}

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
/// increments; null if that is not affine.
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
    for (auto [number, increment] :
         llvm::zip(inits[index].lanes, increments[index])) {
      if (!number || increment.value_or(0) == 0)
        continue;
      Interval start = scalars.range(number);
      int64_t room = *increment > 0 ? end - 1 - start.high : start.low + end;
      most = std::min(most, std::max<int64_t>(room, 0) / std::abs(*increment));
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
  Increments kept = increments;
  auto run = [&](const std::vector<AffineForm> &counts) {
    reader.emitLoop(counts, [&](const CasesRef &now) {
      bind(carried(now));
      tellTurn(now);
      loop.before();
      AbstractValues after = next();
      CasesRef following = scalars.add(now, scalars.constant(1));
      holds &= confirm(carried(following), after, kept);
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
  increments = kept;
  reader.issued = std::move(counted);
  reader.assumedOps = std::move(assumedOps);
  reader.out->resize(statements);
  reader.dropNotModelled(skipped);
  return false;
}

bool KernelReader::LoopReader::readCounted(std::string &why) {
  // What was found when the loop was read before is a good guess, unless more
  // may be found now.
  const Increments &known = reader.knownIncrements[loop.key];
  increments = isKnown(known) ? known : guess();
  while (CasesRef trips = findTrips(why)) {
    if (scalars.range(trips).high > loop.mostTrips) {
      why = "a loop that its test may let go on for very long";
      return false;
    }
    if (!readIterations(trips))
      continue; // with less that is expected, of which there is finitely much
    reader.knownIncrements[loop.key] = increments;
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

void KernelReader::LoopReader::readTurns() {
  increments = guess();
  while (!readIterations(scalars.constant(kAssumedTurns)))
    ; // with less that is expected, of which there is finitely much
}

bool KernelReader::readCounted(const WhileLoop &loop, std::string &why) {
  return LoopReader(*this, loop).readCounted(why);
}

void KernelReader::readTurns(const WhileLoop &loop) {
  LoopReader(*this, loop).readTurns();
}

} // namespace swizzle::analysis
