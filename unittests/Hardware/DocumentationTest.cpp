//===- DocumentationTest.cpp - What docs/adding-a-chip.md promises --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worked example is read as a reader of the page would use it, the messages
// that the page shows are the messages that come, and no field is missing.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Completion.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/FittedConstants.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

std::string page(StringRef name = "adding-a-chip.md") {
  auto buffer = MemoryBuffer::getFile(SWIZZLE_SOURCE_DIR "/docs/" + name);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The first fenced block of the page in `language`.
std::string block(StringRef language) {
  std::string text = page();
  StringRef rest =
      StringRef(text).split(("```" + language + "\n").str()).second;
  return rest.split("```").first.str();
}

std::string replaced(std::string text, StringRef from, StringRef to) {
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  return at == std::string::npos ? text
                                 : text.replace(at, from.size(), to.str());
}

TEST(DocumentationTest, theWorkedExampleIsAChip) {
  Expected<HardwareSpec> spec = parseChip(block("json"), "example3.json");
  ASSERT_TRUE(bool(spec)) << toString(spec.takeError());
  auto constants = spec->formulaConstants();
  EXPECT_EQ(spec->name, "example3");
  EXPECT_EQ(constants.at("num_xcds"), 3);
  EXPECT_EQ(constants.at("num_cus"), 60);
  EXPECT_EQ(constants.at("llc_bytes"), 50331648);
  EXPECT_EQ(constants.at("l1_bytes"), 0);
  EXPECT_EQ(spec->dramBandwidth, 2.0e12);
  EXPECT_EQ(spec->peakDramBandwidth, 2.4e12);
  EXPECT_EQ(spec->fitted.at("miss_delay_rounds"), 1.25);
}

TEST(DocumentationTest, theMessagesAreTheMessages) {
  const std::pair<const char *, const char *> damages[] = {
      {R"("num_xcds": {"value": 3,)", R"("num_xcds": {"value": 0,)"},
      {R"("bytes": {)", R"("byte": {)"},
      {R"("ways": {"value": null, "reason")",
       R"("ways": {"value": 3, "source")"},
      {R"("scope": "die")", R"("scope": "cluster")"},
      {R"("line_bytes": {"value": 128,)", R"("sector_bytes": {"value": 256,)"},
  };
  std::string text = page();
  for (auto &[from, to] : damages) {
    Expected<HardwareSpec> spec =
        parseChip(replaced(block("json"), from, to), "example3.json");
    ASSERT_FALSE(bool(spec)) << to;
    std::string message = toString(spec.takeError());
    EXPECT_NE(text.find(message), std::string::npos) << message;
  }
}

TEST(DocumentationTest, everyFieldIsExplained) {
  std::string text = page();
  std::vector<ChipField> fields = levelFields();
  for (const ChipField &field : chipFields())
    if (levelOf(field).empty())
      fields.push_back(field);
  for (const ChipField &field : fields) {
    std::string key(field.key), meaning(field.meaning);
    EXPECT_NE(text.find("| `" + key + "` |"), std::string::npos) << key;
    if (field.kind != FieldKind::Word) {
      EXPECT_NE(text.find(meaning), std::string::npos) << meaning;
    }
  }
}

/// "| `victim_pool` | 1 | 2 | 2 | 1 | the L2 evicts ... |": of an H200, what is
/// usual of NVIDIA's chips and of others', what has no effect.
TEST(DocumentationTest, everyConstantIsExplained) {
  std::string text = page("simulator.md");
  Expected<HardwareSpec> h200 = findChip("h200");
  ASSERT_TRUE(bool(h200));
  auto cell = [](const HardwareSpec &chip, StringRef key) {
    auto found = chip.fitted.find(key.str());
    if (found == chip.fitted.end())
      return std::string("  |");
    std::string number;
    raw_string_ostream(number) << format(" %.12g |", found->second);
    return number;
  };
  for (const FittedConstant &constant : fittedConstants()) {
    StringRef key = constant.key;
    std::string row = ("| `" + key + "` |").str();
    row += cell(*h200, key) + cell(usualChip("nvidia"), key) +
           cell(usualChip("amd"), key);
    HardwareSpec none;
    none.fitted[key.str()] = constant.neutral;
    row += cell(none, key) + " " + std::string(constant.meaning) + " |";
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
}

} // namespace
