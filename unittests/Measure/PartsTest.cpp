//===- PartsTest.cpp - Statistics, elements, children, devices ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of measuring, each by itself.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Measure/Buffers/CompareElements.h"
#include "../../lib/Measure/Process/Child.h"
#include "swizzle/Bundle/Job.h"
#include "swizzle/Hardware/ChipJSON.h"
#include "swizzle/Measure/Counters/Counters.h"
#include "swizzle/Measure/Device/DescribeDevice.h"
#include "swizzle/Measure/Probe/ProbeDispatch.h"
#include "swizzle/Measure/Run/Statistics.h"

#include "gtest/gtest.h"
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

using namespace swizzle;
using namespace swizzle::measuring;

namespace {

TEST(StatisticsTest, MedianAndPercentiles) {
  std::vector<double> samples = {5, 1, 4, 2, 3};
  EXPECT_EQ(percentile(samples, 0.5), 3);
  EXPECT_EQ(percentile(samples, 0), 1);
  EXPECT_EQ(percentile(samples, 1), 5);
  EXPECT_DOUBLE_EQ(percentile({1, 2}, 0.5), 1.5);
  EXPECT_EQ(percentile({}, 0.5), 0);
  Summary summary = summarise(samples);
  EXPECT_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.p20, 1.8);
  EXPECT_DOUBLE_EQ(summary.p80, 4.2);
}

TEST(StatisticsTest, NoiseIgnoresOutliersAndShrinks) {
  std::vector<double> few, many;
  for (int i = 0; i < 10; ++i)
    few.push_back(100 + i % 5);
  for (int i = 0; i < 1000; ++i)
    many.push_back(100 + i % 5);
  double before = summarise(few).noise;
  EXPECT_NEAR(summarise(many).noise, before / 10, before / 50);
  few.back() = 1e6;
  EXPECT_LT(summarise(few).noise, 2 * before);
  EXPECT_EQ(summarise({1, 1}).noise, 1); // too few to tell
}

TEST(StatisticsTest, SamplesOfACoarseClockHaveNoise) {
  std::vector<double> samples(20, 100);
  EXPECT_EQ(summarise(samples).noise, 0);
  for (size_t i = 0; i < samples.size(); i += 4)
    samples[i] = 101;
  // 5 of 20 are a tick of 1 % apart: 1.2533^2 * 0.25 % / sqrt(20).
  EXPECT_NEAR(summarise(samples).noise, 0.000878, 1e-6);
}

TEST(CompareElementsTest, BitByBitUnlessATolerance) {
  float expected[4] = {1, 2, 3, 4}, found[4] = {1, 2, 3.0001f, 4};
  BufferArgument shape{16, ElementType::F32, Direction::Out, {}};
  auto bytes = [](const float *at) {
    return reinterpret_cast<const unsigned char *>(at);
  };
  JobCheck exact, loose;
  loose.relative = 1e-3;
  EXPECT_EQ(compareElements(bytes(expected), bytes(expected), shape, exact),
            "");
  EXPECT_EQ(compareElements(bytes(expected), bytes(found), shape, exact),
            "element 2 is 3.0000999, the original's is 3 (1 of 4 elements "
            "differ)");
  EXPECT_EQ(compareElements(bytes(expected), bytes(found), shape, loose), "");
  found[0] = NAN;
  EXPECT_NE(compareElements(bytes(expected), bytes(found), shape, loose), "");
  expected[0] = NAN;
  EXPECT_EQ(compareElements(bytes(expected), bytes(found), shape, loose), "");
  shape.type = ElementType::Unknown;
  shape.elementBytes = 4;
  EXPECT_NE(compareElements(bytes(expected), bytes(found), shape, loose), "");
}

TEST(CompareElementsTest, InfinitiesAreNearToNothing) {
  JobCheck loose;
  loose.relative = 1e-3;
  BufferArgument shape{4, ElementType::F32, Direction::Out, {}};
  auto differ = [&](float a, float b) {
    return !compareElements(reinterpret_cast<const unsigned char *>(&a),
                            reinterpret_cast<const unsigned char *>(&b), shape,
                            loose)
                .empty();
  };
  EXPECT_FALSE(differ(INFINITY, INFINITY));
  EXPECT_FALSE(differ(3, 3.001f));
  EXPECT_TRUE(differ(3, INFINITY));
  EXPECT_TRUE(differ(INFINITY, 3));
  EXPECT_TRUE(differ(-INFINITY, INFINITY));
  EXPECT_TRUE(differ(INFINITY, NAN));
}

TEST(CompareElementsTest, IntegersAreExact) {
  JobCheck loose;
  loose.relative = 1e-3;
  int32_t a = 1000000, b = 1000001;
  EXPECT_EQ(compareElements(reinterpret_cast<const unsigned char *>(&a),
                            reinterpret_cast<const unsigned char *>(&b),
                            {4, ElementType::I32, Direction::Out, {}}, loose),
            "element 0 is 1000001, the original's is 1000000 (1 of 1 elements "
            "differ)");
}

TEST(CompareElementsTest, RestOfABufferCounts) {
  unsigned char a[5] = {1, 2, 3, 4, 5}, b[5] = {1, 2, 3, 4, 6};
  JobCheck loose;
  loose.relative = 1e-3;
  for (ElementType type : {ElementType::I32, ElementType::F32})
    for (const JobCheck &check : {JobCheck(), loose})
      EXPECT_EQ(compareElements(a, b, {5, type, Direction::Out, {}}, check),
                "the bytes after the last whole element differ");
}

TEST(CompareElementsTest, HalfsAreEncoded) {
  EXPECT_EQ(encodeHalf(0, false), 0u);
  EXPECT_EQ(encodeHalf(1, false), 0x3c00u);
  EXPECT_EQ(encodeHalf(-0.5, false), 0xb800u);
  EXPECT_EQ(encodeHalf(65504, false), 0x7bffu);
  EXPECT_EQ(encodeHalf(1e6, false), 0x7c00u);
  EXPECT_EQ(encodeHalf(std::ldexp(1, -15), false), 0x0200u); // denormal
  EXPECT_EQ(encodeHalf(1, true), 0x3f80u);
}

double forever(const Message &) { return -1; }

TEST(ChildTest, EndsOfAllKinds) {
  int heard = 0;
  ChildEnd fine = superviseChild(
      [](const Tell &tell) {
        tell({Message::Note, "", "a", 0});
        tell({Message::Note, "", std::string(1 << 20, 'b'), 0});
        return true;
      },
      [&](const Message &) {
        ++heard;
        return -1.0;
      });
  EXPECT_TRUE(fine.ended);
  EXPECT_EQ(heard, 2);
  ChildEnd killed = superviseChild(
      [](const Tell &) {
        raise(SIGKILL);
        return true;
      },
      forever);
  EXPECT_FALSE(killed.ended);
  EXPECT_EQ(killed.why, "was ended by signal 9 (Killed)");
  ChildEnd left = superviseChild(
      [](const Tell &) {
        _exit(7);
        return true;
      },
      forever);
  EXPECT_EQ(left.why, "ended with status 7");
  ChildEnd late = superviseChild(
      [](const Tell &tell) {
        tell({Message::Begin, "v", "hanging", 0.05});
        while (true)
          pause();
        return true;
      },
      [](const Message &message) { return message.seconds; });
  EXPECT_FALSE(late.ended);
  EXPECT_EQ(late.why, "took more than 0.05 s");
  ChildEnd patient = superviseChild(
      [](const Tell &tell) {
        tell({Message::Begin, "v", "thinking", 1e18});
        usleep(1000);
        return true;
      },
      [](const Message &message) { return message.seconds; });
  EXPECT_TRUE(patient.ended) << "more time than a wait counts";
}

TEST(MessagesTest, GarbageIsNoMessage) {
  Message message{Message::Failed, "v", "why\nnot", 1.5}, back;
  std::string line = writeMessage(message);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  ASSERT_TRUE(readMessage(line, back));
  EXPECT_EQ(back.text, message.text);
  EXPECT_EQ(back.seconds, 1.5);
  for (const char *bad : {"", "{", "[]", "{}", "{\"kind\": 9}", "\x01\xff",
                          "{\"kind\": 1, \"variant\": 2}"})
    EXPECT_FALSE(readMessage(bad, back)) << bad;
}

TEST(ChildTest, WhatAProgramThatHangsHasStartedEndsWithIt) {
  std::string output;
  std::string wrong =
      runProgram({"/bin/sh", "-c", "sleep 300 & echo $!; wait"}, 2, output);
  EXPECT_EQ(wrong, "took more than 2 s");
  int started = std::stoi(output);
  EXPECT_EQ(kill(started, 0), -1) << started << " lives on";
}

TEST(DescribeDeviceTest, WhatTheDriverTellsIsAChip) {
  setenv("SWIZZLE_CUDA_DRIVER", SWIZZLE_FAKE_CUDA, 1);
  std::string wrong;
  auto driver = GpuDriver::open(GpuApi::Cuda, 0, wrong);
  ASSERT_TRUE(driver) << wrong;
  HardwareSpec chip;
  ASSERT_EQ(describeDevice(*driver, chip), "");
  EXPECT_EQ(chip.name, "fake-gpu-9");
  EXPECT_EQ(chip.target, "sm_90");
  EXPECT_EQ(chip.numUnits(), 12);
  EXPECT_EQ(chip.find("l2")->bytes, 1 << 20);
  EXPECT_EQ(chip.find("l2")->sectorBytes, 32);
  EXPECT_EQ(chip.sources.at("hit_definition").substr(0, 9), "unknown: ");
  EXPECT_EQ(chip.threadsPerUnit, 2048);
  EXPECT_DOUBLE_EQ(*chip.dramBandwidth, 2 * 2e9 * 4096 / 8);
  HardwareSpec back;
  EXPECT_EQ(readHardware(writeHardware(chip), back), "");
  EXPECT_EQ(back.numUnits(), 12);
}

DispatchTrace traceOf(const std::vector<std::pair<int64_t, int64_t>> &places) {
  DispatchTrace trace;
  for (auto [die, unit] : places)
    trace.starts.push_back({die, unit, 0});
  return trace;
}

TEST(DispatchTest, DiesAndUnitsAreNumberedAnew) {
  HardwareSpec chip;
  chip.description = "a GPU";
  chip.numDies = chip.unitsPerDie = 2;
  ASSERT_EQ(
      takeDispatch(traceOf({{1, 9}, {0, 4}, {1, 4}, {0, 9}, {1, 9}, {0, 4}}),
                   chip),
      "");
  EXPECT_EQ(chip.dispatchOrder, (std::vector<int64_t>{3, 0, 2, 1}));
  EXPECT_EQ(chip.dispatchChunk, 1);
  EXPECT_EQ(chip.sources.at("dispatch_chunk"),
            "measured on a GPU: swizzle-run --probe-dispatch=6");
  // Turns of two.
  ASSERT_EQ(
      takeDispatch(traceOf({{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}}), chip),
      "");
  EXPECT_EQ(chip.dispatchChunk, 2);
  EXPECT_EQ(chip.dispatchOrder, (std::vector<int64_t>{0, 1, 2, 3}));
}

TEST(DispatchTest, WhatDoesNotFitTheChipIsRefused) {
  HardwareSpec chip;
  chip.numDies = chip.unitsPerDie = 2;
  const std::string more =
      "; more workgroups may reach all of them (--probe-dispatch=N)";
  EXPECT_EQ(takeDispatch(traceOf({}), chip),
            "workgroups ran on 0 of 2 dies" + more);
  EXPECT_EQ(takeDispatch(traceOf({{0, 0}, {0, 1}}), chip),
            "workgroups ran on 1 of 2 dies" + more);
  EXPECT_EQ(takeDispatch(traceOf({{0, 0}, {1, 1}, {0, 1}}), chip),
            "workgroups ran on 1 of 2 compute units of die 1" + more);
  EXPECT_EQ(takeDispatch(traceOf({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), chip),
            "workgroup 2 ran on die 1, workgroup 0 on die 0: dies do not take "
            "turns of 1, so no dispatch_chunk describes this GPU");
  EXPECT_TRUE(chip.dispatchOrder.empty());
}

// As an H200 told it, and as hardware/h200.json has it.
TEST(DispatchTest, ARecordedTraceIsTheChips) {
  auto read = [](const char *path) {
    std::ifstream file(std::string(SWIZZLE_SOURCE_DIR) + path);
    return nlohmann::json::parse(file);
  };
  DispatchTrace trace;
  nlohmann::json recorded = read("/benchmarks/measured/h200/dispatch.json");
  for (int64_t unit : recorded["unit"])
    trace.starts.push_back({0, unit, 0});
  HardwareSpec chip;
  chip.unitsPerDie = 132;
  ASSERT_EQ(takeDispatch(trace, chip), "");
  EXPECT_EQ(chip.dispatchOrder,
            read("/hardware/h200.json")["dispatch_order"]["value"]
                .get<std::vector<int64_t>>());
}

std::string readInput(const std::string &name) {
  std::ifstream file(SWIZZLE_SOURCE_DIR "/unittests/Measure/Inputs/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// As ncu printed it on an H200: a stencil as it is, and in another order.
TEST(CountersTest, ARecordedTableIsRead) {
  std::vector<CountedLaunch> launches;
  ASSERT_EQ(readNcu(readInput("ncu-h200.csv"), launches), "");
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "stencil3d_kernel");
  EXPECT_EQ(launches[0].counters.at("dram__bytes_read.sum"), 12494539008);
  EXPECT_DOUBLE_EQ(launches[1].counters.at("gpu__time_duration.sum"),
                   4010784e-9);
  Metrics metrics;
  ASSERT_EQ(addNcuCounters({launches[1]}, metrics), "");
  EXPECT_DOUBLE_EQ(*metrics.hitRate("l2"), 0.6653);
  EXPECT_EQ(metrics.bytes("l2"), 697521977.0 * 32);
  EXPECT_EQ(metrics.dramReadBytes, 4314231296);
  EXPECT_EQ(metrics.dramWriteBytes, 4143976960);
  EXPECT_DOUBLE_EQ(*metrics.countedTimeUs, 4010.784);
  EXPECT_GT(*metrics.instructions, 1.8e9);
  // Not asked for then.
  EXPECT_EQ(metrics.bankConflicts, std::nullopt);
  EXPECT_EQ(metrics.find("l2")->logicalHitRate, std::nullopt);
  // Of a sequence, hits over look-ups of both.
  ASSERT_EQ(addNcuCounters(launches, metrics), "");
  EXPECT_NEAR(*metrics.hitRate("l2"), 0.4794, 1e-4);
}

// All that was asked for once, of a stencil on the same H200: no workgroup
// memory.
TEST(CountersTest, ARecordedTableHasEveryCounter) {
  std::vector<CountedLaunch> launches;
  ASSERT_EQ(readNcu(readInput("ncu-h200-all.csv"), launches), "");
  Metrics metrics;
  ASSERT_EQ(addNcuCounters(launches, metrics), "");
  EXPECT_DOUBLE_EQ(*metrics.hitRate("l2"), 0.3446);
  EXPECT_EQ(metrics.dramReadBytes, 12920638720);
  EXPECT_EQ(metrics.instructions, 1342177280);
  EXPECT_EQ(metrics.bankConflicts, 0);
  EXPECT_DOUBLE_EQ(*metrics.countedTimeUs, 4634.912);
}

// Kernels that load and store in several ways, on an H200: what misses is what
// memory was asked for, and what only stores always hits.
TEST(CountersTest, HitsOfRecordedKernelsAddUp) {
  std::vector<CountedLaunch> launches;
  ASSERT_EQ(readNcu(readInput("ncu-h200-probe.csv"), launches), "");
  ASSERT_EQ(launches.size(), 10u);
  for (const CountedLaunch &launch : launches) {
    Metrics metrics;
    ASSERT_EQ(addNcuCounters({launch}, metrics), "");
    double asked = 32 * launch.counters.at("lts__t_sectors_srcunit_tex.sum");
    double missed = (1 - *metrics.find("l2")->logicalHitRate) * asked;
    // Sectors of which a part is written are read from memory, too.
    if (launch.kernel == "store_half_sector")
      continue;
    EXPECT_NEAR(missed / asked, metrics.dramReadBytes / asked, 0.025)
        << launch.kernel;
  }
}

// 5 M sectors asked for, 3 M hits near by; over the fabric 2 M hits, 0.5 M
// writes.
TEST(CountersTest, HitsArePerSectorThatWasAskedForToo) {
  CountedLaunch launch{
      "k",
      {{"lts__t_sector_hit_rate.pct", 60},
       {"lts__t_sectors.sum", 7.5e6},
       {"dram__bytes_read.sum", 1},
       {"dram__bytes_write.sum", 1},
       {"lts__t_sectors_srcunit_tex.sum", 5e6},
       {"lts__t_sectors_srcunit_tex_lookup_hit.sum", 3e6},
       {"lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum", 2e6},
       {"lts__t_sectors_op_write.sum", 1.5e6},
       {"lts__t_sectors_srcunit_tex_op_write.sum", 1e6}}};
  Metrics metrics;
  ASSERT_EQ(addNcuCounters({launch, launch}, metrics), "");
  EXPECT_DOUBLE_EQ(*metrics.hitRate("l2"), 0.6);
  EXPECT_DOUBLE_EQ(*metrics.find("l2")->logicalHitRate, 0.9);
}

TEST(CountersTest, WhatNcuSaysWentWrong) {
  EXPECT_EQ(ncuErrors("==PROF== Connected\n==ERROR== one\n==ERROR== two"),
            "; one; two");
  EXPECT_EQ(ncuErrors("\n"), "");
}

TEST(CountersTest, WhatIsNoTableIsRefused) {
  std::vector<CountedLaunch> launches;
  EXPECT_EQ(readNcu("==ERROR== no permission\n", launches),
            "there is no table in what ncu printed; it begins with \"ID\"");
  std::string table = "\"ID\",\"Kernel Name\",\"a\"\n\"\",\"\",\"Mbyte\"\n";
  EXPECT_EQ(readNcu(table, launches), "ncu saw no launch");
  EXPECT_EQ(readNcu(table + "\"0\",\"k\"\n", launches),
            "line 3 has 2 cells, the first one has 3");
  ASSERT_EQ(readNcu(table + "\"0\",\"k<\"\"a,b\"\">\",\"1,2.5\"\n", launches),
            "");
  EXPECT_EQ(launches[0].kernel, "k<\"a,b\">");
  EXPECT_EQ(launches[0].counters.at("a"), 12.5e6);
  Metrics metrics;
  EXPECT_EQ(addNcuCounters(launches, metrics),
            "counter lts__t_sector_hit_rate.pct is missing");
  // Any cut of a real table is answered.
  std::string real = readInput("ncu-h200.csv");
  for (size_t length = 0; length < real.size(); length += 97)
    readNcu(std::string_view(real).substr(0, length), launches);
}

// The form that rocprofv3 prints (seen in public reports of ROCm 6.4 and 7, of
// which some columns are left out here): a line for each counter of each
// launch, names quoted and with commas in them, the agent by number or by name,
// values in either notation.
TEST(CountersTest, ALineForEachCounter) {
  std::string names = "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\","
                      "\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n";
  std::string rows = "7,2,\"Agent 4\",\"b(int, int)\",\"TCC_MISS_sum\",250.0\n"
                     "7,2,4,\"b(int, int)\",\"TCC_HIT_sum\",7.50000000e+02\n"
                     "3,1,\"Agent 4\",\"a\",\"TCC_HIT_sum\",10\n"
                     "3,1,\"Agent 4\",\"a\",\"TCC_HIT_sum\",20\n";
  std::vector<CountedLaunch> launches;
  ASSERT_EQ(readRocprof(names + rows, launches), "");
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "a");
  EXPECT_EQ(launches[0].counters.at("TCC_HIT_sum"), 30);
  EXPECT_EQ(launches[1].kernel, "b(int, int)");
  EXPECT_EQ(launches[1].counters.at("TCC_HIT_sum"), 750);
  EXPECT_EQ(readRocprof(names, launches), "rocprofv3 saw no launch");
  EXPECT_EQ(readRocprof("\"Kernel_Name\"\n", launches),
            "line 1 has no column Dispatch_Id");
  EXPECT_EQ(readRocprof(names + "1,2\n", launches),
            "line 2 has 2 cells, the first one has 6");
  EXPECT_EQ(readRocprof(names + "1,x,2,3,4,5\n", launches),
            "line 2 has no number where one belongs");
}

// What leaves the L2 is asked of the next cache; only without one is it
// memory's.
TEST(CountersTest, BytesBehindTheL2AreTheNextLevels) {
  CountedLaunch launch{"k",
                       {{"TCC_HIT_sum", 750},
                        {"TCC_MISS_sum", 250},
                        {"FETCH_SIZE", 3},
                        {"WRITE_SIZE", 1}}};
  Metrics behind, none;
  ASSERT_EQ(addRocprofCounters({launch, launch}, "llc", behind), "");
  EXPECT_EQ(behind.hitRate("l2"), 0.75);
  EXPECT_EQ(behind.bytes("llc"), 8192);
  // Nobody counted these.
  EXPECT_FALSE(behind.dramReadBytes.isCounted());
  EXPECT_FALSE(behind.dramWriteBytes.isCounted());
  EXPECT_FALSE(behind.bytes("l2").isCounted());
  ASSERT_EQ(addRocprofCounters({launch}, "", none), "");
  EXPECT_EQ(none.dramReadBytes, 3072);
  EXPECT_EQ(none.dramWriteBytes, 1024);
  launch.counters.erase("FETCH_SIZE");
  EXPECT_EQ(addRocprofCounters({launch}, "", none),
            "counter FETCH_SIZE is missing");
}

TEST(CountersTest, WhatIsNoDatabaseIsRefused) {
  std::vector<CountedLaunch> launches;
  std::string path =
      SWIZZLE_SOURCE_DIR "/unittests/Measure/Inputs/ncu-h200.csv";
  EXPECT_EQ(readRocpd(path, launches), path + ": file is not a database");
}

} // namespace
