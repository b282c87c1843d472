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
// unknown, and the body is read again.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

using namespace mlir;

namespace swizzle {

static constexpr const char *kNotLinear =
    "a value that a loop carries and does not change by a constant";

void KernelReader::emitLoop(const std::vector<AffineForm> &trips,
                            llvm::function_ref<void(const CasesRef &)> body) {
  int64_t most = kUnbounded, least = kUnbounded;
  for (const AffineForm &trip : trips) {
    Interval interval = domain.range(trip);
    most = std::min(most, interval.high);
    least = std::min(least, interval.low);
  }
  if (most <= 0)
    return;
  if (least == 1 && most == 1)
    return body(scalars.constant(0));
  Loop loop;
  // i, j, k, ... by depth.
  std::string letter(1, char('i' + std::min(loopDepth, 15u)));
  loop.counter = domain.addCounter(letter, most);
  loop.tripCounts = trips;
  {
    llvm::SaveAndRestore depth(loopDepth, loopDepth + 1);
    Domain::Scope scope(domain);
    for (const AffineForm &trip : trips)
      domain.assume(
          {trip - makeVariable(loop.counter) - makeConstant(1), false});
    inBody(loop.body, loop.counter, [&] {
      issue(2); // the test, and the way back
      body(scalars.leaf(makeVariable(loop.counter)));
    });
  }
  if (!loop.body.empty())
    emit({std::move(loop)});
}

//===----------------------------------------------------------------------===//
// What a loop carries
//===----------------------------------------------------------------------===//

using Kind = AbstractValue::Kind;

/// Appends the integers and pointers that `value` is made of, in the order of
/// `shape`, which is the value that the loop starts with.
static void flatten(const AbstractValue &shape, const AbstractValue &value,
                    AbstractValues &parts) {
  AbstractValue unknown = AbstractValue::unknown(
      value.kind == Kind::Unknown ? value.reason : kNotLinear);
  if (shape.kind == Kind::Aggregate) {
    for (const auto &[position, member] : shape.members) {
      auto part = value.members.find(position);
      bool known =
          value.kind == Kind::Aggregate && part != value.members.end();
      flatten(member, known ? part->second : unknown, parts);
    }
  } else if (shape.kind == Kind::Vector) {
    for (size_t lane = 0; lane < shape.lanes.size(); ++lane) {
      bool known = value.kind == Kind::Vector &&
                   value.lanes.size() == shape.lanes.size();
      parts.push_back(known ? AbstractValue::of(value.lanes[lane], kNotLinear)
                            : unknown);
    }
  } else {
    parts.push_back(value);
  }
}

/// Puts the parts together again.
static AbstractValue rebuild(const AbstractValue &shape,
                             AbstractValues::const_iterator &part) {
  if (shape.kind == Kind::Aggregate) {
    AbstractValue result;
    result.kind = Kind::Aggregate;
    for (const auto &[position, member] : shape.members)
      result.members[position] = rebuild(member, part);
    return result;
  }
  if (shape.kind == Kind::Vector) {
    std::vector<CasesRef> lanes;
    for (size_t lane = 0; lane < shape.lanes.size(); ++lane, ++part)
      lanes.push_back(part->isScalar() ? part->scalar : nullptr);
    return AbstractValue::of(std::move(lanes));
  }
  return *part++;
}

/// A pointer whose address the model follows.
static bool isFollowed(const AbstractValue &value) {
  return value.isPointer() && value.pointer->offset &&
         value.pointer->lanes.empty();
}

/// The increment of a pointer to memory of the workgroup's own of which no more
/// than that is followed.
static constexpr int64_t kSpaceOnly = INT64_MIN;

/// The integer in `value`: itself, or the offset of a pointer; null if none.
static CasesRef numberIn(const AbstractValue &value) {
  if (value.isScalar())
    return value.scalar;
  return isFollowed(value) ? value.pointer->offset : nullptr;
}

/// `value` with another integer in it.
static AbstractValue withNumber(const AbstractValue &value, CasesRef number) {
  AbstractValue result;
  if (value.isScalar()) {
    result = AbstractValue::of(std::move(number), kNotLinear);
  } else {
    PointerValue view = *value.pointer;
    view.offset = std::move(number);
    view.reason = kNotLinear;
    result = AbstractValue::of(std::move(view));
  }
  result.maybePoison = true;
  return result;
}

/// Reads one loop.
struct KernelReader::LoopReader {
  LoopReader(KernelReader &reader, const WhileLoop &loop)
      : reader(reader), scalars(reader.scalars), loop(loop) {
    for (const AbstractValue &init : loop.inits)
      flatten(init, init, inits);
  }

  void read();

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
  Increments guess();
  AbstractValues carried(const CasesRef &iteration);
  bool confirm(const AbstractValues &expected, const AbstractValues &actual,
               Increments &kept);
  CasesRef findTrips(std::string &why);
  bool readIterations(const CasesRef &trips);

  KernelReader &reader;
  Scalars &scalars;
  const WhileLoop &loop;
  AbstractValues inits; ///< in parts, as are all values below
  Increments increments;
};

KernelReader::Increments KernelReader::LoopReader::guess() {
  Increments guesses(inits.size());
  for (auto [guess, init] : llvm::zip(guesses, inits))
    if (init.isPointer() && !init.isGlobal())
      guess = kSpaceOnly;
  if (llvm::none_of(inits, [](const AbstractValue &init) {
        return bool(numberIn(init));
      }))
    return guesses;
  reader.dryRun([&] {
    SmallVector<AffineForm> marks(inits.size());
    AbstractValues marked;
    for (auto [mark, init] : llvm::zip(marks, inits)) {
      CasesRef start = numberIn(init);
      if (!start) {
        bool local = init.isPointer() && !init.isGlobal();
        marked.push_back(local || init.kind == Kind::Unknown
                             ? init
                             : AbstractValue::unknown(kNotLinear));
        continue;
      }
      Interval interval = scalars.range(start);
      interval.high = std::min(interval.high + (int64_t(1) << 20), kUnbounded);
      mark = makeVariable(reader.domain.addOpaque("carried", interval));
      marked.push_back(withNumber(init, scalars.leaf(mark)));
    }
    bind(marked);
    loop.before();
    AbstractValues after = next();
    for (size_t i = 0; i < inits.size(); ++i) {
      CasesRef value = numberIn(after[i]);
      if (!value || !value->isLeaf() || after[i].kind != inits[i].kind ||
          !numberIn(inits[i]))
        continue;
      AffineForm change = value->form - marks[i];
      if (change.terms.empty())
        guesses[i] = change.constant;
    }
  });
  return guesses;
}

AbstractValues KernelReader::LoopReader::carried(const CasesRef &iteration) {
  AbstractValues result;
  for (auto [init, increment] : llvm::zip(inits, increments)) {
    bool local = init.isPointer() && !init.isGlobal();
    CasesRef start = numberIn(init);
    if (init.kind == Kind::Unknown)
      result.push_back(init);
    else if (local && increment && (increment == kSpaceOnly || !iteration))
      result.push_back(AbstractValue::local(init.pointer->space));
    else if (!increment || !iteration || !start)
      result.push_back(AbstractValue::unknown(kNotLinear));
    else
      result.push_back(withNumber(
          init, scalars.add(start, scalars.scale(iteration, *increment))));
  }
  return result;
}

/// Clears those of `kept` that `actual` does not bear out; true if none is.
bool KernelReader::LoopReader::confirm(const AbstractValues &expected,
                                       const AbstractValues &actual,
                                       Increments &kept) {
  bool holds = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!kept[i])
      continue;
    const AbstractValue &a = expected[i], &b = actual[i];
    bool same = a.kind == b.kind &&
                (a.kind == Kind::Scalar || sameMemory(a, b));
    bool local = same && a.isPointer() && !a.isGlobal();
    if (same && kept[i] != kSpaceOnly) {
      CasesRef p = numberIn(a), q = numberIn(b);
      CasesRef difference = p && q ? scalars.subtract(p, q) : nullptr;
      same = difference && scalars.constantOf(difference) == 0 &&
             (!a.isPointer() || a.pointer->buffer == b.pointer->buffer);
    }
    if (same)
      continue;
    if (local && kept[i] != kSpaceOnly)
      kept[i] = kSpaceOnly;
    else
      kept[i].reset();
    holds = false;
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

/// How many iterations there are, under the increments; null if that is not
/// affine. The range of the counter is not known before the trip count is, and
/// the other way round: a small one is tried first. If fewer iterations than
/// that come out, the range held in all of them.
CasesRef KernelReader::LoopReader::findTrips(std::string &why) {
  for (unsigned bits : {10, 20, 40}) {
    int64_t most = int64_t(1) << bits;
    CasesRef trips;
    VariableId counter = reader.domain.addCounter("w", most);
    std::vector<Statement> scratch, *target = reader.out;
    size_t skipped = reader.model.notModelled.size();
    reader.out = &scratch;
    ++reader.issued.paused;
    bind(carried(scalars.leaf(makeVariable(counter))));
    CasesRef condition = loop.before();
    --reader.issued.paused;
    if (condition)
      trips = tripsOf(scalars, condition, counter);
    else
      why = "a loop whose condition is not affine: " + scalars.reason;
    reader.out = target;
    reader.model.notModelled.resize(skipped);
    if (!trips)
      return nullptr;
    if (scalars.range(trips).high <= most)
      return trips;
  }
  return nullptr;
}

/// Reads the body as a loop of `trips` iterations. If something is not carried
/// as expected, all traces of that are removed, and the increments corrected.
bool KernelReader::LoopReader::readIterations(const CasesRef &trips) {
  bool holds = true;
  size_t statements = reader.out->size();
  size_t skipped = reader.model.notModelled.size();
  IssueCounter::Mark counted = reader.issued.mark();
  Increments kept = increments;
  auto run = [&](const std::vector<AffineForm> &counts) {
    reader.emitLoop(counts, [&](const CasesRef &now) {
      bind(carried(now));
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
  if (holds)
    return true;
  increments = kept;
  reader.issued.goBack(counted);
  reader.out->resize(statements);
  reader.model.notModelled.resize(skipped);
  return false;
}

void KernelReader::LoopReader::read() {
  // What was found when the loop was read before is a good guess, unless more
  // may be found now.
  auto known = reader.knownIncrements.find(loop.key);
  bool complete = known != reader.knownIncrements.end() &&
                  known->second.size() == inits.size();
  for (size_t i = 0; complete && i < inits.size(); ++i)
    complete = known->second[i] || !numberIn(inits[i]);
  increments = complete ? known->second : guess();
  std::string why = "a loop whose trip count is not affine";
  while (CasesRef trips = findTrips(why)) {
    if (!readIterations(trips))
      continue; // with fewer increments, of which there are finitely many
    reader.knownIncrements[loop.key] = increments;
    // The test that ends the loop.
    bind(carried(scalars.maximum(trips, scalars.constant(0))));
    loop.before();
    return;
  }
  for (Value argument : loop.arguments)
    reader.set(argument, AbstractValue::unknown(why));
  reader.unmodelled(why, [&] {
    loop.before();
    loop.after();
  });
}

void KernelReader::readWhile(const WhileLoop &loop) {
  LoopReader(*this, loop).read();
}

} // namespace swizzle
