//===- ChipWriterTest.cpp - Levels as rows, written and read back ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written reads back as it was, files of the first version say the same
// as those of the second, and lists of levels that the simulator could not walk
// are refused with a message that names the row.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/ChipJSON.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

std::string inputs(StringRef name) {
  return (SWIZZLE_SOURCE_DIR "/unittests/Hardware/Inputs/" + name).str();
}

TEST(ChipWriter, whatIsWrittenReadsBack) {
  for (const std::string &name : listChips()) {
    HardwareSpec chip = cantFail(findChip(name)), back;
    std::string text = writeHardware(chip);
    ASSERT_EQ(readHardware(text, back), "") << name;
    EXPECT_EQ(writeHardware(back), text) << name;
    EXPECT_EQ(back.sources, chip.sources) << name;
    EXPECT_EQ(back.fitted, chip.fitted) << name;
    EXPECT_EQ(back.formulaConstants(), chip.formulaConstants()) << name;
    EXPECT_EQ(back.levels.size(), chip.levels.size()) << name;
    EXPECT_EQ(back.dramBandwidth, chip.dramBandwidth) << name;
    EXPECT_EQ(back.peakDramBandwidth, chip.peakDramBandwidth) << name;
    EXPECT_EQ(back.hitDefinition, chip.hitDefinition) << name;
    EXPECT_EQ(back.dispatchOrder, chip.dispatchOrder) << name;
  }
}

/// A number that somebody set in code is written all the same.
TEST(ChipWriter, aNumberWithoutASourceSaysSo) {
  HardwareSpec chip, back;
  chip.name = "made";
  chip.description = "made in code";
  chip.vendor = "other";
  chip.target = "gfx942";
  chip.find("l2")->bytes = 1 << 20;
  ASSERT_EQ(readHardware(writeHardware(chip), back), "");
  EXPECT_EQ(back.find("l2")->bytes, 1 << 20);
  EXPECT_EQ(back.sources.at("l2.bytes"), "not stated");
  EXPECT_EQ(back.find("l2")->ways, std::nullopt);
}

TEST(ChipWriter, filesOfTheFirstVersionSayTheSame) {
  for (const char *name : {"mi300x", "h200"}) {
    HardwareSpec old =
        cantFail(readChipFile(inputs(std::string("chip-1/") + name + ".json")));
    HardwareSpec chip = cantFail(findChip(name));
    // The first version has no such list.
    forgetDispatchOrder(chip);
    // The note that there is no last-level cache is one about the list.
    EXPECT_EQ(writeHardware(old), writeHardware(chip)) << name;
  }
}

/// Its four compute units are listed, each once, or the list is refused.
TEST(ChipWriter, theOrderListsEachUnitOnce) {
  HardwareSpec chip, back;
  chip.name = "made";
  chip.description = "made in code";
  chip.vendor = "other";
  chip.target = "gfx942";
  chip.numDies = chip.unitsPerDie = 2;
  auto read = [&](std::vector<int64_t> order) {
    chip.dispatchOrder = std::move(order);
    back = HardwareSpec();
    return readHardware(writeHardware(chip), back);
  };
  ASSERT_EQ(read({3, 0, 2, 1}), "");
  EXPECT_EQ(back.dispatchOrder, chip.dispatchOrder);
  EXPECT_EQ(back.sources.at("dispatch_order"), "not stated");
  const std::string rest =
      "; each compute unit from 0 to 3 (num_xcds times cus_per_xcd of them) "
      "stands there once";
  EXPECT_EQ(read({3, 0, 2}), "dispatch_order: 3 are listed" + rest);
  EXPECT_EQ(read({3, 0, 2, 2}),
            "dispatch_order: compute unit 2 is listed twice" + rest);
  EXPECT_EQ(read({3, 0, 2, 4}),
            "dispatch_order: there is no compute unit 4" + rest);
  EXPECT_EQ(read({3, 0, 2, -1}),
            "dispatch_order: there is no compute unit -1" + rest);

  chip.dispatchOrder = {3, 0, 2, 1};
  std::string text = writeHardware(chip);
  size_t at = text.find("3,\n"), end = text.find(']', at);
  const std::string unit = " is not allowed; it must be the number of a "
                           "compute unit";
  for (auto [list, says] :
       {std::pair<const char *, std::string>("3, 0, 2, 1.5",
                                             "dispatch_order[3]: 1.5" + unit),
        {"3, \"1\", 2, 0", "dispatch_order[1]: \"1\"" + unit},
        {"", "dispatch_order: an empty list is not allowed; it must be a list "
             "of compute units, in the order in which workgroups first reach "
             "them"}}) {
    std::string damaged = text;
    damaged.replace(at, end - at, list);
    HardwareSpec other;
    EXPECT_EQ(readHardware(damaged, other), says);
  }
}

TEST(ChipWriter, aLevelIsARow) {
  HardwareSpec four = cantFail(readChipFile(inputs("four-levels.json")));
  ASSERT_EQ(four.levels.size(), 4u);
  EXPECT_EQ(four.levels[1].name, "gl1");
  EXPECT_EQ(four.levels[1].scope, CacheScope::Cluster);
  EXPECT_EQ(four.levels[1].unitsPerCluster, 8);
  EXPECT_EQ(four.sharedLevel().name, "l2");
  EXPECT_EQ(four.unitLevel()->name, "l1");
  EXPECT_EQ(four.lastLevel()->name, "llc");
  EXPECT_EQ(four.formulaConstants().at("l2_bytes"), 6 << 20);

  HardwareSpec one = cantFail(readChipFile(inputs("one-level.json")));
  ASSERT_EQ(one.levels.size(), 1u);
  EXPECT_EQ(one.unitLevel(), nullptr);
  EXPECT_EQ(one.lastLevel(), nullptr);
  EXPECT_EQ(one.formulaConstants().at("l1_bytes"), 0);
  EXPECT_EQ(one.formulaConstants().at("l2_bytes"), 2 << 20);
  EXPECT_EQ(one.formulaConstants().at("llc_bytes"), 0);
}

/// The four-level chip with `from` replaced by `to`.
std::string errorOf(StringRef from, StringRef to) {
  auto buffer = MemoryBuffer::getFile(inputs("four-levels.json"));
  std::string text = (*buffer)->getBuffer().str();
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  HardwareSpec spec;
  return readHardware(text.replace(at, from.size(), to.str()), spec);
}

TEST(ChipWriter, listsThatCannotBeWalkedAreRefused) {
  struct {
    const char *from, *to, *says;
  } refusals[] = {
      {R"("name": "gl1")", R"("name": "l1")", "the name l1 is given twice"},
      {R"("name": "gl1")", R"("name": "dram")", "dram is no name for a cache"},
      {R"("name": "gl1")", R"("name": "dram_read")",
       "dram_read is no name for a cache"},
      {R"("name": "gl1")", R"("name": "l2_logical")",
       "l2_logical is no name for a cache"},
      {R"("name": "gl1")", R"("name": "GL1")",
       "levels[1].name: \"GL1\" is not allowed"},
      {R"("name": "gl1", )", "", "levels[1]: missing: name"},
      {R"("scope": "cluster")", R"("scope": "shader_array")",
       "gl1.scope: \"shader_array\" is not allowed; it must be"},
      {R"("scope": "cluster")", R"("scope": "die")",
       "gl1.cus_per_cluster: given, but the level's scope is \"die\""},
      {R"("policy": "write_through")", R"("policy": "exclusive")",
       "l1.policy: \"exclusive\""},
      {R"("cus_per_cluster": {"value": 8,)",
       R"("cus_per_cluster": {"value": 7,)",
       "gl1.cus_per_cluster: 7 does not divide cus_per_xcd (96)"},
      {R"("scope": "device")", R"("scope": "die")",
       "llc.scope: \"die\" is not allowed behind l2"},
      {R"("scope": "die")", R"("scope": "compute_unit")",
       "l2.scope: \"compute_unit\" stands behind \"cluster\""},
      {R"("levels": [)", R"("levels": [7, )", "levels[0]: 7 is not allowed"},
      {R"("levels": [)",
       R"("l2_ways": {"value": 4, "source": "s"}, "levels": [)",
       "l2_ways: a field of swizzle-chip/1; in swizzle-hardware/2 it stands in "
       "the row \"l2\" of \"levels\""},
  };
  for (auto &[from, to, says] : refusals)
    EXPECT_NE(errorOf(from, to).find(says), std::string::npos)
        << errorOf(from, to) << "\nlacks: " << says;
  HardwareSpec spec;
  std::string head =
      R"({"schema": "swizzle-hardware/2", "name": "a", "description": "a",
          "vendor": "other", "target": "a", "num_xcds": {"value": 1,
          "source": "s"}, "cus_per_xcd": {"value": 1, "source": "s"},
          "wave_size": {"value": 1, "source": "s"}, "levels": )";
  EXPECT_NE(readHardware(head + "[]}", spec).find("levels: an empty list"),
            std::string::npos);
  std::string through = R"({"name": "a", "scope": "die",
                            "policy": "write_through"})";
  EXPECT_NE(readHardware(head + "[" + through + "]}", spec)
                .find("levels: none has the policy \"write_back\""),
            std::string::npos);
}

} // namespace
