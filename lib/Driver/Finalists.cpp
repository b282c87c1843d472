//===- Finalists.cpp - The best few, measured -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finalist that fails to build or to run is a row that says so; the others go
// on.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Driver/Finalists.h"

#include "swizzle/Bundle/Compare.h"
#include "swizzle/Formula/Formula.h"
#include "swizzle/Kernel/DescribeLaunch.h"
#include "swizzle/Tuning/ProveVariant.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace swizzle {

namespace {

/// One order that is measured; attempt 0 is the kernel as it is.
struct Finalist {
  const Attempt *attempt = nullptr;
  Variant variant;
  std::shared_ptr<const Artifact> artifact;
};

std::string nameOf(const Finalist &finalist) {
  return finalist.attempt
             ? "attempt " + std::to_string(finalist.attempt->number)
             : "original";
}

/// The attempts in the order in which they may be measured.
std::vector<const Attempt *> select(const TuningResult &result,
                                    ArrayRef<unsigned> numbers) {
  if (numbers.empty())
    return rankBySimulation(result);
  std::vector<const Attempt *> selected;
  for (unsigned number : numbers)
    for (const Attempt &attempt : result.attempts)
      if (attempt.number == number)
        selected.push_back(&attempt);
  return selected;
}

/// Builds the original and up to `count` others; what cannot be built is noted.
Expected<std::vector<Finalist>> collect(const TuningResult &result,
                                        const BuildFunction &build,
                                        const FinalistsOptions &options,
                                        std::vector<std::string> &notes) {
  std::vector<Finalist> finalists(1);
  auto original = buildUnchanged(build);
  if (!original)
    return original.takeError();
  finalists.front().artifact = std::move(*original);
  for (const Attempt *attempt : select(result, options.attempts)) {
    if (finalists.size() > options.count)
      break;
    auto formula = Formula::parse(attempt->formula);
    if (!formula) {
      notes.push_back("attempt " + std::to_string(attempt->number) +
                      " is not measured: " + toString(formula.takeError()));
      continue;
    }
    Finalist finalist;
    finalist.attempt = attempt;
    finalist.variant.attempt = attempt->number;
    finalist.variant.formula = std::move(*formula);
    finalist.variant.params = attempt->params;
    finalist.variant.key = nameOf(finalist);
    BuildResult built = build(finalist.variant);
    if (!built.artifact) {
      notes.push_back(nameOf(finalist) + " is not measured: " + built.message);
      continue;
    }
    finalist.artifact = std::move(built.artifact);
    // The same code is the same order.
    if (none_of(finalists, [&](const Finalist &known) {
          return known.artifact->bytes == finalist.artifact->bytes;
        }))
      finalists.push_back(std::move(finalist));
  }
  return finalists;
}

Job makeJob(ArrayRef<Finalist> finalists,
            std::vector<LaunchDescription> launches,
            const FinalistsOptions &options) {
  Job job = options.job;
  job.name = launches.front().kernel;
  job.launches = std::move(launches);
  for (const Finalist &finalist : finalists) {
    JobVariant variant;
    variant.name = nameOf(finalist);
    if (finalist.variant.formula)
      variant.formula = finalist.variant.formula->print();
    for (const auto &[name, value] : finalist.variant.params)
      variant.params[name] = value;
    job.variants.push_back(std::move(variant));
  }
  return job;
}

/// Index of the fastest row among those that beat the original by more than
/// margin and noise; 0 if none does. A row that is faster still, but may be so
/// by chance, hides none of them.
size_t choose(ArrayRef<JobResult> rows, double margin, std::string &reason) {
  size_t best = 0, fastest = 0;
  std::vector<TimeRatio> times(rows.size());
  for (size_t i = 1; i < rows.size(); ++i) {
    if (!rows[i].failure.empty())
      continue;
    times[i] = compareWithOriginal(rows.front(), rows[i]);
    if (times[i].ratio < times[fastest].ratio)
      fastest = i;
    if (isFaster(times[i], margin) && times[i].ratio < times[best].ratio)
      best = i;
  }
  if (best)
    reason = formatv("measured {0:F1} % faster than the kernel as it is",
                     100 * times[best].gain());
  else if (fastest)
    reason = formatv("the fastest order gains {0:F1} %, which is within the "
                     "noise or the margin ({1:F1} %)",
                     100 * times[fastest].gain(),
                     100 * neededGain(times[fastest].noise, margin));
  else
    reason = "no order is faster than the kernel as it is";
  return best;
}

/// Says where the original took another time beside an order than in its own
/// row, by more than `margin`: the clocks, or the machine, were others.
void noteDisagreement(ArrayRef<JobResult> rows, double margin,
                      std::vector<std::string> &notes) {
  for (const JobResult &row : rows.drop_front()) {
    if (!row.failure.empty())
      continue;
    double apart = disagreementOf(rows.front(), row);
    if (std::abs(apart) > margin)
      notes.push_back(formatv("{0} was measured at another time than the row "
                              "of the original, which took {1:F1} us beside "
                              "it: {2:F1} % {3}; that counts as noise",
                              row.variant, row.measurement->originalUs,
                              100 * std::abs(apart),
                              apart > 0 ? "more" : "less"));
  }
}

} // namespace

std::vector<const Attempt *> rankBySimulation(const TuningResult &result) {
  std::vector<const Attempt *> ranked;
  for (const Attempt &attempt : result.attempts)
    if (attempt.status == AttemptStatus::Profiled && attempt.measurement)
      ranked.push_back(&attempt);
  // Of equal ones, the earlier attempt.
  sort(ranked, [](const Attempt *a, const Attempt *b) {
    return std::make_pair(a->measurement->timeUs, a->number) <
           std::make_pair(b->measurement->timeUs, b->number);
  });
  return ranked;
}

Expected<std::vector<LaunchDescription>> launchesOf(const Job &job,
                                                    const KernelModel &model) {
  std::vector<LaunchDescription> launches = job.launches;
  if (launches.empty()) {
    std::vector<std::string> unknown;
    launches.push_back(describeLaunch(model, &unknown));
    if (!unknown.empty())
      return createStringError("the kernel cannot be started, because not all "
                               "of its launch is known: " +
                               join(unknown, "; "));
  }
  if (job.check.compare && !writesAnything(launches))
    return createStringError("the kernel writes no buffer, so that nothing "
                             "tells whether an order of it is right: it cannot "
                             "be measured");
  return launches;
}

Expected<std::shared_ptr<const Artifact>>
buildUnchanged(const BuildFunction &build) {
  Variant unchanged;
  unchanged.key = tuning::kIdentityKey.str();
  BuildResult built = build(unchanged);
  if (built.artifact)
    return std::move(built.artifact);
  return createStringError("the kernel as it is was not compiled" +
                           (built.message.empty() ? "" : ": " + built.message));
}

Expected<MeasuredFinalists> measureFinalists(TuningResult &result,
                                             const BuildFunction &build,
                                             const KernelModel &model,
                                             const FinalistsOptions &options) {
  auto launches = launchesOf(options.job, model);
  if (!launches)
    return launches.takeError();
  MeasuredFinalists measured;
  auto finalists = collect(result, build, options, measured.notes);
  if (!finalists)
    return finalists.takeError();
  const Artifact &original = *finalists->front().artifact;
  if (launches->size() == 1 && original.kernels.size() == 1)
    launches->front().kernel = original.kernels.front().name;
  std::vector<std::shared_ptr<const Artifact>> artifacts;
  for (const Finalist &finalist : *finalists)
    artifacts.push_back(finalist.artifact);
  auto rows = measureBundle(makeJob(*finalists, std::move(*launches), options),
                            artifacts, options.place);
  if (!rows)
    return rows.takeError();
  if (!rows->front().failure.empty())
    return createStringError("the kernel as it is cannot be measured: " +
                             rows->front().failure);
  measured.rows = std::move(*rows);
  size_t best = choose(measured.rows, options.margin, measured.reason);
  noteDisagreement(measured.rows, options.margin, measured.notes);
  Finalist &chosen = (*finalists)[best];
  measured.attempt = chosen.variant.attempt;
  for (Attempt &attempt : result.attempts) {
    attempt.best = attempt.number == measured.attempt;
    if (attempt.best) {
      attempt.code = "best";
      attempt.message = measured.reason;
    } else if (attempt.code == "best") {
      attempt.code = "better";
      attempt.message = "the best by simulation alone";
    }
  }
  result.bestMeasurement = chosen.attempt && chosen.attempt->measurement
                               ? *chosen.attempt->measurement
                               : result.baseline;
  result.best = best ? std::move(chosen.variant) : Variant();
  return measured;
}

} // namespace swizzle
