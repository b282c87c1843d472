//===- ChipReaderTest.cpp - Reading and refusing chip files ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each refusal of the reader, with what its message must say: file, field,
// value, and what is allowed. The last test damages good files at random and
// asks only that the reader answers.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace swizzle;

namespace {

/// A small good file; tests replace or add one line.
std::string goodChip() {
  return R"({
  "schema": "swizzle-chip/1",
  "name": "test-chip",
  "description": "A chip for tests",
  "vendor": "other",
  "target": "gfx942",
  "num_xcds": {"value": 6, "source": "test"},
  "cus_per_xcd": {"value": 20, "source": "test"},
  "wave_size": {"value": 32, "source": "test"},
  "l2_bytes": {"value": 1048576, "source": "test"},
  "line_bytes": {"value": 128, "source": "test"},
  "llc_bytes": {"value": null, "reason": "not told"}
})";
}

/// `goodChip` with the line of `key` replaced by `text`, or with `text` added
/// if there is no such line.
std::string chipWith(StringRef key, StringRef text) {
  std::string good = goodChip();
  SmallVector<StringRef> lines;
  StringRef(good).split(lines, '\n');
  std::string quoted = ("\"" + key + "\":").str();
  std::string result;
  bool done = false;
  for (StringRef line : lines) {
    if (!key.empty() && line.trim().starts_with(quoted)) {
      result += text.str() + (line.ends_with(",") ? ",\n" : "\n");
      done = true;
      continue;
    }
    result += line.str() + "\n";
    if (!done && line == "{" && !StringRef(good).contains(quoted)) {
      result += text.str() + ",\n";
      done = true;
    }
  }
  return result;
}

std::string errorOf(StringRef text) {
  Expected<HardwareSpec> spec = parseChip(text, "chip.json");
  return spec ? "accepted" : toString(spec.takeError());
}

TEST(ChipReaderTest, readsAGoodFile) {
  Expected<HardwareSpec> spec = parseChip(goodChip(), "chip.json");
  ASSERT_TRUE(bool(spec)) << toString(spec.takeError());
  EXPECT_EQ(spec->name, "test-chip");
  EXPECT_EQ(spec->numDies, 6);
  EXPECT_EQ(spec->numUnits(), 120);
  EXPECT_EQ(spec->find("l2")->bytes, 1048576);
  EXPECT_EQ(spec->find("l2")->ways, std::nullopt);
  EXPECT_EQ(spec->dispatchChunk, 1);
  EXPECT_EQ(spec->formulaConstants().at("dispatch_chunk"), std::nullopt);
  ASSERT_TRUE(spec->find("llc"));
  EXPECT_EQ(spec->find("llc")->bytes, std::nullopt);
  EXPECT_EQ(spec->sources.at("llc.bytes"), "unknown: not told");
  EXPECT_EQ(spec->sources.at("num_xcds"), "test");
  EXPECT_EQ(spec->formulaConstants().at("llc_bytes"), std::nullopt);
}

TEST(ChipReaderTest, reportedAndEffectiveAreTwoNumbers) {
  HardwareSpec spec = cantFail(parseChip(
      chipWith("effective_l2_bytes",
               R"("effective_l2_bytes": {"value": 524288, "source": "fit"})"),
      "chip.json"));
  EXPECT_EQ(spec.find("l2")->bytes, 1048576);
  EXPECT_EQ(spec.find("l2")->capacity(), 524288);
  spec = cantFail(parseChip(
      chipWith("x", R"("dram_bandwidth": {"value": 5e12, "source": "s"},
                      "effective_dram_bandwidth": {"value": 4e12, "source": "s"})"),
      "chip.json"));
  EXPECT_EQ(spec.dramBandwidth, 4e12);
  EXPECT_EQ(spec.peakDramBandwidth, 5e12);
}

TEST(ChipReaderTest, readsFittedConstants) {
  HardwareSpec spec = cantFail(parseChip(
      chipWith(
          "fitted",
          R"("fitted": {"younger_wait": {"value": 1.5, "source": "rows"}})"),
      "chip.json"));
  EXPECT_EQ(spec.fitted.at("younger_wait"), 1.5);
  EXPECT_EQ(spec.sources.at("fitted.younger_wait"), "rows");
}

struct Refusal {
  const char *key;  ///< line to replace, or to add
  const char *line; ///< what to put there
  std::vector<const char *> says;
};

TEST(ChipReaderTest, refusalsNameFileFieldValueAndWhatIsAllowed) {
  const Refusal refusals[] = {
      {"num_xcds",
       R"("num_xcds": {"value": 0, "source": "s"})",
       {"num_xcds: 0 is not allowed", "an integer from 1 to 1024"}},
      {"num_xcds",
       R"("num_xcds": {"value": -8, "source": "s"})",
       {"num_xcds: -8", "an integer from 1"}},
      {"num_xcds",
       R"("num_xcds": {"value": "8", "source": "s"})",
       {"num_xcds: \"8\"", "an integer"}},
      {"num_xcds",
       R"("num_xcds": {"value": 8.5, "source": "s"})",
       {"num_xcds: 8.5", "an integer"}},
      {"num_xcds",
       R"("num_xcds": {"value": 7.0, "source": "s"})",
       {"num_xcds: 7.0 is not allowed", "an integer"}},
      {"num_xcds",
       R"("num_xcds": {"value": true, "source": "s"})",
       {"num_xcds: true", "an integer"}},
      {"num_xcds",
       R"("num_xcds": {"value": [8], "source": "s"})",
       {"num_xcds: an array", "an integer"}},
      {"num_xcds",
       R"("num_xcds": {"value": 18446744073709551615, "source": "s"})",
       {"num_xcds: 18446744073709551615", "an integer"}},
      {"num_xcds",
       R"("num_xcds": {"value": null, "reason": "r"})",
       {"num_xcds: null is not allowed", "an integer"}},
      {"num_xcds",
       R"("num_xcds": 8)",
       {"num_xcds: 8 stands alone", "\"source\""}},
      {"num_xcds", R"("num_xcds": {"value": 8})", {"num_xcds: has no source"}},
      {"num_xcds",
       R"("num_xcds": {"value": 8, "source": ""})",
       {"num_xcds: has no source"}},
      {"num_xcds",
       R"("num_xcds": {"source": "s"})",
       {"num_xcds: has no \"value\""}},
      {"num_xcds",
       R"("num_xcds": {"value": 8, "source": "s", "note": 1})",
       {"num_xcds: unknown key \"note\"", "\"value\" and \"source\""}},
      {"llc_bytes",
       R"("llc_bytes": {"value": null})",
       {"llc_bytes: is null without a reason"}},
      {"wave_size",
       R"("wave_size": {"value": 48, "source": "s"})",
       {"wave_size: 48", "a power of two from 1"}},
      {"vendor",
       R"("vendor": "amd")",
       {"wave_size: 32 is not allowed", "code for gfx942 has waves of 64"}},
      {"line_bytes",
       R"("line_bytes": {"value": 96, "source": "s"})",
       {"line_bytes: 96", "a power of two from 1"}},
      {"l2_bytes",
       R"("l2_bytes": {"value": 1000, "source": "s"})",
       {"l2_bytes: 1000 is not a multiple of line_bytes (128)"}},
      {"effective_l2_bytes",
       R"("effective_l2_bytes": {"value": 1000, "source": "s"})",
       {"effective_l2_bytes: 1000 is not a multiple of line_bytes (128)"}},
      {"l2_sector_bytes",
       R"("l2_sector_bytes": {"value": 256, "source": "s"})",
       {"l2_sector_bytes: 256 does not divide line_bytes (128)"}},
      {"l2_ways",
       R"("l2_ways": {"value": 3, "source": "s"})",
       {"l2_ways: 3 does not divide the 8192 lines", "l2_bytes (1048576)"}},
      {"l2_partitions",
       R"("l2_partitions": {"value": 3, "source": "s"})",
       {"8192 lines cannot be split evenly into 3 l2_partitions"}},
      {"l2_bytes",
       R"("l2_bytes": {"value": 1048576, "source": "s"},
          "effective_l2_bytes": {"value": 2097152, "source": "s"})",
       {"effective_l2_bytes: 2097152 is more than l2_bytes (1048576)"}},
      {"dram_bandwidth",
       R"("dram_bandwidth": {"value": 1e12, "source": "s"},
          "effective_dram_bandwidth": {"value": 2e12, "source": "s"})",
       {"effective_dram_bandwidth: more than dram_bandwidth"}},
      {"description",
       R"("description": "two\nlines")",
       {"description: ", "it must be a line of text"}},
      {"hit_definition",
       R"("hit_definition": {"value": "all", "source": "s"})",
       {"hit_definition: \"all\"", "in_flight_is_hit", "both_partitions"}},
      {"hit_definition",
       R"("hit_definition": {"value": 1, "source": "s"})",
       {"hit_definition: 1", "in_flight_is_hit"}},
      {"hit_definition",
       R"("hit_definition": {"value": "both_partitions", "source": "s"},
          "l2_partitions": {"value": 1, "source": "s"})",
       {"needs l2_partitions to be at least 2"}},
      {"clock_hz",
       R"("clock_hz": {"value": 0, "source": "s"})",
       {"clock_hz: 0 is not allowed", "from 1e6 to 1e24"}},
      {"clock_hz",
       R"("clock_hz": {"value": -1.5e9, "source": "s"})",
       {"clock_hz: -1.5e+09", "from 1e6 to 1e24"}},
      {"threads_per_cu",
       R"("threads_per_cu": {"value": 1000, "source": "s"})",
       {"threads_per_cu: 1000 is not a multiple of wave_size (32)"}},
      {"llc_bytes",
       R"("llc_bytes": {"value": 0, "source": "s"}, "llc_ways": {"value": 4, "source": "s"})",
       {"llc_ways: 4", "no last-level cache", "set llc_bytes"}},
      {"schema",
       R"("schema": "swizzle-chip/9")",
       {"schema: \"swizzle-chip/9\"",
        "\"swizzle-hardware/2\" or \"swizzle-chip/1\""}},
      {"schema", R"("schema": 1)", {"schema: 1", "\"swizzle-chip/1\""}},
      {"name", R"("name": "My Chip")", {"name: \"My Chip\"", "small letters"}},
      {"name", R"("name": "native")", {"name: \"native\"", "not \"native\""}},
      {"name", R"("name": "")", {"name: \"\""}},
      {"vendor", R"("vendor": "intl")", {"vendor: \"intl\"", "\"amd\""}},
      {"target", R"("target": null)", {"target: null", "gfx942"}},
      {"target",
       R"("target": "gfx9xx")",
       {"target: \"gfx9xx\"", "vendor \"other\"", "gfx and digits", "gfx90a"}},
      {"target", R"("target": "gfx94200")", {"target: \"gfx94200\""}},
      {"target", R"("target": "gfx94A")", {"target: \"gfx94A\""}},
      {"target", R"("target": "gfx")", {"target: \"gfx\""}},
      {"target",
       R"("target": "gfx9-x-generic")",
       {"target: \"gfx9-x-generic\""}},
      {"target", R"("target": "sm_9x")", {"target: \"sm_9x\"", "sm_90a"}},
      {"vendor",
       R"("vendor": "nvidia")",
       {"target: \"gfx942\"", "vendor \"nvidia\"", "sm_ and digits"}},
      {"description", R"("description": {})", {"description: an object"}},
      {"default_for_target",
       R"("default_for_target": "yes")",
       {"default_for_target: \"yes\"", "true or false"}},
      {"fitted", R"("fitted": [])", {"fitted: an array", "an object"}},
      {"fitted",
       R"("fitted": {"younger_wait": {"value": "x", "source": "s"}})",
       {"fitted.younger_wait: \"x\"", "a number from 0 to 10", "falls behind"}},
      {"fitted",
       R"("fitted": {"younger_wait": {"value": 11, "source": "s"}})",
       {"fitted.younger_wait: 11", "a number from 0 to 10"}},
      {"fitted",
       R"("fitted": {"victim_pool": {"value": 1.5, "source": "s"}})",
       {"fitted.victim_pool: 1.5", "an integer from 1 to 1024"}},
      {"fitted",
       R"("fitted": {"yunger_wait": {"value": 1, "source": "s"}})",
       {"fitted.yunger_wait: unknown constant; did you mean younger_wait?"}},
      {"fitted",
       R"("fitted": {"a": {"value": 1, "source": "s"}})",
       {"fitted.a: unknown constant; the constants are miss_delay_rounds, "}},
      {"fitted",
       R"("fitted": {"a": {"value": 1}})",
       {"fitted.a: has no source"}},
      {"l2_byte",
       R"("l2_byte": {"value": 1, "source": "s"})",
       {"l2_byte: unknown field; did you mean l2_bytes?"}},
      {"base",
       R"("base": "mi300x")",
       {"base: unknown field; the fields are schema, name, "}},
      {"colour",
       R"("colour": 1)",
       {"colour: unknown field; the fields are", "num_xcds", "dram_bandwidth"}},
  };
  for (const Refusal &refusal : refusals) {
    std::string message = errorOf(chipWith(refusal.key, refusal.line));
    EXPECT_EQ(message.rfind("chip.json: ", 0), 0u) << refusal.line << "\n"
                                                   << message;
    for (const char *part : refusal.says)
      EXPECT_NE(message.find(part), std::string::npos)
          << refusal.line << "\n"
          << message << "\nlacks: " << part;
  }
}

TEST(ChipReaderTest, readsTargetsInEveryForm) {
  for (const char *target :
       {"gfx906", "gfx90a", "gfx1100", "gfx9-generic", "gfx9-4-generic",
        "gfx10-1-generic", "sm_75", "sm_90", "sm_90a", "sm_120f", "xe-hpc"}) {
    std::string line = (Twine("\"target\": \"") + target + "\"").str();
    EXPECT_EQ(errorOf(chipWith("target", line)), "accepted") << target;
  }
}

TEST(ChipReaderTest, listsWhatIsMissing) {
  EXPECT_EQ(errorOf("{}"),
            "chip.json: missing: schema, name, description, vendor, "
            "target, num_xcds, cus_per_xcd, wave_size, levels");
}

TEST(ChipReaderTest, refusesKeysGivenTwice) {
  EXPECT_EQ(
      errorOf(R"({"schema": "swizzle-chip/1", "schema": "swizzle-chip/1"})"),
      "chip.json: schema: given twice; each key may stand once");
  EXPECT_EQ(errorOf(R"({"num_xcds": {"value": 1, "value": 2}})"),
            "chip.json: num_xcds.value: given twice; each key may stand once");
  EXPECT_EQ(errorOf(R"({"levels": [[], {"ways": 1}, {"a": 1, "a": 2}]})"),
            "chip.json: levels[2].a: given twice; each key may stand once");
}

TEST(ChipReaderTest, malformedJsonHasLineAndColumn) {
  EXPECT_EQ(errorOf("{\n  \"name\": ,\n}")
                .find("chip.json: line 2, column 11: malformed JSON: "),
            0u)
      << errorOf("{\n  \"name\": ,\n}");
  EXPECT_EQ(errorOf("").find("chip.json: line 1, column 1: malformed JSON"),
            0u);
  EXPECT_EQ(errorOf("[1]"),
            "chip.json: a chip's description is one JSON object, not an array");
  EXPECT_EQ(errorOf("{\"name\": \"\xff\"}").find("chip.json: line 1, column 1"),
            0u);
}

TEST(ChipReaderTest, numbersThatNoDoubleHoldsHaveAName) {
  EXPECT_EQ(errorOf(R"({"l2_bytes": {"value": 1e999}})"),
            "chip.json: l2_bytes.value: 1e999 is too large a number; at most "
            "1.797e308 can be read");
  EXPECT_EQ(errorOf("-1e400"), "chip.json: -1e400 is too large a number; at "
                               "most 1.797e308 can be read");
}

TEST(ChipReaderTest, refusesHugeAndDeepFiles) {
  std::string deep(200000, '[');
  EXPECT_NE(errorOf(deep).find("malformed JSON"), std::string::npos);
  std::string closed = deep + std::string(200000, ']');
  EXPECT_EQ(errorOf(closed),
            "chip.json: a chip's description is one JSON object, not an array");
  std::string inside = "{\"num_xcds\": " + closed + "}";
  EXPECT_NE(errorOf(inside).find("missing"), std::string::npos);
  EXPECT_NE(errorOf(std::string(2 << 20, ' ')).find("at most 1048576"),
            std::string::npos);
}

TEST(ChipReaderTest, readsFromAPath) {
  Expected<HardwareSpec> spec =
      readChipFile(SWIZZLE_SOURCE_DIR "/hardware/mi300x.json");
  ASSERT_TRUE(bool(spec)) << toString(spec.takeError());
  EXPECT_EQ(spec->name, "mi300x");
  Expected<HardwareSpec> missing = readChipFile("/nowhere/chip.json");
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(toString(missing.takeError())
                .find("/nowhere/chip.json: cannot be read: "),
            0u);
}

TEST(ChipReaderTest, damagedFilesAreAnsweredNotCrashedOn) {
  std::mt19937 random(20240229);
  auto pick = [&](size_t size) {
    return size_t(random() % std::max<size_t>(1, size));
  };
  const StringRef pieces[] = {"null",
                              "-1",
                              "0",
                              "1e400",
                              "\"",
                              "{",
                              "}",
                              "[",
                              ",",
                              ":",
                              "9223372036854775808",
                              "true",
                              "\\u",
                              "\xff",
                              "0.5",
                              "\"value\"",
                              "340282366920938463463374607"};
  unsigned accepted = 0, refused = 0;
  for (const std::string &name : listChips()) {
    auto buffer =
        MemoryBuffer::getFile(SWIZZLE_SOURCE_DIR "/hardware/" + name + ".json");
    ASSERT_TRUE(bool(buffer)) << name;
    for (unsigned round = 0; round < 200; ++round) {
      std::string text = (*buffer)->getBuffer().str();
      for (size_t edits = 1 + pick(4); edits; --edits) {
        size_t at = pick(text.size());
        switch (pick(5)) {
        case 0:
          text.erase(at, 1 + pick(20));
          break;
        case 1:
          text.insert(at, pieces[pick(std::size(pieces))].str());
          break;
        case 2:
          text[at] = char(pick(256));
          break;
        case 3:
          text.insert(at, text.substr(pick(text.size()), 1 + pick(60)));
          break;
        default:
          text.resize(at);
          break;
        }
      }
      Expected<HardwareSpec> spec = parseChip(text, "chip.json");
      if (spec) {
        ++accepted;
        EXPECT_GE(spec->numUnits(), 1);
        spec->formulaConstants();
        continue;
      }
      ++refused;
      EXPECT_EQ(toString(spec.takeError()).find("chip.json: "), 0u);
    }
  }
  EXPECT_GT(accepted, 0u);
  EXPECT_GT(refused, accepted);
}

} // namespace
