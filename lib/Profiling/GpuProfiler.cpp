//===- GpuProfiler.cpp - A GPU as a profiler ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the original took at another time than in a variant's own turns is
// noise: a gain must be larger than that. Nothing is remembered here from one
// order to the next: a run that goes on from a journal asks for the rest alone.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Profiling/GpuProfiler.h"

#include "swizzle/Bundle/Compare.h"
#include "swizzle/Support/Hash.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
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

  Expected<Metrics> measure(const MeasureRequest &request) const {
    if (request.fidelity == Fidelity::Search)
      return cheap(request);
    if (options.deviceSeconds > 0 && request.seconds >= options.deviceSeconds)
      return make_error<DeviceSpent>();
    std::shared_ptr<const Artifact> artifact = request.artifact();
    if (!artifact)
      return createStringError("nothing was compiled that could be measured");
    std::shared_ptr<const Artifact> original =
        request.variant.formula && request.original ? request.original()
                                                    : artifact;
    if (!original)
      return createStringError("the kernel as it is was not compiled, beside "
                               "which an order is measured");
    auto rows = run(request, artifact, original);
    if (!rows)
      return rows.takeError();
    const JobResult &row = rows->back();
    if (!row.failure.empty())
      return createStringError(row.failure);
    Metrics metrics = row.metrics;
    const Metrics *before =
        request.variant.formula ? request.baseline : nullptr;
    if (!before || before->timeUs <= 0)
      return metrics;
    if (before->from.device != metrics.from.device)
      return createStringError("measured on " + metrics.from.device +
                               ", but the kernel as it is on " +
                               before->from.device +
                               ": figures of two devices are not compared");
    // What the clocks did since then is in both times of this run, and makes
    // the ratio less certain.
    TimeRatio time = compareWithOriginal(rows->front(), row);
    double now = rows->front().metrics.timeUs;
    metrics.timeUs = time.ratio * before->timeUs;
    metrics.noise = std::hypot(time.noise, now / before->timeUs - 1);
    return metrics;
  }

private:
  /// Named by what is measured in it, so that a run that goes on finds what it
  /// has, and takes nothing else for it.
  std::string folderOf(const MeasureRequest &request) const {
    std::string name = "original", hash = hashText(request.variant.key);
    if (request.variant.formula)
      name = "order-" + StringRef(hash).split(':').second.take_front(16).str();
    if (request.fidelity == Fidelity::Confirm)
      name += "-again";
    SmallString<256> folder(options.place.folder);
    sys::path::append(folder, name);
    return folder.str().str();
  }

  /// One row of the original, and one of the variant where there is one.
  Expected<std::vector<JobResult>>
  run(const MeasureRequest &request,
      const std::shared_ptr<const Artifact> &artifact,
      const std::shared_ptr<const Artifact> &original) const {
    const Variant &variant = request.variant;
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
    place.folder = folderOf(request);
    return measureBundle(job, artifacts, place);
  }

  const MeasureFunction cheap;
  const std::vector<LaunchDescription> launches;
  const GpuProfilerOptions options;
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
  auto profiler = std::make_shared<const GpuProfiler>(
      std::move(cheap), std::move(launches), options);
  return [profiler](const MeasureRequest &request) {
    return profiler->measure(request);
  };
}

} // namespace swizzle
