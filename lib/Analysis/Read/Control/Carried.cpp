//===- Carried.cpp - What goes from one iteration to the next -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer or an address that a loop carries from iteration to iteration is
// modelled if it grows by a constant:
//
//   ^head(%i, %p): cond_br (%i < %n), ^body, ^exit     i = 4*w, p = a + 16*w
//   ^body: load %p; br ^head(%i + 4, %p + 16)
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
// What an iteration leaves may also depend on nothing that it was given, or on
// what grows alone: in a pipeline, a stage is given what another one had a turn
// ago.
//
//   ^head(%first, %m, %late): ... br ^head(false, %i < %n, %m)
//     first = w == 0, m = w == 0 ? m0 : i(w - 1) < n, late = w == 0 ? late0 :
//                                                            w == 1 ? m0 : ...
//
// Such a value is known by reading the iteration before the one that it goes
// into, given what is known there, and so on for as many turns as it is late.
//
//===----------------------------------------------------------------------===//

#include "LoopReader.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::analysis {

static constexpr const char *kNotLinear =
    "a value that a loop carries and does not change by a constant";

/// Pipelines have some three stages.
static constexpr unsigned kMostDelay = 6;
/// Turns in which delays are looked for: in many more, numbers may wrap around.
static constexpr int64_t kFewTurns = 1024;

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

KernelReader::LoopReader::LoopReader(KernelReader &reader,
                                     const WhileLoop &loop)
    : reader(reader), scalars(reader.scalars), loop(loop) {
  for (const AbstractValue &init : loop.inits)
    flatten(init, init, inits);
  llvm::transform(inits, inits.begin(), followed);
  for (const AbstractValue &init : inits)
    poison.push_back(init.maybePoison);
}

/// Gives the loop's arguments their values.
void KernelReader::LoopReader::bind(const AbstractValues &parts) {
  AbstractValues::const_iterator part = parts.begin();
  for (auto [argument, init] : llvm::zip(loop.arguments, loop.inits))
    reader.set(argument, rebuild(init, part));
}

/// What goes into the next iteration, in parts.
AbstractValues KernelReader::LoopReader::next() {
  AbstractValues values = loop.after(), parts;
  values.resize(loop.inits.size());
  for (auto [init, value] : llvm::zip(loop.inits, values))
    flatten(init, value, parts);
  return parts;
}

/// `inits` with `change` done to each lane that is known.
AbstractValues KernelReader::LoopReader::changed(
    llvm::function_ref<CasesRef(size_t part, size_t lane)> change) {
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

/// True if `known` tells how each lane changes.
bool KernelReader::LoopReader::isKnown(const Changes &known) const {
  if (known.size() != inits.size())
    return false;
  for (auto [init, lanes] : llvm::zip(inits, known)) {
    if (lanes.size() != init.lanes.size())
      return false;
    for (auto [number, change] : llvm::zip(init.lanes, lanes))
      if (number && !change.increment && !change.isDelayed)
        return false;
  }
  return true;
}

/// True if `tree` has `variable`.
static bool dependsOn(const Domain &domain, const CasesRef &tree,
                      VariableId variable) {
  if (tree->isLeaf())
    return domain.dependsOn(tree->form, variable);
  return domain.dependsOn(tree->condition.form, variable) ||
         dependsOn(domain, tree->yes, variable) ||
         dependsOn(domain, tree->no, variable);
}

/// The changes, from a reading with numbers of which no more is known than that
/// they are at most `margin` above what the loop starts with. Sets `wraps` if one
/// is not known because a number that large may wrap around.
KernelReader::Changes KernelReader::LoopReader::guessBelow(int64_t margin,
                                                           bool &wraps) {
  Changes guesses;
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
           llvm::zip(guesses[i], marked[i].lanes, after[i].lanes)) {
        if (!mark || !value)
          continue;
        if (value->isLeaf())
          if (AffineForm change = value->form - mark->form;
              change.terms.empty())
            guess.increment = change.constant;
        guess.isDelayed =
            !guess.increment && (inits[i].isNumber() || inits[i].isPointer()) &&
            !dependsOn(reader.domain, value, mark->form.terms[0].variable);
      }
    }
  });
  reader.domain.dropVariables(variables);
  return guesses;
}

void KernelReader::LoopReader::guess() {
  bool wraps = false;
  changes = guessBelow(int64_t(1) << 20, wraps);
  // An increment may leave less room than that; what is carried takes one at
  // least.
  if (wraps)
    changes = guessBelow(0, wraps);
  findDelays();
}

/// What follows from the counter may grow by a constant, too: the increment of
/// what is `init` in turn 0 and `value` in others.
static std::optional<int64_t> growthOf(const CasesRef &init,
                                       const CasesRef &value, VariableId turn) {
  if (value->isLeaf() || !value->yes->isLeaf() || !init->isLeaf())
    return std::nullopt;
  AffineForm grown = value->yes->form - init->form;
  if (grown.constant != 0 || grown.terms.size() != 1 ||
      grown.terms[0].variable != turn)
    return std::nullopt;
  return grown.terms[0].coefficient;
}

/// How many turns must be read to know what depends on those before; what is not
/// known then never is.
void KernelReader::LoopReader::findDelays() {
  auto isDelayed = [](const Change &change) { return change.isDelayed; };
  // Each loop in another one is read as often as both are delayed.
  if (reader.work > reader.kMaxWork / 8)
    for (auto &lanes : changes)
      for (Change &change : lanes)
        change.isDelayed = false;
  size_t wanted = 0, known = 0;
  for (const auto &lanes : changes)
    wanted += llvm::count_if(lanes, isDelayed);
  size_t variables = reader.domain.variableCount();
  Changes found = changes;
  for (delay = 0; known < wanted && delay < kMostDelay;) {
    VariableId counter = reader.domain.addCounter("w", kFewTurns);
    AbstractValues values =
        carried(scalars.leaf(makeVariable(counter)), delay + 1);
    size_t now = 0;
    bool grows = false;
    for (auto [part, value] : llvm::enumerate(values))
      for (auto [lane, change] : llvm::enumerate(changes[part])) {
        bool isKnown =
            change.isDelayed && lane < value.lanes.size() && value.lanes[lane];
        if (isKnown)
          change.increment =
              growthOf(inits[part].lanes[lane], value.lanes[lane], counter);
        if (change.increment && change.isDelayed) {
          change.isDelayed = isKnown = false;
          grows = true;
          --wanted;
        }
        found[part][lane].isDelayed = isKnown;
        now += isKnown;
      }
    if (grows) // what depends on that may be known by reading no further
      known = 0;
    else if (now == known)
      break;
    else {
      known = now;
      ++delay;
    }
  }
  for (auto [lanes, kept] : llvm::zip(changes, found))
    for (auto [change, is] : llvm::zip(lanes, kept))
      change.isDelayed &= is.isDelayed;
  reader.domain.dropVariables(variables);
}

/// What `iteration` leaves to the one after it, given what is known of
/// `turnsBack` before it.
AbstractValues KernelReader::LoopReader::leftBy(const CasesRef &iteration,
                                                unsigned turnsBack) {
  AbstractValues left;
  reader.dryRun([&] {
    Domain::Scope scope(reader.domain);
    if (iteration->isLeaf())
      reader.domain.assume({iteration->form, false});
    bind(carried(iteration, turnsBack));
    loop.before();
    left = next();
  });
  // Where nothing is read any more, values are those of an earlier try.
  if (reader.work >= reader.kMaxWork)
    left.clear();
  return left;
}

/// `init` in the first iteration, which is not `isLater`, and what the one before
/// `left` in others. Where that is `init` up to a later one, one condition is
/// enough.
static CasesRef firstThen(Scalars &scalars, const CasesRef &isLater,
                          const CasesRef &init, const CasesRef &left) {
  bool isPlain = !isLater->isLeaf() && scalars.constantOf(isLater->yes) == 1 &&
                 scalars.constantOf(isLater->no) == 0;
  if (isPlain && !left->isLeaf() && !left->condition.equality) {
    const AffineForm &later = isLater->condition.form,
                     &change = left->condition.form;
    AffineForm after = later - change, before = later + change;
    if ((after.terms.empty() && after.constant >= 0 &&
         sameCases(left->no, init)) ||
        (before.terms.empty() && before.constant >= -1 &&
         sameCases(left->yes, init)))
      return left;
  }
  return scalars.select(isLater, left, init);
}

/// What the loop carries into `iteration`, by reading up to `turnsBack` of those
/// before it; null: one that is not known.
AbstractValues KernelReader::LoopReader::carried(const CasesRef &iteration,
                                                 unsigned turnsBack) {
  AbstractValues left;
  CasesRef isLater;
  if (iteration && turnsBack > 0) {
    CasesRef one = scalars.constant(1);
    isLater = scalars.compare(Comparison::LessEqual, one, iteration);
    bool isFirst = isLater && scalars.constantOf(isLater) == 0;
    CasesRef before = scalars.subtract(iteration, one);
    if (before && !isFirst)
      left = leftBy(before, turnsBack - 1);
  }
  return changed([&](size_t part, size_t lane) -> CasesRef {
    const Change &change = changes[part][lane];
    const AbstractValue &init = inits[part];
    if (!iteration)
      return nullptr;
    if (change.increment)
      return scalars.add(init.lanes[lane],
                         scalars.scale(iteration, *change.increment));
    if (!change.isDelayed || !isLater)
      return nullptr;
    if (scalars.constantOf(isLater) == 0)
      return init.lanes[lane];
    if (left.empty())
      return nullptr;
    const AbstractValue &value = left[part];
    if (value.kind != init.kind || value.buffer != init.buffer ||
        value.lanes.size() != init.lanes.size() ||
        (init.isPointer() && !sameMemory(value, init)) || !value.lanes[lane])
      return nullptr;
    if (value.maybePoison)
      poison[part] = true;
    return firstThen(scalars, isLater, init.lanes[lane], value.lanes[lane]);
  });
}

/// Clears those of `kept` that `actual` does not bear out; true if none is, and
/// nothing turns out to be poison. What is something else altogether is not
/// known from the start.
bool KernelReader::LoopReader::confirm(const AbstractValues &expected,
                                       const AbstractValues &actual,
                                       Changes &kept) {
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
      if (!kept[i][lane].increment)
        continue;
      CasesRef gap =
          same ? scalars.subtract(a.lanes[lane], b.lanes[lane]) : nullptr;
      if (gap && scalars.constantOf(gap) == 0)
        continue;
      kept[i][lane].increment.reset();
      holds = false;
    }
  }
  return holds;
}

} // namespace swizzle::analysis
