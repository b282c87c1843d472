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

TEST(CompletionTest, UsualChipsAreReadAndSayWhatIsNeeded) {
  for (StringRef vendor : {"amd", "nvidia", "other"}) {
    auto file = MemoryBuffer::getFile(SWIZZLE_SOURCE_DIR "/hardware/usual/" +
                                      vendor + ".json");
    ASSERT_TRUE(bool(file)) << vendor.str();
    HardwareSpec read;
    ASSERT_EQ(readHardware((*file)->getBuffer(), read), "");
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

} // namespace
