//===- RunBundleTest.cpp - Bundles, measured without a GPU ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole runs over a driver that needs no GPU (FakeDriver.cpp): what is
// measured, each way in which a variant fails, and what is taken up again.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Run/RunBundle.h"
#include "swizzle/Bundle/Job.h"

#include "../TemporaryFolder.h"
#include "gtest/gtest.h"
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace swizzle;

namespace {

constexpr char kKernel[] =
    ".visible .entry k(.param .u64 a, .param .u64 c, .param .u32 n) { ret; }";

class RunBundleTest : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {"FAKE_GPU_US", "FAKE_GPU_DOES", "FAKE_GPU_MEMORY",
                             "FAKE_GPU_DEVICES", "FAKE_GPU_NAME"})
      unsetenv(name);
    setenv("SWIZZLE_CUDA_DRIVER", SWIZZLE_FAKE_CUDA, 1);
    setenv("SWIZZLE_NVML", "/nowhere/libnvml.so", 1);
    options.folder = folder.path;
    LaunchDescription launch;
    launch.kernel = "k";
    launch.grid = {4, 2, 1};
    launch.block = {32, 1, 1};
    launch.arguments = {
        {"a",
         BufferArgument{
             256, ElementType::I32, Direction::In, {FillKind::Random, 1}}},
        {"c", BufferArgument{256, ElementType::I32, Direction::Out, {}}},
        {"n", ScalarArgument{ElementType::I32, int64_t(64)}}};
    job.name = "k";
    job.launches = {launch};
    job.measure.repeats = 4;
    add("original");
  }

  void add(const std::string &name, const std::string &text = kKernel) {
    JobVariant variant;
    variant.name = name;
    variant.artifact = {name + ".ptx", "ptx", "sm_90"};
    job.variants.push_back(variant);
    folder.write(variant.artifact.file, text + "// " + name);
  }
  int run() {
    folder.write("job.json", writeJob(job));
    testing::internal::CaptureStderr();
    int status = runBundle(options);
    said = testing::internal::GetCapturedStderr();
    rows.clear();
    std::istringstream lines(folder.read("results.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      JobResult row;
      EXPECT_EQ(readResult(line, row), "") << line;
      rows[row.variant] = row;
    }
    return status;
  }

  TemporaryFolder folder;
  RunOptions options;
  Job job;
  std::string said;
  std::map<std::string, JobResult> rows;
};

TEST_F(RunBundleTest, MeasuresInTurns) {
  add("v1");
  setenv("FAKE_GPU_US", "100,80", 1);
  EXPECT_EQ(run(), kAllMeasured) << said;
  ASSERT_EQ(rows.size(), 2u);
  const JobResult &variant = rows["v1"];
  EXPECT_NEAR(variant.metrics.timeUs, 80, 0.1);
  EXPECT_NEAR(rows["original"].metrics.timeUs, 100, 0.1);
  EXPECT_EQ(variant.metrics.from, (Provenance{Origin::Measured, "Fake GPU 9"}));
  ASSERT_TRUE(variant.measurement);
  EXPECT_EQ(variant.measurement->outputs, "identical");
  EXPECT_EQ(variant.measurement->driver, "cuda 13.2");
  EXPECT_NEAR(variant.measurement->originalUs, 100, 0.1);
  EXPECT_NEAR(variant.measurement->drift, 0, 1e-3);
  EXPECT_GE(variant.measurement->cold.samples.size(), 4u);
  EXPECT_EQ(variant.measurement->cold.samples.size(),
            variant.measurement->warm.samples.size());
  EXPECT_LT(*variant.metrics.noise, 0.005);
}

TEST_F(RunBundleTest, OneFailureLeavesTheOthers) {
  struct Case {
    const char *does, *message;
  };
  for (Case one :
       {Case{"refuse", "PTX JIT compilation failed"},
        Case{"wrong", "its outputs differ from the original's: buffer 'c': "
                      "element 0 is"},
        Case{"partly", "outputs differ"}, Case{"once", "outputs differ"},
        Case{"fault", "illegal memory access"},
        Case{"crash", "was ended by signal 6"}}) {
    SCOPED_TRACE(one.does);
    options.fresh = true;
    job.variants.resize(1);
    add("bad", kKernel + (" // does:" + std::string(one.does)) + " ");
    add("good");
    EXPECT_EQ(run(), kSomeFailed) << said;
    EXPECT_NE(rows["bad"].failure.find(one.message), std::string::npos)
        << rows["bad"].failure;
    EXPECT_TRUE(rows["original"].failure.empty());
    EXPECT_TRUE(rows["good"].failure.empty()) << rows["good"].failure;
    EXPECT_GT(rows["good"].metrics.timeUs, 0) << said;
  }
}

TEST_F(RunBundleTest, TurnsEndWhereTheJobSaysSo) {
  add("v1");
  job.measure.repeats = job.measure.mostRepeats = 4;
  EXPECT_EQ(run(), kAllMeasured) << said;
  ASSERT_TRUE(rows["v1"].measurement);
  EXPECT_EQ(rows["v1"].measurement->cold.samples.size(), 4u);
}

TEST_F(RunBundleTest, WhatHangsIsEnded) {
  job.measure.maxSeconds = 3;
  add("bad", std::string(kKernel) + " // does:hang ");
  add("good");
  EXPECT_EQ(run(), kSomeFailed) << said;
  EXPECT_EQ(rows["bad"].failure, "took more than 3.01 s while running");
  EXPECT_GT(rows["good"].metrics.timeUs, 0) << said;
}

TEST_F(RunBundleTest, WithoutAnOriginalThereIsNothing) {
  add("v1");
  for (const char *does : {"refuse", "fault", "crash"}) {
    SCOPED_TRACE(does);
    options.fresh = true;
    setenv("FAKE_GPU_DOES", (std::string(does) + ",ok").c_str(), 1);
    EXPECT_EQ(run(), kNoDevice);
    EXPECT_NE(said.find("the original"), std::string::npos) << said;
    EXPECT_FALSE(rows.count("v1"));
  }
}

TEST_F(RunBundleTest, WhatIsMeasuredIsKept) {
  EXPECT_EQ(run(), kAllMeasured) << said;
  std::string before = folder.read("results.jsonl");
  add("v1");
  folder.write("results.jsonl", before + "{\"schema\": \"swizzle-res"); // torn
  setenv("FAKE_GPU_US", "100,70", 1);
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_EQ(folder.read("results.jsonl").substr(0, before.size()), before);
  EXPECT_NEAR(rows["v1"].metrics.timeUs, 70, 0.1);
  EXPECT_NE(said.find("1 of 2 variants are measured already"),
            std::string::npos)
      << said;
  // Another kernel's figures are not taken for this one's.
  folder.write("v1.ptx", std::string(kKernel) + "// changed");
  EXPECT_EQ(run(), kWrongInput);
  EXPECT_NE(said.find("measured with other code"), std::string::npos) << said;
  options.fresh = true;
  EXPECT_EQ(run(), kAllMeasured) << said;
}

/// Whoever kills this program meanwhile takes nothing that was measured along.
TEST_F(RunBundleTest, ResultsAreNeverRewritten) {
  EXPECT_EQ(run(), kAllMeasured) << said;
  const std::string path = folder.file("results.jsonl");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0); // only root may write it now
  struct stat before, after;
  ASSERT_EQ(stat(path.c_str(), &before), 0);
  EXPECT_EQ(run(), geteuid() ? kWrongInput : kAllMeasured) << said;
  ASSERT_EQ(stat(path.c_str(), &after), 0);
  EXPECT_EQ(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
  EXPECT_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

TEST_F(RunBundleTest, OneProcessHasTheResults) {
  EXPECT_EQ(run(), kAllMeasured) << said;
  std::string before = folder.read("results.jsonl");
  int other = open(folder.file("results.jsonl").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX | LOCK_NB), 0);
  for (bool fresh : {false, true}) {
    options.fresh = fresh;
    EXPECT_EQ(run(), kWrongInput);
    EXPECT_NE(said.find("is being written by another swizzle-run"),
              std::string::npos)
        << said;
    EXPECT_EQ(folder.read("results.jsonl"), before);
  }
  close(other);
  EXPECT_EQ(run(), kAllMeasured) << said;
}

TEST_F(RunBundleTest, OneDeviceMeasuresABundle) {
  EXPECT_EQ(run(), kAllMeasured) << said;
  add("v1");
  setenv("FAKE_GPU_NAME", "Other GPU", 1);
  EXPECT_EQ(run(), kNoDevice);
  EXPECT_NE(said.find("this device is 'Other GPU', and the results that are "
                      "there are of 'Fake GPU 9'"),
            std::string::npos)
      << said;
  EXPECT_FALSE(rows.count("v1"));
  options.fresh = true;
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_EQ(rows["v1"].metrics.from.device, "Other GPU");
  // Nor are rows of two taken, whoever put them there.
  std::string text = folder.read("results.jsonl");
  text.replace(text.find("Other GPU"), 9, "Third GPU");
  folder.write("results.jsonl", text);
  options.fresh = false;
  EXPECT_EQ(run(), kWrongInput);
  EXPECT_NE(said.find("was measured on 'Other GPU' and others on 'Third GPU'"),
            std::string::npos)
      << said;
}

TEST_F(RunBundleTest, TheDevicesSecondsAreNoted) {
  EXPECT_EQ(run(), kAllMeasured) << said;
  double first = std::stod(folder.read("seconds"));
  EXPECT_GT(first, 0);
  add("v1");
  folder.write("seconds", "1000\n");
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_GT(std::stod(folder.read("seconds")), 1000)
      << "what was before counts";
  EXPECT_EQ(run(), kAllMeasured) << said;
  options.fresh = true;
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_LT(std::stod(folder.read("seconds")), 1000);
  for (const char *wrong : {"nan", "-5", "much"}) {
    folder.write("seconds", wrong);
    folder.write("results.jsonl", "");
    options.fresh = false;
    EXPECT_EQ(run(), kAllMeasured) << said;
    EXPECT_LT(std::stod(folder.read("seconds")), 1000) << wrong;
    EXPECT_GT(std::stod(folder.read("seconds")), 0) << wrong;
  }
}

TEST_F(RunBundleTest, NumbersOfAJobMayBeLarge) {
  job.measure.maxSeconds = kMostSeconds;
  std::get<BufferArgument>(job.launches[0].arguments[0].value).fill.seed =
      INT64_MAX;
  add("v1");
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_EQ(rows["v1"].measurement->outputs, kIdentical);
}

/// As long as a clock stands still, it measures nothing.
TEST_F(RunBundleTest, NoTimeIsNoFigure) {
  add("v1");
  setenv("FAKE_GPU_US", "100,0", 1);
  EXPECT_EQ(run(), kSomeFailed) << said;
  EXPECT_EQ(rows["v1"].failure, "the driver's clock says that it took no time");
}

TEST_F(RunBundleTest, SaysWhatDoesNotFit) {
  setenv("FAKE_GPU_MEMORY", "1000000", 1);
  EXPECT_EQ(run(), kNoDevice);
  EXPECT_NE(said.find("the job needs 512 bytes and"), std::string::npos)
      << said;
  EXPECT_NE(said.find("of 1000000 bytes of the device are free"),
            std::string::npos)
      << said;
}

TEST_F(RunBundleTest, SaysWhatItLookedFor) {
  setenv("SWIZZLE_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  EXPECT_EQ(run(), kNoDevice);
  EXPECT_NE(said.find("/nowhere/libcuda.so.1"), std::string::npos) << said;
  setenv("SWIZZLE_CUDA_DRIVER", SWIZZLE_FAKE_CUDA, 1);
  options.device = 3;
  EXPECT_EQ(run(), kNoDevice);
  EXPECT_NE(said.find("there is no device 3"), std::string::npos) << said;
}

TEST_F(RunBundleTest, LaunchesOfASequenceShareBuffersByName) {
  // The second kernel reads what the first one wrote.
  LaunchDescription second = job.launches.front();
  second.arguments[0] = {
      "c", BufferArgument{256, ElementType::I32, Direction::In, {}}};
  second.arguments[1] = {
      "d", BufferArgument{256, ElementType::I32, Direction::Out, {}}};
  job.launches.push_back(second);
  add("v1");
  setenv("FAKE_GPU_DOES", "ok,ok", 1);
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_NEAR(rows["v1"].metrics.timeUs, 200, 0.1); // both together
  options.fresh = true;
  std::get<BufferArgument>(job.launches[1].arguments[0].value).bytes = 128;
  EXPECT_EQ(run(), kNoDevice);
  EXPECT_NE(said.find("256 bytes in one launch and 128"), std::string::npos)
      << said;
}

TEST_F(RunBundleTest, GroupsAreMeasuredWithAnOriginalEach) {
  for (int i = 0; i < 5; ++i)
    add("v" + std::to_string(i));
  options.groupSize = 2;
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_EQ(rows.size(), 6u);
}

TEST_F(RunBundleTest, OnceRunsWithoutResults) {
  options.once = true;
  options.only = "original";
  EXPECT_EQ(run(), kAllMeasured) << said;
  EXPECT_TRUE(rows.empty());
}

} // namespace
