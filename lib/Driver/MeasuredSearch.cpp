//===- MeasuredSearch.cpp - A search that a GPU decides -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Successive rejects: every order gets a few samples, the fastest few get as
// many again in each round, beside what is new there, and what is written out
// is decided by samples that no earlier decision has seen. Times are compared
// as ratios to the original's in the same turns, which the clocks of the GPU
// move alike.
//
//   round 1     16 orders: the loop's attempts, shapes by simulation
//   round 2     32 new ones: what is left of the shapes, neighbours of the fastest
//   round 3..   24 new ones, and the fastest 4 again
//   finalists   the best few by all samples, outputs compared, until steady
//
//===----------------------------------------------------------------------===//

#include "swizzle/Driver/MeasuredSearch.h"

#include "swizzle/Agent/Agents/NeighbourAgent.h"
#include "swizzle/Bundle/Compare.h"
#include "swizzle/Support/WriteFile.h"
#include "swizzle/Tuning/ProveVariant.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cmath>
#include <deque>
#include <set>

using namespace llvm;

namespace swizzle {

namespace {

/// Orders of a round that are new; the last number is that of all later ones.
constexpr size_t kNewOrders[] = {16, 32, 24};
constexpr size_t kFewest = 4; ///< new orders that are worth a round
constexpr size_t kAgain = 4;  ///< that are measured again in each round
constexpr unsigned kMostRounds = 24;
constexpr int64_t kSamples = 4;     ///< of each order in a round
constexpr double kMostSeconds = 5;  ///< of an order in a round
constexpr double kLeastSeconds = 2; ///< of a finalist, whatever is left
/// Of the device's seconds, what is kept for the finalists.
constexpr double kReserved = 0.25;
/// What a round must gain, beside more than the noise, to count as one that
/// did: medians of a few samples differ by as much.
constexpr double kLeastGain = 0.002;

/// One order that was proposed, and what is known of it.
struct Candidate {
  Attempt attempt; ///< as the agent is told; numbered as the search counts
  Variant variant;
  std::shared_ptr<const Artifact> artifact;
  /// Of each round that measured it, to the original's time there, summed.
  double ratios = 0, squaredNoise = 0;
  unsigned rounds = 0;

  TimeRatio time() const {
    return {ratios / rounds, std::sqrt(squaredNoise) / rounds};
  }
  std::string name() const { return "order " + std::to_string(attempt.number); }
};

class MeasuredSearch {
public:
  MeasuredSearch(TuningResult &result, const SearchedKernel &kernel,
                 const MeasuredSearchOptions &options)
      : result(result), kernel(kernel), options(options),
        agent(makeNeighbourAgent()) {}

  Expected<MeasuredFinalists> run();

private:
  Error buildOriginal();
  void takeAttempts();
  Error propose(size_t count);
  bool add(Attempt attempt);
  size_t affordable(size_t wanted) const;
  std::vector<Candidate *> ranked();
  Error measure(ArrayRef<Candidate *> chosen);
  Expected<double> secondsOf(SmallString<256> folder, double took);
  Expected<double> runBundle(Job job, ArrayRef<Candidate *> chosen,
                             std::vector<JobResult> &rows);
  void keepBest();
  std::optional<Metrics> simulate(const Candidate &candidate);

  TuningResult &result;
  const SearchedKernel &kernel;
  const MeasuredSearchOptions &options;
  std::unique_ptr<Agent> agent;
  std::shared_ptr<const Artifact> original;
  std::deque<Candidate> candidates;
  std::vector<Candidate *> fresh; ///< built, and not measured yet
  std::set<std::string> keys, codes;
  std::vector<LaunchDescription> launches;
  unsigned rounds = 0;
  double spent = 0;    ///< seconds of the device
  double perOrder = 0; ///< of the last round
  double originalUs = 0;
  std::string device;              ///< that measures
  std::vector<unsigned> finalists; ///< attempts of `result`
  std::vector<std::string> notes;
  std::string end;
};

} // namespace

Error MeasuredSearch::buildOriginal() {
  auto told = launchesOf(options.finalists.job, kernel.context.model);
  if (!told)
    return told.takeError();
  launches = std::move(*told);
  auto built = buildUnchanged(kernel.build);
  if (!built)
    return built.takeError();
  original = std::move(*built);
  if (launches.size() == 1 && original->kernels.size() == 1)
    launches.front().kernel = original->kernels.front().name;
  keys.insert(tuning::kIdentityKey.str());
  codes.insert(original->bytes);
  return Error::success();
}

/// Proves and builds what is new. Whatever is wrong with it stays in the
/// history, so that it is not proposed again. False if it is not to be
/// measured.
bool MeasuredSearch::add(Attempt attempt) {
  Candidate &candidate = candidates.emplace_back();
  attempt.number = unsigned(candidates.size());
  candidate.attempt = std::move(attempt);
  auto refuse = [&](AttemptStatus status, std::string why) {
    candidate.attempt.status = status;
    candidate.attempt.message = std::move(why);
    return false;
  };
  auto formula = Formula::parse(candidate.attempt.formula);
  if (!formula)
    return refuse(AttemptStatus::Unreadable, toString(formula.takeError()));
  Environment environment = kernel.context.environment;
  environment.params = candidate.attempt.params;
  Refusal refusal;
  std::optional<Variant> variant = tuning::proveVariant(
      *formula, environment, kernel.context.model.grid, refusal);
  if (!variant)
    return refuse(AttemptStatus::Illegal, refusal.message);
  if (!keys.insert(variant->key).second)
    return refuse(AttemptStatus::Duplicate, "");
  candidate.variant = std::move(*variant);
  BuildResult built = kernel.build(candidate.variant);
  if (!built.artifact)
    return refuse(AttemptStatus::BuildFailed, built.message);
  // The same code is the same order.
  if (!codes.insert(built.artifact->bytes).second)
    return refuse(AttemptStatus::Duplicate, "");
  candidate.artifact = std::move(built.artifact);
  fresh.push_back(&candidate);
  return true;
}

/// What the rounds of the loop found.
void MeasuredSearch::takeAttempts() {
  for (const Attempt *attempt : rankBySimulation(result)) {
    if (fresh.size() == kNewOrders[0])
      return;
    Attempt taken;
    taken.agent = attempt->agent;
    taken.formula = attempt->formula;
    taken.params = attempt->params;
    taken.change = attempt->change;
    add(std::move(taken));
  }
}

/// Asks for new orders until `count` are there to be measured.
Error MeasuredSearch::propose(size_t count) {
  AgentContext context = kernel.context;
  context.baseline.timeUs = originalUs > 0 ? originalUs : 1;
  constexpr int asks = 3; // what was refused is asked for again
  for (int i = 0; i < asks && fresh.size() < count; ++i) {
    context.history.clear();
    for (const Candidate &candidate : candidates)
      context.history.push_back(candidate.attempt);
    context.proposals = unsigned(count - fresh.size());
    Expected<Answer> answer = agent->propose(context);
    if (!answer)
      return answer.takeError();
    if (answer->proposals.empty())
      break;
    for (const Proposal &proposal : answer->proposals) {
      Attempt attempt;
      attempt.agent = agent->name();
      attempt.formula = proposal.formula;
      attempt.change = proposal.change;
      attempt.round = rounds + 1;
      add(std::move(attempt));
    }
  }
  return Error::success();
}

/// How many of `wanted` new orders the seconds allow beside those that are
/// measured again.
size_t MeasuredSearch::affordable(size_t wanted) const {
  if (options.deviceSeconds <= 0 || perOrder <= 0)
    return wanted;
  double left = options.deviceSeconds * (1 - kReserved) - spent;
  double orders = left / perOrder - double(kAgain) - 1; // and the original
  return orders < 1 ? 0 : std::min(wanted, size_t(orders));
}

/// What was measured, the fastest first.
std::vector<Candidate *> MeasuredSearch::ranked() {
  std::vector<Candidate *> all;
  for (Candidate &candidate : candidates)
    if (candidate.rounds)
      all.push_back(&candidate);
  sort(all, [](const Candidate *a, const Candidate *b) {
    return std::make_pair(a->time().ratio, a->attempt.number) <
           std::make_pair(b->time().ratio, b->attempt.number);
  });
  return all;
}

/// The seconds that the device was used for the bundle in `folder`: what
/// swizzle-run, or the program that called it, noted there; else `took`, which
/// is noted. Nobody knows what a bundle took that somebody else measured.
Expected<double> MeasuredSearch::secondsOf(SmallString<256> folder,
                                           double took) {
  sys::path::append(folder, "seconds");
  double seconds = 0;
  if (auto noted = MemoryBuffer::getFile(folder)) {
    StringRef text = (*noted)->getBuffer().trim();
    if (to_float(text, seconds) && std::isfinite(seconds) && seconds >= 0)
      return seconds;
    return createStringError(folder + ": '" + text.take_front(40) +
                             "' is not allowed; it must be a number of seconds "
                             "from 0 on");
  }
  if (options.finalists.place.how == Place::Wait) {
    if (options.deviceSeconds > 0)
      notes.push_back(
          formatv("round {0}: the device's seconds are not counted, "
                  "because there is no {1}; bring it back with the "
                  "results",
                  rounds, folder));
    return 0;
  }
  // A run that goes on decides by what is written, so that this one does, too.
  std::string text = formatv("{0:F3}", took);
  if (Error error = writeFileWhole(folder, text + "\n"))
    return createStringError("cannot write " + folder + ": " +
                             toString(std::move(error)));
  (void)to_float(text, seconds);
  return seconds;
}

/// Has the bundle measured, or finds that it was. Returns the seconds that it
/// took.
Expected<double> MeasuredSearch::runBundle(Job job,
                                           ArrayRef<Candidate *> chosen,
                                           std::vector<JobResult> &rows) {
  job.name = launches.front().kernel;
  job.launches = launches;
  job.variants = {{"original", {}, "", {}}};
  std::vector<std::shared_ptr<const Artifact>> artifacts = {original};
  for (const Candidate *candidate : chosen) {
    JobVariant &variant = job.variants.emplace_back();
    variant.name = candidate->name();
    variant.formula = candidate->attempt.formula;
    for (const auto &[name, value] : candidate->variant.params)
      variant.params[name] = value;
    artifacts.push_back(candidate->artifact);
  }
  Place place = options.rounds;
  SmallString<256> folder(place.folder);
  sys::path::append(folder, "round-" + std::to_string(rounds));
  place.folder = folder.str().str();
  auto start = std::chrono::steady_clock::now();
  auto measured = measureBundle(job, artifacts, place);
  if (!measured)
    return measured.takeError();
  rows = std::move(*measured);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return secondsOf(folder, took.count());
}

Error MeasuredSearch::measure(ArrayRef<Candidate *> chosen) {
  ++rounds;
  Job job = options.finalists.job;
  job.check.compare = false; // finalists are compared
  job.measure.warmUps = 1;
  job.measure.repeats = job.measure.mostRepeats = kSamples;
  job.measure.maxSeconds = std::min(job.measure.maxSeconds, kMostSeconds);
  job.measure.energySeconds = 0;
  std::vector<JobResult> rows;
  auto seconds = runBundle(std::move(job), chosen, rows);
  if (!seconds)
    return seconds.takeError();
  spent += *seconds;
  perOrder = *seconds / double(chosen.size() + 1);
  if (!rows.front().failure.empty())
    return createStringError("the kernel as it is cannot be measured: " +
                             rows.front().failure);
  const Metrics &now = rows.front().metrics;
  if (originalUs == 0) {
    originalUs = now.timeUs;
    device = now.from.device;
  }
  if (now.from.device != device)
    return createStringError("round " + Twine(rounds) + " was measured on '" +
                             now.from.device + "' and round 1 on '" + device +
                             "', which cannot be compared");
  for (auto [candidate, row] : zip_equal(chosen, ArrayRef(rows).drop_front())) {
    Attempt &attempt = candidate->attempt;
    if (!row.failure.empty()) {
      attempt.status = AttemptStatus::RunFailed;
      attempt.message = row.failure;
      candidate->rounds = 0;
      continue;
    }
    TimeRatio time = compareWithOriginal(rows.front(), row);
    candidate->ratios += time.ratio;
    candidate->squaredNoise += time.noise * time.noise;
    ++candidate->rounds;
    attempt.status = AttemptStatus::Profiled;
    attempt.measurement = row.metrics;
    attempt.measurement->timeUs = candidate->time().ratio * originalUs;
  }
  return Error::success();
}

/// Figures beside the measured ones, which decide; none, and a note, where an
/// order cannot be simulated.
std::optional<Metrics> MeasuredSearch::simulate(const Candidate &candidate) {
  LaunchDescription launch;
  auto artifact = [] { return std::shared_ptr<const Artifact>(); };
  Expected<Metrics> metrics =
      kernel.simulate({candidate.variant, artifact, launch, Fidelity::Decide,
                       options.deadline});
  if (metrics)
    return std::move(*metrics);
  notes.push_back(candidate.name() + " is measured and not simulated: " +
                  toString(metrics.takeError()));
  return std::nullopt;
}

/// Makes the fastest orders attempts of the result.
void MeasuredSearch::keepBest() {
  unsigned number = result.attempts.empty() ? 0 : result.attempts.back().number;
  for (Candidate *candidate : ranked()) {
    if (finalists.size() == options.finalists.count)
      return;
    auto known = find_if(result.attempts, [&](const Attempt &attempt) {
      return attempt.status == AttemptStatus::Profiled &&
             attempt.formula == candidate->attempt.formula &&
             attempt.params == candidate->attempt.params;
    });
    if (known != result.attempts.end()) {
      finalists.push_back(known->number);
      continue;
    }
    Attempt attempt = candidate->attempt;
    attempt.number = ++number;
    attempt.round = result.rounds + std::max(attempt.round, 1u);
    attempt.measurement = simulate(*candidate);
    attempt.code = "measured";
    attempt.message = "among the fastest of those that were measured";
    result.attempts.push_back(std::move(attempt));
    finalists.push_back(number);
  }
}

Expected<MeasuredFinalists> MeasuredSearch::run() {
  if (Error error = buildOriginal())
    return std::move(error);
  takeAttempts();
  double best = 1;
  for (unsigned stale = 0; !options.patience || stale < options.patience;) {
    end = "no gain in " + std::to_string(options.patience) + " rounds";
    if (rounds == kMostRounds || options.deadline.passed()) {
      end = options.deadline.isCancelled() ? "cancelled"
            : rounds == kMostRounds        ? "all rounds are done"
                                           : "the time is up";
      break;
    }
    size_t wanted = affordable(
        kNewOrders[std::min<size_t>(rounds, std::size(kNewOrders) - 1)]);
    if (rounds && wanted < kFewest) {
      end = "the seconds of the device are spent";
      break;
    }
    if (Error error = propose(wanted))
      return std::move(error);
    if (fresh.empty()) {
      end = "nothing near the fastest is left";
      break;
    }
    std::vector<Candidate *> again = ranked();
    again.resize(std::min(again.size(), kAgain));
    append_range(again, std::exchange(fresh, {}));
    if (Error error = measure(again))
      return std::move(error);
    std::vector<Candidate *> now = ranked();
    auto gained = find_if(now, [&](const Candidate *candidate) {
      TimeRatio time = candidate->time();
      return isFaster({time.ratio / best, time.noise}, kLeastGain);
    });
    stale = gained != now.end() ? 0 : stale + 1;
    if (gained != now.end())
      best = (*gained)->time().ratio;
  }
  keepBest();
  FinalistsOptions last = options.finalists;
  last.attempts = finalists;
  if (options.deviceSeconds > 0)
    last.job.measure.maxSeconds =
        std::max((options.deviceSeconds - spent) / double(last.count + 1) -
                     last.job.measure.energySeconds,
                 kLeastSeconds);
  if (finalists.empty())
    last.count = 0;
  auto measured =
      measureFinalists(result, kernel.build, kernel.context.model, last);
  if (!measured)
    return measured.takeError();
  append_range(measured->notes, notes);
  measured->notes.push_back(
      formatv("the search measured {0} orders in {1} rounds and {2:F1} s; {3}",
              ranked().size(), rounds, spent, end));
  return measured;
}

Expected<MeasuredFinalists>
searchMeasured(TuningResult &result, const SearchedKernel &kernel,
               const MeasuredSearchOptions &options) {
  return MeasuredSearch(result, kernel, options).run();
}

} // namespace swizzle
