//===- Standings.cpp - Which attempt is the best --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures of different detail are never compared to choose one: as soon as some
// are confirmed, the choice is among those, and whoever could still be
// preferred to it has to be confirmed as well.
//
//===----------------------------------------------------------------------===//

#include "Standings.h"

#include "HistoryText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle::tuning {

/// What tells two orders apart that are equal by `objective`.
static Objective tieBreaker(Objective objective) {
  return objective == Objective::Time ? Objective::DramBytes : Objective::Time;
}

bool isPreferred(const Metrics &a, const Metrics &b, Objective objective) {
  std::optional<double> gain = gainOf(a, b, objective);
  if (!gain)
    return false;
  if (std::abs(*gain) > noiseBetween(a, b))
    return *gain > 0;
  std::optional<double> other = gainOf(a, b, tieBreaker(objective));
  if (other && std::abs(*other) > noiseBetween(a, b))
    return *other > 0;
  return *gain > 0;
}

/// True if `entry` is better than the kernel as it is, by more than the noise
/// and the margin, and takes no longer.
bool Standings::gainsEnough(const Entry &entry) const {
  const Metrics &before = baselineOf(entry);
  std::optional<double> gain = gainOf(entry.metrics, before, objective);
  return gain &&
         *gain > std::max(margin, noiseBetween(entry.metrics, before)) &&
         !isSlower(entry.metrics, before, margin);
}

const Standings::Entry *Standings::best() const {
  std::vector<const Entry *> able;
  for (const Entry &entry : entries)
    if (entry.confirmed == finerBaseline.has_value() && gainsEnough(entry))
      able.push_back(&entry);
  auto costs = [](const Entry *entry, Objective by) {
    return costOf(entry->metrics, by).value_or(HUGE_VAL);
  };
  // The cheapest, and whatever cannot be told from it; of those the same again
  // by what breaks ties; of those the cheapest.
  for (Objective by : {objective, tieBreaker(objective)}) {
    if (able.empty())
      return nullptr;
    const Entry *least = *min_element(
        able, [&](auto *a, auto *b) { return costs(a, by) < costs(b, by); });
    erase_if(able, [&](const Entry *one) {
      std::optional<double> loss = gainOf(least->metrics, one->metrics, by);
      return loss && *loss > noiseBetween(least->metrics, one->metrics);
    });
  }
  return *min_element(able, [&](auto *a, auto *b) {
    return costs(a, objective) < costs(b, objective);
  });
}

std::vector<const Standings::Entry *> Standings::open() const {
  std::vector<const Entry *> result;
  for (const Entry &entry : entries) {
    std::optional<double> loss = gainOf(baseline, entry.metrics, objective);
    if (!entry.confirmed && loss &&
        *loss <= noiseBetween(entry.metrics, baseline) &&
        !isSlower(entry.metrics, baseline, margin))
      result.push_back(&entry);
  }
  sort(result, [&](const Entry *a, const Entry *b) {
    return std::make_pair(costOf(a->metrics, objective), a->attempt) <
           std::make_pair(costOf(b->metrics, objective), b->attempt);
  });
  return result;
}

const Standings::Entry *Standings::contender() const {
  const Entry *chosen = best();
  for (const Entry *one : open()) {
    if (!chosen && gainsEnough(*one))
      return one;
    std::optional<double> gain =
        chosen ? gainOf(one->metrics, chosen->metrics, objective)
               : std::nullopt;
    if (gain && *gain > 0)
      return one;
  }
  return nullptr;
}

void Standings::confirm(unsigned attempt, Metrics metrics) {
  if (!attempt) {
    for (const Entry &entry : entries)
      decided.push_back(entry.metrics);
    finerBaseline = std::move(metrics);
    return;
  }
  for (Entry &entry : entries)
    if (entry.attempt == attempt) {
      entry.metrics = std::move(metrics);
      entry.confirmed = true;
      return;
    }
}

void Standings::forgetConfirmed() {
  if (!finerBaseline)
    return;
  for (auto [entry, metrics] : zip_equal(entries, decided)) {
    entry.metrics = std::move(metrics);
    entry.confirmed = false;
  }
  decided.clear();
  finerBaseline.reset();
}

const Standings::Entry *Standings::find(unsigned attempt) const {
  auto it = find_if(
      entries, [&](const Entry &entry) { return entry.attempt == attempt; });
  return it == entries.end() ? nullptr : &*it;
}

std::pair<std::string, std::string>
Standings::verdictOf(const Entry &entry) const {
  const Metrics &before = baselineOf(entry);
  const Entry *chosen = best();
  std::optional<double> gain = gainOf(entry.metrics, before, objective);
  if (!gain)
    return {"incomparable", "cannot be compared with the kernel as it is"};
  if (chosen == &entry)
    return {"best", "the best so far"};
  if (isSlower(entry.metrics, before, margin))
    return {"slower", "takes longer than the kernel as it is"};
  double least = std::max(noiseBetween(entry.metrics, before), margin);
  if (*gain > least)
    return {"better", "better than the kernel as it is, not than " +
                          nameAttempt(chosen ? chosen->attempt : 0)};
  if (*gain < -least)
    return {"worse", "worse than the kernel as it is"};
  return {"no-gain", formatv("no gain: {0:F2} % is within the noise or the "
                             "margin ({1:F2} %)",
                             100 * *gain, 100 * least)};
}

} // namespace swizzle::tuning
