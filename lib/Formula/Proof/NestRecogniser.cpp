//===- NestRecogniser.cpp - Finds the loop nest in a text -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof that a formula is a permutation for every extent. The formula is
// run on symbols; then the nest is *constructed*, outermost loop first, from
// steps that are bijections by themselves, and each step must take its part out
// of the formula's results, until nothing is left:
//
//   1. Start. The coordinates of some axes are joined to a position,
//      t = a + ga * (b + gb * c), in [0, ga * gb * gc). A bijection. The other
//      axes must come out as they went in.
//   2. Deal, if a part of the formula equals one: t is replaced by a new symbol
//      in the same range. A bijection of the range (NestDeals.cpp).
//   3. Loop over axis a with tile T >= 1, S being the product of what is left
//      of the other axes: p = t // (T * S), t' = t % (T * S), and of the axis,
//      min(T, size - p * T) is left. A bijection between t and (p, t'), because
//      only the last piece is short. The axis's new coordinate is p * T plus
//      what the loops inside add, or, for T = 1, p itself, or size - 1 - p
//      where a loop further out is at an odd step.
//
// A condition that reads no id splits the proof in two. What it says of the
// extents is used where it holds (GridFacts.h).
//
// Equality is decided on normal forms (Algebra.h), so a success is a proof. The
// tiles to try come from the text; wrong ones are sorted out by numbers first,
// which only ever rejects. Every division in the text must have a divisor that
// is positive, by itself or because the construction says so.
//
//===----------------------------------------------------------------------===//

#include "NestRecogniser.h"
#include "GridFacts.h"
#include "NestDeals.h"
#include "SymbolicFormula.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <random>
#include <set>

namespace swizzle {

using namespace formula;
namespace {
class Recogniser {
public:
  Recogniser(const Formula &formula, const Environment &environment)
      : formula(formula), environment(environment) {}

  NestRecognition run() {
    if (!prepare())
      return std::move(result);
    for (const std::vector<unsigned> &axes : starts())
      if (tryStart(axes))
        return std::move(result);
    if (algebra.isExhausted())
      result.reason = "it takes too much algebra";
    else if (result.reason.empty())
      result.reason = "its results are not those of loops over the grid";
    if (depth < 8 && !symbolic.conditions.empty())
      tryCases(symbolic.conditions.front());
    return std::move(result);
  }

private:
  bool prepare() {
    for (unsigned axis = 0; axis < 3; ++axis) {
      int64_t extent = environment.grid[axis];
      if (extent == 0)
        return refuse("the grid is empty");
      if (extent == 1) {
        inputs.extent[axis] = 1;
        continue;
      }
      inputs.extent[axis] =
          Polynomial(facts.multipleOf(axis)) *
          algebra.symbol(std::string("g") + "xyz"[axis], 1, std::nullopt, true);
    }
    for (unsigned axis = 0; axis < 3; ++axis)
      if (environment.grid[axis] != 1)
        inputs.id[axis] = algebra.symbol(std::string(1, "xyz"[axis]), 0,
                                         inputs.extent[axis] - Polynomial(1));
    // Where the launch decides how many rows there are, one value is x in each.
    if (formula.numResults() == 1 &&
        (environment.grid[1] > 1 || environment.grid[2] > 1))
      return refuse("it returns one value for a grid with more than one row");
    symbolic = runSymbolically(algebra, formula, environment, inputs);
    if (!symbolic.failure.empty())
      return refuse(symbolic.failure);
    result.infeasible = symbolic.infeasible;
    collectTiles();
    makeSamples();
    return true;
  }

  bool refuse(std::string reason) {
    result.reason = std::move(reason);
    return false;
  }

  /// Constants and sizes that the text may use as tiles.
  void collectTiles() {
    std::vector<AtomId> ids;
    for (const Polynomial &id : inputs.id)
      if (std::optional<AtomId> atom = id.singleAtom())
        ids.push_back(*atom);
    std::set<int64_t> numbers;
    for (const Polynomial &node : symbolic.nodes) {
      for (const auto &[monomial, coefficient] : node.terms())
        if (std::abs(coefficient) >= 2 &&
            std::abs(coefficient) < (int64_t(1) << 40))
          numbers.insert(std::abs(coefficient));
      if (!node.constant() && sizes.size() < 8 &&
          std::find(sizes.begin(), sizes.end(), node) == sizes.end() &&
          algebra.isFreeOf(node, ids) && algebra.isPositive(node))
        sizes.push_back(node);
    }
    for (int64_t number : numbers)
      if (constants.size() < 24)
        constants.push_back(number);
  }

  /// Random ids of random grids, among them some with several pieces.
  void makeSamples() {
    std::mt19937 random(1);
    int64_t largest = 8;
    for (int64_t c : constants)
      if (c <= 256)
        largest = std::max(largest, c);
    for (unsigned i = 0; i < 24; ++i) {
      std::map<AtomId, int64_t> values;
      int64_t top = i % 2 ? 3 * largest : 12;
      for (unsigned axis = 0; axis < 3; ++axis) {
        std::optional<AtomId> id = inputs.id[axis].singleAtom();
        std::optional<AtomId> extent = extentAtom(inputs, axis);
        if (!id || !extent)
          continue;
        values[*extent] = 1 + int64_t(random() % top);
        values[*id] =
            int64_t(random() % (facts.multipleOf(axis) * values[*extent]));
      }
      samples.push_back(std::move(values));
    }
  }

  /// Ordered choices of axes, the first the fastest; the dispatcher's order of
  /// all axes first.
  std::vector<std::vector<unsigned>> starts() const {
    std::vector<unsigned> open;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (inputs.id[axis].singleAtom())
        open.push_back(axis);
    std::vector<std::vector<unsigned>> all;
    for (size_t count = open.size() + 1; count-- > 0;) {
      std::vector<std::vector<unsigned>> ofCount;
      for (unsigned mask = 0; mask < (1u << open.size()); ++mask) {
        std::vector<unsigned> chosen;
        for (size_t i = 0; i < open.size(); ++i)
          if (mask & (1u << i))
            chosen.push_back(open[i]);
        if (chosen.size() != count)
          continue;
        do
          ofCount.push_back(chosen);
        while (std::next_permutation(chosen.begin(), chosen.end()));
      }
      all.insert(all.end(), ofCount.begin(), ofCount.end());
    }
    return all;
  }

  bool tryStart(const std::vector<unsigned> &axes) {
    chosen = axes;
    Polynomial position, count = 1;
    for (unsigned axis : axes) {
      position = position + count * inputs.id[axis];
      count = count * inputs.extent[axis];
    }
    for (unsigned axis = 0; axis < 3; ++axis)
      startSize[axis] =
          llvm::is_contained(axes, axis) ? inputs.extent[axis] : 1;
    active = inputs;
    if (tryDecode(position, symbolic, DealShape()))
      return true;
    DealQuestion question{symbolic.nodes, constants, sizes, position, count};
    auto known = environment.hardware.find("num_xcds");
    if (known != environment.hardware.end() && known->second)
      question.dies = *known->second;
    question.divides = [&](int64_t x) {
      return facts.divide(x, chosen, environment.grid);
    };
    for (const DealShape &deal : findDeals(algebra, question)) {
      Polynomial dealt = algebra.symbol("position", 0, count - Polynomial(1),
                                        false, deal.value);
      SymbolicInputs cut = inputs;
      if (deal.unit.isZero()) {
        cut.cuts.push_back({deal.value, dealt});
      } else {
        cut.cuts.push_back({deal.high, algebra.quotient(dealt, deal.unit)});
        cut.cuts.push_back({deal.low, algebra.remainder(dealt, deal.unit)});
      }
      active = cut;
      SymbolicResult above =
          runSymbolically(algebra, formula, environment, cut);
      if (above.failure.empty() && tryDecode(dealt, above, deal))
        return true;
    }
    return false;
  }

  /// A permutation is one where a condition on the launch holds, and where it
  /// does not.
  void tryCases(const UniformCondition &condition) {
    std::string found;
    for (bool holds : {true, false}) {
      Recogniser one(formula, environment);
      one.depth = depth + 1;
      one.inputs.taken = inputs.taken;
      for (ExprId conditional : condition.conditionals)
        one.inputs.taken[conditional] = holds;
      one.facts =
          facts.with(holds ? condition.zeros : condition.zerosElse, inputs);
      one.algebra.takeWork(algebra);
      NestRecognition side = one.run();
      algebra.takeWork(one.algebra);
      if (!side.isPermutation) {
        result.reason = side.reason; // one condition tells as much as all
        if (!llvm::StringRef(side.reason).starts_with("where"))
          result.reason.insert(0, holds ? "where a condition holds, "
                                        : "where a condition does not hold, ");
        return;
      }
      found += (holds ? "on some grids " : ", else ") + side.description;
    }
    result.isPermutation = true;
    result.description = found;
  }

  struct Step {
    NestLevel level;
    Polynomial index;   ///< p
    bool said = true;   ///< a `LoopNest` can say it
    bool split = false; ///< pieces of the axis are left
  };

  bool tryDecode(const Polynomial &position, const SymbolicResult &text,
                 const DealShape &deal) {
    // Both may hold only once the deal is cut out: on a grid of one row,
    // i // gx is 0 where i is a position, which a sum is not seen to be.
    if (text.leavesCurve)
      return false;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (!llvm::is_contained(chosen, axis) &&
          text.result[axis] != inputs.id[axis])
        return false;
    divisors = text.openDivisors;
    steps.clear();
    bounds.clear();
    positives = {startSize[0], startSize[1], startSize[2]};
    budget = 500;
    Polynomial size[3] = {startSize[0], startSize[1], startSize[2]};
    Polynomial open[3] = {text.result[0], text.result[1], text.result[2]};
    unsigned left = 0;
    for (unsigned axis : chosen)
      left |= 1u << axis;
    if (!decode(position, size, open, left))
      return false;
    if (!fitsIn64Bits()) {
      result.reason = "a value may not fit in 64 bits";
      return false;
    }
    conclude(deal);
    return true;
  }

  /// Runs the text once more, with what the steps say of sizes and places.
  bool fitsIn64Bits() {
    SymbolicInputs bounded = active;
    for (const auto &[value, bound] : bounds) {
      auto [it, added] = bounded.bounds.try_emplace(value, bound);
      it->second = std::min(it->second, bound);
    }
    return !runSymbolically(algebra, formula, environment, bounded).mayOverflow;
  }

  bool decode(const Polynomial &position, const Polynomial (&size)[3],
              const Polynomial (&target)[3], unsigned left) {
    if (!left)
      return divisorsArePositive();
    if (--budget < 0 || steps.size() > 12 || position.isBroken())
      return false;
    for (unsigned axis = 0; axis < 3; ++axis)
      if ((left & (1u << axis)) &&
          finishAxis(position, size, target, left, axis))
        return true;
    // Splitting a piece that was just made changes nothing.
    unsigned open = left;
    if (!steps.empty() && steps.back().split)
      open &= ~(1u << steps.back().level.axis);
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (!(open & (1u << axis)))
        continue;
      for (int64_t tile : constants)
        if (splitAxis(position, size, target, left, axis, tile))
          return true;
      for (const Polynomial &tile : sizes)
        if (splitAxis(position, size, target, left, axis, tile))
          return true;
    }
    return false;
  }

  Polynomial others(const Polynomial (&size)[3], unsigned left,
                    unsigned axis) const {
    Polynomial product = 1;
    for (unsigned other = 0; other < 3; ++other)
      if (other != axis && (left & (1u << other)))
        product = product * size[other];
    return product;
  }

  /// A loop of tile 1 over `axis`.
  bool finishAxis(const Polynomial &position, const Polynomial (&size)[3],
                  const Polynomial (&target)[3], unsigned left, unsigned axis) {
    Polynomial across = others(size, left, axis);
    Polynomial index = algebra.quotient(position, across);
    Step step{{axis, 1, false}, index};
    if (target[axis] != index) {
      Polynomial mirrored = size[axis] - Polynomial(1) - index;
      bool found = target[axis] == mirrored; // always backwards
      step.said = false;
      for (size_t outer = steps.size(); outer-- > 0 && !found;) {
        Polynomial odd = algebra.remainder(steps[outer].index, 2);
        found = target[axis] == algebra.select(odd, mirrored, index);
        if (found) {
          step.level.serpentine = true;
          step.said = outer + 1 == steps.size();
        }
      }
      if (!found)
        return false;
    }
    Polynomial newSize[3] = {size[0], size[1], size[2]};
    newSize[axis] = 1;
    positives.push_back(across);
    size_t known = bounds.size();
    bounds.insert(bounds.end(), {{index, kMaxExtent},
                                 {across, kMaxWorkgroups},
                                 {position - index * across, kMaxWorkgroups}});
    steps.push_back(step);
    if (decode(position - index * across, newSize, target,
               left & ~(1u << axis)))
      return true;
    steps.pop_back();
    positives.pop_back();
    bounds.resize(known);
    return false;
  }

  /// A loop over `axis` in pieces of `tile` >= 1.
  bool splitAxis(const Polynomial &position, const Polynomial (&size)[3],
                 const Polynomial (&target)[3], unsigned left, unsigned axis,
                 const Polynomial &tile) {
    std::optional<int64_t> number = tile.constant();
    // Pieces of pieces are smaller; this also ends the search.
    for (const Step &step : steps)
      if (number && step.level.axis == axis && step.level.tile <= *number)
        return false;
    Polynomial across = others(size, left, axis);
    Polynomial volume = tile * across;
    if (!agrees(target[axis], tile, position, volume))
      return false;
    Polynomial index = algebra.quotient(position, volume);
    if (index.isBroken() || index.isZero())
      return false;
    Polynomial newSize[3] = {size[0], size[1], size[2]};
    Polynomial newTarget[3] = {target[0], target[1], target[2]};
    newSize[axis] = algebra.minimum(tile, size[axis] - index * tile);
    newTarget[axis] = target[axis] - index * tile;
    Step step{{axis, number.value_or(1), false},
              index,
              number.has_value(),
              /*split=*/true};
    size_t known = positives.size(), knownBounds = bounds.size();
    bounds.insert(bounds.end(),
                  {{index, kMaxExtent},
                   {index * tile, kMaxExtent},
                   {size[axis] - index * tile, kMaxExtent},
                   {newSize[axis], number ? double(*number) : kMaxExtent},
                   {across, kMaxWorkgroups},
                   {newSize[axis] * across, kMaxWorkgroups},
                   {index * volume, kMaxWorkgroups},
                   {position - index * volume, kMaxWorkgroups}});
    positives.insert(positives.end(), {newSize[axis], across, volume});
    steps.push_back(step);
    if (decode(position - index * volume, newSize, newTarget, left))
      return true;
    steps.pop_back();
    positives.resize(known);
    bounds.resize(knownBounds);
    return false;
  }

  /// False if some sample shows that target // tile is not position //
  /// volume, or if none has more than one piece.
  bool agrees(const Polynomial &target, const Polynomial &tile,
              const Polynomial &position, const Polynomial &volume) {
    bool moves = false;
    for (auto &values : samples) {
      std::optional<int64_t> t = algebra.evaluate(target, values);
      std::optional<int64_t> w = algebra.evaluate(tile, values);
      std::optional<int64_t> at = algebra.evaluate(position, values);
      std::optional<int64_t> v = algebra.evaluate(volume, values);
      if (!t || !w || !at || !v || *t < 0 || *w < 1 || *at < 0 || *v < 1 ||
          *t / *w != *at / *v)
        return false;
      moves |= *t >= *w;
    }
    return moves;
  }

  /// Every divisor of the text is positive for every id: by itself, or being
  /// the size of a piece or a product of such.
  bool divisorsArePositive() const {
    return llvm::all_of(divisors, [&](const Polynomial &divisor) {
      return algebra.isPositive(divisor) ||
             llvm::any_of(positives, [&](const Polynomial &known) {
               return isMultipleOf(algebra, known, divisor);
             });
    });
  }

  void conclude(const DealShape &deal) {
    result.isPermutation = true;
    LoopNest nest;
    nest.deal = deal.deal;
    nest.chunk = deal.chunk;
    bool said = deal.isLoopNest;
    // A `LoopNest` starts from the dispatcher's order.
    said &= std::is_sorted(chosen.begin(), chosen.end());
    for (unsigned axis = 3; axis-- > 0;)
      if (!llvm::is_contained(chosen, axis)) {
        bool isOutermost =
            deal.deal == Deal::None &&
            llvm::all_of(chosen, [&](unsigned c) { return c < axis; });
        said &= isOutermost || inputs.extent[axis] == Polynomial(1);
        nest.levels.push_back({axis, 1, false});
      }
    for (const Step &step : steps) {
      said &= step.said;
      nest.levels.push_back(step.level);
    }
    std::string text = nest.describe();
    if (deal.deal != Deal::None)
      text =
          deal.description + text.substr(std::min(text.find(';'), text.size()));
    result.description = std::move(text);
    if (said && nest.verify().empty())
      result.nest = std::move(nest);
  }

  const Formula &formula;
  const Environment &environment;
  NestRecognition result;
  GridFacts facts; ///< of the case that is looked at
  Algebra algebra;
  SymbolicInputs inputs;
  unsigned depth = 0; ///< of cases within cases, each of which doubles the work
  SymbolicResult symbolic;
  std::vector<int64_t> constants; ///< possible tiles and numbers of dies
  std::vector<Polynomial> sizes;  ///< possible tiles made of extents
  std::vector<std::map<AtomId, int64_t>> samples;
  // Of the start being tried:
  std::vector<unsigned> chosen;
  Polynomial startSize[3];
  std::vector<Step> steps;
  std::vector<Polynomial> positives;                 ///< known from the steps
  std::vector<std::pair<Polynomial, double>> bounds; ///< known from the steps
  SymbolicInputs active;            ///< with the cut of the deal being tried
  std::vector<Polynomial> divisors; ///< of the text, to be shown positive
  int budget = 500;
};
} // namespace

NestRecognition formula::recognise(const Formula &formula,
                                   const Environment &environment) {
  return Recogniser(formula, environment).run();
}

std::optional<LoopNest> recogniseNest(const Formula &formula,
                                      const Environment &environment) {
  return recognise(formula, environment).nest;
}

} // namespace swizzle
