//===- FinalistsTest.cpp - Which of the best few is kept ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bundles whose results a test writes, as somebody who measures elsewhere
// would.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Driver/Finalists.h"

#include "../TemporaryFolder.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

class FinalistsTest : public testing::Test {
protected:
  void SetUp() override {
    options.place = {Place::Wait, folder.path, {}};
    LaunchDescription launch;
    launch.kernel = "k";
    launch.arguments = {
        {"c", BufferArgument{256, ElementType::F32, Direction::Out, {}}}};
    options.job.launches = {launch};
    build = [](const Variant &variant) {
      auto artifact = std::make_shared<Artifact>();
      artifact->target = "sm_90";
      artifact->bytes = variant.formula ? variant.formula->print() : "as it is";
      BuildResult built;
      built.artifact = std::move(artifact);
      return built;
    };
  }

  void add(StringRef formula) {
    Attempt attempt;
    attempt.number = unsigned(result.attempts.size() + 1);
    attempt.formula = formula.str();
    attempt.status = AttemptStatus::Profiled;
    attempt.measurement.emplace().timeUs = 50 + attempt.number;
    result.attempts.push_back(attempt);
  }

  Expected<MeasuredFinalists> measure() {
    return measureFinalists(result, build, KernelModel(), options);
  }

  /// Writes the bundle, and a row for each of its variants.
  void answer(std::vector<JobResult> rows) {
    auto waiting = measure();
    ASSERT_FALSE(bool(waiting));
    ASSERT_TRUE(waiting.errorIsA<ResultsMissing>())
        << toString(waiting.takeError());
    consumeError(waiting.takeError());
    Job job;
    ASSERT_EQ(readJob(folder.read("job.json"), job), "");
    ASSERT_EQ(job.variants.size(), rows.size());
    auto bytes = [&](size_t i) {
      return folder.read(job.variants[i].artifact.file);
    };
    std::string text;
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i].variant = job.variants[i].name;
      rows[i].of = fingerprint(job, bytes(0), bytes(i));
      text += writeResult(rows[i]);
    }
    folder.write("results.jsonl", text);
  }

  static JobResult row(double us, double noise, double besideUs = 100,
                       std::string device = "device 0") {
    JobResult result;
    result.metrics.from = {Origin::Measured, std::move(device)};
    result.metrics.timeUs = us;
    result.metrics.noise = noise;
    Measurement &how = result.measurement.emplace();
    how.originalUs = besideUs;
    how.outputs = kIdentical;
    return result;
  }

  std::string errorOf(std::vector<JobResult> rows) {
    answer(std::move(rows));
    auto measured = measure();
    return measured ? "" : toString(measured.takeError());
  }

  TemporaryFolder folder;
  FinalistsOptions options;
  BuildFunction build;
  TuningResult result;
};

TEST_F(FinalistsTest, ANoisyRowHidesNoCertainGain) {
  add("return gx - 1 - x, y");
  add("return x, gy - 1 - y");
  answer({row(100, 0.001), row(79, 0.3), row(80, 0.001)});
  MeasuredFinalists measured = cantFail(measure());
  EXPECT_EQ(measured.attempt, 2u) << measured.reason;
  EXPECT_EQ(measured.reason, "measured 25.0 % faster than the kernel as it is");
  EXPECT_EQ(result.best.attempt, 2u);
}

TEST_F(FinalistsTest, WhatMayBeChanceIsNotTaken) {
  add("return gx - 1 - x, y");
  answer({row(100, 0.001), row(79, 0.3)});
  MeasuredFinalists measured = cantFail(measure());
  EXPECT_EQ(measured.attempt, 0u);
  EXPECT_EQ(measured.reason, "the fastest order gains 26.6 %, which is within "
                             "the noise or the margin (60.0 %)");
}

TEST_F(FinalistsTest, TimesOfAnotherMomentAreComparedAsRatios) {
  add("return gx - 1 - x, y");
  answer({row(100, 0.001), row(90, 0.001, 80)});
  MeasuredFinalists measured = cantFail(measure());
  EXPECT_EQ(measured.attempt, 0u) << measured.reason;
  EXPECT_EQ(measured.reason, "no order is faster than the kernel as it is");
  ASSERT_EQ(measured.notes.size(), 1u);
  EXPECT_EQ(measured.notes[0],
            "attempt 1 was measured at another time than the row of the "
            "original, which took 80.0 us beside it: 20.0 % less; that counts "
            "as noise");
}

TEST_F(FinalistsTest, RowsThatMustNotDecideAreRefused) {
  add("return gx - 1 - x, y");
  EXPECT_NE(errorOf({row(100, 0.001), row(90, 0.001, 80, "device 1")})
                .find("results.jsonl:2: metrics.device: variant 'attempt 1' "
                      "was measured on 'device 1' and 'original' on 'device "
                      "0', which cannot be compared"),
            std::string::npos);
  JobResult silent = row(90, 0.001);
  silent.measurement->outputs = kNotCompared;
  folder.write("results.jsonl", "");
  EXPECT_NE(errorOf({row(100, 0.001), silent})
                .find("results.jsonl:2: measurement.outputs: \"not compared\""),
            std::string::npos);
  JobResult simulated = row(90, 0.001);
  simulated.metrics.from.origin = Origin::Simulated;
  folder.write("results.jsonl", "");
  EXPECT_NE(errorOf({row(100, 0.001), simulated})
                .find("results.jsonl:2: metrics.origin: \"simulated\" is not "
                      "allowed; it must be \"measured\""),
            std::string::npos);
  EXPECT_EQ(result.best.attempt, 0u);
}

TEST_F(FinalistsTest, WithoutOutputsNothingIsMeasured) {
  std::get<BufferArgument>(options.job.launches[0].arguments[0].value)
      .direction = Direction::In;
  auto measured = measure();
  ASSERT_FALSE(bool(measured));
  EXPECT_EQ(toString(measured.takeError()),
            "the kernel writes no buffer, so that nothing tells whether an "
            "order of it is right: it cannot be measured");
  options.job.check.compare = false;
  auto waiting = measure();
  EXPECT_TRUE(waiting.errorIsA<ResultsMissing>());
  consumeError(waiting.takeError());
}

} // namespace
