//===- PromptHistory.cpp - What was tried, in words -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each attempt with its formula, what became of it, and what was expected of
// it. An agent learns from failures only if they are told precisely: the
// counterexample, the compiler's words, the figures against the baseline and
// against the best.
//
//===----------------------------------------------------------------------===//

#include "PromptText.h"
#include "swizzle/Formula/Proof/Proof.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace swizzle::agent {

/// Older attempts that did not win get one line.
static constexpr size_t kInFull = 24;
static constexpr size_t kFormulaCap = 2048, kMessageCap = 1024;

static const Attempt *findAttempt(const AgentContext &context,
                                  unsigned number) {
  for (const Attempt &attempt : context.history)
    if (number && attempt.number == number)
      return &attempt;
  return nullptr;
}

/// "12.0 % better than" / "the same as" for costs, smaller is better.
static std::string compareCosts(double cost, double other, StringRef whom) {
  if (cost == other || std::abs(other / cost - 1) < 5e-4)
    return ("the same as " + whom).str();
  if (other <= 0) // there is no part of nothing
    return ("worse than " + whom).str();
  if (cost < other)
    return formatv("{0:f1} % better than {1}", 100 * (1 - cost / other), whom);
  return formatv("{0:f1} % worse than {1}", 100 * (cost / other - 1), whom);
}

/// What the objective's figure is called when it is compared.
static StringRef costName(Objective objective) {
  switch (objective) {
  case Objective::L2HitRate:
    return "L2 miss rate";
  case Objective::DramBytes:
    return "DRAM bytes";
  case Objective::Energy:
    return "energy";
  case Objective::Auto:
  case Objective::Time:
    break;
  }
  return "time";
}

/// The objective's figure against the baseline and the best so far.
static std::string describeStanding(const AgentContext &context,
                                    const Attempt &attempt) {
  std::optional<double> cost = costOf(*attempt.measurement, context.objective);
  std::string name = costName(context.objective).str();
  if (!cost)
    return "The profiler told no " + name + ".";
  auto against = [&](const Metrics &other, const std::string &whom) {
    std::optional<double> reference = costOf(other, context.objective);
    if (!reference || other.from.origin != attempt.measurement->from.origin)
      return std::string();
    return compareCosts(*cost, *reference, whom);
  };
  std::string text = against(context.baseline, "the baseline");
  if (context.best == attempt.number) {
    text += (text.empty() ? "" : "; ") + std::string("the best so far");
  } else if (const Attempt *best = findAttempt(context, context.best)) {
    if (best->measurement) {
      std::string standing = against(
          *best->measurement, "the best, #" + std::to_string(best->number));
      if (!standing.empty())
        text += (text.empty() ? "" : "; ") + standing;
    }
  }
  return text.empty() ? text : "Its " + name + " is " + text + ".";
}

static std::string nameSame(unsigned number) {
  return number ? "#" + std::to_string(number) : "the kernel as it is";
}

/// What became of `attempt`, in a few words.
static std::string describeStatus(const Attempt &attempt) {
  switch (attempt.status) {
  case AttemptStatus::NoAnswer:
    return "no answer";
  case AttemptStatus::Unreadable:
    return "not a formula of the language";
  case AttemptStatus::Illegal:
    return "illegal";
  case AttemptStatus::Infeasible:
    return "no parameter set satisfies the requirements";
  case AttemptStatus::Duplicate:
    return "the same permutation as " + nameSame(attempt.sameAs);
  case AttemptStatus::BuildFailed:
    return "legal, but it could not be built";
  case AttemptStatus::CheckFailed:
    return "built, but what it computes differs from the original";
  case AttemptStatus::RunFailed:
    return "built, but it could not be profiled";
  case AttemptStatus::Profiled:
    break;
  }
  std::string origin =
      toString(attempt.measurement ? attempt.measurement->from.origin
                                   : Origin::Simulated);
  return attempt.best ? origin + ", the best so far" : origin;
}

/// Parameter sets that a prompt has of one round.
static constexpr size_t kSetsOfRound = 12;

/// The sets of all attempts in `round` that are shown: the fastest, and after
/// those the ones that failed.
static std::set<const TriedSet *> chooseSets(const AgentContext &context,
                                             unsigned round) {
  std::vector<std::tuple<bool, double, size_t, const TriedSet *>> sets;
  for (const Attempt &attempt : context.history)
    if (attempt.round == round)
      for (const TriedSet &set : attempt.sets)
        sets.emplace_back(!set.measured(), set.timeUs, sets.size(), &set);
  sort(sets);
  sets.resize(std::min(sets.size(), kSetsOfRound));
  std::set<const TriedSet *> chosen;
  for (const auto &entry : sets)
    chosen.insert(std::get<const TriedSet *>(entry));
  return chosen;
}

static std::string describeSet(const TriedSet &set) {
  std::string text = quoteInline(describeParams(set.params)) + ": ";
  if (!set.measured())
    return text + quoteInline(set.error, 300);
  text += "time " + formatMicroseconds(set.timeUs);
  if (set.dramBytes)
    text += ", DRAM " + formatBytes(*set.dramBytes);
  if (set.l2HitRate)
    text += formatv(", L2 hit rate {0:f1} %", 100 * *set.l2HitRate);
  if (!set.bound.empty())
    text += ", bound by " + toString(readBound(set.bound));
  if (set.noise && *set.noise > 0)
    text += formatv(", error {0:f1} %", 100 * *set.noise);
  if (set.fidelity == Fidelity::Search)
    text += " (a first look)";
  return text;
}

/// The parameter sets of `attempt`, in the order in which they were looked at.
static void describeSets(const AgentContext &context, const Attempt &attempt,
                         raw_ostream &os) {
  std::set<const TriedSet *> shown = chooseSets(context, attempt.round);
  size_t left = 0;
  bool any = false;
  for (const TriedSet &set : attempt.sets) {
    if (!shown.count(&set)) {
      ++left;
      continue;
    }
    os << (any ? "" : "Parameter sets:\n") << describeSet(set) << "\n";
    any = true;
  }
  if (left)
    os << (any ? "and " : "Parameter sets: ") << left
       << (any ? " more" : " that were looked at") << ", none of them better\n";
}

static void describeAttempt(const AgentContext &context, const Attempt &attempt,
                            raw_ostream &os) {
  os << "## #" << attempt.number << ", round " << attempt.round << ", by "
     << quoteInline(attempt.agent) << "\n";
  if (!attempt.formula.empty())
    os << quoteBlock(attempt.formula, kFormulaCap) << "\n";
  if (!attempt.params.empty())
    os << "with " << quoteInline(describeParams(attempt.params)) << "\n";
  os << "Verdict: " << describeStatus(attempt);
  if (!attempt.code.empty())
    os << " (" << quoteInline(attempt.code) << ")";
  os << "\n";
  if (!attempt.message.empty())
    os << quoteBlock(attempt.message, kMessageCap) << "\n";
  if (StringRef more = addedTo(attempt.message, attempt.counterexample);
      !more.empty())
    os << "Counterexample:\n" << quoteBlock(more, kMessageCap) << "\n";
  if (attempt.unchecked)
    os << "It could not be checked against the original on the host.\n";
  describeSets(context, attempt, os);
  bool named = context.mode != ContextMode::None;
  if (!attempt.expectation.empty())
    os << "Expected:\n" << quoteBlock(attempt.expectation, kMessageCap) << "\n";
  if (attempt.measurement) {
    os << "Found"
       << " (" << describeOrigin(*attempt.measurement, named)
       << describeError(*attempt.measurement)
       << "; baseline -> this formula):\n"
       << describeMetrics(*attempt.measurement, &context.baseline) << "\n";
    if (!attempt.measurement->roofline.empty())
      os << "bound by: "
         << toString(attempt.measurement->roofline.front().bound) << "\n";
    std::string standing = describeStanding(context, attempt);
    if (!standing.empty())
      os << standing << "\n";
  }
}

std::string describeHistory(const AgentContext &context) {
  std::string text;
  raw_string_ostream os(text);
  size_t count = context.history.size();
  for (size_t i = 0; i < count; ++i) {
    const Attempt &attempt = context.history[i];
    if (i)
      os << "\n";
    if (count - i <= kInFull || attempt.number == context.best)
      describeAttempt(context, attempt, os);
    else
      os << "## #" << attempt.number << ", round " << attempt.round << ": "
         << describeStatus(attempt) << "\n";
  }
  return StringRef(text).rtrim().str();
}

std::string describeBest(const AgentContext &context) {
  const Attempt *best = findAttempt(context, context.best);
  if (!best)
    return "Nothing has beaten the kernel as it is.";
  std::string text = "The best so far is #" + std::to_string(best->number);
  if (!best->measurement)
    return text + ".";
  std::optional<double> cost = costOf(*best->measurement, context.objective);
  std::optional<double> before = costOf(context.baseline, context.objective);
  std::string standing;
  if (cost && before &&
      best->measurement->from.origin == context.baseline.from.origin)
    standing = compareCosts(*cost, *before, "the baseline");
  if (!standing.empty())
    text += ", whose " + costName(context.objective).str() + " is " + standing;
  return text + ".";
}

} // namespace swizzle::agent
