//===- Worker.cpp - Measures a group of variants --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A failure of one variant leaves the others, as long as the device still
// answers. Practice followed here (J. Demouth et al., nvbench; P. Springer et
// al., TTC): warm up, take turns, clear the caches between cold samples outside
// of the timed region, stop when the figures are steady or do not get steadier.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "Buffers/Buffers.h"
#include "Device/Monitor.h"
#include "swizzle/Measure/Run/Statistics.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace swizzle::measuring {

namespace {

/// How patient measuring is.
struct Patience {
  double steady = 0.005;      ///< relative noise at which a figure is steady
  double shrinks = 0.95;      ///< noise that shrinks less in a block is left
  int64_t mostBlocks = 10;    ///< of `repeats` turns each
  double leastSampleUs = 200; ///< a warm sample runs the kernel until then
  double loadSeconds = 120;   ///< for compiling PTX and filling memory
  double firstSeconds = 10;   ///< for one run, whatever the original takes
  double timesOriginal = 100; ///< a variant that takes longer hangs
};

/// Not the contents that the first comparison used.
constexpr int64_t kSecondSalt = 1000003;
/// Of all levels together, on chips whose driver tells of the L2 alone.
constexpr uint64_t kLeastFlushBytes = uint64_t(512) << 20;

struct Running {
  const LoadedVariant *loaded = nullptr;
  GpuModule module;
  std::vector<GpuFunction> functions; ///< one for each launch
  std::vector<double> cold, warm, energy;
  int64_t batch = 1; ///< runs in a warm sample
  bool failed = false;
  const std::string &name() const { return loaded->variant->name; }
};

class Group {
public:
  Group(const GroupRequest &request,
        const std::function<void(const Message &)> &tell)
      : request(request), job(request.job), tell(tell) {}

  bool run();

private:
  std::string open();
  std::string prepare(Running &one);
  std::string launchAll(Running &one);
  std::string timeRuns(Running &one, int64_t count, double &us);
  std::string check(Running &one, int64_t salt);
  std::string clearCaches();
  std::string sampleCold(Running &one);
  std::string sampleWarm(Running &one);
  std::string measureEnergy(Running &one);
  std::string warmUp(Running &one);
  void turns();
  bool isDone(int64_t blocks, double &noise) const;
  void report(const Running &one);
  TimeSamples samplesOf(const std::vector<double> &samples) const;
  void look();
  /// Announces a step; then does it unless the variant has failed before.
  template <typename Fn>
  void step(Running &one, const char *what, double seconds, Fn fn);
  double limit() const {
    return std::min(patience.firstSeconds, job.measure.maxSeconds) +
           patience.timesOriginal * originalUs * 1e-6;
  }

  const GroupRequest &request;
  const Job &job;
  const std::function<void(const Message &)> &tell;
  const Patience patience;
  std::unique_ptr<GpuDriver> driver;
  std::unique_ptr<Monitor> monitor;
  std::unique_ptr<JobBuffers> buffers;
  std::vector<Running> all;
  std::vector<GpuDriver::Launch> launches;
  GpuPointer flush = 0;
  uint64_t flushBytes = 0;
  unsigned char flushByte = 0;
  GpuEvent before, after;
  std::vector<unsigned char> expected, found; ///< outputs
  double originalUs = 0;
  std::vector<double> lastOriginal;
  DeviceState low, high;
  std::string outputs{kNotCompared};
  bool lost = false; ///< the device does not answer any more
};

std::string Group::open() {
  std::string wrong;
  driver = GpuDriver::open(request.api, request.device, wrong);
  if (!driver)
    return wrong;
  if (std::string name = driver->deviceName();
      !request.deviceName.empty() && name != request.deviceName)
    return "this device is '" + name +
           "', and the results that are there are "
           "of '" +
           request.deviceName +
           "': go on there, or give --fresh, "
           "which measures everything anew";
  monitor = Monitor::open(*driver);
  uint64_t free = 0, total = 0;
  if (wrong = driver->memory(free, total); !wrong.empty())
    return wrong;
  uint64_t l2 = uint64_t(driver->number(GpuNumber::L2Bytes).value_or(0));
  flushBytes =
      std::max(2 * l2, std::min<uint64_t>(kLeastFlushBytes, total / 16));
  buffers = std::make_unique<JobBuffers>(*driver, job);
  wrong = buffers->allocate(flushBytes);
  if (wrong.empty())
    wrong = driver->allocate(flushBytes, flush);
  if (wrong.empty())
    wrong = driver->makeEvent(before);
  if (wrong.empty())
    wrong = driver->makeEvent(after);
  for (size_t i = 0; i < job.launches.size(); ++i)
    launches.push_back(buffers->prepare(i));
  return wrong;
}

std::string Group::prepare(Running &one) {
  std::string wrong = driver->load(one.loaded->bytes, one.module);
  for (const LaunchDescription &launch : job.launches) {
    GpuFunction function;
    if (wrong.empty())
      wrong = driver->find(one.module, launch.kernel, function);
    if (wrong.empty())
      wrong =
          driver->allowWorkgroupMemory(function, launch.dynamicWorkgroupBytes);
    one.functions.push_back(function);
  }
  return wrong;
}

std::string Group::launchAll(Running &one) {
  for (size_t i = 0; i < launches.size(); ++i)
    if (std::string wrong = driver->launch(one.functions[i], launches[i]);
        !wrong.empty())
      return wrong;
  return "";
}

/// Microseconds of `count` runs, one behind the other.
std::string Group::timeRuns(Running &one, int64_t count, double &us) {
  std::string wrong = driver->record(before);
  for (int64_t i = 0; i < count && wrong.empty(); ++i)
    wrong = launchAll(one);
  if (wrong.empty())
    wrong = driver->record(after);
  if (wrong.empty())
    wrong = driver->waitFor(after);
  if (wrong.empty())
    wrong = driver->elapsed(before, after, us);
  return wrong;
}

/// Runs on fresh contents, and compares with what the original wrote. The
/// original's own run is what the others are compared with.
std::string Group::check(Running &one, int64_t salt) {
  double us = 0;
  bool isOriginal = &one == &all.front();
  std::string wrong = buffers->reset(salt);
  // A kernel that hangs is not given the time that filling may take.
  double most = isOriginal ? job.measure.maxSeconds : limit();
  tell({Message::Begin, one.name(), "running", most});
  if (wrong.empty())
    wrong = timeRuns(one, 1, us);
  tell({Message::Begin, one.name(), "comparing", patience.loadSeconds});
  if (isOriginal)
    originalUs = us;
  if (wrong.empty() && job.check.compare)
    wrong = buffers->readOutputs(isOriginal ? expected : found);
  if (!wrong.empty() || isOriginal || !job.check.compare)
    return wrong;
  wrong = buffers->compare(expected, found);
  return wrong.empty() ? ""
                       : "its outputs differ from the original's: " + wrong;
}

std::string Group::clearCaches() {
  // Another byte each time: the same one might not be written.
  std::string wrong = driver->fill(flush, ++flushByte, flushBytes);
  return wrong.empty() ? driver->synchronize() : wrong;
}

std::string Group::sampleCold(Running &one) {
  double us = 0;
  std::string wrong = clearCaches();
  if (wrong.empty())
    wrong = timeRuns(one, 1, us);
  if (wrong.empty())
    one.cold.push_back(us);
  return wrong;
}

std::string Group::sampleWarm(Running &one) {
  double us = 0;
  std::string wrong = timeRuns(one, one.batch, us);
  if (wrong.empty())
    one.warm.push_back(us / double(one.batch));
  return wrong;
}

std::string Group::warmUp(Running &one) {
  double us = 0;
  std::string wrong = timeRuns(one, 1, us);
  for (int64_t i = 1; i < job.measure.warmUps && wrong.empty(); ++i)
    wrong = timeRuns(one, 1, us);
  double count = us > 0 ? std::ceil(patience.leastSampleUs / us) : 1;
  one.batch = int64_t(std::clamp(count, 1.0, 1000.0));
  return wrong;
}

/// Runs until the time is up, and takes the difference of the energy counter.
std::string Group::measureEnergy(Running &one) {
  std::optional<int64_t> from = monitor->look().millijoules;
  if (!from)
    return "";
  auto start = std::chrono::steady_clock::now();
  std::chrono::duration<double> wanted(job.measure.energySeconds);
  int64_t runs = 0;
  while (std::chrono::steady_clock::now() - start < wanted) {
    if (std::string wrong = sampleWarm(one); !wrong.empty())
      return wrong;
    one.warm.pop_back();
    runs += one.batch;
  }
  if (std::optional<int64_t> to = monitor->look().millijoules; to && runs)
    one.energy.push_back(double(*to - *from) / 1000 / double(runs));
  return "";
}

void Group::look() {
  DeviceState now = monitor->look();
  auto widen = [](std::optional<int64_t> &bound, std::optional<int64_t> value,
                  bool lower) {
    if (value && (!bound || (lower ? *value < *bound : *value > *bound)))
      bound = value;
  };
  widen(low.unitClockMegahertz, now.unitClockMegahertz, true);
  widen(high.unitClockMegahertz, now.unitClockMegahertz, false);
  widen(high.temperature, now.temperature, false);
}

template <typename Fn>
void Group::step(Running &one, const char *what, double seconds, Fn fn) {
  if (one.failed || lost || all.front().failed)
    return;
  tell({Message::Begin, one.name(), what, seconds});
  std::string wrong = fn();
  if (wrong.empty())
    return;
  one.failed = true;
  tell({Message::Failed, one.name(), wrong, 0});
  lost = !driver->synchronize().empty();
}

/// Steady, not getting steadier, or out of turns.
bool Group::isDone(int64_t blocks, double &noise) const {
  double worst = 0;
  for (const Running &one : all)
    if (!one.failed)
      worst = std::max(worst,
                       summarise(job.measure.cold ? one.cold : one.warm).noise);
  bool shrinks = worst < patience.shrinks * noise;
  noise = worst;
  bool enough = job.measure.mostRepeats &&
                blocks * job.measure.repeats >= job.measure.mostRepeats;
  return enough || worst < patience.steady || (blocks > 1 && !shrinks) ||
         blocks >= patience.mostBlocks;
}

void Group::turns() {
  auto start = std::chrono::steady_clock::now();
  std::chrono::duration<double> most(job.measure.maxSeconds *
                                     double(all.size()));
  double noise = 1;
  for (int64_t block = 1; !lost; ++block) {
    for (int64_t i = 0; i < job.measure.repeats; ++i) {
      for (Running &one : all)
        step(one, "timing", 2 * limit(), [&] {
          std::string wrong = sampleCold(one);
          return wrong.empty() ? sampleWarm(one) : wrong;
        });
      if (std::chrono::steady_clock::now() - start > most)
        return;
    }
    look();
    if (isDone(block, noise))
      return;
  }
}

TimeSamples Group::samplesOf(const std::vector<double> &samples) const {
  Summary summary = summarise(samples);
  return {summary.median, summary.p20, summary.p80, summary.noise, samples};
}

static std::string now() {
  char text[32] = "";
  std::time_t time = std::time(nullptr);
  std::tm parts;
  if (gmtime_r(&time, &parts))
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void Group::report(const Running &one) {
  JobResult row;
  row.variant = one.name();
  row.of = fingerprint(job, all.front().loaded->bytes, one.loaded->bytes);
  Measurement &how = row.measurement.emplace();
  how.driver =
      std::string(toString(driver->api())) + " " + driver->driverVersion();
  how.date = now();
  how.cold = samplesOf(one.cold);
  how.warm = samplesOf(one.warm);
  how.outputs = outputs;
  const Running &original = all.front();
  const std::vector<double> &first =
      job.measure.cold ? original.cold : original.warm;
  how.originalUs = percentile(first, 0.5);
  if (!lastOriginal.empty() && how.originalUs > 0)
    how.drift = percentile(lastOriginal, 0.5) / how.originalUs - 1;
  how.clockLowMegahertz = low.unitClockMegahertz;
  how.clockHighMegahertz = high.unitClockMegahertz;
  how.temperature = high.temperature;
  const TimeSamples &counts = job.measure.cold ? how.cold : how.warm;
  row.metrics.from = {Origin::Measured, driver->deviceName()};
  row.metrics.timeUs = counts.median;
  row.metrics.noise = counts.noise;
  if (!one.energy.empty())
    row.metrics.energyJoules = one.energy.front();
  // A clock that stood still says nothing.
  if (!(counts.median > 0) || !(how.originalUs > 0))
    return tell({Message::Failed, one.name(),
                 "the driver's clock says that it took no time", 0});
  tell({Message::Row, one.name(), writeResult(row), 0});
}

bool Group::run() {
  tell({Message::Begin, "", "opening the device", patience.loadSeconds});
  if (std::string wrong = open(); !wrong.empty()) {
    tell({Message::Fatal, "", wrong, 0});
    return true;
  }
  all.resize(request.variants.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i].loaded = &request.variants[i];
  for (Running &one : all)
    step(one, "loading", patience.loadSeconds, [&] { return prepare(one); });
  for (Running &one : all)
    step(one, "filling buffers", patience.loadSeconds,
         [&] { return check(one, 0); });
  if (request.once)
    return !lost;
  for (Running &one : all)
    step(one, "warming up", double(1 + job.measure.warmUps) * limit(),
         [&] { return warmUp(one); });
  look();
  turns();
  // The original last, as first: what changed meanwhile is seen.
  Running &original = all.front();
  std::vector<double> &samples =
      job.measure.cold ? original.cold : original.warm;
  size_t before = samples.size();
  for (int64_t i = 0; i < job.measure.repeats; ++i)
    step(original, "timing", 2 * limit(), [&] {
      return job.measure.cold ? sampleCold(original) : sampleWarm(original);
    });
  lastOriginal.assign(samples.begin() + std::ptrdiff_t(before), samples.end());
  samples.resize(before);
  if (job.measure.energySeconds > 0)
    for (Running &one : all)
      step(one, "measuring energy", job.measure.energySeconds + limit(),
           [&] { return measureEnergy(one); });
  look();
  if (job.check.compare) {
    for (Running &one : all)
      step(one, "filling buffers again", patience.loadSeconds,
           [&] { return check(one, kSecondSalt); });
    bool exactly = job.check.relative == 0 && job.check.absolute == 0;
    if (!expected.empty()) // what has no outputs was not compared
      outputs = exactly ? kIdentical : kWithinTolerance;
  }
  for (const Running &one : all)
    if (!one.failed && !original.failed && !lost)
      report(one);
  return !lost;
}

} // namespace

bool measureGroup(const GroupRequest &request,
                  const std::function<void(const Message &)> &tell) {
  return Group(request, tell).run();
}

} // namespace swizzle::measuring
