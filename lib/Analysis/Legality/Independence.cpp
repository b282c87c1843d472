//===- Independence.cpp - Do workgroups touch each other's bytes? ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes every pair of accesses to one buffer of which one writes, and asks
// whether they meet in different workgroups. Reads meet freely, and so do
// atomics among themselves. Where a model was made with nominal sizes, a
// meeting counts only between neighbours: farther apart it may be an artefact
// of those sizes, and becomes an assumption.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Legality/Independence.h"

#include "../Sites/EachWorkgroup.h"
#include "../Sites/NearPairs.h"
#include "SiteText.h"
#include "swizzle/Formula/Formula.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace swizzle {

using namespace analysis;

/// Pairs that are put to the exact question before the rest is assumed, and the
/// work that this may take, less than a second; an ordinary question takes a
/// hundredth.
static constexpr unsigned kMaxExactQuestions = 256;
static constexpr uint64_t kMaxWork = 24'000'000;
/// The same where it is asked several times.
static constexpr uint64_t kMaxWorkFarApart = 2'000'000;
/// Of one question: a hard one leaves something to the others.
static constexpr uint64_t kMaxWorkOfOne = 8'000'000;
/// About a second of workgroups that are gone through one by one.
static constexpr uint64_t kMaxWorkOneByOne = uint64_t(1) << 27;

/// By kind of access.
static constexpr const char *kVerbs[] = {"reads", "writes", "updates"};

std::string CrossWorkgroupAccess::describe(const KernelModel &model) const {
  auto verb = [](const Access &access) {
    bool known = !access.location.empty() && access.location != "unknown";
    std::string at = known ? " at " + access.location : "";
    return kVerbs[size_t(access.kind)] + (" it" + at);
  };
  return "workgroups " + toString(writer, model.grid) + " and " +
         toString(other, model.grid) + " both touch byte " +
         std::to_string(byte) + " of " + model.buffers[writes.buffer].name +
         ": the first " + verb(writes) + ", the second " + verb(touches);
}

static llvm::hash_code hashOf(const AccessSite &site) {
  const Access &access = *site.access;
  llvm::hash_code hash = llvm::hash_combine(
      access.buffer, unsigned(access.kind), access.bytes,
      access.address.constant, site.conditions.size(), site.notAll.size());
  for (const Term &term : access.address.terms)
    hash = llvm::hash_combine(hash, term.variable, term.coefficient);
  return hash;
}

/// True if two sites touch the same, when and how: a function that is called
/// again and again has many such.
static bool isSame(const AccessSite &a, const AccessSite &b) {
  const Access &x = *a.access, &y = *b.access;
  auto sameBox = [](const BoxDim &p, const BoxDim &q) {
    return p.count == q.count && p.stride == q.stride;
  };
  auto sameCondition = [](const Condition &p, const Condition &q) {
    return p.form == q.form && p.equality == q.equality;
  };
  return x.buffer == y.buffer && x.kind == y.kind && x.issuer == y.issuer &&
         x.address == y.address && x.bytes == y.bytes && x.update == y.update &&
         x.alignment == y.alignment && x.settled == y.settled &&
         x.sameValue == y.sameValue && a.notAll == b.notAll &&
         llvm::equal(x.box, y.box, sameBox) &&
         llvm::equal(a.conditions, b.conditions, sameCondition);
}

/// One of each kind, in program order.
static std::vector<AccessSite> distinctSites(const KernelModel &model) {
  std::vector<AccessSite> distinct;
  std::unordered_map<size_t, llvm::SmallVector<size_t, 2>> byHash;
  for (AccessSite &site : collectAccessSites(model)) {
    llvm::SmallVector<size_t, 2> &alike = byHash[hashOf(site)];
    if (llvm::any_of(alike,
                     [&](size_t i) { return isSame(distinct[i], site); }))
      continue;
    alike.push_back(distinct.size());
    distinct.push_back(std::move(site));
  }
  return distinct;
}

/// Accesses of which each does something else to a buffer, wherever it does:
/// the last one of each kind.
static std::vector<const Access *>
distinctEffects(const std::vector<AccessSite> &sites) {
  std::set<std::tuple<uint32_t, AccessKind, llvm::StringRef>> known;
  std::vector<const Access *> distinct;
  for (const AccessSite &site : llvm::reverse(sites)) {
    const Access &access = *site.access;
    if (known.insert({access.buffer, access.kind, access.update}).second)
      distinct.push_back(&access);
  }
  std::reverse(distinct.begin(), distinct.end());
  return distinct;
}

/// The same of accesses without a map.
static std::vector<const NotModelled *>
distinctEffects(const std::vector<NotModelled> &accesses) {
  std::set<std::tuple<int, AccessKind, llvm::StringRef>> known;
  std::vector<const NotModelled *> distinct;
  for (const NotModelled &access : llvm::reverse(accesses))
    if (known.insert({access.buffer, access.kind, access.update}).second)
      distinct.push_back(&access);
  std::reverse(distinct.begin(), distinct.end());
  return distinct;
}

namespace {
/// What is not asked, or not trusted.
struct Asked {
  const JudgedAccesses *judged = nullptr; ///< of another reading
  bool atKnownPlaces = false; ///< nothing is asked of others than of that
  /// If any: nothing is asked of others, and whoever meets does, however far
  /// apart they are.
  llvm::StringRef buffer;

  bool isOfOneBuffer() const { return !buffer.empty(); }
};

class PairwiseJudge {
public:
  PairwiseJudge(const KernelModel &model, const Asked &what)
      : model(model), what(what), sites(asked(distinctSites(model))),
        effects(distinctEffects(sites)),
        variables(KernelModel::create(model.grid, model.block)),
        domain((variables.variables = model.variables, variables)),
        strides(model, domain),
        budget{what.isOfOneBuffer() ? kMaxWorkFarApart : kMaxWork} {
    for (const AccessSite &site : sites)
      isSettled.push_back(site.access->settled || wasJudged(site));
  }

  Independence run() {
    judgeUnmodelled();
    if (!result.mayClash.empty())
      return std::move(result);
    if (!judgeSitesByData())
      return std::move(result);
    near = findNearPairs(sites, strides);
    for (auto [i, j] : near.pairs)
      if (!(isSettled[i] && isSettled[j]) && !judge(sites[i], sites[j]))
        return std::move(result);
    for (uint32_t buffer : near.unasked)
      assumeMany(buffer);
    // What no thread reaches may be reached with other sizes.
    bool mayConflict = anyConflict() || !model.unreached.empty();
    result.restsOnSizes = !unproved.empty();
    if (!unproved.empty() || (!model.assumed.empty() && mayConflict))
      assumeSizes();
    return std::move(result);
  }

private:
  bool wasJudged(const AccessSite &site) const {
    return what.judged &&
           what.judged->sites.contains(describeSite(model, site));
  }

  /// Those of `sites` that anything is asked of.
  std::vector<AccessSite> asked(std::vector<AccessSite> sites) const {
    llvm::erase_if(sites, [&](const AccessSite &site) {
      return (what.atKnownPlaces &&
              !what.judged->places.contains(describePlace(model, site))) ||
             (what.isOfOneBuffer() &&
              model.buffers[site.access->buffer].name != what.buffer);
    });
    return sites;
  }

  /// True if, whatever their addresses, two accesses could communicate.
  bool anyConflict() const {
    for (const Access *a : effects)
      for (const Access *b : effects)
        if (a->buffer == b->buffer && conflict(*a, *b))
          return true;
    return false;
  }

  /// The workgroups near the first one.
  Grid firstOf(int64_t reach) const {
    Grid grid = model.grid;
    for (int64_t &extent : grid.extent)
      extent = std::min(extent, reach);
    return grid;
  }

  void assume(const std::string &what) {
    if (!llvm::is_contained(result.assumptions, what))
      result.assumptions.push_back(what);
  }

  /// Goes through all workgroups, once for each buffer.
  bool areApartOneByOne(uint32_t buffer) {
    auto [entry, isNew] = oneByOne.try_emplace(buffer, false);
    if (!isNew || what.isOfOneBuffer())
      return entry->second;
    std::set<size_t> asked;
    for (auto [i, j] : near.pairs)
      if (sites[i].access->buffer == buffer)
        asked.insert({i, j});
    if (near.unasked.count(buffer))
      for (size_t i = 0; i < sites.size(); ++i)
        if (sites[i].access->buffer == buffer)
          asked.insert(i);
    std::vector<const AccessSite *> compared;
    for (size_t i : asked)
      compared.push_back(&sites[i]);
    return entry->second = stayApartOneByOne(model, compared, budgetOneByOne);
  }

  /// Of the accesses of a buffer, not all pairs have been asked about.
  void assumeMany(uint32_t buffer) {
    if (!areApartOneByOne(buffer) && many.insert(buffer).second)
      assume("the many accesses of " + model.buffers[buffer].name +
             " do not race between workgroups");
  }

  std::string nameOf(const NotModelled &access) const {
    return access.buffer >= 0 ? model.buffers[access.buffer].name
                              : "some buffer";
  }

  /// Notes an update that does not commute with `access` and may meet it.
  /// Updates never race, so that nothing keeps a program from it.
  template <typename A>
  void findClash(const NotModelled &access, const A &other) {
    bool apart = access.buffer >= 0 && int(other.buffer) >= 0 &&
                 access.buffer != int(other.buffer);
    if (apart || access.kind != AccessKind::Atomic ||
        other.kind != AccessKind::Atomic || other.update.empty() ||
        access.update.empty() || access.update == other.update)
      return;
    // Two tensor maps are as much of two buffers as two arguments are.
    auto mapOf = [](llvm::StringRef update) {
      return update.rsplit(" of argument ").second;
    };
    if (!mapOf(access.update).empty() && !mapOf(other.update).empty() &&
        mapOf(access.update) != mapOf(other.update))
      return;
    result.mayClash = "the atomic " + access.update + " of " + nameOf(access) +
                      " (" + access.reason +
                      ") may meet, and does not commute with, the " +
                      other.update + " of the same memory";
  }

  /// Notes a write whose place is the same along an axis of the grid.
  void noteShared(const NotModelled &access) {
    for (unsigned axis = 0; axis < 3 && !result.sharedWrite; ++axis)
      if (access.sharedAxes >> axis & 1 && model.grid[axis] > 1 &&
          !what.isOfOneBuffer()) {
        result.sharedWrite = &access;
        result.sharedAxis = axis;
      }
  }

  /// Accesses without a map: assumed not to race with those that they may meet.
  void judgeUnmodelled() {
    std::vector<const NotModelled *> unknown =
        distinctEffects(model.notModelled);
    for (const NotModelled &access : model.notModelled) {
      noteShared(access);
      for (const Access *other : effects)
        findClash(access, *other);
      for (const NotModelled *other : unknown)
        findClash(access, *other);
      auto meets = [&](int buffer) {
        return access.buffer < 0 || buffer < 0 || access.buffer == buffer;
      };
      bool matters = llvm::any_of(effects,
                                  [&](const Access *other) {
                                    return meets(other->buffer) &&
                                           conflict(*other, access);
                                  }) ||
                     llvm::any_of(unknown, [&](const NotModelled *other) {
                       return meets(other->buffer) && conflict(*other, access);
                     });
      if (!matters)
        continue;
      assume(kVerbs[size_t(access.kind)] + (" of " + nameOf(access)) + " by " +
             access.what + " (" + access.reason +
             ") do not race between workgroups");
    }
  }

  /// True if sizes that nobody knows may be why workgroups meet.
  bool isNominal() const {
    return !what.isOfOneBuffer() && !model.assumed.empty() && !model.isLaunched;
  }

  /// The workgroups that meet in truth if they do: neighbours alone of nominal
  /// sizes.
  Grid trusted() const { return isNominal() ? firstOf(2) : model.grid; }

  /// Whether `a` and `b` meet in two workgroups of `grid`, for what one question
  /// may take.
  Answer meet(const Grid &grid, const AccessSite &a, const AccessSite &b,
              Meeting &found) {
    WorkBudget one{std::min(budget.left, kMaxWorkOfOne)};
    uint64_t before = one.left;
    Answer answer = meetExactly({model, grid, a, b}, one, found);
    budget.spend(before - one.left);
    isTooHard = one.left == 0;
    return answer;
  }

  /// Makes a counterexample of what meets, of which one writes.
  void noteMeeting(const AccessSite &a, const AccessSite &b, Meeting meeting) {
    // One near the first workgroup is easier to follow.
    for (int64_t reach : {2, 3, 4, 8, 16}) {
      Meeting nearer;
      if (meet(firstOf(reach), a, b, nearer) != Answer::Yes)
        continue;
      meeting = nearer;
      break;
    }
    const Access &first = *a.access, &second = *b.access;
    result.counterexample = {meeting.first, meeting.second, first, second,
                             meeting.byte};
    if (first.kind == AccessKind::Read)
      result.counterexample = {meeting.second, meeting.first, second, first,
                               meeting.byte};
  }

  /// True if two workgroups leave the same in whatever bytes both write.
  static bool writeTheSame(const Access &a, const Access &b) {
    auto isWhole = [&](const AffineForm &form) {
      return llvm::all_of(form.terms, [&](const Term &term) {
        return term.coefficient % a.bytes == 0;
      });
    };
    auto isWholeBox = [&](const BoxDim &dim) {
      return dim.stride % a.bytes == 0;
    };
    return a.sameValue && a.sameValue == b.sameValue && a.bytes == b.bytes &&
           a.kind == AccessKind::Write && b.kind == AccessKind::Write &&
           (a.address.constant - b.address.constant) % a.bytes == 0 &&
           isWhole(a.address) && isWhole(b.address) &&
           llvm::all_of(a.box, isWholeBox) && llvm::all_of(b.box, isWholeBox);
  }

  /// False if a counterexample was found.
  bool judge(const AccessSite &a, const AccessSite &b) {
    const Access &first = *a.access;
    if (auto found = oneByOne.find(first.buffer);
        found != oneByOne.end() && found->second)
      return true;
    if (exactQuestions++ >= kMaxExactQuestions) {
      assumeMany(first.buffer);
      return true;
    }
    Meeting meeting;
    Answer answer = meet(trusted(), a, b, meeting);
    if (answer == Answer::Yes) {
      noteMeeting(a, b, meeting);
      return false;
    }
    if (answer == Answer::Unknown && areApartOneByOne(first.buffer))
      return true;
    if (answer == Answer::Unknown && isTooHard)
      assume("accesses of " + model.buffers[first.buffer].name +
             ", which are too hard to compare exactly, do not race between "
             "workgroups");
    else if (answer == Answer::Unknown)
      assume("accesses of " + model.buffers[first.buffer].name +
             " under conditions of too many cases do not race between "
             "workgroups");
    else if (isNominal() && meet(model.grid, a, b, meeting) != Answer::No &&
             !areApartOneByOne(first.buffer))
      unproved.insert(first.buffer);
    return true;
  }

  /// Accesses that data alone decides on: false if one was found that two
  /// workgroups may make to one byte, or one and what another one does.
  bool judgeSitesByData() {
    std::vector<AccessSite> compared = asked(collectSitesByData(model));
    if (compared.empty())
      return true;
    // With what the same test lets workgroups do, and with what they do for
    // certain.
    llvm::append_range(compared, sites);
    unsigned questions = 0;
    for (auto [i, j] : findNearPairs(compared, strides).pairs) {
      uint32_t a = compared[i].access->byData, b = compared[j].access->byData;
      bool isAsked = a + b > 0 && (!a || !b || a == b) &&
                     !(wasJudged(compared[i]) && wasJudged(compared[j]));
      if (!isAsked)
        continue;
      if (questions++ == kMaxExactQuestions) {
        assumeMany(compared[i].access->buffer);
        break;
      }
      if (!judgeByData(compared[i], compared[j]))
        return false;
    }
    return true;
  }

  bool judgeByData(const AccessSite &site, const AccessSite &other) {
    Meeting meeting;
    if (writeTheSame(*site.access, *other.access) ||
        meet(trusted(), site, other, meeting) != Answer::Yes)
      return true;
    noteMeeting(site, other, meeting);
    result.ifMemorySaysSo = true;
    return false;
  }

  void assumeSizes() {
    std::string sizes;
    for (const std::string &one : model.assumed)
      sizes += (sizes.empty() ? "" : ", ") + one;
    if (unproved.empty()) {
      assume("workgroups stay apart for the sizes that are launched as they do "
             "for those that were assumed (" +
             sizes + ")");
      return;
    }
    for (uint32_t buffer : unproved)
      assume("the sizes that are launched keep workgroups apart in " +
             model.buffers[buffer].name + " (they are not known: " + sizes +
             ")");
  }

  const KernelModel &model;
  const Asked what;
  std::vector<AccessSite> sites;
  std::vector<bool> isSettled; ///< of each site
  std::vector<const Access *> effects;
  KernelModel variables; ///< those of `model`
  Domain domain;
  StrideComparison strides;
  NearPairs near;
  std::map<uint32_t, bool> oneByOne; ///< by buffer, if it was asked
  unsigned exactQuestions = 0;
  WorkBudget budget, budgetOneByOne{kMaxWorkOneByOne};
  bool isTooHard = false;            ///< the latest exact question
  std::set<uint32_t> unproved, many; ///< buffers
  Independence result;
};
} // namespace

Independence judgeIndependence(const KernelModel &model) {
  return PairwiseJudge(model, {}).run();
}

Independence judgeOtherwise(const KernelModel &model,
                            const JudgedAccesses &judged, bool atKnownPlaces) {
  return PairwiseJudge(model, {&judged, atKnownPlaces, ""}).run();
}

Independence judgeFarApart(const KernelModel &model, llvm::StringRef buffer) {
  return PairwiseJudge(model, {nullptr, false, buffer}).run();
}

JudgedAccesses accessesOf(const KernelModel &model) {
  JudgedAccesses judged;
  auto note = [&](const AccessSite &site) {
    judged.places.insert(describePlace(model, site));
    judged.sites.insert(describeSite(model, site));
  };
  llvm::for_each(distinctSites(model), note);
  llvm::for_each(collectSitesByData(model), note);
  return judged;
}

} // namespace swizzle
