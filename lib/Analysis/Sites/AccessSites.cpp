//===- AccessSites.cpp - Accesses and when they happen --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two ways to ask whether two accesses meet. The quick one looks at strides
// (StrideSearch.h). The exact one, here, asks for an integer point of the
// conditions (IntegerSearch.h).
//
//===----------------------------------------------------------------------===//

#include "AccessSites.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

namespace swizzle::analysis {

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

namespace {
class Collector {
public:
  Collector(const KernelModel &model, bool byData)
      : model(model), byData(byData) {}

  std::vector<AccessSite> run() {
    visit(model.body);
    return std::move(sites);
  }

private:
  void visit(const std::vector<Statement> &body) {
    for (const Statement &statement : body)
      std::visit([&](const auto &node) { visit(node); }, statement.node);
  }
  template <typename Other> void visit(const Other &) {} // no global memory

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
    size_t others = notAll.size();
    std::optional<Condition> opposite;
    if (guard.conditions.size() == 1)
      opposite = negate(guard.conditions.front());
    if (opposite)
      conditions.push_back(*opposite);
    else
      notAll.push_back(&guard);
    visit(guard.otherwise);
    conditions.resize(depth);
    notAll.resize(others);
  }

  /// Adds the variables of `form`, and what quotients among them depend on.
  void use(const AffineForm &form, std::set<VariableId> &used) {
    for (const Term &term : form.terms)
      if (used.insert(term.variable).second)
        use(model.variables[term.variable].numerator, used);
  }

  void visit(const Access &access) {
    // What is assumed is judged as one that is not modelled.
    if (byData ? !access.byData : access.assumed)
      return;
    AccessSite site;
    site.access = &access;
    site.conditions = conditions;
    site.notAll = notAll;
    // Workgroup ids matter even where nothing depends on them.
    std::set<VariableId> used = {kWorkgroupIdX, kWorkgroupIdX + 1,
                                 kWorkgroupIdX + 2};
    use(access.address, used);
    for (const Condition &condition : conditions)
      use(condition.form, used);
    for (const Guard *guard : notAll)
      for (const Condition &condition : guard->conditions)
        use(condition.form, used);
    site.variables.assign(used.begin(), used.end());
    if (llvm::none_of(site.variables, [&](VariableId id) {
          return model.variables[id].kind == VariableKind::Loaded;
        }))
      sites.push_back(std::move(site));
  }

  const KernelModel &model;
  bool byData;
  std::vector<Condition> conditions;
  std::vector<const Guard *> notAll;
  std::vector<AccessSite> sites;
};
} // namespace

std::vector<AccessSite> collectAccessSites(const KernelModel &model) {
  return Collector(model, /*byData=*/false).run();
}

std::vector<AccessSite> collectSitesByData(const KernelModel &model) {
  return Collector(model, /*byData=*/true).run();
}

//===----------------------------------------------------------------------===//
// The exact question
//===----------------------------------------------------------------------===//

namespace {
/// One site's variables as columns of a relation.
struct Side {
  const AccessSite &site;
  unsigned first; ///< column of the first variable
  unsigned firstBox = first + unsigned(site.variables.size());
  unsigned end = firstBox + unsigned(site.access->box.size());

  unsigned columnOf(VariableId id) const {
    return first +
           unsigned(llvm::find(site.variables, id) - site.variables.begin());
  }
};

/// The polyhedron of all pairs of executions, the first at one site, the second
/// at another.
class PairPolyhedron {
public:
  explicit PairPolyhedron(const PairQuestion &question)
      : model(question.model),
        sides{{question.a, 0}, {question.b, sides[0].end}},
        columns(sides[1].end) {
    system.unknowns = columns;
    for (const Side &side : sides)
      constrain(side, question.grid);
    meet();
    findTwins();
  }

  /// Looks for an integer point with `first - second >= 1` along `axis`.
  Answer sample(unsigned axis, bool firstIsGreater, WorkBudget &budget,
                std::vector<int64_t> &point) const {
    LinearSystem apart = system;
    Row row(columns + 1, 0);
    int64_t sign = firstIsGreater ? 1 : -1;
    row[sides[0].columnOf(kWorkgroupIdX + axis)] = sign;
    row[sides[1].columnOf(kWorkgroupIdX + axis)] = -sign;
    row[columns] = -1;
    apart.inequalities.push_back(std::move(row));
    return findInteger(std::move(apart), twins, budget, point);
  }

  /// Values of all variables of one side at a point, indexed by variable.
  std::vector<int64_t> valuesOf(unsigned which,
                                const std::vector<int64_t> &point) const {
    std::vector<int64_t> values(model.variables.size(), 0);
    for (VariableId id : sides[which].site.variables)
      values[id] = point[sides[which].columnOf(id)];
    return values;
  }

  /// First byte that one side touches at a point.
  int64_t addressOf(unsigned which, const std::vector<int64_t> &point) const {
    const Side &side = sides[which];
    int64_t address =
        evaluate(side.site.access->address, valuesOf(which, point));
    for (auto [index, dim] : llvm::enumerate(side.site.access->box))
      address += dim.stride * point[side.firstBox + index];
    return address;
  }

private:
  void addForm(Row &row, const Side &side, const AffineForm &form,
               int64_t factor) const {
    for (const Term &term : form.terms)
      row[side.columnOf(term.variable)] += factor * term.coefficient;
    row[columns] += factor * form.constant;
  }

  /// 0 <= column < extent
  void bound(unsigned column, int64_t extent) {
    Row row(columns + 1, 0);
    row[column] = 1;
    system.bound(std::move(row), extent - 1);
  }

  /// What both sides have: its differences tell whether they meet.
  void findTwins() {
    for (VariableId id : sides[0].site.variables)
      if (llvm::is_contained(sides[1].site.variables, id))
        twins.push_back({sides[0].columnOf(id), sides[1].columnOf(id)});
    const auto &box = sides[0].site.access->box;
    const auto &other = sides[1].site.access->box;
    for (size_t dim = 0; dim < std::min(box.size(), other.size()); ++dim)
      twins.push_back({unsigned(sides[0].firstBox + dim),
                       unsigned(sides[1].firstBox + dim)});
  }

  void constrain(const Side &side, const Grid &grid) {
    for (VariableId id : side.site.variables) {
      const Variable &variable = model.variables[id];
      if (variable.kind == VariableKind::WorkgroupId) {
        bound(side.columnOf(id), grid[variable.axis]);
      } else if (variable.kind == VariableKind::ThreadId) {
        bound(side.columnOf(id), model.block[variable.axis]);
      } else if (variable.kind == VariableKind::Quotient) {
        // 0 <= numerator - divisor * quotient <= divisor - 1
        Row row(columns + 1, 0);
        addForm(row, side, variable.numerator, 1);
        row[side.columnOf(id)] -= variable.divisor;
        system.bound(std::move(row), variable.divisor - 1);
      } // counters: among the conditions
    }
    for (const Condition &condition : side.site.conditions) {
      Row row(columns + 1, 0);
      addForm(row, side, condition.form, 1);
      (condition.equality ? system.equalities : system.inequalities)
          .push_back(std::move(row));
    }
    for (auto [index, dim] : llvm::enumerate(side.site.access->box))
      bound(side.firstBox + index, dim.count);
  }

  /// The bytes of both sides intersect.
  void meet() {
    Row row(columns + 1, 0);
    for (unsigned which = 0; which < 2; ++which) {
      const Side &side = sides[which];
      int64_t factor = which == 0 ? 1 : -1;
      addForm(row, side, side.site.access->address, factor);
      for (auto [index, dim] : llvm::enumerate(side.site.access->box))
        row[side.firstBox + index] += factor * dim.stride;
    }
    int64_t bytesA = sides[0].site.access->bytes;
    int64_t bytesB = sides[1].site.access->bytes;
    // Equal, aligned elements meet where their addresses are equal.
    if (bytesA == bytesB &&
        llvm::all_of(row, [&](int64_t x) { return x % bytesA == 0; })) {
      for (int64_t &entry : row)
        entry /= bytesA;
      return system.equalities.push_back(std::move(row));
    }
    // -bytesA < a - b < bytesB
    row[columns] += bytesA - 1;
    system.bound(std::move(row), bytesA + bytesB - 2);
  }

  const KernelModel &model;
  Side sides[2];
  unsigned columns;
  LinearSystem system;
  std::vector<std::pair<unsigned, unsigned>> twins;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conditions of which one has to fail
//===----------------------------------------------------------------------===//

/// The first of `guards` whose conditions all hold; null if there is none.
static const Guard *findHolding(const std::vector<const Guard *> &guards,
                                const std::vector<int64_t> &values) {
  auto holds = [&](const Condition &condition) {
    int64_t value = evaluate(condition.form, values);
    return condition.equality ? value == 0 : value >= 0;
  };
  for (const Guard *guard : guards)
    if (llvm::all_of(guard->conditions, holds))
      return guard;
  return nullptr;
}

/// The linear conditions of which one has to hold, for those of `guard` not to
/// hold all: `x == 3` fails below 3 and above.
static std::vector<Condition> waysToFail(const Guard &guard) {
  std::vector<Condition> ways;
  for (const Condition &condition : guard.conditions) {
    ways.push_back({makeConstant(-1) - condition.form, false});
    if (condition.equality)
      ways.push_back({condition.form - makeConstant(1), false});
  }
  return ways;
}

/// `site` with `condition` in place of what `guard` asks for.
static AccessSite narrowed(const AccessSite &site, const Guard *guard,
                           const Condition &condition) {
  AccessSite result = site;
  llvm::erase(result.notAll, guard);
  result.conditions.push_back(condition);
  return result;
}

namespace {
/// What the search may still do.
struct Allowance {
  WorkBudget &budget;
  unsigned parts = 256; ///< of the polyhedron, in which it may go on
};

/// `first - second >= 1` along an axis, or the other way round.
struct Direction {
  unsigned axis = 0;
  bool firstIsGreater = false;
};
} // namespace

/// Looks for a meeting in one direction. A point that a guard forbids divides
/// the polyhedron into the parts in which one of the guard's conditions fails.
static Answer meetAlong(const PairQuestion &question,
                        const PairPolyhedron &polyhedron, Direction direction,
                        Allowance &allowed, Meeting &meeting) {
  std::vector<int64_t> point;
  Answer answer = polyhedron.sample(direction.axis, direction.firstIsGreater,
                                    allowed.budget, point);
  if (answer != Answer::Yes)
    return answer;
  std::vector<int64_t> first = polyhedron.valuesOf(0, point);
  std::vector<int64_t> second = polyhedron.valuesOf(1, point);
  const Guard *ofFirst = findHolding(question.a.notAll, first);
  const Guard *holding =
      ofFirst ? ofFirst : findHolding(question.b.notAll, second);
  if (!holding) {
    meeting.first = {first[0], first[1], first[2]};
    meeting.second = {second[0], second[1], second[2]};
    meeting.byte = std::max(polyhedron.addressOf(0, point),
                            polyhedron.addressOf(1, point));
    return Answer::Yes;
  }
  bool unknown = false;
  for (const Condition &way : waysToFail(*holding)) {
    if (allowed.parts == 0)
      return Answer::Unknown;
    --allowed.parts;
    AccessSite part = narrowed(ofFirst ? question.a : question.b, holding, way);
    PairQuestion narrower{question.model, question.grid,
                          ofFirst ? part : question.a,
                          ofFirst ? question.b : part};
    answer = meetAlong(narrower, PairPolyhedron(narrower), direction, allowed,
                       meeting);
    if (answer == Answer::Yes)
      return answer;
    unknown |= answer == Answer::Unknown;
  }
  return unknown ? Answer::Unknown : Answer::No;
}

Answer meetExactly(const PairQuestion &question, WorkBudget &budget,
                   Meeting &meeting) {
  PairPolyhedron polyhedron(question);
  bool unknown = false;
  Allowance allowed{budget};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (question.grid[axis] < 2)
      continue;
    for (bool firstIsGreater : {false, true}) {
      // A site meets itself both ways or not at all.
      if (firstIsGreater && question.a.access == question.b.access)
        continue;
      Answer answer = meetAlong(question, polyhedron, {axis, firstIsGreater},
                                allowed, meeting);
      if (answer == Answer::Yes)
        return answer;
      unknown |= answer == Answer::Unknown;
    }
  }
  return unknown ? Answer::Unknown : Answer::No;
}

} // namespace swizzle::analysis
