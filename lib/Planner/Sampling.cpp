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

#include "Parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace swizzle {

namespace {

// Samples of one line in 2^n, as far as enough lines of an L2 are left to tell
// what fits.
constexpr unsigned finestSample = 4, coarsestSample = 6;
constexpr int64_t fewestLines = 512;
// Of a window, this part fills the caches before anything is counted.
constexpr double warmUp = 0.4;

/// What a line access costs, in those of full detail that hit; what goes behind
/// the L2 costs more, and so does each step of a workgroup, sampled or not.
double costOf(unsigned sampleShift) {
  return sampleShift == 0 ? 1.0 : 0.04 + std::ldexp(1.0, -int(sampleShift));
}
constexpr double costBehindL2 = 1.5, costOfStep = 1.5;

double costOf(const Metrics &metrics, unsigned sampleShift) {
  double behind =
      (metrics.llcBytes + metrics.dramReadBytes + metrics.dramWriteBytes) / 128;
  return costOf(sampleShift) * (metrics.lineAccesses + costBehindL2 * behind) +
         costOfStep * metrics.steps;
}

} // namespace

Sampling::Sampling(const KernelModel &model, const HardwareSpec &hardware)
    : model(model), hardware(hardware) {
  int64_t lines = hardware.l2.capacity().value_or(4 << 20) /
                  std::max<int64_t>(1, hardware.l2.lineBytes.value_or(128)) /
                  std::max<int64_t>(1, hardware.l2.partitions.value_or(1));
  unsigned most = 0;
  while (most < coarsestSample && lines >> (most + 1) >= fewestLines)
    ++most;
  fineSample = std::min(finestSample, most);
  coarseSample = std::min(coarsestSample, most);
}

void Sampling::choose(double all, double accesses) {
  detail = SimulationOptions();
  if (all <= accesses)
    return;
  detail.sampleShift = fineSample;
  if (all * costOf(fineSample) <= accesses)
    return;
  double resident = double(std::max<int64_t>(1, occupancy(model, hardware))) *
                    double(hardware.numUnits()) / double(model.grid.count());
  if (accesses < all * resident * costOf(fineSample))
    detail.sampleShift = coarseSample;
  detail.prefix = std::min(
      1.0, std::max(accesses / (all * costOf(detail.sampleShift)), resident));
  detail.warmUp = detail.prefix < 1 ? warmUp : 0;
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

llvm::Error Sampling::settle(const ReuseTable &reuse, double accesses,
                             bool full) {
  double lines = 0;
  for (const BufferReuse &buffer : reuse.buffers)
    lines += double(buffer.bytesPerWorkgroup) / double(reuse.lineBytes);
  lines *= double(model.grid.count());
  if (full)
    accesses = HUGE_VAL;
  choose(lines, accesses);
  // Footprints are walked once or many times: one residency tells.
  if (detail.sampleShift)
    choose(HUGE_VAL, 0);
  if (llvm::Error error = measureBase())
    return error;
  SimulationOptions probe = detail;
  // In terms of accesses that hit, as `choose` counts.
  choose(std::max(base.lineAccesses, lines) *
             std::max(1.0, costOf(base, fineSample) /
                               (costOf(fineSample) *
                                std::max(1.0, base.lineAccesses))),
         accesses);
  if (probe.prefix == detail.prefix && probe.sampleShift == detail.sampleShift)
    return llvm::Error::success();
  return measureBase();
}

void Sampling::lengthen(double prefix) {
  detail.prefix = std::min(1.0, prefix);
  detail.warmUp = detail.prefix < 1 ? warmUp : 0;
  place();
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
  base = std::move(metrics->front());
  return llvm::Error::success();
}

llvm::Expected<Metrics> Sampling::measureOne(const Job &job,
                                             Simulator &simulator) const {
  constexpr double scale[numVariants] = {1, 0.9, 1.1, 1};
  constexpr uint32_t skew[numVariants] = {0, 0, 0, 1};
  SimulationOptions options = detail;
  options.remapInstructions = job.remapInstructions;
  options.capacityScale = scale[job.variant];
  options.skew = skew[job.variant];
  options.drift = skew[job.variant] ? kSensitivityDrift : 1;
  return simulator.run(job.tiles.empty() ? baseTiles() : job.tiles, options);
}

llvm::Expected<std::vector<Metrics>>
Sampling::measure(llvm::ArrayRef<Job> jobs) {
  std::vector<std::optional<llvm::Expected<Metrics>>> results(jobs.size());
  while (simulators.size() < threadsFor(jobs.size()))
    simulators.push_back(std::make_unique<Simulator>(model, hardware));
  forEach(jobs.size(), [&](size_t i, size_t thread) {
    results[i].emplace(measureOne(jobs[i], *simulators[thread]));
  });

  std::vector<Metrics> metrics;
  llvm::Error error = llvm::Error::success();
  for (std::optional<llvm::Expected<Metrics>> &result : results) {
    if (!*result) {
      error = llvm::joinErrors(std::move(error), result->takeError());
      continue;
    }
    total += detail.prefix * costOf(**result, detail.sampleShift);
    metrics.push_back(std::move(**result));
  }
  if (error)
    return std::move(error);
  return metrics;
}

double Sampling::costOfOne() const {
  return detail.prefix * costOf(base, detail.sampleShift);
}

} // namespace swizzle
