//===- CompareEmitted.cpp - Emitted operations against the formula --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A known grid is compared for every workgroup. A grid that is not known is
// compared on sample grids chosen to be awkward; that the formula is a
// permutation for all others is the nest's proof, and that the operations are
// those of the nest is what the samples check.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Emit/CompareEmitted.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

namespace swizzle {

namespace {

std::string describe(WorkgroupId id) {
  return "(" + std::to_string(id.x) + ", " + std::to_string(id.y) + ", " +
         std::to_string(id.z) + ")";
}

/// Compares for consecutive workgroups of one grid.
class Comparison {
public:
  Comparison(EmittedProgram &program, const BoundFormula *formula,
             const Grid &grid, bool hasExtents)
      : program(program), formula(formula), grid(grid) {
    if (!hasExtents)
      return;
    for (unsigned axis = 0; axis < 3; ++axis)
      std::fill_n(program.input(3 + axis).begin(), EmittedProgram::batchSize,
                  uint64_t(grid[axis]));
  }

  /// `formula` null: the identity is expected.
  llvm::Error run(int64_t first, int64_t count);

  /// Marks the ids that later runs reach in `marks`.
  void markReached(llvm::BitVector &marks) { reached = &marks; }

private:
  EmittedProgram &program;
  const BoundFormula *formula;
  Grid grid;
  llvm::BitVector *reached = nullptr;
};

} // namespace

llvm::Error Comparison::run(int64_t first, int64_t count) {
  WorkgroupId at = delinearise(first, grid);
  for (int64_t lane = 0; lane < count;) {
    int64_t run = std::min(count - lane, grid.x() - at.x);
    uint64_t *x = program.input(0).data() + lane;
    for (int64_t k = 0; k < run; ++k)
      x[k] = uint64_t(at.x + k);
    std::fill_n(program.input(1).begin() + lane, run, uint64_t(at.y));
    std::fill_n(program.input(2).begin() + lane, run, uint64_t(at.z));
    lane += run;
    at.x = 0;
    if (++at.y == grid.y()) {
      at.y = 0;
      ++at.z;
    }
  }
  if (llvm::Error error = program.run(count)) {
    WorkgroupId id = delinearise(first + program.failedLane(), grid);
    return llvm::createStringError("workgroup " + describe(id) + ": " +
                                   llvm::toString(std::move(error)));
  }
  std::array<int64_t, EmittedProgram::batchSize> expected;
  if (formula) {
    if (llvm::Error error =
            formula->evaluate(first, {expected.data(), size_t(count)}))
      return error;
  } else {
    for (int64_t lane = 0; lane < count; ++lane)
      expected[lane] = first + lane;
  }
  llvm::ArrayRef<uint64_t> x = program.output(0);
  llvm::ArrayRef<uint64_t> y = program.output(1);
  llvm::ArrayRef<uint64_t> z = program.output(2);
  // As numbers, so that nothing branches.
  auto isUnexpected = [&](int64_t lane) {
    uint64_t id =
        (z[lane] * uint64_t(grid.y()) + y[lane]) * uint64_t(grid.x()) + x[lane];
    return unsigned(x[lane] >= uint64_t(grid.x())) |
           unsigned(y[lane] >= uint64_t(grid.y())) |
           unsigned(z[lane] >= uint64_t(grid.z())) |
           unsigned(id != uint64_t(expected[lane]));
  };
  unsigned anyUnexpected = 0;
  for (int64_t lane = 0; lane < count; ++lane)
    anyUnexpected |= isUnexpected(lane);
  for (int64_t lane = 0; anyUnexpected && lane < count; ++lane) {
    if (!isUnexpected(lane))
      continue;
    WorkgroupId got{int64_t(x[lane]), int64_t(y[lane]), int64_t(z[lane])};
    return llvm::createStringError(
        "workgroup " + describe(delinearise(first + lane, grid)) +
        " is sent to " + describe(got) + ", not to " +
        describe(delinearise(expected[lane], grid)));
  }
  for (int64_t lane = 0; reached && lane < count; ++lane)
    reached->set(expected[lane]);
  return llvm::Error::success();
}

/// Grids on which a dynamic remap is tried: flat, tall, primes, fewer
/// workgroups than dies, powers of two, large ones.
static std::vector<Grid> sampleGrids(const Grid &known) {
  static const Grid samples[] = {
      {1, 1, 1},    {2, 1, 1},     {1, 3, 1},     {7, 5, 1},   {1, 61, 1},
      {61, 1, 1},   {64, 64, 1},   {61, 37, 1},   {96, 61, 1}, {13, 8, 5},
      {8, 13, 3},   {3, 4, 29},    {129, 257, 1}, {1, 1, 97},  {1009, 2, 1},
      {2, 1009, 1}, {4099, 31, 1}, {31, 4099, 1},
  };
  std::vector<Grid> grids;
  for (Grid grid : samples) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (known[axis] != kUnknownExtent)
        grid[axis] = known[axis];
    if (!llvm::is_contained(grids, grid))
      grids.push_back(grid);
  }
  return grids;
}

/// `formula` returning y too. One value is the new x in each row of a grid
/// whose number of rows the launch decides; evaluation refuses it on several.
static Formula forAnyRows(const Formula &formula) {
  if (formula.numResults() != 1)
    return formula;
  FormulaAST ast = formula.ast();
  Expr y;
  y.kind = ExprKind::Name;
  y.name = "y";
  ast.results.push_back(ExprId(ast.expressions.size()));
  ast.expressions.push_back(std::move(y));
  return Formula::fromAST(std::move(ast));
}

/// Runs the first, the last and, up to a cap, all workgroups between.
static llvm::Error compareSome(Comparison &comparison, int64_t total,
                               int64_t cap) {
  constexpr int64_t batch = EmittedProgram::batchSize;
  int64_t batches = (total + batch - 1) / batch;
  int64_t tried = std::min(batches, std::max<int64_t>(cap / batch, 2));
  for (int64_t i = 0; i < tried; ++i) {
    // Spread evenly, ends included.
    int64_t at =
        tried == 1 ? 0 : int64_t(__int128(i) * (batches - 1) / (tried - 1));
    int64_t first = at * batch;
    if (llvm::Error error =
            comparison.run(first, std::min(batch, total - first)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error compareEmitted(EmittedProgram &program,
                           const EmittedExpectation &expected) {
  const Environment &environment = expected.environment;
  bool hasExtents = program.numInputs() == 6;
  Formula evaluated = environment.grid.isStatic()
                          ? expected.formula
                          : forAnyRows(expected.formula);
  auto compare = [&](const Grid &grid, bool expectIdentity,
                     int64_t cap) -> llvm::Error {
    // Where the identity is expected, the formula need not even fit the grid.
    std::optional<BoundFormula> reference;
    if (!expectIdentity) {
      Environment bound = environment;
      bound.grid = grid;
      llvm::Expected<BoundFormula> formulaThere =
          BoundFormula::bind(evaluated, std::move(bound));
      if (!formulaThere)
        return formulaThere.takeError();
      reference = std::move(*formulaThere);
    }
    Comparison comparison(program, reference ? &*reference : nullptr, grid,
                          hasExtents);
    if (expected.reached && !expectIdentity && environment.grid.isStatic() &&
        grid.count() <= cap) {
      expected.reached->resize(grid.count());
      comparison.markReached(*expected.reached);
    }
    return compareSome(comparison, grid.count(), cap);
  };

  constexpr int64_t maxCompared = int64_t(1) << 22;
  constexpr int64_t perSample = int64_t(1) << 13;
  if (environment.grid.isStatic()) {
    if (llvm::Error error = compare(environment.grid, false, maxCompared))
      return error;
    if (!expected.guarded)
      return llvm::Error::success();
    // Any other launch must see the identity.
    for (Grid grid :
         sampleGrids({kUnknownExtent, kUnknownExtent, kUnknownExtent}))
      if (grid != environment.grid)
        if (llvm::Error error = compare(grid, true, perSample))
          return error;
    return llvm::Error::success();
  }
  for (const Grid &grid : sampleGrids(environment.grid)) {
    bool beyond =
        expected.maxExtentProduct && grid.count() > expected.maxExtentProduct;
    if (llvm::Error error = compare(grid, beyond, perSample))
      return llvm::createStringError(
          "on a grid of " + std::to_string(grid.x()) + "x" +
          std::to_string(grid.y()) + "x" + std::to_string(grid.z()) + ": " +
          llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}

} // namespace swizzle
