//===- ChipHashTest.cpp - Descriptions are told apart ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records of one chip must not serve another: every field of a description
// counts.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/ChipHash.h"

#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

/// Another value that `field` takes.
FieldValue otherThan(const FieldValue &value) {
  if (auto *count = std::get_if<int64_t>(&value))
    return *count == 1 ? int64_t(2) : *count / 2;
  if (auto *rate = std::get_if<double>(&value))
    return *rate / 2;
  return std::get<std::string>(value) == "both_partitions"
             ? std::string("in_flight_is_hit")
             : std::string("both_partitions");
}

TEST(HashOfChipTest, EveryFieldCounts) {
  for (const char *name : {"h200", "mi300x"}) {
    const HardwareSpec chip = cantFail(findChip(name));
    const std::string before = hashOf(chip);
    EXPECT_EQ(hashOf(chip), before);
    size_t changed = 0;
    for (const ChipField &field : chipFields()) {
      std::optional<FieldValue> value = getChipField(chip, field);
      if (!value)
        continue;
      HardwareSpec other = chip;
      ASSERT_EQ(setChipField(other, field, otherThan(*value)), "");
      EXPECT_NE(hashOf(other), before) << field.key.data();
      ++changed;
    }
    EXPECT_GT(changed, 20u);
  }
}

TEST(HashOfChipTest, ConstantsOrderAndVendorCount) {
  const HardwareSpec chip = cantFail(findChip("h200"));
  HardwareSpec constant = chip, order = chip, vendor = chip, source = chip;
  constant.fitted["younger_wait"] += 0.01;
  std::swap(order.dispatchOrder.front(), order.dispatchOrder.back());
  vendor.vendor = "other";
  for (const HardwareSpec &other : {constant, order, vendor})
    EXPECT_NE(hashOf(other), hashOf(chip));
  source.sources["l2.ways"] = "somebody else";
  EXPECT_EQ(hashOf(source), hashOf(chip));
}

TEST(HashOfChipTest, ANameDoesNotMakeABuiltInChip) {
  for (const std::string &name : listChips())
    EXPECT_EQ(hashUnlessBuiltIn(cantFail(findChip(name))), "") << name;
  HardwareSpec chip = cantFail(findChip("mi300x"));
  chip.description = "in other words";
  chip.sources["l2.ways"] = "somebody else";
  chip.waveSize = 32; // as a kernel may ask for
  EXPECT_EQ(hashUnlessBuiltIn(chip), "");
  chip.numDies = 2;
  EXPECT_EQ(hashUnlessBuiltIn(chip), hashOf(chip));
  chip.name = "mine";
  EXPECT_EQ(hashUnlessBuiltIn(chip), hashOf(chip));
  chip.name = "native";
  EXPECT_EQ(hashUnlessBuiltIn(chip), hashOf(chip));
}

} // namespace
