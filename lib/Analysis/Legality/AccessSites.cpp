//===- AccessSites.cpp - Accesses and when they happen --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two ways to ask whether two accesses meet. The quick one looks at strides:
// the difference of the two addresses is a sum of stride times difference, and
// with the strides in falling order, as the digits of a number, few differences
// can bring it near zero. The exact one hands the conditions to MLIR's
// Presburger library, which finds an integer point or shows that there is none.
//
//===----------------------------------------------------------------------===//

#include "AccessSites.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace swizzle {

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

namespace {
class Collector {
public:
  explicit Collector(const KernelModel &model) : model(model) {}

  std::vector<AccessSite> run() {
    visit(model.body);
    return std::move(sites);
  }

private:
  void visit(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (auto *access = std::get_if<Access>(&statement.node))
        add(*access);
      else if (auto *loop = std::get_if<Loop>(&statement.node))
        visit(*loop);
      else if (auto *guard = std::get_if<Guard>(&statement.node))
        visit(*guard);
    }
  }

  void visit(const Loop &loop) {
    size_t depth = conditions.size();
    AffineForm counter = makeVariable(loop.counter);
    conditions.push_back({counter, false});
    for (const AffineForm &trip : loop.tripCounts)
      conditions.push_back({trip - counter - makeConstant(1), false});
    visit(loop.body);
    conditions.resize(depth);
  }

  void visit(const Guard &guard) {
    size_t depth = conditions.size();
    conditions.insert(conditions.end(), guard.conditions.begin(),
                      guard.conditions.end());
    visit(guard.body);
    conditions.resize(depth);
    if (guard.otherwise.empty())
      return;
    // The negation of one inequality is one inequality; others stay apart.
    bool linear =
        guard.conditions.size() == 1 && !guard.conditions.front().equality;
    if (linear)
      conditions.push_back(
          {guard.conditions.front().form * -1 - makeConstant(1), false});
    else
      notAll.push_back(&guard);
    visit(guard.otherwise);
    conditions.resize(depth);
    if (!linear)
      notAll.pop_back();
  }

  /// Adds the variables of `form`, and what quotients among them depend on.
  void use(const AffineForm &form, std::vector<bool> &used) {
    for (const Term &term : form.terms) {
      if (used[term.variable])
        continue;
      used[term.variable] = true;
      const Variable &variable = model.variables[term.variable];
      if (variable.kind == VariableKind::Quotient)
        use(variable.numerator, used);
    }
  }

  void add(const Access &access) {
    AccessSite site;
    site.access = &access;
    site.conditions = conditions;
    site.notAll = notAll;
    std::vector<bool> used(model.variables.size(), false);
    // Workgroup ids matter even where nothing depends on them.
    for (VariableId axis = 0; axis < 3; ++axis)
      used[kWorkgroupIdX + axis] = true;
    use(access.address, used);
    for (const Condition &condition : conditions)
      use(condition.form, used);
    for (const Guard *guard : notAll)
      for (const Condition &condition : guard->conditions)
        use(condition.form, used);
    for (VariableId id = 0; id < used.size(); ++id)
      if (used[id])
        site.variables.push_back(id);
    sites.push_back(std::move(site));
  }

  const KernelModel &model;
  std::vector<Condition> conditions;
  std::vector<const Guard *> notAll;
  std::vector<AccessSite> sites;
};
} // namespace

std::vector<AccessSite> collectAccessSites(const KernelModel &model) {
  return Collector(model).run();
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Range of `form`; false if a bound leaves 64 bits.
static bool rangeOf(const AffineForm &form, const std::vector<Interval> &ranges,
                    Interval &result) {
  result = {form.constant, form.constant};
  for (const Term &term : form.terms) {
    const Interval &range = ranges[term.variable];
    int64_t low, high;
    if (llvm::MulOverflow(term.coefficient, range.low, low) ||
        llvm::MulOverflow(term.coefficient, range.high, high))
      return false;
    if (low > high)
      std::swap(low, high);
    if (llvm::AddOverflow(result.low, low, result.low) ||
        llvm::AddOverflow(result.high, high, result.high))
      return false;
  }
  return true;
}

static void collectLoops(const std::vector<Statement> &body,
                         std::vector<const Loop *> &loops) {
  for (const Statement &statement : body) {
    if (auto *loop = std::get_if<Loop>(&statement.node)) {
      loops.push_back(loop);
      collectLoops(loop->body, loops);
    } else if (auto *guard = std::get_if<Guard>(&statement.node)) {
      collectLoops(guard->body, loops);
      collectLoops(guard->otherwise, loops);
    }
  }
}

std::optional<std::vector<Interval>> findRanges(const KernelModel &model) {
  llvm::DenseMap<VariableId, const Loop *> owner;
  std::vector<const Loop *> loops;
  collectLoops(model.body, loops);
  for (const Loop *loop : loops)
    owner[loop->counter] = loop;

  // Quotients and trip counts refer to earlier variables, or to counters of
  // outer loops: a few rounds settle every chain, as in a dependency order.
  std::vector<Interval> ranges(model.variables.size());
  std::vector<bool> known(model.variables.size(), false);
  auto ready = [&](const AffineForm &form) {
    return llvm::all_of(form.terms,
                        [&](const Term &term) { return known[term.variable]; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (VariableId id = 0; id < model.variables.size(); ++id) {
      if (known[id])
        continue;
      const Variable &variable = model.variables[id];
      Interval range;
      switch (variable.kind) {
      case VariableKind::WorkgroupId:
        range = {0, std::max<int64_t>(model.grid[variable.axis], 1) - 1};
        break;
      case VariableKind::ThreadId:
        range = {0, std::max<int64_t>(model.block[variable.axis], 1) - 1};
        break;
      case VariableKind::LoopCounter: {
        auto loop = owner.find(id);
        if (loop == owner.end())
          break;
        if (!llvm::all_of(loop->second->tripCounts, ready))
          continue;
        range.high = INT64_MAX;
        for (const AffineForm &trip : loop->second->tripCounts) {
          Interval bound;
          if (!rangeOf(trip, ranges, bound))
            return std::nullopt;
          range.high = std::min(range.high, bound.high - 1);
        }
        range.high = std::max<int64_t>(range.high, 0);
        break;
      }
      case VariableKind::Quotient:
        if (!ready(variable.numerator))
          continue;
        if (!rangeOf(variable.numerator, ranges, range))
          return std::nullopt;
        range.low = llvm::divideFloorSigned(range.low, variable.divisor);
        range.high = llvm::divideFloorSigned(range.high, variable.divisor);
        break;
      }
      ranges[id] = range;
      known[id] = true;
      changed = true;
    }
  }
  if (!llvm::all_of(known, [](bool is) { return is; }))
    return std::nullopt;
  return ranges;
}

//===----------------------------------------------------------------------===//
// The exact question
//===----------------------------------------------------------------------===//

namespace {
using Row = llvm::SmallVector<int64_t, 32>;

/// One site's variables as columns of a relation.
struct Side {
  const AccessSite *site = nullptr;
  llvm::DenseMap<VariableId, unsigned> column;
  unsigned firstBox = 0;
};

/// The polyhedron of all pairs of executions, the first at one site, the second
/// at another.
class PairPolyhedron {
public:
  PairPolyhedron(const KernelModel &model, const Grid &grid,
                 const AccessSite &a, const AccessSite &b)
      : model(model) {
    sides[0].site = &a;
    sides[1].site = &b;
    for (Side &side : sides) {
      for (VariableId id : side.site->variables)
        side.column[id] = columns++;
      side.firstBox = columns;
      columns += side.site->access->box.size();
    }
    for (Side &side : sides) {
      constrain(side, grid);
    }
    meet();
  }

  /// Looks for an integer point with `first - second >= 1` along `axis`.
  std::optional<std::vector<int64_t>> sample(unsigned axis,
                                             bool firstIsGreater) {
    mlir::presburger::IntegerRelation relation(
        mlir::presburger::PresburgerSpace::getSetSpace(columns));
    for (const Row &row : inequalities)
      relation.addInequality(row);
    for (const Row &row : equalities)
      relation.addEquality(row);
    Row apart(columns + 1, 0);
    int64_t sign = firstIsGreater ? 1 : -1;
    apart[sides[0].column[kWorkgroupIdX + axis]] = sign;
    apart[sides[1].column[kWorkgroupIdX + axis]] = -sign;
    apart[columns] = -1;
    relation.addInequality(apart);
    if (relation.isEmptyByGCDTest())
      return std::nullopt;
    auto point = relation.findIntegerSample();
    if (!point)
      return std::nullopt;
    std::vector<int64_t> values;
    for (const llvm::DynamicAPInt &value : *point)
      values.push_back(int64_t(value));
    return values;
  }

  /// Values of all variables of one side at a point, indexed by variable.
  std::vector<int64_t> valuesOf(unsigned which,
                                const std::vector<int64_t> &point) const {
    std::vector<int64_t> values(model.variables.size(), 0);
    for (auto [id, column] : sides[which].column)
      values[id] = point[column];
    return values;
  }

  /// First byte that one side touches at a point.
  int64_t addressOf(unsigned which, const std::vector<int64_t> &point) const {
    const Side &side = sides[which];
    int64_t address =
        evaluate(side.site->access->address, valuesOf(which, point));
    for (auto [index, dim] : llvm::enumerate(side.site->access->box))
      address += dim.stride * point[side.firstBox + index];
    return address;
  }

private:
  void addForm(Row &row, const Side &side, const AffineForm &form,
               int64_t factor) const {
    for (const Term &term : form.terms)
      row[side.column.lookup(term.variable)] += factor * term.coefficient;
    row[columns] += factor * form.constant;
  }

  void bound(unsigned column, int64_t low, int64_t high) {
    Row row(columns + 1, 0);
    row[column] = 1;
    row[columns] = -low;
    inequalities.push_back(row);
    row[column] = -1;
    row[columns] = high;
    inequalities.push_back(row);
  }

  void constrain(Side &side, const Grid &grid) {
    for (VariableId id : side.site->variables) {
      const Variable &variable = model.variables[id];
      unsigned column = side.column[id];
      switch (variable.kind) {
      case VariableKind::WorkgroupId:
        bound(column, 0, grid[variable.axis] - 1);
        break;
      case VariableKind::ThreadId:
        bound(column, 0, model.block[variable.axis] - 1);
        break;
      case VariableKind::LoopCounter:
        break; // among the conditions
      case VariableKind::Quotient: {
        // 0 <= numerator - divisor * quotient <= divisor - 1
        Row row(columns + 1, 0);
        addForm(row, side, variable.numerator, 1);
        row[column] -= variable.divisor;
        inequalities.push_back(row);
        for (int64_t &entry : row)
          entry = -entry;
        row[columns] += variable.divisor - 1;
        inequalities.push_back(row);
        break;
      }
      }
    }
    for (const Condition &condition : side.site->conditions) {
      Row row(columns + 1, 0);
      addForm(row, side, condition.form, 1);
      (condition.equality ? equalities : inequalities).push_back(row);
    }
    for (auto [index, dim] : llvm::enumerate(side.site->access->box))
      bound(side.firstBox + index, 0, dim.count - 1);
  }

  /// The bytes of both sides intersect.
  void meet() {
    Row row(columns + 1, 0);
    for (unsigned which = 0; which < 2; ++which) {
      const Side &side = sides[which];
      int64_t factor = which == 0 ? 1 : -1;
      addForm(row, side, side.site->access->address, factor);
      for (auto [index, dim] : llvm::enumerate(side.site->access->box))
        row[side.firstBox + index] += factor * dim.stride;
    }
    int64_t bytesA = sides[0].site->access->bytes;
    int64_t bytesB = sides[1].site->access->bytes;
    // Equal, aligned elements meet where their addresses are equal.
    if (bytesA == bytesB &&
        llvm::all_of(row, [&](int64_t x) { return x % bytesA == 0; })) {
      for (int64_t &entry : row)
        entry /= bytesA;
      equalities.push_back(row);
      return;
    }
    Row below = row;
    below[columns] += bytesA - 1;
    inequalities.push_back(below);
    for (int64_t &entry : row)
      entry = -entry;
    row[columns] += bytesB - 1;
    inequalities.push_back(row);
  }

  const KernelModel &model;
  Side sides[2];
  unsigned columns = 0;
  std::vector<Row> inequalities, equalities;
};
} // namespace

/// True if in each guard some condition fails.
static bool noneHolds(const std::vector<const Guard *> &guards,
                      const std::vector<int64_t> &values) {
  return llvm::all_of(guards, [&](const Guard *guard) {
    return llvm::any_of(guard->conditions, [&](const Condition &condition) {
      int64_t value = evaluate(condition.form, values);
      return condition.equality ? value != 0 : value < 0;
    });
  });
}

Answer meetExactly(const KernelModel &model, const Grid &grid,
                   const AccessSite &a, const AccessSite &b, Meeting &meeting) {
  PairPolyhedron polyhedron(model, grid, a, b);
  bool unknown = false;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid[axis] < 2)
      continue;
    for (bool firstIsGreater : {false, true}) {
      // A site meets itself both ways or not at all.
      if (firstIsGreater && a.access == b.access)
        continue;
      auto point = polyhedron.sample(axis, firstIsGreater);
      if (!point)
        continue;
      std::vector<int64_t> first = polyhedron.valuesOf(0, *point);
      std::vector<int64_t> second = polyhedron.valuesOf(1, *point);
      if (!noneHolds(a.notAll, first) || !noneHolds(b.notAll, second)) {
        unknown = true;
        continue;
      }
      meeting.first = {first[0], first[1], first[2]};
      meeting.second = {second[0], second[1], second[2]};
      meeting.byte = std::max(polyhedron.addressOf(0, *point),
                              polyhedron.addressOf(1, *point));
      return Answer::Yes;
    }
  }
  return unknown ? Answer::Unknown : Answer::No;
}

} // namespace swizzle
