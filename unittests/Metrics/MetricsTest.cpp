//===- MetricsTest.cpp - Figures, and figures as JSON ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows by name, what depends on the order, and round trips; files of before
// that have no list of levels; fields of a wrong type, each named.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Metrics/MetricsJSON.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

Metrics sample() {
  Metrics metrics;
  metrics.from = {Origin::Measured, "device \"0\""};
  metrics.level("l1").hitRate = 0.5;
  metrics.level("gl1").hitRate = 2.0 / 3;
  metrics.level("gl1").bytes = 12345;
  metrics.level("l2").bytes = 1e15 + 1;
  metrics.level("l2").logicalHitRate = 0.25;
  metrics.dramReadBytes = 3;
  metrics.dramWriteBytes = 4;
  metrics.busyUnits = 0.7;
  metrics.scatterUs = 0.125;
  metrics.timeUs = 0.1 + 0.2;
  metrics.roofline = {{readBound("gl1"), 7.25, 1e9, 3e12},
                      {readBound("vector"), 1e-300}};
  metrics.instructions = 1e12 + 1;
  metrics.countedTimeUs = 0.3;
  metrics.sensitivity = Sensitivity{1, 2, 0.25, 0.5, 0, 0, true};
  return metrics;
}

TEST(Metrics, RowsByName) {
  Metrics metrics = sample();
  EXPECT_EQ(metrics.levels.size(), 3u);
  EXPECT_EQ(metrics.hitRate("gl1"), 2.0 / 3);
  EXPECT_EQ(metrics.hitRate("l2"), std::nullopt);
  EXPECT_EQ(metrics.hitRate("llc"), std::nullopt);
  EXPECT_EQ(metrics.bytes("llc"), 0);
  EXPECT_EQ(metrics.dramBytes(), 7);
  EXPECT_EQ(metrics.find("llc"), nullptr);
}

TEST(Metrics, WhatNobodyCountedIsNull) {
  Metrics timed;
  timed.from = {Origin::Measured, "device 0"};
  timed.timeUs = 5;
  timed.level("l2").hitRate = 0.5; // as AMD's counters tell of it
  timed.dramReadBytes = 0;         // counted, and nothing was read
  std::string text = writeMetrics(timed);
  for (const char *none :
       {"\"line_accesses\":null", "\"dram_write_bytes\":null",
        "\"l2_bytes\":null", "\"dram_read_bytes\":0.0"})
    EXPECT_NE(text.find(none), std::string::npos) << none << "\n" << text;
  for (const char *simulated : {"die_imbalance", "\"error\""})
    EXPECT_EQ(text.find(simulated), std::string::npos) << text;
  Metrics back;
  ASSERT_EQ(readMetrics(text, back), "");
  EXPECT_EQ(writeMetrics(back), text);
  EXPECT_TRUE(back.dramReadBytes.isCounted());
  EXPECT_FALSE(back.dramWriteBytes.isCounted() || back.dramBytes().isCounted());
  EXPECT_FALSE(back.bytes("l2").isCounted() || back.bytes("llc").isCounted());
}

/// Earlier versions wrote 0 for what nobody had counted.
TEST(Metrics, ZerosOfEarlierVersionsAreForgotten) {
  Metrics metrics;
  ASSERT_EQ(readMetrics(R"({"origin": "measured", "device": "MI300X",
      "levels": ["l2", "llc"], "l2_hit_rate": 0.6, "l2_bytes": 0.0,
      "llc_hit_rate": null, "llc_bytes": 4096.0, "line_accesses": 0.0,
      "dram_read_bytes": 0.0, "dram_write_bytes": 0.0, "time_us": 5})",
                        metrics),
            "");
  EXPECT_FALSE(metrics.bytes("l2").isCounted());
  EXPECT_EQ(metrics.bytes("llc"), 4096);
  EXPECT_FALSE(metrics.dramBytes().isCounted());
  EXPECT_FALSE(metrics.lineAccesses.isCounted());
  // A simulation may find that nothing has to be read.
  ASSERT_EQ(readMetrics(R"({"origin": "simulated", "device": "h200",
      "levels": [], "line_accesses": 8.0, "dram_read_bytes": 0.0,
      "dram_write_bytes": 0.0, "time_us": 5})",
                        metrics),
            "");
  EXPECT_TRUE(metrics.dramBytes().isCounted());
}

TEST(Metrics, AnOrderCannotRelieveTheNearestCache) {
  Metrics metrics = sample();
  EXPECT_FALSE(dependsOnOrder(metrics, readBound("l1")));
  EXPECT_TRUE(dependsOnOrder(metrics, readBound("gl1")));
  EXPECT_TRUE(dependsOnOrder(metrics, readBound("l2")));
  EXPECT_TRUE(dependsOnOrder(metrics, readBound("dram")));
  EXPECT_FALSE(dependsOnOrder(metrics, readBound("tensor")));
  EXPECT_FALSE(dependsOnOrder(metrics, readBound("launch")));
  EXPECT_EQ(describeBottleneck(metrics).text, "memory-bound: gl1 cache");
  metrics.roofline.erase(metrics.roofline.begin());
  EXPECT_EQ(describeBottleneck(metrics).text,
            "not memory-bound: vector arithmetic");
}

TEST(Metrics, PhasesTakeLongerThanAllOfThemTogether) {
  Metrics metrics;
  EXPECT_EQ(factorOfPhases(metrics), 1);
  metrics.roofline = {{readBound("dram"), 4}, {readBound("l2"), 3}};
  metrics.timeUs = 5;
  EXPECT_EQ(factorOfPhases(metrics), 1);
  metrics.timeUs = 6;
  EXPECT_DOUBLE_EQ(factorOfPhases(metrics), 1.2);
  // Rows of memory are opened besides.
  metrics.scatterUs = 1;
  EXPECT_EQ(factorOfPhases(metrics), 1);
  metrics.timeUs = 9;
  EXPECT_DOUBLE_EQ(factorOfPhases(metrics), 1.5);
}

TEST(Metrics, LessIsAskedFarthestFirst) {
  Metrics a = sample(), b = sample();
  EXPECT_FALSE(asksLess(a, b));
  b.level("gl1").bytes = 12346;
  EXPECT_TRUE(asksLess(a, b));
  a.level("l2").bytes = 2e15;
  EXPECT_TRUE(asksLess(b, a));
  a = b;
  a.level("l1").bytes = 1; // the same in every order, but for sampling
  EXPECT_FALSE(asksLess(a, b) || asksLess(b, a));
}

TEST(Metrics, WhatIsWrittenReadsBack) {
  std::string text = writeMetrics(sample());
  Metrics back;
  ASSERT_EQ(readMetrics(text, back), "");
  EXPECT_EQ(writeMetrics(back), text);
  EXPECT_EQ(back.busyUnits, 0.7);
  EXPECT_EQ(back.scatterUs, 0.125);
  EXPECT_EQ(back.from, sample().from);
  EXPECT_EQ(back.timeUs, 0.1 + 0.2);
  EXPECT_EQ(back.hitRate("gl1"), 2.0 / 3);
  EXPECT_EQ(back.levels[1].name, "gl1");
  EXPECT_EQ(back.roofline[0].work, 1e9);
  EXPECT_EQ(back.roofline[0].rate, 3e12);
  EXPECT_EQ(back.roofline[1].timeUs, 1e-300);
  EXPECT_EQ(back.roofline[1].rate, 0);
  EXPECT_TRUE(back.sensitivity->uncertain);
  EXPECT_EQ(back.instructions, 1e12 + 1);
  EXPECT_EQ(back.bankConflicts, std::nullopt);
  EXPECT_EQ(back.countedTimeUs, 0.3);
}

TEST(Metrics, ALevelThatTheChipLacksIsNull) {
  std::string text = writeMetrics(sample());
  EXPECT_NE(text.find("\"llc_hit_rate\":null"), std::string::npos) << text;
  EXPECT_NE(text.find("\"llc_bytes\":null"), std::string::npos) << text;
}

/// What was written when there were three fixed levels.
TEST(Metrics, FilesWithoutAListOfLevelsAreRead) {
  Metrics metrics;
  ASSERT_EQ(readMetrics(R"({"origin": "simulated", "device": "h200",
      "l1_hit_rate": 0.5, "l2_hit_rate": 0.75, "l2_logical_hit_rate": 0.7,
      "llc_hit_rate": null, "l2_bytes": 10, "llc_bytes": null, "noise": 0,
      "time_us": 2, "roofline": [{"bound": "l2", "time_us": 2}],
      "sensitivity": null})",
                        metrics),
            "");
  ASSERT_EQ(metrics.levels.size(), 2u);
  EXPECT_EQ(metrics.hitRate("l1"), 0.5);
  EXPECT_EQ(metrics.bytes("l2"), 10);
  EXPECT_EQ(metrics.find("l2")->logicalHitRate, 0.7);
}

TEST(Metrics, WhatDoesNotFitIsNamed) {
  struct {
    const char *text, *says;
  } refusals[] = {
      {"7", "metrics: 7 is not allowed; it must be an object"},
      {"{}", "origin: expected simulated or measured"},
      {R"({"origin": "guessed"})", "origin: expected"},
      {R"({"origin": "measured", "time_us": "2"})",
       "time_us: \"2\" is not allowed; it must be a number"},
      {R"({"origin": "measured", "time_us": -2})",
       "time_us: -2 is not allowed; it must be a number from 0"},
      {R"({"origin": "measured", "l2_hit_rate": 1.5})",
       "l2_hit_rate: 1.5 is not allowed; it must be a number from 0 to 1"},
      {R"({"origin": "measured", "time_us": 1e999})",
       "time_us: 1e999 is too large"},
      {R"({"origin": "measured", "levels": "l2"})", "levels: \"l2\""},
      {R"({"origin": "measured", "levels": ["l2"], "l2_hit_rate": []})",
       "l2_hit_rate: an array"},
      {R"({"origin": "measured", "roofline": [{"bound": "l2"}]})",
       "roofline: an object is not allowed"},
      {R"({"origin": "measured", "sensitivity": {"uncertain": 1}})",
       "sensitivity.uncertain: 1"},
      {R"({"origin": "measured", "device": 0})", "device: 0"},
      {R"({"origin": )", "line 1, column 12: malformed JSON"},
  };
  for (auto &[text, says] : refusals) {
    Metrics metrics;
    std::string wrong = readMetrics(std::string_view(text), metrics);
    EXPECT_EQ(wrong.find(says), 0u) << wrong << "\nlacks: " << says;
  }
}

} // namespace
