//===- UnitWork.cpp - What compute units do besides asking memory ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See UnitWork.h.
//
//===----------------------------------------------------------------------===//

#include "UnitWork.h"

#include "swizzle/Support/Interval.h"
#include "swizzle/Support/QuasiRandom.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <map>

namespace swizzle::simulation {

namespace {

/// Iterations of a loop that stand for all if they are not alike; and of a nest
/// of such loops at most, two at least of each.
constexpr int64_t kSampledIterations = 8, kSampledOfNest = 64;
/// Workgroups that stand for all if they are not alike; of large models fewer,
/// down to a few, so that about so many statements are visited.
constexpr int64_t kSampledWorkgroups = 64, kFewWorkgroups = 4;
constexpr int64_t kVisitedStatements = 1 << 20;

/// Walks a model wave by wave.
class Walker {
public:
  Walker(const KernelModel &model, const Machine &machine)
      : model(model), machine(machine) {
    findReach();
    std::vector<const AffineForm *> deciding;
    inspect(model.body, deciding);
    derived = derivedOf(model, deciding);
  }

  UnitWork countLaunch();

private:
  using Lanes = std::vector<bool>; ///< of a wave; true: active

  void findReach();
  void inspect(const std::vector<Statement> &body,
               std::vector<const AffineForm *> &deciding);
  bool reaches(const AffineForm &form, VariableKind kind) const;
  bool reaches(const AffineForm &form, VariableId leaf) const;
  bool shifts(const WorkgroupAccess &access, VariableId leaf) const;
  bool varies(const std::vector<Statement> &body, VariableId counter) const;

  void setLane(int64_t lane);
  template <typename Fn> void forEachActive(const Lanes &lanes, Fn visit);
  std::optional<Interval> overThreads(const AffineForm &form) const;
  Lanes where(const Guard &guard, const Lanes &lanes);
  double passesOf(const WorkgroupAccess &access, const Lanes &lanes);

  void walk(const std::vector<Statement> &body, const Lanes &lanes,
            double times);
  void walkLoop(const Loop &loop, const Lanes &lanes, double times);
  void walkWave(int64_t first);

  const KernelModel &model;
  const Machine &machine;
  /// By variable: those that are no quotients and that it depends on.
  std::vector<std::vector<VariableId>> reach;
  /// Derived variables that decide who does what, and how often.
  std::vector<VariableId> derived;
  bool workgroupsDiffer = false;
  int64_t statements = 0;
  /// Passes of accesses that are the same whenever all lanes are active, by
  /// the wave's first thread.
  std::map<std::pair<const WorkgroupAccess *, int64_t>, double> known;

  std::vector<int64_t> values;
  int64_t firstThread = 0;
  int64_t budget = 0; ///< of iterations that are not alike
  UnitWork work;
};

void Walker::findReach() {
  reach.resize(model.variables.size());
  for (VariableId id = 0; id < model.variables.size(); ++id) {
    if (!isDerived(model.variables[id].kind)) {
      reach[id] = {id};
      continue;
    }
    for (const Term &term : model.variables[id].numerator.terms)
      llvm::append_range(reach[id], reach[term.variable]);
  }
}

bool Walker::reaches(const AffineForm &form, VariableKind kind) const {
  return llvm::any_of(form.terms, [&](const Term &term) {
    return llvm::any_of(reach[term.variable], [&](VariableId leaf) {
      return model.variables[leaf].kind == kind;
    });
  });
}

bool Walker::reaches(const AffineForm &form, VariableId leaf) const {
  return llvm::any_of(form.terms, [&](const Term &term) {
    return llvm::is_contained(reach[term.variable], leaf);
  });
}

/// True if `leaf` decides how many passes an access takes. Whole words that are
/// added to all addresses alike go to other banks, as many as before.
bool Walker::shifts(const WorkgroupAccess &access, VariableId leaf) const {
  return access.address &&
         llvm::any_of(access.address->terms, [&](const Term &term) {
           if (term.variable == leaf)
             return term.coefficient % machine.banks.bytes != 0;
           return llvm::is_contained(reach[term.variable], leaf);
         });
}

/// Finds out if workgroups are alike, how large the model is, and the forms that
/// decide who does what, and how often.
void Walker::inspect(const std::vector<Statement> &body,
                     std::vector<const AffineForm *> &deciding) {
  auto note = [&](const AffineForm &form) {
    deciding.push_back(&form);
    workgroupsDiffer |= reaches(form, VariableKind::WorkgroupId);
  };
  statements += static_cast<int64_t>(body.size());
  for (const Statement &statement : body) {
    if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      for (const AffineForm &form : loop->tripCounts)
        note(form);
      inspect(loop->body, deciding);
    } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      for (const Condition &condition : guard->conditions)
        note(condition.form);
      inspect(guard->body, deciding);
      inspect(guard->otherwise, deciding);
    } else if (const auto *access =
                   std::get_if<WorkgroupAccess>(&statement.node)) {
      for (VariableId id = kWorkgroupIdX; id < kThreadIdX; ++id)
        workgroupsDiffer |= machine.banks.areKnown() && shifts(*access, id);
    }
  }
}

/// True if the iterations of a loop with `counter` are not alike.
bool Walker::varies(const std::vector<Statement> &body,
                    VariableId counter) const {
  return llvm::any_of(body, [&](const Statement &statement) {
    if (const auto *loop = std::get_if<Loop>(&statement.node))
      return llvm::any_of(loop->tripCounts,
                          [&](const AffineForm &form) {
                            return reaches(form, counter);
                          }) ||
             varies(loop->body, counter);
    if (const auto *guard = std::get_if<Guard>(&statement.node))
      return llvm::any_of(guard->conditions,
                          [&](const Condition &condition) {
                            return reaches(condition.form, counter);
                          }) ||
             varies(guard->body, counter) || varies(guard->otherwise, counter);
    const auto *access = std::get_if<WorkgroupAccess>(&statement.node);
    return access && machine.banks.areKnown() && shifts(*access, counter);
  });
}

void Walker::setLane(int64_t lane) {
  WorkgroupId thread = delinearise(firstThread + lane, model.block);
  values[kThreadIdX] = thread.x;
  values[kThreadIdX + 1] = thread.y;
  values[kThreadIdX + 2] = thread.z;
  evaluateDerived(model, derived, values);
}

template <typename Fn>
void Walker::forEachActive(const Lanes &lanes, Fn visit) {
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    if (lanes[lane]) {
      setLane(static_cast<int64_t>(lane));
      visit(lane);
    }
  setLane(0);
}

/// Bounds of `form` over all threads of the workgroup, if that is affine.
std::optional<Interval> Walker::overThreads(const AffineForm &form) const {
  int64_t value = form.constant;
  Interval added;
  for (const Term &term : form.terms) {
    const Variable &variable = model.variables[term.variable];
    if (variable.kind == VariableKind::ThreadId) {
      int64_t most = term.coefficient * (model.block[variable.axis] - 1);
      (most < 0 ? added.low : added.high) += most;
    } else if (reaches(makeVariable(term.variable), VariableKind::ThreadId)) {
      return std::nullopt;
    } else {
      value += term.coefficient * values[term.variable];
    }
  }
  return Interval{value + added.low, value + added.high};
}

/// The lanes of `lanes` for which the guard holds.
Walker::Lanes Walker::where(const Guard &guard, const Lanes &lanes) {
  auto holds = [&](const Condition &condition) {
    int64_t value = evaluate(condition.form, values);
    return condition.equality ? value == 0 : value >= 0;
  };
  std::vector<const Condition *> byThread;
  for (const Condition &condition : guard.conditions) {
    std::optional<Interval> bounds = overThreads(condition.form);
    bool isZero = bounds && bounds->low == 0 && bounds->high == 0;
    if (bounds && (bounds->high < 0 || (condition.equality && bounds->low > 0)))
      return Lanes(lanes.size());
    if (!bounds || (condition.equality ? !isZero : bounds->low < 0))
      byThread.push_back(&condition);
  }
  if (byThread.empty())
    return lanes;
  Lanes result(lanes.size());
  forEachActive(lanes, [&](size_t lane) {
    result[lane] = llvm::all_of(byThread, [&](const Condition *condition) {
      return holds(*condition);
    });
  });
  return result;
}

double Walker::passesOf(const WorkgroupAccess &access, const Lanes &lanes) {
  if (!machine.banks.areKnown() ||
      (access.issuer == Issuer::Workgroup && firstThread != 0))
    return 0;
  bool all = llvm::all_of(lanes, [](bool active) { return active; });
  auto isSame = [&](VariableId leaf) {
    return model.variables[leaf].kind == VariableKind::ThreadId ||
           !shifts(access, leaf);
  };
  bool fixed = all && access.address &&
               llvm::all_of(access.address->terms, [&](const Term &term) {
                 return llvm::all_of(reach[term.variable], isSame);
               });
  auto place = known.end();
  if (fixed) {
    bool isNew;
    std::tie(place, isNew) = known.try_emplace({&access, firstThread}, 0);
    if (!isNew)
      return place->second;
  }
  std::optional<int64_t> passes =
      countBankPasses(model, access, machine.banks, machine.waveSize, values,
                      all ? Lanes() : lanes);
  if (!passes) {
    int64_t bytes = std::max<int64_t>(access.bytes, 1);
    if (access.issuer == Issuer::Thread)
      bytes *= llvm::count(lanes, true);
    int64_t width = machine.banks.width();
    passes = (bytes + width - 1) / width;
  }
  if (fixed)
    place->second = static_cast<double>(*passes);
  return static_cast<double>(*passes);
}

/// Carries `body` out `times` times with `lanes`, of which one at least is
/// active.
void Walker::walk(const std::vector<Statement> &body, const Lanes &lanes,
                  double times) {
  for (const Statement &statement : body) {
    if (const auto *issue = std::get_if<Issue>(&statement.node)) {
      work.instructions += times * issue->instructions;
    } else if (const auto *access =
                   std::get_if<WorkgroupAccess>(&statement.node)) {
      work.bankPasses += times * passesOf(*access, lanes);
    } else if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      walkLoop(*loop, lanes, times);
    } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      Lanes inside = where(*guard, lanes), outside = lanes;
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        outside[lane] = lanes[lane] && !inside[lane];
      if (llvm::is_contained(inside, true))
        walk(guard->body, inside, times);
      if (llvm::is_contained(outside, true))
        walk(guard->otherwise, outside, times);
    }
  }
}

void Walker::walkLoop(const Loop &loop, const Lanes &lanes, double times) {
  auto tripsHere = [&] {
    int64_t least = INT64_MAX;
    for (const AffineForm &form : loop.tripCounts)
      least = std::min(least, evaluate(form, values));
    return least;
  };
  bool byThread = llvm::any_of(loop.tripCounts, [&](const AffineForm &form) {
    return reaches(form, VariableKind::ThreadId);
  });
  std::vector<int64_t> tripsOf(byThread ? lanes.size() : 0);
  int64_t trips = byThread ? 0 : tripsHere();
  if (byThread)
    forEachActive(lanes, [&](size_t lane) {
      tripsOf[lane] = tripsHere();
      trips = std::max(trips, tripsOf[lane]);
    });
  if (trips <= 0)
    return;
  bool alike = !byThread && !varies(loop.body, loop.counter);
  int64_t most = std::clamp<int64_t>(budget, 2, kSampledIterations);
  int64_t samples = alike ? 1 : std::min(trips, most);
  llvm::SaveAndRestore rest(budget, budget / samples);
  for (int64_t i = 0; i < samples; ++i) {
    values[loop.counter] = spreadOver(trips, samples, i);
    setLane(0);
    Lanes still = lanes;
    for (size_t lane = 0; lane < tripsOf.size(); ++lane)
      still[lane] = lanes[lane] && values[loop.counter] < tripsOf[lane];
    walk(loop.body, still, times * double(trips) / double(samples));
  }
  values[loop.counter] = 0;
  setLane(0);
}

void Walker::walkWave(int64_t first) {
  firstThread = first;
  setLane(0);
  int64_t lanes = std::min(machine.waveSize, model.threads() - first);
  walk(model.body, Lanes(lanes, true), 1);
}

UnitWork Walker::countLaunch() {
  int64_t all = model.grid.count();
  int64_t waves = (model.threads() + machine.waveSize - 1) / machine.waveSize;
  int64_t visits = std::max<int64_t>(statements, 1) * waves, samples = 1;
  if (workgroupsDiffer)
    samples = std::min(all, std::clamp(kVisitedStatements / visits,
                                       kFewWorkgroups, kSampledWorkgroups));
  budget = std::min(kVisitedStatements / (visits * samples), kSampledOfNest);
  work = UnitWork();
  values.assign(model.variables.size(), 0);
  for (int64_t i = 0; i < samples; ++i) {
    WorkgroupId id = samples == all ? delinearise(i, model.grid)
                                    : quasiRandomId(model.grid, i);
    values[kWorkgroupIdX] = id.x;
    values[kWorkgroupIdX + 1] = id.y;
    values[kWorkgroupIdX + 2] = id.z;
    for (int64_t first = 0; first < model.threads(); first += machine.waveSize)
      walkWave(first);
  }
  double scale = double(all) / double(samples);
  return {work.instructions * scale, work.bankPasses * scale};
}

} // namespace

UnitWork countUnitWork(const KernelModel &model, const Machine &machine) {
  if (machine.issueRate <= 0 && !machine.banks.areKnown())
    return {};
  return Walker(model, machine).countLaunch();
}

} // namespace swizzle::simulation
