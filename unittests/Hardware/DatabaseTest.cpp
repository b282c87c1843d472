//===- DatabaseTest.cpp - Chips by name -----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold for every built-in chip, and how chips are found.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Database.h"
#include "swizzle/Formula/Formula.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

std::string messageOf(Error error) { return toString(std::move(error)); }

TEST(DatabaseTest, everyChipIsWellFormed) {
  std::vector<std::string> chips = listChips();
  ASSERT_FALSE(chips.empty());
  EXPECT_TRUE(is_sorted(chips));
  for (const std::string &name : chips) {
    Expected<HardwareSpec> spec = findChip(name);
    ASSERT_TRUE(bool(spec)) << messageOf(spec.takeError());
    EXPECT_EQ(spec->name, name) << "the file is named as the chip";
    EXPECT_TRUE(spec->sharedLevel().capacity()) << name;
    EXPECT_TRUE(spec->dramBandwidth) << name;
  }
}

TEST(DatabaseTest, everyChipSaysSomethingAboutEveryField) {
  for (const std::string &name : listChips()) {
    HardwareSpec spec = cantFail(findChip(name));
    for (const ChipField &field : chipFields()) {
      if (levelOf(field).empty()) {
        EXPECT_TRUE(spec.sources.count(std::string(field.key)))
            << name << ": " << field.key;
      }
    }
    EXPECT_TRUE(spec.sources.count("dispatch_order")) << name;
    for (const CacheLevel &level : spec.levels)
      for (const ChipField &field : levelFields()) {
        bool shared = &level == &spec.sharedLevel();
        bool fits = field.key == "partitions" ? shared
                    : field.key == "cus_per_cluster"
                        ? level.scope == CacheScope::Cluster
                        : true;
        EXPECT_EQ(spec.sources.count(level.name + "." + std::string(field.key)),
                  size_t(fits))
            << name << ": " << level.name << "." << field.key;
      }
    EXPECT_TRUE(spec.lastLevel() || spec.sources.count("levels"))
        << name << " has no last-level cache, and nothing says why";
  }
}

TEST(DatabaseTest, oneDefaultPerTarget) {
  std::map<std::string, std::vector<std::string>> defaults;
  for (const std::string &name : listChips()) {
    HardwareSpec spec = cantFail(findChip(name));
    std::vector<std::string> &chips = defaults[spec.target];
    if (spec.defaultForTarget)
      chips.push_back(name);
  }
  for (auto &[target, chips] : defaults)
    EXPECT_EQ(chips.size(), 1u) << target;
}

TEST(DatabaseTest, findsByNameWhateverTheCase) {
  EXPECT_EQ(cantFail(findChip("MI300X")).name, "mi300x");
  EXPECT_EQ(cantFail(findChip("h200")).target, "sm_90");
}

TEST(DatabaseTest, ANameThatIsCutOffGoesOn) {
  Expected<HardwareSpec> spec = findChip("mi300");
  ASSERT_FALSE(bool(spec));
  std::string message = messageOf(spec.takeError());
  EXPECT_NE(message.find("did you mean mi300"), std::string::npos) << message;
}

TEST(DatabaseTest, unknownChipListsTheChipsNearestFirst) {
  Expected<HardwareSpec> spec = findChip("mi300y");
  ASSERT_FALSE(bool(spec));
  std::string message = messageOf(spec.takeError());
  EXPECT_NE(message.find("unknown chip \"mi300y\""), std::string::npos);
  EXPECT_NE(message.find("did you mean mi300"), std::string::npos) << message;
  for (const std::string &name : listChips())
    EXPECT_NE(message.find(name), std::string::npos) << message;
}

TEST(DatabaseTest, findsTheDefaultOfATarget) {
  EXPECT_EQ(findChipForTarget("gfx942")->name, "mi300x");
  EXPECT_EQ(findChipForTarget("gfx942:sramecc+:xnack-")->name, "mi300x");
  EXPECT_EQ(findChipForTarget("gfx90a")->name, "mi250x");
  EXPECT_EQ(findChipForTarget("sm_86")->name, "rtx3090");
  EXPECT_EQ(findChipForTarget("sm_89")->name, "rtx4090");
  EXPECT_EQ(findChipForTarget("sm_90a")->name, "h100");
  EXPECT_EQ(findChipForTarget("sm_100")->name, "b200");
  EXPECT_FALSE(findChipForTarget("gfx000"));
  EXPECT_FALSE(findChipForTarget(""));
  EXPECT_FALSE(findChipForTarget("sm_"));
}

TEST(DatabaseTest, formulaConstantsAreTheFilesNumbers) {
  auto constants = cantFail(findChip("mi300x")).formulaConstants();
  EXPECT_EQ(constants.at("num_xcds"), 8);
  EXPECT_EQ(constants.at("cus_per_xcd"), 38);
  EXPECT_EQ(constants.at("num_cus"), 304);
  EXPECT_EQ(constants.at("l2_bytes"), 4 << 20);
  EXPECT_EQ(constants.at("llc_bytes"), 256 << 20);
  EXPECT_EQ(constants.at("line_bytes"), 128);
  EXPECT_EQ(constants.at("workgroups_per_cu"), std::nullopt);
  EXPECT_EQ(cantFail(findChip("h200")).formulaConstants().at("llc_bytes"), 0);
}

TEST(DatabaseTest, formulasKnowTheSameNames) {
  std::vector<std::string> names;
  for (auto &[name, value] : cantFail(findChip("mi300x")).formulaConstants())
    names.push_back(name);
  std::vector<std::string> known(knownHardwareNames().begin(),
                                 knownHardwareNames().end());
  EXPECT_EQ(names, known);
}

TEST(DatabaseTest, anyNumberOfDiesWorks) {
  for (int64_t dies : {1, 3, 4, 6, 7, 8}) {
    HardwareSpec spec = cantFail(findChip("mi300x"));
    spec.numDies = dies;
    auto constants = spec.formulaConstants();
    EXPECT_EQ(constants.at("num_xcds"), dies);
    EXPECT_EQ(constants.at("num_cus"), dies * 38);
  }
}

TEST(DatabaseTest, WhatADriverTellsIsCompletedByTheSameChip) {
  HardwareSpec told = cantFail(findChip("h200"));
  told.name = "nvidia-h200";
  told.description = "NVIDIA H200";
  told.clockHz = 1.7e9;
  told.sources["clock_hz"] = "the driver";
  told.find("l2")->ways.reset();
  told.find("l2")->effectiveBytes.reset();
  told.dramBandwidth.reset();
  HardwareSpec chip = completeNativeChip(told),
               h200 = cantFail(findChip("h200"));
  EXPECT_EQ(chip.name, "native");
  EXPECT_EQ(chip.description,
            "NVIDIA H200; what the driver does not tell is taken from h200");
  EXPECT_FALSE(chip.defaultForTarget);
  EXPECT_EQ(chip.clockHz, 1.7e9);
  EXPECT_EQ(chip.sources["clock_hz"], "the driver");
  EXPECT_EQ(chip.find("l2")->ways, h200.find("l2")->ways);
  EXPECT_EQ(chip.find("l2")->effectiveBytes, h200.find("l2")->effectiveBytes);
  EXPECT_EQ(chip.dramBandwidth, h200.dramBandwidth);

  // Another size of the L2 does not fit what was measured of this one.
  told.find("l2")->bytes = *told.find("l2")->bytes + 4096;
  chip = completeNativeChip(told);
  EXPECT_EQ(chip.find("l2")->bytes, told.find("l2")->bytes);
  EXPECT_FALSE(chip.find("l2")->effectiveBytes);

  // A harvested part is nobody's.
  --told.unitsPerDie;
  chip = completeNativeChip(told);
  EXPECT_EQ(chip.description, "NVIDIA H200");
  EXPECT_FALSE(chip.dramBandwidth);
}

} // namespace
