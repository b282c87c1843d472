//===- GpuProfilerTest.cpp - A GPU as a profiler --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over a program that measures nothing: it writes rows that a test has ready.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Profiling/GpuProfiler.h"

#include "../TemporaryFolder.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

std::shared_ptr<const Artifact> artifactOf(std::string bytes) {
  auto artifact = std::make_shared<Artifact>();
  artifact->target = "sm_90";
  artifact->bytes = std::move(bytes);
  return artifact;
}

class GpuProfilerTest : public testing::Test {
protected:
  void SetUp() override {
    launch.kernel = "k";
    launch.arguments = {
        {"c", BufferArgument{256, ElementType::F32, Direction::Out, {}}}};
    order.formula = cantFail(Formula::parse("return gx - 1 - x, y"));
    order.key = "order:1";
    asItIs.key = "identity";
  }

  /// Rows of the original and of a variant, as `measureBundle` looks for them.
  std::string rowsOf(double originalUs, double us, const std::string &device) {
    Job job = options.job;
    job.launches = {launch};
    std::string text;
    for (bool isVariant : {false, true}) {
      JobResult row;
      row.variant = isVariant ? "variant" : "original";
      row.metrics.from = {Origin::Measured, device};
      row.metrics.timeUs = isVariant ? us : originalUs;
      row.metrics.noise = 0;
      row.of = fingerprint(job, "as it is", isVariant ? "order" : "as it is");
      row.measurement.emplace().originalUs = originalUs;
      row.measurement->outputs = kIdentical;
      text += writeResult(row);
    }
    return text;
  }

  Expected<Metrics> measure(const Variant &variant, const Metrics *baseline,
                            double seconds = 0,
                            Fidelity fidelity = Fidelity::Decide) {
    options.place = {
        Place::Shell,
        folder.path,
        {"f() { cp " + folder.file("rows") + " \"$1\"/results.jsonl; }; f"}};
    // Made anew for each order, as by a run that goes on from a journal.
    MeasureFunction profiler = makeGpuProfiler(
        [](const MeasureRequest &) -> Expected<Metrics> { return Metrics(); },
        {launch}, options);
    auto own = [&] {
      return artifactOf(variant.formula ? "order" : "as it is");
    };
    auto original = [] { return artifactOf("as it is"); };
    return profiler(
        {variant, own, launch, fidelity, {}, original, baseline, seconds});
  }

  TemporaryFolder folder;
  GpuProfilerOptions options;
  LaunchDescription launch;
  Variant order, asItIs;
};

TEST_F(GpuProfilerTest, AJobOfSomebodyElseIsNotReplaced) {
  EXPECT_FALSE(bool(checkBundle(folder.path)));
  for (std::string text : {"", R"({"schema": "swizzle-job/1", "name": 7})",
                           R"({"schema": "swizzle-job/9"})"}) {
    folder.write("job.json", text);
    EXPECT_FALSE(bool(checkBundle(folder.path))) << text;
  }
  for (std::string text : {"mine", "[]", R"({"schema": "theirs/1"})"}) {
    folder.write("job.json", text);
    EXPECT_NE(toString(checkBundle(folder.path)).find("no job of schema"),
              std::string::npos);
    EXPECT_EQ(folder.read("job.json"), text);
  }
}

TEST_F(GpuProfilerTest, GoesOnFromWhatAnEarlierRunMeasured) {
  folder.write("rows", rowsOf(100, 80, "device 0"));
  Metrics baseline = cantFail(measure(asItIs, nullptr));
  EXPECT_EQ(baseline.timeUs, 100);
  // The original took 10 % more in the order's turns: the order's time is over
  // that, and less certain.
  folder.write("rows", rowsOf(110, 88, "device 0"));
  Metrics metrics = cantFail(measure(order, &baseline));
  EXPECT_NEAR(metrics.timeUs, 80, 1e-9);
  EXPECT_NEAR(*metrics.noise, 0.1, 1e-9);
  // Bundles are named by what is in them: nothing is measured twice, and finer
  // figures are others.
  folder.write("rows", "");
  EXPECT_NEAR(cantFail(measure(order, &baseline)).timeUs, 80, 1e-9);
  folder.write("rows", rowsOf(100, 70, "device 0"));
  EXPECT_EQ(cantFail(measure(order, &baseline, 0, Fidelity::Confirm)).timeUs,
            70);
}

TEST_F(GpuProfilerTest, AnotherDeviceIsNotCompared) {
  Metrics baseline;
  baseline.from = {Origin::Measured, "device 0"};
  baseline.timeUs = 100;
  folder.write("rows", rowsOf(100, 80, "device 1"));
  auto metrics = measure(order, &baseline);
  ASSERT_FALSE(bool(metrics));
  EXPECT_EQ(toString(metrics.takeError()),
            "measured on device 1, but the kernel as it is on device 0: "
            "figures of two devices are not compared");
}

TEST_F(GpuProfilerTest, SecondsOfEarlierRunsCount) {
  folder.write("rows", rowsOf(100, 80, "device 0"));
  options.deviceSeconds = 5;
  auto metrics = measure(order, nullptr, 5);
  EXPECT_TRUE(metrics.errorIsA<DeviceSpent>());
  consumeError(metrics.takeError());
  EXPECT_TRUE(bool(measure(order, nullptr, 4.9)));
}

TEST_F(GpuProfilerTest, RowsOfOtherCodeAreMeasuredAnew) {
  // As an earlier run with other settings left them.
  options.job.measure.cold = false;
  folder.write("rows", rowsOf(100, 60, "device 0"));
  EXPECT_EQ(cantFail(measure(order, nullptr)).timeUs, 60);
  options.job.measure.cold = true;
  folder.write("rows", rowsOf(100, 80, "device 0"));
  EXPECT_EQ(cantFail(measure(order, nullptr)).timeUs, 80);
}

} // namespace
