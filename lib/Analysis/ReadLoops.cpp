//===- ReadLoops.cpp - Counted loops and loop-carried values --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops get a normalised counter 0, 1, ... An integer or an address that a loop
// carries from iteration to iteration is modelled if it grows by a constant:
// the increment is guessed by rehearsing the body on an opaque value, and the
// guess is checked when the body is read in earnest. `while` loops are counted
// loops if each condition to go on falls by a constant per iteration.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include <algorithm>

using namespace mlir;

namespace swizzle {

static constexpr const char *kNotLinear =
    "a value that a loop carries and does not change by a constant";

CasesRef KernelReader::tripCount(const std::vector<AffineForm> &trips) {
  CasesRef least = scalars_.leaf(trips.front());
  for (const AffineForm &trip : trips)
    least = scalars_.minimum(least, scalars_.leaf(trip));
  return scalars_.maximum(least, scalars_.constant(0));
}

std::optional<std::vector<AffineForm>>
KernelReader::divideTrips(const std::vector<AffineForm> &spans, int64_t step) {
  std::vector<AffineForm> trips;
  for (const AffineForm &span : spans) {
    std::optional<AffineForm> rounded = addForms(span, makeConstant(step - 1));
    std::optional<AffineForm> trip;
    if (rounded)
      trip = domain.floorDivide(*rounded, step);
    if (!trip)
      return std::nullopt;
    trips.push_back(*trip);
  }
  return trips;
}

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
    return body(scalars_.constant(0));
  Loop loop;
  // i, j, k, ... by depth.
  std::string letter(1, char('i' + std::min(loopDepth, 15u)));
  loop.counter = domain.addCounter(letter, most);
  loop.tripCounts = trips;
  std::vector<Statement> *target = out;
  out = &loop.body;
  size_t facts = domain.factCount();
  for (const AffineForm &trip : trips)
    domain.assume({trip - makeVariable(loop.counter) - makeConstant(1), false});
  ++loopDepth;
  body(scalars_.leaf(makeVariable(loop.counter)));
  --loopDepth;
  domain.dropFacts(facts);
  out = target;
  if (!loop.body.empty())
    emit({std::move(loop)});
}

KernelReader::Increments
KernelReader::guessIncrements(const AbstractValues &inits,
                              ArrayRef<Value> arguments,
                              llvm::function_ref<AbstractValues()> body) {
  using Kind = AbstractValue::Kind;
  Increments guesses(inits.size());
  bool worthwhile = llvm::any_of(inits, [](const AbstractValue &init) {
    return init.kind == Kind::Scalar ||
           (init.kind == Kind::Memory &&
            init.memory->space == MemorySpace::Global && init.memory->offset);
  });
  if (!worthwhile)
    return guesses;
  rehearse([&] {
    SmallVector<AffineForm> marks(inits.size());
    for (auto [index, init] : llvm::enumerate(inits)) {
      if (init.kind != Kind::Scalar && init.kind != Kind::Memory) {
        set(arguments[index], init.kind == Kind::Unknown
                                  ? init
                                  : AbstractValue::unknown(kNotLinear));
        continue;
      }
      CasesRef start =
          init.kind == Kind::Scalar ? init.scalar : init.memory->offset;
      Interval interval{0, 0};
      if (start)
        interval = scalars_.range(start);
      interval.high = std::min(interval.high + (int64_t(1) << 20), kUnbounded);
      // Addresses are taken to be multiples of the element.
      int64_t unit = init.kind == Kind::Memory ? init.memory->elementBytes : 1;
      VariableId mark = domain.addOpaque(
          "carried", {interval.low / unit, interval.high / unit});
      marks[index] = makeVariable(mark, unit);
      if (init.kind == Kind::Scalar) {
        set(arguments[index], scalars_.leaf(marks[index]));
      } else {
        MemoryView view = *init.memory;
        if (view.space == MemorySpace::Global)
          view.offset = scalars_.leaf(marks[index]);
        set(arguments[index], AbstractValue::of(std::move(view)));
      }
    }
    AbstractValues next = body();
    for (size_t i = 0; i < std::min(next.size(), inits.size()); ++i) {
      CasesRef value;
      if (next[i].kind != inits[i].kind)
        continue;
      if (next[i].kind == Kind::Scalar)
        value = next[i].scalar;
      else if (next[i].kind == Kind::Memory && next[i].memory->offset &&
               next[i].memory->buffer == inits[i].memory->buffer)
        value = next[i].memory->offset;
      if (!value || !value->isLeaf())
        continue;
      AffineForm change = value->form - marks[i];
      if (change.terms.empty())
        guesses[i] = change.constant;
    }
  });
  return guesses;
}

AbstractValues KernelReader::carried(const AbstractValues &inits,
                                     const Increments &increments,
                                     const CasesRef &iteration) {
  using Kind = AbstractValue::Kind;
  AbstractValues result;
  for (auto [init, increment] : llvm::zip(inits, increments)) {
    bool local =
        init.kind == Kind::Memory && init.memory->space != MemorySpace::Global;
    if (local || init.kind == Kind::Unknown) {
      result.push_back(init);
      continue;
    }
    if (!increment || !iteration) {
      result.push_back(AbstractValue::unknown(kNotLinear));
      continue;
    }
    CasesRef change = scalars_.scale(iteration, *increment);
    if (init.kind == Kind::Scalar) {
      result.push_back(
          AbstractValue::of(scalars_.add(init.scalar, change), kNotLinear));
    } else {
      MemoryView view = *init.memory;
      view.offset = scalars_.add(view.offset, change);
      result.push_back(AbstractValue::of(std::move(view)));
    }
  }
  return result;
}

bool KernelReader::confirm(const AbstractValues &expected,
                           const AbstractValues &next, Increments &increments) {
  using Kind = AbstractValue::Kind;
  bool holds = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!increments[i])
      continue;
    CasesRef a, b;
    if (i < next.size() && expected[i].kind == next[i].kind) {
      if (expected[i].kind == Kind::Scalar) {
        a = expected[i].scalar;
        b = next[i].scalar;
      } else if (expected[i].kind == Kind::Memory &&
                 expected[i].memory->buffer == next[i].memory->buffer) {
        a = expected[i].memory->offset;
        b = next[i].memory->offset;
      }
    }
    CasesRef difference = a && b ? scalars_.subtract(a, b) : nullptr;
    if (difference && scalars_.constantOf(difference) == 0)
      continue;
    increments[i].reset();
    holds = false;
  }
  return holds;
}

AbstractValues KernelReader::runFor(const CountedLoop &loop,
                                    const AffineForm &lower,
                                    const std::vector<AffineForm> &trips,
                                    int64_t step) {
  AbstractValues inits;
  for (Value init : loop.inits)
    inits.push_back(get(init));
  SmallVector<Value> arguments;
  for (BlockArgument argument :
       loop.body->getArguments().take_back(inits.size()))
    arguments.push_back(argument);
  Operation *terminator = loop.body->empty() ? nullptr : &loop.body->back();
  auto read = [&](const CasesRef &counter) {
    set(loop.counter,
        scalars_.add(scalars_.leaf(lower), scalars_.scale(counter, step)));
    readBody(*loop.body);
    return inits.empty() ? AbstractValues() : yielded(terminator);
  };
  int64_t most = kUnbounded;
  for (const AffineForm &trip : trips)
    most = std::min(most, domain.range(trip).high);
  Increments increments = guessIncrements(inits, arguments, [&] {
    return read(scalars_.leaf(
        makeVariable(domain.addCounter("i", std::max<int64_t>(most, 1)))));
  });
  // Read in earnest; again, if a guess turns out wrong.
  for (bool done = false; !done;) {
    done = true;
    Increments tried = increments;
    auto attempt = [&] {
      emitLoop(trips, [&](const CasesRef &counter) {
        AbstractValues now = carried(inits, increments, counter);
        for (auto [argument, value] : llvm::zip(arguments, now))
          set(argument, value);
        AbstractValues next = read(counter);
        CasesRef following = scalars_.add(counter, scalars_.constant(1));
        done &= confirm(carried(inits, increments, following), next, tried);
      });
    };
    bool integers =
        llvm::any_of(increments, [](auto &i) { return i.has_value(); });
    if (integers) {
      rehearse(attempt);
      increments = tried;
      if (!done)
        continue;
    }
    attempt();
    done = true;
  }
  return carried(inits, increments, tripCount(trips));
}

void KernelReader::readFor(Operation *op, const CountedLoop &loop) {
  std::optional<int64_t> step = scalars_.constantOf(loop.step);
  std::string why;
  if (!loop.lower || !loop.upper || !loop.step)
    why = "a loop bound is not affine: " + scalars_.reason;
  else if (!step || *step <= 0)
    why = "a loop's step is not a positive constant";
  if (!why.empty()) {
    set(loop.counter, AbstractValue::unknown(why));
    for (BlockArgument argument :
         loop.body->getArguments().take_back(loop.inits.size()))
      set(argument, AbstractValue::unknown(why));
    unmodelled(why, [&] { readBody(*loop.body); });
    for (Value result : op->getResults())
      set(result, AbstractValue::unknown(why));
    return;
  }
  AbstractValues results =
      forEachCase(loop.lower, [&](const AffineForm &lower) -> AbstractValues {
        CasesRef span = scalars_.subtract(loop.upper, scalars_.leaf(lower));
        if (!span) {
          unmodelled(scalars_.reason, [&] { readBody(*loop.body); });
          return {};
        }
        auto run = [&](const std::vector<AffineForm> &spans) -> AbstractValues {
          if (auto trips = divideTrips(spans, *step))
            return runFor(loop, lower, *trips, *step);
          unmodelled("a trip count exceeds 2^60",
                     [&] { readBody(*loop.body); });
          return {};
        };
        if (auto spans = scalars_.asMinimum(span))
          return run(*spans);
        return forEachCase(span,
                           [&](const AffineForm &one) { return run({one}); });
      });
  results.resize(op->getNumResults(), AbstractValue::unknown(kNotLinear));
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    set(result, value);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

/// The trip count of a loop that goes on while `condition`, a boolean tree,
/// holds, where `counter` is its counter; null if it is not affine. A leaf 1 is
/// a loop without end, which a large number stands for.
static CasesRef tripsOf(Scalars &scalars, const CasesRef &condition,
                        VariableId counter) {
  Domain &domain = scalars.domain;
  constexpr int64_t kForever = int64_t(1) << 50;
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

void KernelReader::readWhile(const WhileLoop &loop) {
  auto bind = [&](const AbstractValues &now) {
    for (auto [argument, value] : llvm::zip(loop.arguments, now))
      set(argument, value);
  };
  Increments increments =
      guessIncrements(loop.inits, loop.arguments, [&]() -> AbstractValues {
        loop.before();
        return loop.after();
      });
  std::string why = "a while loop whose trip count is not affine";
  // The counter's range is not known before the trip count is, and the other
  // way round: try a small one first.
  for (int64_t guess : {int64_t(1) << 20, int64_t(1) << 40}) {
    VariableId counter = domain.addCounter("w", guess);
    CasesRef iteration = scalars_.leaf(makeVariable(counter));
    std::vector<Statement> scratch, *target = out;
    size_t skipped = model.notModelled.size();
    out = &scratch;
    ++rehearsing;
    bind(carried(loop.inits, increments, iteration));
    CasesRef condition = loop.before(), trips;
    if (condition)
      trips = tripsOf(scalars_, condition, counter);
    else
      why = "a while loop whose condition is not affine: " + scalars_.reason;
    --rehearsing;
    out = target;
    model.notModelled.resize(skipped);
    if (!trips)
      break;
    if (scalars_.range(trips).high > guess)
      continue;
    CasesRef total = scalars_.maximum(trips, scalars_.constant(0));
    bool holds = true;
    Increments tried = increments;
    auto run = [&](const std::vector<AffineForm> &counts) {
      emitLoop(counts, [&](const CasesRef &now) {
        bind(carried(loop.inits, increments, now));
        loop.before();
        AbstractValues next = loop.after();
        CasesRef following = scalars_.add(now, scalars_.constant(1));
        holds &=
            confirm(carried(loop.inits, increments, following), next, tried);
      });
      return AbstractValues();
    };
    auto attempt = [&] {
      if (auto counts = scalars_.asMinimum(trips))
        run(*counts);
      else
        forEachCase(trips, [&](const AffineForm &trip) { return run({trip}); });
    };
    rehearse(attempt);
    if (!holds) {
      why = kNotLinear;
      break;
    }
    attempt();
    // The test that ends the loop.
    bind(carried(loop.inits, increments, total));
    loop.before();
    return;
  }
  for (Value argument : loop.arguments)
    set(argument, AbstractValue::unknown(why));
  unmodelled(why, [&] {
    loop.before();
    loop.after();
  });
}

} // namespace swizzle
