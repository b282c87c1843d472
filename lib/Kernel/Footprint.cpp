//===- Footprint.cpp - The bytes that one workgroup touches ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the statements of a kernel with the loops and guards around them, and
// turns each access into intervals: which variables are enumerated and which
// are sides of a box is decided access by access, from the ranges of the
// variables.
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "swizzle/Support/IntegerMath.h"

#include <algorithm>
#include <optional>

namespace swizzle::kernel {

namespace {

/// Values of the variables of one access, of all of them together, and of each
/// in any case.
constexpr int64_t maxEnumerated = int64_t(1) << 17;
constexpr int64_t maxEnumeratedOfAll = int64_t(1) << 22;
constexpr int64_t leastEnumerated = int64_t(1) << 10;
constexpr size_t maxIntervals = size_t(1) << 19;

/// One guard around an access, and on which side of it the access stands.
struct Surrounding {
  const Guard *guard;
  bool otherwise;
};

/// Replaces `set` by the union of `count` copies of it, `stride` bytes apart.
void repeat(std::vector<Interval> &set, int64_t count, int64_t stride) {
  if (count <= 1 || stride == 0 || set.empty())
    return;
  if (stride < 0) { // the same union, from its other end
    for (Interval &interval : set) {
      interval.low += stride * (count - 1);
      interval.high += stride * (count - 1);
    }
    stride = -stride;
  }
  bool dense = std::all_of(set.begin(), set.end(), [&](Interval interval) {
    return interval.high - interval.low + 1 >= stride;
  });
  if (dense) {
    for (Interval &interval : set)
      interval.high += stride * (count - 1);
  } else {
    count = std::min<int64_t>(count,
                              std::max<size_t>(1, maxIntervals / set.size()));
    size_t size = set.size();
    set.reserve(size * count);
    for (int64_t i = 1; i < count; ++i)
      for (size_t k = 0; k < size; ++k)
        set.push_back({set[k].low + i * stride, set[k].high + i * stride});
  }
  normalise(set);
}

/// Adds `more` to `set`, both normalised; `merged` is scratch.
void unite(std::vector<Interval> &set, const std::vector<Interval> &more,
           std::vector<Interval> &merged) {
  merged.clear();
  auto add = [&merged](Interval interval) {
    if (!merged.empty() && interval.low <= merged.back().high + 1)
      merged.back().high = std::max(merged.back().high, interval.high);
    else
      merged.push_back(interval);
  };
  size_t i = 0, j = 0;
  while (i < set.size() || j < more.size())
    add(j == more.size() || (i < set.size() && set[i].low < more[j].low)
            ? set[i++]
            : more[j++]);
  std::swap(set, merged);
}

class Walker {
public:
  Walker(const KernelModel &model, WorkgroupId id)
      : model(model), values(model.variables.size(), 0),
        ranges(model.variables.size()), enumerated(model.variables.size()),
        places(model.variables.size()), isNeeded(model.variables.size()),
        result(model.buffers.size()), pending(model.buffers.size()) {
    int64_t ids[] = {id.x, id.y, id.z};
    for (unsigned axis = 0; axis < 3; ++axis) {
      values[kWorkgroupIdX + axis] = ids[axis];
      ranges[kWorkgroupIdX + axis] = {ids[axis], ids[axis]};
    }
  }

  std::vector<BufferFootprint> run() {
    walk(model.body);
    for (size_t i = 0; i < result.size(); ++i)
      addPending(i);
    return std::move(result);
  }

  int64_t stepsOfAll = 0;     ///< values gone through, over all accesses
  int64_t intervalsOfAll = 0; ///< of each access, before they are united

private:
  void walk(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (const auto *access = std::get_if<Access>(&statement.node)) {
        visit(*access);
      } else if (const auto *loop = std::get_if<Loop>(&statement.node)) {
        loops.push_back(loop);
        rangesAreOf.reset();
        walk(loop->body);
        loops.pop_back();
        rangesAreOf.reset();
        places[loop->counter] = 0;
      } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
        guards.push_back({guard, false});
        walk(guard->body);
        guards.back().otherwise = true;
        walk(guard->otherwise);
        guards.pop_back();
      }
    }
  }

  Interval rangeOf(const AffineForm &form) const {
    Interval sum{form.constant, form.constant};
    for (const Term &term : form.terms) {
      Interval r = ranges[term.variable];
      sum.low += term.coefficient * (term.coefficient > 0 ? r.low : r.high);
      sum.high += term.coefficient * (term.coefficient > 0 ? r.high : r.low);
    }
    return sum;
  }

  void setDerivedRanges() {
    for (VariableId v = kFirstFreeVariable; v < model.variables.size(); ++v) {
      const Variable &variable = model.variables[v];
      if (!isDerived(variable.kind))
        continue;
      Interval r = rangeOf(variable.numerator);
      ranges[v] = {derive(variable, r.low), derive(variable, r.high)};
      if (variable.kind == VariableKind::Loaded && r.low != r.high)
        ranges[v] = {0, variable.extent - 1};
    }
  }

  /// Marks the thread ids and counters behind a form that is needed exactly.
  void enumerate(const AffineForm &form) {
    for (const Term &term : form.terms)
      enumerate(term.variable);
  }
  void enumerate(VariableId v) {
    if (ranges[v].low == ranges[v].high)
      return;
    if (isDerived(model.variables[v].kind))
      enumerate(model.variables[v].numerator);
    else
      enumerated[v] = true;
  }

  enum class Truth { Never, Sometimes, Always };
  Truth judge(const Condition &condition) const {
    Interval r = rangeOf(condition.form);
    if (condition.equality)
      return r.low == 0 && r.high == 0 ? Truth::Always
             : r.low > 0 || r.high < 0 ? Truth::Never
                                       : Truth::Sometimes;
    return r.low >= 0   ? Truth::Always
           : r.high < 0 ? Truth::Never
                        : Truth::Sometimes;
  }
  Truth judge(const Guard &guard) const {
    Truth all = Truth::Always;
    for (const Condition &condition : guard.conditions) {
      Truth truth = judge(condition);
      if (truth == Truth::Never)
        return Truth::Never;
      if (truth == Truth::Sometimes)
        all = Truth::Sometimes;
    }
    return all;
  }

  /// Marks the derived variables behind a form.
  void need(const AffineForm &form) {
    for (const Term &term : form.terms)
      if (isDerived(model.variables[term.variable].kind) &&
          !isNeeded[term.variable]) {
        isNeeded[term.variable] = true;
        needed.push_back(term.variable);
        need(model.variables[term.variable].numerator);
      }
  }

  /// Which variables are evaluated where: of a kernel with hundreds of
  /// quotients, `access` hangs on a few, and most of these change with the
  /// outermost of what is enumerated.
  void arrange(const Access &access) {
    for (VariableId v : needed)
      isNeeded[v] = false;
    needed.clear();
    for (unsigned axis = 0; axis < 3; ++axis)
      places[kThreadIdX + axis] = placeOfThread(axis);
    for (size_t depth = 0; depth < loops.size(); ++depth) {
      places[loops[depth]->counter] = placeOfLoop(depth);
      if (enumerated[loops[depth]->counter])
        for (const AffineForm &form : loops[depth]->tripCounts)
          need(form);
    }
    for (Surrounding s : undecided)
      for (const Condition &condition : s.guard->conditions)
        need(condition.form);
    need(access.address);
    derivedAt.assign(placeOfLoop(loops.size()), {});
    std::sort(needed.begin(), needed.end());
    for (VariableId v : needed) {
      places[v] = 0;
      for (const Term &term : model.variables[v].numerator.terms)
        places[v] = std::max(places[v], places[term.variable]);
      derivedAt[places[v]].push_back(v);
    }
  }
  static size_t placeOfThread(unsigned axis) { return 1 + axis; }
  static size_t placeOfLoop(size_t depth) { return 4 + depth; }

  /// Evaluates what has changed with the variable at `place`.
  void update(size_t place) {
    for (VariableId v : derivedAt[place])
      values[v] = derive(model.variables[v],
                         evaluate(model.variables[v].numerator, values));
  }

  bool holds(const Guard &guard) const {
    return std::all_of(guard.conditions.begin(), guard.conditions.end(),
                       [&](const Condition &condition) {
                         int64_t value = evaluate(condition.form, values);
                         return condition.equality ? value == 0 : value >= 0;
                       });
  }

  /// Ranges of threads, of counters around this place and of what is derived of
  /// both; false if a loop is never run.
  bool setRanges(Issuer issuer) {
    for (unsigned axis = 0; axis < 3; ++axis)
      ranges[kThreadIdX + axis] = {
          0, issuer == Issuer::Workgroup ? 0 : model.block[axis] - 1};
    // Counters first get their widest range, outermost first.
    for (const Loop *loop : loops) {
      setDerivedRanges();
      int64_t trip = INT64_MAX;
      for (const AffineForm &form : loop->tripCounts)
        trip = std::min(trip, rangeOf(form).high);
      if (trip <= 0)
        return false;
      ranges[loop->counter] = {0, trip - 1};
    }
    setDerivedRanges();
    return true;
  }

  /// Which of the variables around `access` are enumerated; false if the access
  /// is never carried out.
  bool prepare(const Access &access) {
    std::fill(enumerated.begin(), enumerated.end(), false);
    if (rangesAreOf != access.issuer) {
      rangesAreOf = access.issuer;
      runs = setRanges(access.issuer);
    }
    if (!runs)
      return false;
    for (const Loop *loop : loops) {
      for (const AffineForm &form : loop->tripCounts) {
        Interval r = rangeOf(form);
        if (r.low == r.high || r.low > ranges[loop->counter].high)
          continue;
        enumerate(form);
        enumerated[loop->counter] = true;
      }
    }
    undecided.clear();
    for (Surrounding s : guards) {
      Truth truth = judge(*s.guard);
      if (truth == (s.otherwise ? Truth::Always : Truth::Never))
        return false;
      if (truth != Truth::Sometimes)
        continue;
      undecided.push_back(s);
      for (const Condition &condition : s.guard->conditions)
        if (judge(condition) == Truth::Sometimes)
          enumerate(condition.form);
    }
    for (const Term &term : access.address.terms)
      if (isDerived(model.variables[term.variable].kind))
        enumerate(term.variable);
    return true;
  }

  void visit(const Access &access) {
    if (!prepare(access))
      return;
    current = &access;
    set.clear();
    steps = 0;
    limit = std::clamp(maxEnumeratedOfAll - stepsOfAll, leastEnumerated,
                       maxEnumerated);
    arrange(access);
    update(0);
    enumerateThreads(0);
    stepsOfAll += steps;
    normalise(set);

    std::vector<BoxDim> sides = access.box;
    for (const Term &term : access.address.terms) {
      VariableId v = term.variable;
      bool counted = model.variables[v].kind == VariableKind::ThreadId ||
                     model.variables[v].kind == VariableKind::LoopCounter;
      if (counted && !enumerated[v])
        sides.push_back({ranges[v].high + 1, term.coefficient});
    }
    std::sort(sides.begin(), sides.end(), [](BoxDim a, BoxDim b) {
      return std::abs(a.stride) < std::abs(b.stride);
    });
    for (const BoxDim &side : sides)
      repeat(set, side.count, side.stride);
    intervalsOfAll += int64_t(set.size());

    BufferFootprint &buffer = result[access.buffer];
    buffer.read |= access.kind != AccessKind::Write;
    buffer.written |= access.kind != AccessKind::Read;
    // Small sets wait until it is worth while to go through the large one.
    size_t large = std::max<size_t>(64, buffer.bytes.size() / 8);
    if (set.size() >= large)
      return unite(buffer.bytes, set, merged);
    std::vector<Interval> &waiting = pending[access.buffer];
    waiting.insert(waiting.end(), set.begin(), set.end());
    if (waiting.size() >= large)
      addPending(access.buffer);
  }

  void addPending(size_t buffer) {
    normalise(pending[buffer]);
    unite(result[buffer].bytes, pending[buffer], merged);
    pending[buffer].clear();
  }

  void enumerateThreads(unsigned axis) {
    if (axis == 3)
      return enumerateLoops(0);
    VariableId v = kThreadIdX + axis;
    int64_t count = enumerated[v] ? ranges[v].high + 1 : 1;
    for (int64_t i = 0; i < count && steps < limit; ++i) {
      values[v] = i;
      update(placeOfThread(axis));
      enumerateThreads(axis + 1);
    }
    values[v] = 0;
  }

  void enumerateLoops(size_t depth) {
    if (depth == loops.size())
      return record();
    const Loop &loop = *loops[depth];
    int64_t trip = ranges[loop.counter].high + 1;
    if (enumerated[loop.counter]) {
      for (const AffineForm &form : loop.tripCounts)
        trip = std::min(trip, evaluate(form, values));
    } else {
      trip = 1;
    }
    for (int64_t i = 0; i < trip && steps < limit; ++i) {
      values[loop.counter] = i;
      update(placeOfLoop(depth));
      enumerateLoops(depth + 1);
    }
    values[loop.counter] = 0;
  }

  void record() {
    ++steps;
    for (Surrounding s : undecided)
      if (holds(*s.guard) == s.otherwise)
        return;
    int64_t low = evaluate(current->address, values);
    int64_t high = low + current->bytes - 1;
    // Neighbours mostly follow each other: so there is less to sort.
    if (!set.empty() && low >= set.back().low && low <= set.back().high + 1)
      set.back().high = std::max(set.back().high, high);
    else
      set.push_back({low, high});
  }

  const KernelModel &model;
  std::vector<int64_t> values;
  std::vector<Interval> ranges;
  std::vector<bool> enumerated;
  std::vector<const Loop *> loops;
  std::vector<Surrounding> guards, undecided;
  /// Of each variable, after which one that is enumerated it changes; 0: never.
  std::vector<size_t> places;
  std::vector<VariableId> needed;
  std::vector<bool> isNeeded;
  std::vector<std::vector<VariableId>> derivedAt; ///< by place
  std::vector<BufferFootprint> result;
  std::vector<std::vector<Interval>>
      pending; ///< by buffer, not yet in `result`
  std::vector<Interval> set, merged;
  /// Whose accesses at this place `ranges` are of; nothing: compute them.
  std::optional<Issuer> rangesAreOf;
  bool runs = false; ///< no loop around this place is empty
  const Access *current = nullptr;
  int64_t steps = 0, limit = 0;
};

} // namespace

/// Sorts by the lower ends. Loops give intervals in runs that are sorted: these
/// are merged, two at a time.
static void sortRuns(std::vector<Interval> &intervals) {
  auto before = [](Interval a, Interval b) { return a.low < b.low; };
  std::vector<size_t> ends;
  for (auto from = intervals.begin(); from != intervals.end();) {
    from = std::is_sorted_until(from, intervals.end(), before);
    ends.push_back(from - intervals.begin());
  }
  std::vector<Interval> merged;
  while (ends.size() > 1) {
    merged.resize(intervals.size());
    std::vector<size_t> longer;
    size_t begin = 0;
    for (size_t run = 0; run < ends.size(); run += 2) {
      size_t middle = ends[run], end = ends[std::min(run + 1, ends.size() - 1)];
      std::merge(intervals.begin() + begin, intervals.begin() + middle,
                 intervals.begin() + middle, intervals.begin() + end,
                 merged.begin() + begin, before);
      longer.push_back(begin = end);
    }
    std::swap(intervals, merged);
    ends = std::move(longer);
  }
}

void normalise(std::vector<Interval> &intervals) {
  sortRuns(intervals);
  size_t kept = 0;
  for (const Interval &interval : intervals) {
    if (kept && interval.low <= intervals[kept - 1].high + 1)
      intervals[kept - 1].high =
          std::max(intervals[kept - 1].high, interval.high);
    else
      intervals[kept++] = interval;
  }
  intervals.resize(kept);
}

std::vector<BufferFootprint> footprint(const KernelModel &model, WorkgroupId id,
                                       int64_t *steps) {
  Walker walker(model, id);
  std::vector<BufferFootprint> result = walker.run();
  if (steps)
    *steps += walker.stepsOfAll + walker.intervalsOfAll;
  return result;
}

} // namespace swizzle::kernel
