//===- CompletionTest.cpp - Tests of what stands in -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A completed chip has all that a model asks for, whatever its file leaves
// open, and what was given stays as it was.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Completion.h"

#include "swizzle/Hardware/ChipJSON.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/FittedConstants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

void expectComplete(const HardwareSpec &chip) {
  EXPECT_TRUE(chip.hitDefinition);
  ASSERT_LT(chip.sharedIndex(), chip.levels.size());
  for (const CacheLevel &level : chip.levels) {
    EXPECT_GT(level.capacity().value_or(0), 0) << level.name;
    EXPECT_TRUE(level.ways && level.bandwidth) << level.name;
  }
  for (size_t i = 0; i <= chip.sharedIndex(); ++i)
    EXPECT_TRUE(chip.levels[i].lineBytes && chip.levels[i].sectorBytes);
  EXPECT_TRUE(chip.sharedLevel().partitions);
  EXPECT_TRUE(chip.clockHz && chip.dramBandwidth && chip.vectorFlops &&
              chip.tensorFlops);
  EXPECT_TRUE(chip.workgroupMemoryPerUnit && chip.threadsPerUnit &&
              chip.workgroupsPerUnit && chip.registersPerUnit);
  for (const FittedConstant &constant : fittedConstants())
    EXPECT_TRUE(chip.fitted.count(std::string(constant.key)))
        << constant.key.data();
}

/// A file with so many dies, with more lines, and with more about its L2.
std::string chipOf(int dies, const std::string &lines,
                   const std::string &level = "") {
  return R"({"schema": "swizzle-hardware/2", "name": "made",
    "description": "made for a test", "vendor": "amd", "target": "gfx942",
    "num_xcds": {"value": )" +
         std::to_string(dies) + R"(, "source": "s"},
    "cus_per_xcd": {"value": 4, "source": "s"},
    "wave_size": {"value": 64, "source": "s"}, )" +
         lines + R"("levels": [{"name": "l2", "scope": "die",
    "policy": "write_back")" +
         (level.empty() ? "" : ", ") + level + "}]}";
}

TEST(CompletionTest, UsualChipsAreReadAndSayWhatIsNeeded) {
  for (StringRef vendor : {"amd", "nvidia", "other"}) {
    auto file = MemoryBuffer::getFile(SWIZZLE_SOURCE_DIR "/hardware/usual/" +
                                      vendor + ".json");
    ASSERT_TRUE(bool(file)) << vendor.str();
    HardwareSpec read;
    ASSERT_EQ(readUsualHardware((*file)->getBuffer(), read), "");
    const HardwareSpec &usual = usualChip(vendor);
    EXPECT_EQ(usual.vendor, vendor);
    EXPECT_EQ(usual.fitted, read.fitted);
    ASSERT_TRUE(usual.unitLevel());
    for (const CacheLevel *level : {usual.unitLevel(), &usual.sharedLevel()})
      EXPECT_TRUE(level->bytes && level->ways);
    EXPECT_TRUE(usual.sharedLevel().lineBytes && usual.clockHz &&
                usual.vectorFlops);
  }
  EXPECT_EQ(usualChip("somebody").vendor, "other");
}

TEST(CompletionTest, NothingIsLeftOpen) {
  for (StringRef vendor : {"amd", "nvidia", "other", "somebody", ""}) {
    HardwareSpec bare;
    bare.name = "bare";
    bare.vendor = vendor.str();
    bare.numDies = 3;
    bare.unitsPerDie = 7;
    expectComplete(completeChip(bare).chip);
    bare.levels.clear();
    expectComplete(completeChip(bare).chip);
  }
  for (const std::string &name : listChips())
    expectComplete(completeChip(cantFail(findChip(name))).chip);
}

TEST(CompletionTest, WhatIsGivenStaysAndWhatStandsInIsTold) {
  HardwareSpec chip = cantFail(findChip("h200"));
  chip.levels[1].ways = std::nullopt;
  chip.clockHz = std::nullopt;
  chip.fitted.erase("victim_pool");
  chip.fitted["younger_wait"] = 0.25;
  CompleteChip complete = completeChip(chip);
  EXPECT_EQ(complete.chip.fitted.at("younger_wait"), 0.25);
  EXPECT_EQ(complete.chip.levels[1].bytes, chip.levels[1].bytes);
  EXPECT_EQ(complete.chip.dramBandwidth, chip.dramBandwidth);
  auto tells = [&](StringRef what) {
    return any_of(complete.assumed,
                  [&](StringRef one) { return one.contains(what); });
  };
  EXPECT_TRUE(tells("l2_ways of h200 unknown: 16 assumed"));
  EXPECT_TRUE(tells("clock_hz of h200 unknown: 1500000000 assumed"));
  EXPECT_TRUE(tells("victim_pool of h200 unknown: 2 assumed"));
  EXPECT_FALSE(tells("younger_wait"));
  EXPECT_FALSE(tells("dram_bandwidth"));
}

/// What stands in is for models: a formula that asks for it is refused.
TEST(CompletionTest, SizesThatStandInAreNotReported) {
  HardwareSpec bare;
  bare.name = "bare";
  CompleteChip complete = completeChip(bare);
  EXPECT_GT(*complete.chip.sharedLevel().capacity(), 0);
  EXPECT_FALSE(complete.chip.sharedLevel().bytes);
}

/// A level behind the shared one, of which not even the size is known, is left
/// out.
TEST(CompletionTest, LevelsOfUnknownSizeAreLeftOut) {
  HardwareSpec chip = cantFail(findChip("mi300x"));
  chip.find("llc")->bytes = chip.find("llc")->effectiveBytes = std::nullopt;
  CompleteChip complete = completeChip(chip);
  EXPECT_FALSE(complete.chip.find("llc"));
  EXPECT_TRUE(any_of(complete.assumed, [](StringRef one) {
    return one.starts_with("llc_bytes of mi300x unknown: 0 assumed");
  }));
  EXPECT_FALSE(any_of(complete.assumed, [](StringRef one) {
    return one.contains("last_level_delay");
  }));
}

/// How many workgroups a die gets at a time is open where a file does not say
/// it, or says why not; of one die, it is a fact.
TEST(CompletionTest, DispatchChunkIsOpenWhereDiesAreSeveral) {
  const std::string open =
      R"("dispatch_chunk": {"value": null, "reason": "not published"},)";
  const std::string known =
      R"("dispatch_chunk": {"value": 1, "source": "measured"},)";
  struct {
    int dies;
    std::string line;
    std::optional<int64_t> expected;
  } cases[] = {{2, "", std::nullopt}, {2, open, std::nullopt},
               {2, known, 1},         {1, "", 1},
               {1, open, 1},          {1, known, 1}};
  for (const auto &[dies, line, expected] : cases) {
    HardwareSpec chip, back;
    ASSERT_EQ(readHardware(chipOf(dies, line), chip), "") << dies << line;
    EXPECT_EQ(chip.dispatchChunk, 1);
    EXPECT_EQ(chip.formulaConstants().at("dispatch_chunk"), expected)
        << dies << line;
    EXPECT_EQ(is_contained(completeChip(chip).assumed,
                           "dispatch_chunk of made unknown: 1 assumed (usual)"),
              !expected)
        << dies << line;
    ASSERT_EQ(readHardware(writeHardware(chip), back), "");
    EXPECT_EQ(back.formulaConstants(), chip.formulaConstants());
  }
}

/// What a file states must fit what stands in for its open numbers, too.
TEST(CompletionTest, WhatIsGivenMustFitWhatStandsIn) {
  struct {
    const char *line, *level, *says;
  } cases[] = {
      {"", R"("sector_bytes": {"value": 256, "source": "s"})",
       "l2.sector_bytes: 256 does not divide l2.line_bytes (128); a line holds "
       "a whole number of sectors; l2.line_bytes is not given, and 128 is "
       "assumed"},
      {"", R"("bytes": {"value": 3000000, "source": "s"})",
       "l2.bytes: 3000000 is not a multiple of l2.line_bytes (128); "
       "l2.line_bytes is not given, and 128 is assumed"},
      {"",
       R"("bytes": {"value": 1048576, "source": "s"},
          "ways": {"value": 7, "source": "s"})",
       "l2.ways: 7 does not divide the 8192 lines of 128 bytes that l2.bytes "
       "(1048576) holds; l2.line_bytes is not given, and 128 is assumed"},
      {R"("hit_definition": {"value": "both_partitions", "source": "s"},)",
       R"("ways": {"value": 7, "source": "s"})",
       "hit_definition: \"both_partitions\" needs l2.partitions to be at least "
       "2; that is not given, and 1 is assumed"},
      // What stands in for a size is the simulator's business.
      {"", R"("ways": {"value": 7, "source": "s"})", ""},
      {"", R"("line_bytes": {"value": 16, "source": "s"})", ""}};
  for (const auto &[line, level, says] : cases) {
    HardwareSpec chip;
    EXPECT_EQ(readHardware(chipOf(2, line, level), chip), says);
  }
}

/// A sector like another level's is no larger than the line that it is of.
TEST(CompletionTest, SectorsThatStandInAreCappedAtTheLine) {
  HardwareSpec chip = HardwareSpec();
  chip.name = "made";
  chip.find("l1")->lineBytes = 64;
  chip.find("l2")->lineBytes = chip.find("l2")->sectorBytes = 128;
  CompleteChip complete = completeChip(chip);
  EXPECT_EQ(complete.chip.find("l1")->sectorBytes, 64);
  EXPECT_TRUE(is_contained(complete.assumed,
                           "l1_sector_bytes of made unknown: 64 assumed (a "
                           "whole line; as the L2's, it would be 128)"));
}

} // namespace
