//===- GpuProfiler.cpp - A GPU as a profiler ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the original took at another time than in a variant's own turns is
// noise: a gain must be larger than that.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Profiling/GpuProfiler.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <cmath>

using namespace llvm;

namespace swizzle {

namespace {

class GpuProfiler {
public:
  GpuProfiler(MeasureFunction cheap, std::vector<LaunchDescription> launches,
              const GpuProfilerOptions &options)
      : cheap(std::move(cheap)), launches(std::move(launches)),
        options(options) {}

  Expected<Metrics> measure(const MeasureRequest &request) {
    if (request.fidelity == Fidelity::Search)
      return cheap(request);
    if (options.deviceSeconds > 0 && spent >= options.deviceSeconds)
      return make_error<DeviceSpent>();
    std::shared_ptr<const Artifact> artifact = request.artifact();
    if (!artifact)
      return createStringError("nothing was compiled that could be measured");
    if (!request.variant.formula)
      original = artifact;
    if (!original)
      return createStringError("the kernel as it is was not measured before");
    auto start = std::chrono::steady_clock::now();
    Expected<Metrics> metrics = run(request.variant, artifact);
    spent +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    return metrics;
  }

private:
  Expected<Metrics> run(const Variant &variant,
                        const std::shared_ptr<const Artifact> &artifact) {
    Job job = options.job;
    job.name = launches.front().kernel;
    job.launches = launches;
    if (launches.size() == 1 && artifact->kernels.size() == 1)
      job.launches.front().kernel = artifact->kernels.front().name;
    job.variants = {{"original", {}, "", {}}};
    std::vector<std::shared_ptr<const Artifact>> artifacts = {original};
    if (variant.formula) {
      JobVariant &added = job.variants.emplace_back();
      added.name = "variant";
      added.formula = variant.formula->print();
      for (const auto &[name, value] : variant.params)
        added.params[name] = value;
      artifacts.push_back(artifact);
    }
    Place place = options.place;
    SmallString<256> folder(place.folder);
    sys::path::append(folder, "order-" + std::to_string(count++));
    place.folder = folder.str().str();
    auto rows = measureBundle(job, artifacts, place);
    if (!rows)
      return rows.takeError();
    const JobResult &row = rows->back();
    if (!row.failure.empty())
      return createStringError(row.failure);
    Metrics metrics = row.metrics;
    double now = rows->front().metrics.timeUs;
    if (!variant.formula)
      originalUs = now;
    else if (originalUs > 0)
      metrics.noise =
          std::hypot(metrics.noise.value_or(0), now / originalUs - 1);
    return metrics;
  }

  MeasureFunction cheap;
  const std::vector<LaunchDescription> launches;
  const GpuProfilerOptions options;
  std::shared_ptr<const Artifact> original;
  double originalUs = 0, spent = 0;
  unsigned count = 0;
};

} // namespace

char DeviceSpent::ID = 0;

void DeviceSpent::log(raw_ostream &os) const {
  os << "the device's seconds are spent";
}

std::error_code DeviceSpent::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

MeasureFunction makeGpuProfiler(MeasureFunction cheap,
                                std::vector<LaunchDescription> launches,
                                const GpuProfilerOptions &options) {
  auto profiler = std::make_shared<GpuProfiler>(std::move(cheap),
                                                std::move(launches), options);
  return [profiler](const MeasureRequest &request) {
    return profiler->measure(request);
  };
}

} // namespace swizzle
