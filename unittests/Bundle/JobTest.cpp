//===- JobTest.cpp - Jobs and results, written and read back --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, the example of docs/bundle.md, every refusal with the path of
// the field, and damaged files, which must be answered and not crashed on.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Job.h"

#include "gtest/gtest.h"
#include <fstream>
#include <random>
#include <sstream>

using namespace swizzle;

namespace {

/// The first fenced block of docs/bundle.md in `language`.
std::string example(const std::string &language) {
  std::ifstream file(SWIZZLE_SOURCE_DIR "/docs/bundle.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string page = text.str(), fence = "```" + language + "\n";
  size_t from = page.find(fence) + fence.size();
  return page.substr(from, page.find("```", from) - from);
}

Job sample() {
  Job job;
  job.name = "matmul";
  job.chip = "h200";
  job.variants = {{"original", {"original.cubin", "cubin", "sm_90"}, "", {}},
                  {"v1",
                   {"sub/v1.cubin", "cubin", "sm_90"},
                   "param G in {1, 2}\nreturn x, y",
                   {{"G", 2}}}};
  LaunchDescription launch;
  launch.kernel = "matmul";
  launch.grid = {64, 64, 1};
  launch.block = {256, 1, 1};
  launch.dynamicWorkgroupBytes = 1024;
  BufferArgument in, out;
  in = {1 << 20, ElementType::F16, Direction::In, {FillKind::Random, 1}, 1};
  out = {1 << 20, ElementType::Unknown, Direction::Out, {}, 8};
  out.sizes = {16, 8192};
  out.strides = {8192, 1};
  launch.arguments = {{"a", in},
                      {"c", out},
                      {"n", ScalarArgument{ElementType::I32, int64_t(-7)}},
                      {"alpha", ScalarArgument{ElementType::F32, 0.1}}};
  job.launches = {launch};
  job.measure = {1, 5, 0.5};
  job.measure.mostRepeats = 10;
  job.check = {false, 1e-6, 0};
  return job;
}

TEST(Job, WhatIsWrittenReadsBack) {
  std::string text = writeJob(sample());
  Job back;
  ASSERT_EQ(readJob(text, back), "");
  EXPECT_EQ(writeJob(back), text);
  EXPECT_EQ(back.variants[1].params.at("G"), 2);
  EXPECT_EQ(back.launches[0].arguments.size(), 4u);
  auto &scalar = std::get<ScalarArgument>(back.launches[0].arguments[3].value);
  EXPECT_EQ(std::get<double>(scalar.value), 0.1);
  EXPECT_EQ(back.measure.repeats, 5);
  EXPECT_FALSE(back.check.compare);
}

TEST(Job, TheExampleOfTheDocumentationIsAJob) {
  Job job;
  ASSERT_EQ(readJob(example("json"), job), "") << example("json");
  EXPECT_EQ(job.variants.size(), 2u);
  EXPECT_EQ(job.launches.size(), 1u);
  JobResult result;
  ASSERT_EQ(readResult(example("jsonl"), result), "") << example("jsonl");
  EXPECT_EQ(result.variant, job.variants[1].name);
  EXPECT_EQ(result.metrics.from.origin, Origin::Measured);
}

/// The sample with `from` replaced by `to`.
std::string errorOf(const std::string &from, const std::string &to) {
  std::string text = writeJob(sample());
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  Job job;
  return readJob(text.replace(at, from.size(), to), job);
}

TEST(Job, RefusalsNameTheField) {
  struct {
    const char *from, *to, *says;
  } refusals[] = {
      {"swizzle-job/1", "swizzle-job/9",
       "schema: \"swizzle-job/9\" is not allowed; this version reads "
       "\"swizzle-job/1\": make the bundle again"},
      {"\"schema\"", "\"scheme\"", "schema: missing"},
      {"\"chip\"", "\"chips\"", "chips: unknown field"},
      {"\"v1\"", "\"original\"", "variants[1].name: \"original\""},
      {"\"v1\"", "\"\"", "variants[1].name: \"\""},
      {"sub/v1.cubin", "../v1.cubin", "variants[1].file: \"../v1.cubin\""},
      {"sub/v1.cubin", "/etc/v1.cubin", "variants[1].file: \"/etc/v1.cubin\""},
      {"sub/v1.cubin", "sub//v1.cubin", "variants[1].file:"},
      {"sub/v1.cubin", "sub/..", "variants[1].file:"},
      {"sub/v1.cubin", "c:v1.cubin", "variants[1].file:"},
      {"\"format\": \"cubin\"", "\"format\": \"exe\"",
       "variants[0].format: \"exe\""},
      {"\"G\": 2", "\"G\": 2.5", "variants[1].params.G: 2.5"},
      {"\"bytes\": 1048576", "\"bytes\": -1",
       "launches[0].arguments[0].bytes: -1"},
      {"\"bytes\": 1048576", "\"bytes\": 18446744073709551615",
       "launches[0].arguments[0].bytes:"},
      {"\"f16\"", "\"f8\"", "launches[0].arguments[0].type: \"f8\""},
      {"\"direction\": \"in\"", "\"direction\": \"both\"",
       "launches[0].arguments[0].direction: \"both\""},
      {"\"random\"", "\"ones\"", "launches[0].arguments[0].fill: \"ones\""},
      {"\"seed\": 1", "\"seed\": -1", "launches[0].arguments[0].seed: -1"},
      {"\"kind\": \"scalar\"", "\"kind\": \"texture\"",
       "launches[0].arguments[2].kind: \"texture\""},
      {"\"value\": -7", "\"value\": 0.5",
       "launches[0].arguments[2].value: 0.5"},
      {"\"type\": \"i32\"", "\"type\": \"unknown\"",
       "launches[0].arguments[2].type: \"unknown\""},
      {"\"kernel\": \"matmul\"", "\"kernel\": 7",
       "launches[0].kernel: 7 is not allowed; it must be a text"},
      {"\"repeats\": 5", "\"repeats\": 0", "measure.repeats: 0"},
      {"\"max_seconds\": 0.5", "\"max_seconds\": -0.5",
       "measure.max_seconds: -0.5"},
      {"\"max_seconds\": 0.5", "\"max_seconds\": 1000001",
       "measure.max_seconds: 1000001 is not allowed; it must be a number from "
       "0 to 1000000"},
      {"\"energy_seconds\": 0.0", "\"energy_seconds\": 1e300",
       "measure.energy_seconds: 1"},
      {"\"dynamic_workgroup_bytes\": 1024",
       "\"dynamic_workgroup_bytes\": 4294968320",
       "launches[0].dynamic_workgroup_bytes: 4294968320"},
      {"\"compare\": false", "\"compare\": 0", "check.compare: 0"},
      {"\"warm_ups\"", "\"repeats\"", "measure.repeats: given twice"},
  };
  for (auto &[from, to, says] : refusals) {
    std::string wrong = errorOf(from, to);
    EXPECT_EQ(wrong.find(says), 0u) << to << ": " << wrong;
  }
  Job job;
  EXPECT_EQ(readJob("[]", job),
            "the file: an array is not allowed; it must be an object");
  EXPECT_EQ(readJob(R"({"schema": "swizzle-job/1", "name": "a",
                        "variants": []})",
                    job)
                .find("variants: an array is not allowed; it must be a list "
                      "that is not empty"),
            0u);
}

TEST(Job, WithoutOutputsNothingCanBeCompared) {
  Job job = sample(), back;
  job.check.compare = true;
  EXPECT_EQ(readJob(writeJob(job), back), "");
  auto &out = std::get<BufferArgument>(job.launches[0].arguments[1].value);
  out.bytes = 0;
  EXPECT_FALSE(writesAnything(job.launches));
  out.bytes = 8;
  out.direction = Direction::In;
  EXPECT_EQ(readJob(writeJob(job), back),
            "check.compare: true is not allowed; it must be false where the "
            "launches write no buffer: nothing could be compared");
  job.check.compare = false;
  EXPECT_EQ(readJob(writeJob(job), back), "");
}

JobResult goodResult() {
  JobResult good{"v1", "", {}};
  good.metrics.from = {Origin::Measured, "device 0"};
  good.metrics.timeUs = 12.5;
  good.metrics.noise = 0.001;
  good.metrics.level("l2").hitRate = 0.75;
  good.measurement.emplace().outputs = kIdentical;
  good.measurement->originalUs = 20;
  return good;
}

TEST(Job, WhatWasNotMeasuredDecidesNothing) {
  const std::string line = writeResult(goodResult());
  struct {
    const char *from, *to, *says;
  } refusals[] = {
      {"\"measured\"", "\"simulated\"",
       "metrics.origin: \"simulated\" is not allowed; it must be \"measured\""},
      {"\"time_us\":12.5", "\"time_us\":-5", "metrics.time_us: -5 is not"},
      {"\"time_us\":12.5", "\"time_us\":0", "metrics.time_us: 0 is not"},
      {"\"time_us\":12.5", "\"time_us\":null", "metrics.time_us: null is not"},
      {"\"time_us\":12.5,", "", "metrics.time_us: missing"},
      {"\"noise\":0.001", "\"noise\":-1", "metrics.noise: -1 is not"},
      {"\"original_us\":20.0", "\"original_us\":0",
       "measurement.original_us: 0 is not"},
      {"\"original_us\":20.0,", "", "measurement.original_us: missing"},
      {"\"outputs\":\"identical\"", "\"outputs\":\"\"",
       "measurement.outputs: \"\" is not allowed"},
      {"\"measurement\"", "\"measured\"", "measurement: missing"},
  };
  JobResult back;
  for (auto &[from, to, says] : refusals) {
    std::string edited = line;
    size_t at = edited.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << line;
    edited.replace(at, std::string(from).size(), to);
    std::string wrong = readResult(edited, back);
    EXPECT_EQ(wrong.find(says), 0u) << to << ": " << wrong;
  }
  std::string silent = line;
  std::string noise = "\"noise\":0.001";
  silent.replace(silent.find(noise), noise.size(), "\"noise\":null");
  ASSERT_EQ(readResult(silent, back), "");
  EXPECT_EQ(back.metrics.noise, 1.0) << "as large as the figure";
}

TEST(Job, ResultsReadBack) {
  JobResult good = goodResult(), bad{"v2", "the kernel does not load", {}},
            back;
  for (const JobResult *one : {&good, &bad}) {
    std::string line = writeResult(*one);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    ASSERT_EQ(readResult(line, back), "");
    EXPECT_EQ(writeResult(back), line);
    EXPECT_EQ(back.failure, one->failure);
    EXPECT_EQ(back.metrics.hitRate("l2"), one->metrics.hitRate("l2"));
  }
  EXPECT_EQ(
      readResult(R"({"schema": "swizzle-result/1", "variant": "a"})", back),
      "metrics: missing");
  EXPECT_EQ(
      readResult(R"({"schema": "swizzle-result/2", "variant": "a"})", back)
          .find("schema: \"swizzle-result/2\""),
      0u);
  EXPECT_EQ(readResult(R"({"schema": "swizzle-result/1", "variant": "a",
                           "metrics": {"origin": 1}})",
                       back)
                .find("metrics.origin"),
            0u);
}

TEST(Job, DamagedFilesAreAnsweredNotCrashedOn) {
  std::mt19937 random(20240301);
  unsigned refused = 0;
  const std::string text = writeJob(sample());
  for (unsigned round = 0; round < 2000; ++round) {
    std::string damaged = text;
    for (unsigned edits = 1 + random() % 3; edits; --edits) {
      size_t at = random() % damaged.size();
      if (random() % 2)
        damaged[at] = char(random() % 256);
      else
        damaged.erase(at, 1 + random() % 8);
    }
    Job job;
    refused += !readJob(damaged, job).empty();
  }
  EXPECT_GT(refused, 1000u);
}

} // namespace
