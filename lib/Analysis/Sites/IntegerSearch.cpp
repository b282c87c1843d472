//===- IntegerSearch.cpp - Integer points of linear conditions ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound on the linear relaxation (Land and Doig, 1960), after two
// steps that make it short for the systems that pairs of accesses lead to.
//
// Two addresses of one form differ by stride times difference, whatever the ids
// themselves are. So one of two twins is replaced by their difference:
//
//   128 x - 128 y + s - t = 0,  x > y,  0 <= s, t < 128
//   128 d + e = 0,  d >= 1,  -127 <= e <= 127: empty as rational numbers
//
// An equality with an unknown of coefficient 1 or -1 gives that unknown, which
// is replaced everywhere. This is exact for integers, and leaves equalities
// whose coefficients may share a factor that the constant does not have:
//
//   8 x - 8 y + 4 s - 4 t = 0,  s = 2 p,  t = 2 q + 1
//   8 x - 8 y + 8 p - 8 q = 4: no integers
//
//===----------------------------------------------------------------------===//

#include "IntegerSearch.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <optional>

using mlir::presburger::Fraction;
using mlir::presburger::Simplex;

namespace swizzle::analysis {

void LinearSystem::bound(Row row, int64_t most) {
  inequalities.push_back(row);
  for (int64_t &entry : row)
    entry = -entry;
  row.back() += most;
  inequalities.push_back(std::move(row));
}

namespace {
/// A tableau that says what a condition costs: upstream's own does not tell how
/// many pivots one took, and does not stop.
class CountingSimplex : public Simplex {
public:
  using Simplex::Simplex;

  /// Adds `row >= 0`; false if the budget is spent, and the tableau is none
  /// then.
  bool constrain(llvm::ArrayRef<llvm::DynamicAPInt> row, WorkBudget &budget);

private:
  std::optional<Pivot> findStep(unsigned row) const;
  std::optional<unsigned> findBlocking(unsigned row, unsigned column,
                                       bool grows) const;

  uint64_t shrink();
};

/// An unknown that an equality gives: its coefficient there is 1 or -1.
struct Replaced {
  unsigned unknown;
  Row equality;
};

class IntegerSearch {
public:
  IntegerSearch(LinearSystem system,
                const std::vector<std::pair<unsigned, unsigned>> &twins,
                WorkBudget &budget)
      : system(std::move(system)), twins(twins), budget(budget) {}

  Answer run(std::vector<int64_t> &point);

private:
  bool useDifferences();
  bool normalise();
  bool replaceOne();
  bool replace(unsigned unknown, const Row &equality, std::vector<Row> &rows);
  Answer branchAndBound();
  Answer visit(CountingSimplex &simplex, unsigned depth);
  std::optional<unsigned> findFraction(llvm::ArrayRef<Fraction> sample) const;
  bool constrain(CountingSimplex &simplex, const Row &row, bool equality);
  bool complete();

  LinearSystem system;
  const std::vector<std::pair<unsigned, unsigned>> &twins;
  WorkBudget &budget;
  std::vector<Replaced> replaced;
  /// Unknowns that are left, those first that the search decides first.
  std::vector<unsigned> order;
  std::vector<int64_t> values;
};
} // namespace

/// Replaces the second of two twins by the first minus it; false on overflow.
bool IntegerSearch::useDifferences() {
  for (std::vector<Row> *rows : {&system.equalities, &system.inequalities})
    for (Row &row : *rows)
      for (auto [first, second] : twins) {
        if (llvm::AddOverflow(row[first], row[second], row[first]) ||
            row[second] == INT64_MIN)
          return false;
        row[second] = -row[second];
      }
  return true;
}

/// Divides rows by what their coefficients share; false if one cannot hold.
bool IntegerSearch::normalise() {
  auto shared = [](const Row &row) {
    int64_t factor = 0;
    for (int64_t entry : llvm::drop_end(row))
      factor = std::gcd(factor, entry);
    return factor;
  };
  for (Row &row : system.equalities) {
    int64_t factor = shared(row);
    if (factor == 0 ? row.back() != 0 : row.back() % factor != 0)
      return false;
    if (factor > 1)
      for (int64_t &entry : row)
        entry /= factor;
  }
  for (Row &row : system.inequalities) {
    int64_t factor = shared(row);
    if (factor == 0 && row.back() < 0)
      return false;
    if (factor < 2)
      continue;
    row.back() = llvm::divideFloorSigned(row.back(), factor);
    for (int64_t &entry : llvm::drop_end(row))
      entry /= factor;
  }
  auto isTrivial = [&](const Row &row) { return shared(row) == 0; };
  llvm::erase_if(system.equalities, isTrivial);
  llvm::erase_if(system.inequalities, isTrivial);
  return true;
}

/// Adds a multiple of `equality` to each row so that none has `unknown`; false,
/// with nothing changed, on overflow.
bool IntegerSearch::replace(unsigned unknown, const Row &equality,
                            std::vector<Row> &rows) {
  std::vector<Row> changed = rows;
  for (Row &row : changed) {
    // The coefficient in `equality` is its own inverse.
    int64_t factor = 0;
    if (llvm::MulOverflow(row[unknown], -equality[unknown], factor))
      return false;
    for (auto [entry, other] : llvm::zip(row, equality)) {
      int64_t product;
      if (llvm::MulOverflow(factor, other, product) ||
          llvm::AddOverflow(entry, product, entry) || entry == INT64_MIN)
        return false; // the least number has no opposite
    }
  }
  rows = std::move(changed);
  return true;
}

/// Replaces one unknown by what an equality says of it; false if none does.
bool IntegerSearch::replaceOne() {
  for (size_t i = 0; i < system.equalities.size(); ++i)
    for (unsigned unknown = system.unknowns; unknown-- > 0;) {
      Row equality = system.equalities[i];
      if (equality[unknown] != 1 && equality[unknown] != -1)
        continue;
      std::vector<Row> equalities = system.equalities;
      equalities.erase(equalities.begin() + i);
      if (!replace(unknown, equality, equalities) ||
          !replace(unknown, equality, system.inequalities))
        continue;
      system.equalities = std::move(equalities);
      replaced.push_back({unknown, std::move(equality)});
      return true;
    }
  return false;
}

/// The number, if it is far from overflow.
static std::optional<int64_t> smallOf(const llvm::DynamicAPInt &value) {
  constexpr int64_t most = int64_t(1) << 60;
  if (value > most || value < -most)
    return std::nullopt;
  return int64_t(value);
}

/// What a pivot costs now: its entries, those counted more that do not fit in
/// 64 bits. Of others, what once did not fit stays slow until it is made anew.
uint64_t CountingSimplex::shrink() {
  constexpr uint64_t kOfLarge = 20;
  uint64_t work = 0;
  for (unsigned row = 0; row < getNumRows(); ++row)
    for (llvm::DynamicAPInt &entry : tableau.getRow(row)) {
      std::optional<int64_t> small = smallOf(entry);
      if (small)
        entry = llvm::DynamicAPInt(*small);
      work += small ? 1 : kOfLarge;
    }
  return work;
}

/// The row that stops the unknown of `column` first where it grows, or falls,
/// if not `row` itself does: the least quotient, and of equal ones the first
/// unknown.
std::optional<unsigned>
CountingSimplex::findBlocking(unsigned row, unsigned column, bool grows) const {
  std::optional<unsigned> best;
  for (unsigned other = nRedundant; other < getNumRows(); ++other) {
    const llvm::DynamicAPInt &entry = tableau(other, column);
    if (other == row || entry == 0 || (entry > 0) == grows ||
        !unknownFromRow(other).restricted)
      continue;
    if (best) {
      llvm::DynamicAPInt difference =
          abs(tableau(*best, column)) * tableau(other, 1) -
          abs(entry) * tableau(*best, 1);
      if (difference > 0 ||
          (difference == 0 && rowUnknown[*best] < rowUnknown[other]))
        continue;
    }
    best = other;
  }
  return best;
}

/// A pivot that lets the value of `row` grow. The first unknown that can, so
/// that no basis comes twice (Bland, 1977).
std::optional<Simplex::Pivot> CountingSimplex::findStep(unsigned row) const {
  std::optional<unsigned> best;
  for (unsigned column = getNumFixedCols(); column < getNumColumns();
       ++column) {
    const llvm::DynamicAPInt &entry = tableau(row, column);
    if (entry == 0 || (entry < 0 && unknownFromColumn(column).restricted))
      continue;
    if (!best || colUnknown[column] < colUnknown[*best])
      best = column;
  }
  if (!best)
    return std::nullopt;
  bool grows = tableau(row, *best) > 0;
  return Pivot{findBlocking(row, *best, grows).value_or(row), *best};
}

bool CountingSimplex::constrain(llvm::ArrayRef<llvm::DynamicAPInt> row,
                                WorkBudget &budget) {
  const unsigned index = addRow(row, /*makeRestricted=*/true);
  // Undoing it later is a pivot as well.
  if (!budget.spend(shrink()))
    return false;
  const Unknown &unknown = con[index];
  while (unknown.orientation == Orientation::Row &&
         tableau(unknown.pos, 1) < 0) {
    std::optional<Pivot> step = findStep(unknown.pos);
    if (!step) {
      markEmpty();
      return true;
    }
    pivot(*step);
    if (!budget.spend(shrink()))
      return false;
  }
  return true;
}

/// Adds a row to the tableau; false if the budget is spent.
bool IntegerSearch::constrain(CountingSimplex &simplex, const Row &row,
                              bool equality) {
  llvm::SmallVector<llvm::DynamicAPInt, 32> entries;
  for (unsigned unknown : order)
    entries.emplace_back(row[unknown]);
  entries.emplace_back(row.back());
  if (!simplex.constrain(entries, budget))
    return false;
  if (!equality || simplex.isEmpty())
    return true;
  for (llvm::DynamicAPInt &entry : entries)
    entry = -entry;
  return simplex.constrain(entries, budget);
}

/// The first unknown, in `order`, that is no integer in `sample`.
std::optional<unsigned>
IntegerSearch::findFraction(llvm::ArrayRef<Fraction> sample) const {
  for (auto [index, value] : llvm::enumerate(sample))
    if (value.num % value.den != 0)
      return index;
  return std::nullopt;
}

/// Searches what the tableau leaves.
Answer IntegerSearch::visit(CountingSimplex &simplex, unsigned depth) {
  constexpr unsigned kMaxDepth = 200;
  if (simplex.isEmpty())
    return Answer::No;
  std::optional<llvm::SmallVector<Fraction, 8>> sample =
      simplex.getRationalSample();
  if (!sample || depth > kMaxDepth)
    return Answer::Unknown;
  std::optional<unsigned> index = findFraction(*sample);
  if (!index) {
    for (auto [unknown, value] : llvm::zip(order, *sample)) {
      std::optional<int64_t> number = smallOf(value.num / value.den);
      if (!number)
        return Answer::Unknown;
      values[unknown] = *number;
    }
    return complete() ? Answer::Yes : Answer::Unknown;
  }
  const Fraction &value = (*sample)[*index];
  std::optional<int64_t> below = smallOf(floor(value));
  if (!below)
    return Answer::Unknown;
  // The nearer side first.
  bool isBelow = (value.num - value.den * *below) * 2 < value.den;
  Answer result = Answer::No;
  for (bool lower : {isBelow, !isBelow}) {
    Row row(system.unknowns + 1, 0);
    row[order[*index]] = lower ? -1 : 1;
    row.back() = lower ? *below : -*below - 1;
    unsigned snapshot = simplex.getSnapshot();
    Answer answer = constrain(simplex, row, false) ? visit(simplex, depth + 1)
                                                   : Answer::Unknown;
    simplex.rollback(snapshot);
    if (answer == Answer::Yes)
      return answer;
    if (answer == Answer::Unknown)
      result = Answer::Unknown;
    if (budget.left == 0)
      return Answer::Unknown;
  }
  return result;
}

Answer IntegerSearch::branchAndBound() {
  CountingSimplex simplex(order.size());
  for (const Row &row : system.equalities) {
    if (!constrain(simplex, row, true))
      return Answer::Unknown;
    if (simplex.isEmpty())
      return Answer::No;
  }
  for (const Row &row : system.inequalities) {
    if (!constrain(simplex, row, false))
      return Answer::Unknown;
    if (simplex.isEmpty())
      return Answer::No;
  }
  return visit(simplex, 0);
}

/// The values of all unknowns, as they came; false on overflow.
bool IntegerSearch::complete() {
  for (const Replaced &one : llvm::reverse(replaced)) {
    __int128 rest = one.equality.back();
    for (unsigned unknown = 0; unknown < system.unknowns; ++unknown)
      if (unknown != one.unknown)
        rest += __int128(one.equality[unknown]) * values[unknown];
    constexpr __int128 most = __int128(1) << 60;
    if (rest > most || rest < -most)
      return false;
    values[one.unknown] = -one.equality[one.unknown] * int64_t(rest);
  }
  for (auto [first, second] : twins)
    values[second] = values[first] - values[second];
  return true;
}

Answer IntegerSearch::run(std::vector<int64_t> &point) {
  if (!useDifferences())
    return Answer::Unknown;
  do {
    if (!normalise())
      return Answer::No;
    if (!budget.spend(system.unknowns *
                      (system.equalities.size() + system.inequalities.size())))
      return Answer::Unknown;
  } while (replaceOne());

  std::vector<bool> left(system.unknowns, false);
  for (const std::vector<Row> *rows :
       {&system.equalities, &system.inequalities})
    for (const Row &row : *rows)
      for (unsigned unknown = 0; unknown < system.unknowns; ++unknown)
        left[unknown] = left[unknown] || row[unknown] != 0;
  auto take = [&](unsigned unknown) {
    if (left[unknown])
      order.push_back(unknown);
    left[unknown] = false;
  };
  for (auto [first, second] : twins)
    take(second);
  for (unsigned unknown = 0; unknown < system.unknowns; ++unknown)
    take(unknown);
  values.assign(system.unknowns, 0);
  Answer answer = branchAndBound();
  if (answer == Answer::Yes)
    point = std::move(values);
  return answer;
}

Answer findInteger(LinearSystem system,
                   const std::vector<std::pair<unsigned, unsigned>> &twins,
                   WorkBudget &budget, std::vector<int64_t> &point) {
  return IntegerSearch(std::move(system), twins, budget).run(point);
}

} // namespace swizzle::analysis
