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

#include "swizzle/Planner/Planner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace swizzle {

namespace {

// A sampled access costs about this part of one in full detail.
constexpr double costOfSampled = 0.3;
constexpr unsigned sampleShift = 4;

} // namespace

Sampling::Sampling(const KernelModel &model, const HardwareSpec &hardware)
    : model(model), hardware(hardware) {}

void Sampling::choose(double all, double accesses) {
  detail = SimulationOptions();
  if (all <= accesses)
    return;
  detail.sampleShift = sampleShift;
  accesses /= costOfSampled;
  if (all <= accesses)
    return;
  double resident = double(std::max<int64_t>(1, occupancy(model, hardware))) *
                    double(hardware.numUnits());
  detail.prefix = std::min(
      1.0, std::max(accesses / all, resident / double(model.grid.count())));
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
  choose(std::max(base.lineAccesses, lines), accesses);
  if (probe.prefix == detail.prefix && probe.sampleShift == detail.sampleShift)
    return llvm::Error::success();
  return measureBase();
}

llvm::Error Sampling::lengthen(double prefix) {
  detail.prefix = std::min(1.0, prefix);
  return measureBase();
}

llvm::Error Sampling::measureBase() {
  place();
  std::vector<uint32_t> tiles;
  if (windowCount < model.grid.count()) {
    tiles.resize(windowCount);
    std::iota(tiles.begin(), tiles.end(), static_cast<uint32_t>(firstId));
  }
  llvm::Expected<Metrics> metrics = measure(tiles, 0);
  if (!metrics)
    return metrics.takeError();
  base = std::move(*metrics);
  return llvm::Error::success();
}

llvm::Expected<Metrics> Sampling::measure(llvm::ArrayRef<uint32_t> tiles,
                                          double remapInstructions) {
  SimulationOptions options = detail;
  options.remapInstructions = remapInstructions;
  llvm::Expected<Metrics> metrics =
      swizzle::simulate(model, hardware, tiles, options);
  if (metrics)
    total += metrics->lineAccesses * detail.prefix *
             (detail.sampleShift ? costOfSampled : 1.0);
  return metrics;
}

double Sampling::costOfOne() const {
  return base.lineAccesses * detail.prefix *
         (detail.sampleShift ? costOfSampled : 1.0);
}

llvm::Expected<Metrics>
simulateWithin(const KernelModel &model, const HardwareSpec &hardware,
               llvm::ArrayRef<uint32_t> permutation, double accesses,
               double remapInstructions, SimulationOptions *used) {
  int64_t all = model.grid.count();
  if (!permutation.empty() && static_cast<int64_t>(permutation.size()) != all)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "the order has %zu workgroups, the grid of %s has %lld",
        permutation.size(), model.name.c_str(), static_cast<long long>(all));
  Sampling sampling(model, hardware);
  if (llvm::Error error = sampling.settle(
          analyseReuse(model, hardware.l2.lineBytes.value_or(128)), accesses,
          /*full=*/false))
    return std::move(error);
  if (used)
    *used = sampling.options();
  if (permutation.empty())
    return sampling.before();
  return sampling.measure(permutation.slice(sampling.first(), sampling.count()),
                          remapInstructions);
}

} // namespace swizzle
