//===- Sampling.cpp - How much is simulated for one order -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A first look at one residency tells how many line accesses a launch makes;
// the part that is simulated follows from that and from what may be spent.
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"
#include "Constants.h"

#include "swizzle/Hardware/Completion.h"
#include "swizzle/Simulation/WorkUnits.h"
#include "swizzle/Support/Parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace swizzle::planner {

namespace {

using Constants = SamplingConstants;

double costOf(unsigned sampleShift) {
  return sampleShift == 0
             ? 1.0
             : WorkPrices::unsampledLine + std::ldexp(1.0, -int(sampleShift));
}

double costOf(const Metrics &metrics, const HardwareSpec &hardware,
              unsigned sampleShift) {
  double behind = 0;
  for (size_t i = hardware.sharedIndex() + 1; i < hardware.levels.size(); ++i)
    behind += metrics.bytes(hardware.levels[i].name);
  behind = (behind + metrics.dramReadBytes + metrics.dramWriteBytes) / 128;
  return costOf(sampleShift) *
             (metrics.lineAccesses + WorkPrices::behindL2 * behind) +
         WorkPrices::ofSteps(metrics.steps, metrics.emptySteps);
}

} // namespace

Sampling::Sampling(const KernelModel &model, const HardwareSpec &hardware,
                   LeaveOut first)
    : model(model), hardware(hardware), leaveOut(first),
      ceiling(Constants::mostOfOne) {
  const CacheLevel shared = completeSharedLevel(hardware);
  int64_t lines = *shared.capacity() / *shared.lineBytes / *shared.partitions;
  while (coarsest < Constants::coarsestSample &&
         lines >> (coarsest + 1) >= Constants::fewestLines)
    ++coarsest;
}

double Sampling::resident() const {
  return double(std::max<int64_t>(1, occupancy(model, hardware))) *
         double(hardware.numUnits()) / double(model.grid.count());
}

void Sampling::setWindow(double share) {
  detail.prefix = std::min(1.0, std::max(share, resident()));
  detail.warmUp = detail.prefix < 1 ? Constants::warmUp : 0;
}

/// Chooses what costs no more than `accesses`: the finest sample of a whole
/// launch, else a window.
void Sampling::chooseLines(double accesses) {
  detail = SimulationOptions();
  while (detail.sampleShift < coarsest &&
         costOf(launch, hardware, detail.sampleShift) > accesses)
    ++detail.sampleShift;
  if (costOf(launch, hardware, detail.sampleShift) >
      Constants::stretch * accesses)
    chooseWorkgroups(accesses);
}

/// The same if workgroups are left out first: all, or the usual sample of all,
/// or a coarser one, or the longest window of the usual one, or the shortest
/// window of the coarsest sample.
void Sampling::chooseWorkgroups(double accesses) {
  detail = SimulationOptions();
  if (inHits <= accesses)
    return;
  unsigned fine = std::min(Constants::sampleOfWindow, coarsest);
  detail.sampleShift = fine;
  if (inHits * costOf(fine) <= accesses)
    return;
  while (detail.sampleShift < coarsest &&
         costOf(launch, hardware, detail.sampleShift) >
             Constants::stretch * accesses)
    ++detail.sampleShift;
  if (costOf(launch, hardware, detail.sampleShift) <=
      Constants::stretch * accesses)
    return;
  detail.sampleShift = fine;
  if (accesses < inHits * resident() * costOf(fine))
    detail.sampleShift = coarsest;
  setWindow(accesses / (inHits * costOf(detail.sampleShift)));
}

void Sampling::choose(double accesses) {
  if (leaveOut == LeaveOut::Lines)
    chooseLines(accesses);
  else
    chooseWorkgroups(accesses);
  limitDepth(accesses);
}

/// If what was chosen costs too much all the same, because workgroups are deep:
/// the shortest window of the coarsest sample; and if that does, a part of each
/// workgroup's steps.
void Sampling::limitDepth(double accesses) {
  double most = std::max(ceiling, Constants::stretch * accesses);
  detail.mostWork = Constants::mostOverEstimate * most;
  if (workOfOne() <= most)
    return;
  detail.sampleShift = coarsest;
  setWindow(0);
  double work = workOfOne();
  if (work <= most)
    return;
  detail.depth = most / work;
  detail.warmUp = 0;
}

/// What one run of all of the chosen part's steps takes. Before anything was
/// simulated, steps are counted in the model.
double Sampling::workOfOne() const {
  Metrics whole = launch;
  if (whole.steps == 0)
    whole.steps = stepsOfOne * double(model.grid.count());
  // Residents go on in rounds; with few of them, rounds are what costs.
  double residencies = std::max(1.0, detail.prefix / resident());
  return detail.prefix * costOf(whole, hardware, detail.sampleShift) +
         WorkPrices::round * residencies * stepsOfOne;
}

/// Where a window of the chosen length lies: at a third, which is never the
/// edge of a piece whose size is a power of two.
void Sampling::place() {
  int64_t all = model.grid.count();
  windowCount = std::clamp<int64_t>(
      std::llround(std::ceil(double(all) * detail.prefix)), 1, all);
  int64_t round = std::max<int64_t>(1, hardware.numDies) *
                  std::max<int64_t>(1, hardware.dispatchChunk);
  firstId = (all - windowCount) / 3 / round * round;
}

/// Counts what there is to simulate in what is chosen; `lines` at least.
llvm::Error Sampling::count(double lines) {
  if (llvm::Error error = measureBase())
    return error;
  launch = base;
  // Who falls behind, and so who waits with whom, then decides, and a coarse
  // sample has no line of most rounds.
  if (isBoundByLatency(base))
    coarsest = std::min(coarsest, Constants::sampleOfWindow);
  launch.lineAccesses = std::max<double>(base.lineAccesses, lines);
  unsigned fine = std::min(Constants::sampleOfWindow, coarsest);
  inHits = launch.lineAccesses *
           std::max(1.0, costOf(base, hardware, fine) /
                             (costOf(fine) *
                              std::max<double>(1, base.lineAccesses)));
  return llvm::Error::success();
}

/// True if the usual sample of all workgroups is chosen, even if the count were
/// off by as much as `error`.
bool Sampling::isSampled(double accesses, double error) {
  unsigned fine = std::min(Constants::sampleOfWindow, coarsest);
  for (double factor : {1 - error, 1 + error, 1.0}) {
    choose(accesses * factor);
    if (detail.sampleShift != fine || detail.prefix < 1 || detail.depth < 1)
      return false;
  }
  return true;
}

/// By footprints, all could be simulated in full, but lines may be used many
/// times: looks at one residency and, if that asks for the usual sample, at it.
/// True if the sample is settled so: a full count would lead to it as well.
llvm::Expected<bool> Sampling::settleForSample(double lines, double accesses) {
  if (coarsest == 0)
    return false;
  detail.sampleShift = coarsest;
  setWindow(0);
  limitDepth(accesses);
  if (llvm::Error error = count(lines))
    return std::move(error);
  if (!isSampled(accesses, 0))
    return false;
  if (llvm::Error error = count(lines))
    return std::move(error);
  return isSampled(accesses, Constants::errorOfCount);
}

void Sampling::startLike(Sampling &other) {
  if (!other.simulators.empty())
    simulators.push_back(other.simulators.front()->another());
}

llvm::Error Sampling::settle(const ReuseTable &reuse, double accesses) {
  if (llvm::Error error = settleDetail(reuse, accesses))
    return error;
  return isBaseKnown ? llvm::Error::success() : measureBase();
}

llvm::Error Sampling::settleDetail(const ReuseTable &reuse, double accesses) {
  double lines = 0;
  for (const BufferReuse &buffer : reuse.buffers)
    lines += double(buffer.bytesPerWorkgroup) / double(reuse.lineBytes);
  lines *= double(model.grid.count());
  launch = Metrics();
  launch.lineAccesses = inHits = lines;
  if (simulators.empty())
    simulators.push_back(std::make_unique<Simulator>(model, hardware));
  if (llvm::Error error = simulators.front()->check())
    return error;
  stepsOfOne = simulators.front()->stepsOfWorkgroup();
  choose(accesses);
  // Footprints are walked once or many times: one residency tells.
  if (detail.sampleShift) {
    detail.sampleShift = coarsest;
    setWindow(0);
    limitDepth(accesses);
  } else if (leaveOut == LeaveOut::Workgroups) {
    SimulationOptions whole = detail;
    llvm::Expected<bool> settled = settleForSample(lines, accesses);
    if (!settled)
      return settled.takeError();
    if (*settled)
      return llvm::Error::success();
    detail = whole;
  }
  SimulationOptions probe = detail;
  if (llvm::Error error = count(lines))
    return error;
  choose(accesses);
  isBaseKnown = probe.prefix == detail.prefix &&
                probe.sampleShift == detail.sampleShift &&
                probe.depth == detail.depth;
  if (!isBaseKnown)
    place();
  return llvm::Error::success();
}

bool Sampling::refine(double accesses) {
  SimulationOptions before = detail;
  choose(accesses);
  if (costOf(launch, hardware, detail.sampleShift) * detail.prefix *
          detail.depth <
      Constants::worthwhile * costOf(launch, hardware, before.sampleShift) *
          before.prefix * before.depth) {
    detail = before;
    return false;
  }
  place();
  return true;
}

std::vector<uint32_t> Sampling::baseTiles() const {
  std::vector<uint32_t> tiles;
  if (windowCount < model.grid.count()) {
    tiles.resize(windowCount);
    std::iota(tiles.begin(), tiles.end(), static_cast<uint32_t>(firstId));
  }
  return tiles;
}

llvm::Error Sampling::measureBase() {
  place();
  llvm::Expected<std::vector<Metrics>> metrics = measure(Job());
  if (!metrics)
    return metrics.takeError();
  setBefore(std::move(metrics->front()));
  return llvm::Error::success();
}

llvm::Expected<Metrics> Sampling::measureOne(const Job &job,
                                             Simulator &simulator) const {
  constexpr double scale[numVariants] = {1, 0.9, 1.1, 1};
  constexpr uint32_t skew[numVariants] = {0, 0, 0, 1};
  SimulationOptions options = detail;
  options.tellsOnce = leaveOut == LeaveOut::Workgroups;
  options.deadline = deadline;
  if (!job.tiles.empty())
    options.remapInstructions =
        job.remapInstructions + double(model.guardInstructions);
  options.capacityScale = scale[job.variant];
  options.skew = skew[job.variant];
  options.drift = skew[job.variant] ? Constants::drift : 1;
  return simulator.run(job.tiles.empty() ? baseTiles() : job.tiles, options);
}

llvm::Error Sampling::measure(llvm::ArrayRef<Job> jobs,
                              std::vector<std::optional<Metrics>> &metrics) {
  std::vector<std::optional<llvm::Error>> errors(jobs.size());
  metrics.assign(jobs.size(), std::nullopt);
  while (simulators.size() < threadsFor(jobs.size()))
    simulators.push_back(simulators.front()->another());
  forEachInParallel(jobs.size(), [&](size_t i, size_t thread) {
    llvm::Expected<Metrics> one = measureOne(jobs[i], *simulators[thread]);
    if (one)
      metrics[i] = std::move(*one);
    else
      errors[i].emplace(one.takeError());
  });
  llvm::Error all = llvm::Error::success();
  bool interrupted = false;
  for (std::optional<llvm::Error> &error : errors)
    if (error)
      all = llvm::joinErrors(std::move(all), std::move(*error));
  // That the time was up is said once, and only where nothing else is wrong.
  all = llvm::handleErrors(std::move(all),
                           [&](const Interrupted &) { interrupted = true; });
  if (all || !interrupted)
    return all;
  return llvm::make_error<Interrupted>();
}

llvm::Expected<std::vector<Metrics>>
Sampling::measure(llvm::ArrayRef<Job> jobs) {
  std::vector<std::optional<Metrics>> some;
  if (llvm::Error error = measure(jobs, some))
    return std::move(error);
  std::vector<Metrics> metrics;
  for (std::optional<Metrics> &one : some)
    metrics.push_back(std::move(*one));
  return metrics;
}

llvm::Expected<std::vector<Metrics>>
Sampling::measureWithBefore(std::vector<Job> jobs) {
  if (isBaseKnown)
    return measure(jobs);
  jobs.emplace_back();
  llvm::Expected<std::vector<Metrics>> metrics = measure(jobs);
  if (metrics) {
    setBefore(std::move(metrics->back()));
    metrics->pop_back();
  }
  return metrics;
}

double Sampling::costOfOne() const {
  return detail.prefix * detail.depth *
         costOf(launch, hardware, detail.sampleShift);
}

double Sampling::work() const {
  double sum = 0;
  for (const std::unique_ptr<Simulator> &simulator : simulators)
    sum += simulator->work();
  return sum;
}

} // namespace swizzle::planner
