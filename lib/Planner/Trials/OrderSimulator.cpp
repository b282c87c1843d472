//===- OrderSimulator.cpp - Orders of one kernel, simulated alike ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planner/OrderSimulator.h"

#include "Sampling.h"
#include "swizzle/Hardware/Completion.h"

using namespace llvm;

namespace swizzle {

using namespace planner;

std::string describeDetail(const SimulationOptions &options) {
  std::string mode = "full";
  if (options.sampleShift)
    mode = "sampled 1/" + std::to_string(1u << options.sampleShift);
  if (options.prefix < 1)
    mode += ", prefix";
  if (options.depth < 1)
    mode += ", part of the steps";
  return mode;
}

OrderSimulator::OrderSimulator(const KernelModel &model,
                               const HardwareSpec &hardware, double accesses)
    : model(model), hardware(hardware), accesses(accesses),
      sampling(std::make_unique<Sampling>(model, hardware,
                                          Sampling::LeaveOut::Workgroups)) {}

OrderSimulator::~OrderSimulator() = default;

void OrderSimulator::startLike(planner::Sampling &other) {
  sampling->startLike(other);
}

const SimulationOptions &OrderSimulator::options() const {
  return sampling->options();
}

Error OrderSimulator::settle() {
  if (settled)
    return Error::success();
  if (!reuse)
    reuse = analyseReuse(model, *completeSharedLevel(hardware).lineBytes);
  if (Error error = sampling->settleDetail(*reuse, accesses))
    return error;
  settled = true;
  return Error::success();
}

Expected<Metrics> OrderSimulator::simulate(ArrayRef<uint32_t> permutation,
                                           double remapInstructions) {
  int64_t all = model.grid.count();
  if (!permutation.empty() && int64_t(permutation.size()) != all)
    return createStringError(
        inconvertibleErrorCode(),
        "the order has %zu workgroups, the grid of %s has %lld",
        permutation.size(), model.name.c_str(), static_cast<long long>(all));
  if (permutation.empty()) {
    if (Error error = simulateAll({}).takeError())
      return std::move(error);
    return sampling->before();
  }
  return simulate(
      [&](int64_t first, int64_t count) {
        return permutation.slice(first, count).vec();
      },
      remapInstructions);
}

Expected<Metrics> OrderSimulator::simulate(
    function_ref<std::vector<uint32_t>(int64_t, int64_t)> tilesOf,
    double remapInstructions) {
  Expected<std::vector<Metrics>> metrics =
      simulateAll(Request{tilesOf, remapInstructions});
  if (!metrics)
    return metrics.takeError();
  return std::move(metrics->front());
}

Expected<Metrics> OrderSimulator::simulate(const BoundFormula &order,
                                           double remapInstructions) {
  Error failed = Error::success();
  Expected<Metrics> metrics = simulate(
      [&](int64_t first, int64_t count) {
        std::vector<uint32_t> tiles(count);
        failed = joinErrors(std::move(failed), order.evaluate(first, tiles));
        return tiles;
      },
      remapInstructions);
  if (failed) {
    consumeError(metrics.takeError()); // of tiles that are none
    return std::move(failed);
  }
  return metrics;
}

Expected<std::vector<Metrics>>
OrderSimulator::simulateAll(ArrayRef<Request> requests) {
  if (Error error = settle())
    return std::move(error);
  std::vector<Sampling::Job> jobs;
  for (const Request &request : requests)
    jobs.push_back({request.tilesOf(sampling->first(), sampling->count()),
                    request.remapInstructions, 0});
  return sampling->measureWithBefore(std::move(jobs));
}

void OrderSimulator::setDeadline(const Deadline &deadline) {
  sampling->setDeadline(deadline);
}

double OrderSimulator::work() const { return sampling->work(); }

} // namespace swizzle
