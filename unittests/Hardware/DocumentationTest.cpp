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

#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

std::string page() {
  auto buffer =
      MemoryBuffer::getFile(SWIZZLE_SOURCE_DIR "/docs/adding-a-chip.md");
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
  EXPECT_EQ(spec->fitted.at("example_delay"), 1.25);
}

TEST(DocumentationTest, theMessagesAreTheMessages) {
  const std::pair<const char *, const char *> damages[] = {
      {R"("num_xcds": {"value": 3,)", R"("num_xcds": {"value": 0,)"},
      {R"("bytes": {)", R"("byte": {)"},
      {R"("ways": {"value": null, "reason")", R"("ways": {"value": 3, "source")"},
      {R"("scope": "die")", R"("scope": "cluster")"},
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

} // namespace
