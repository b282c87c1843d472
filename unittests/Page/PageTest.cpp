//===- PageTest.cpp - Reports as one page to look at ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is packed for the page, unpacked, is what the evaluator says; journals
// become what their report would say. What a browser makes of the page is
// tested in python/tests/test_page.py.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Page/Page.h"

#include "swizzle/Formula/Formula.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace swizzle;

namespace {

json::Object kernelWith(StringRef formula, const Grid &grid,
                        json::Object params = {}) {
  return json::Object{
      {"name", "k"},
      {"chip", "mi300x"},
      {"grid", json::Array{grid.x(), grid.y(), grid.z()}},
      {"outcome", "remapped"},
      {"formula", formula},
      {"params", std::move(params)},
      {"constants", json::Object{{"num_xcds", 8}, {"dispatch_chunk", 1}}}};
}

/// The workgroup of each tile, as the page unpacks it.
std::vector<uint32_t> unpack(const json::Object &mapping, size_t count) {
  std::vector<char> packed;
  cantFail(decodeBase64(*mapping.getString("workgroups"), packed));
  SmallVector<uint8_t, 0> bytes;
  cantFail(compression::zlib::decompress(
      ArrayRef(reinterpret_cast<const uint8_t *>(packed.data()), packed.size()),
      bytes, count * 4));
  std::vector<uint32_t> workgroups;
  uint32_t last = 0;
  for (size_t at = 0; at < bytes.size(); at += 4)
    workgroups.push_back(last += support::endian::read32le(&bytes[at]));
  return workgroups;
}

std::string whyNot(const json::Object &mapping) {
  return mapping.getString("why").value_or("").str();
}

TEST(Mapping, EveryFamilyIsWhatTheEvaluatorSays) {
  unsigned shown = 0;
  for (const CatalogueEntry &entry : catalogue())
    for (const Grid &grid :
         {Grid(16, 8), Grid(7, 13), Grid(12, 1), Grid(8, 4, 3)}) {
      Formula formula = cantFail(Formula::parse(entry.text));
      Environment environment;
      environment.grid = grid;
      environment.hardware = {{"num_xcds", 8}, {"dispatch_chunk", 1}};
      environment.params = formula.combination(0);
      json::Object params;
      for (const auto &[name, value] : environment.params)
        params[name] = value;
      json::Object mapping =
          mappingOf(kernelWith(entry.text, grid, std::move(params)));
      if (!mapping.get("workgroups")) {
        EXPECT_NE(whyNot(mapping), "") << entry.name;
        continue;
      }
      std::vector<uint32_t> workgroups = unpack(mapping, grid.count());
      BoundFormula bound = cantFail(BoundFormula::bind(formula, environment));
      ASSERT_EQ(int64_t(workgroups.size()), grid.count());
      for (size_t tile = 0; tile < workgroups.size(); ++tile)
        EXPECT_EQ(cantFail(bound.evaluate(delinearise(workgroups[tile], grid))),
                  delinearise(tile, grid));
      ++shown;
    }
  EXPECT_GT(shown, 60u);
}

TEST(Mapping, AReportIsNotTrusted) {
  EXPECT_EQ(whyNot(mappingOf(kernelWith("return x // 2, y", Grid(8, 4)))),
            "The mapping is not shown: the formula is not a permutation of the "
            "grid 8x4: workgroups (0,0) and (1,0) both map to (0,0); (4,0) is "
            "never reached.");
  EXPECT_NE(whyNot(mappingOf(kernelWith("return x +", Grid(8, 4)))), "");
  EXPECT_NE(
      whyNot(mappingOf(kernelWith("return x, y", Grid(1 << 20, 1 << 20)))), "");
  json::Object unknown = kernelWith("return x * l2_bytes, y", Grid(8, 4));
  EXPECT_NE(whyNot(mappingOf(unknown)), "");
  unknown.erase("constants");
  EXPECT_NE(whyNot(mappingOf(unknown)).find("older version"),
            std::string::npos);
}

TEST(Mapping, AnOpenGridTakesTheModels) {
  json::Object kernel = kernelWith("return y * 0 + x, y", Grid(8, 4));
  kernel["grid"] = json::Array{nullptr, 4, 1};
  EXPECT_EQ(whyNot(mappingOf(kernel)),
            "The mapping is not shown: the grid is not known.");
  kernel["model_grid"] = json::Array{8, 4, 1};
  json::Object mapping = mappingOf(kernel);
  EXPECT_EQ(mapping.getBoolean("nominal"), true);
  EXPECT_EQ(unpack(mapping, 32)[9], 9u);
}

TEST(Mapping, AKernelThatIsKeptHasItsOwnOrder) {
  json::Object kernel = kernelWith("return y, x", Grid(8, 8));
  kernel["outcome"] = "kept";
  json::Object mapping = mappingOf(kernel);
  EXPECT_EQ(mapping.get("workgroups"), nullptr);
  EXPECT_EQ(mapping.getInteger("dies"), 8);
}

constexpr StringLiteral kJournal =
    R"({"type":"header","schema":"swizzle-journal/1","tool_version":"9","chip":"mi300x"}
{"type":"run","pid":3}
{"type":"kernel","kernel":"m::k","grid":[8,4,1],"constants":{"num_xcds":8},"objective":"time","baseline":{"time_us":9}}
{"type":"attempt","kernel":"m::k","attempt":{"number":1,"round":1,"best":true,"formula":"return gx - 1 - x, y","params":{},"measurement":{"time_us":7}}}
{"type":"attempt","kernel":"m::k","attempt":{"number":2,"round":2,"best":true,"formula":"return x, gy - 1 - y","params":{},"measurement":{"time_us":6}}}
not a line
{"type":"end","kernel":"m::k","end":"rounds","reason":"all done","best":1}
{"type":"attempt","ker)";

TEST(Input, AJournalBecomesWhatItsReportSays) {
  PageInput input = cantFail(parsePageInput(kJournal, "run.jsonl"));
  EXPECT_EQ(input.source, "run.jsonl (journal, version 9)");
  ASSERT_EQ(input.problems.size(), 1u);
  EXPECT_EQ(StringRef(input.problems[0]).substr(0, 13), "run.jsonl:6: ");
  ASSERT_EQ(input.kernels.size(), 1u);
  const json::Object &kernel = *input.kernels[0].getAsObject();
  EXPECT_EQ(kernel.getString("name"), StringRef("m::k"));
  EXPECT_EQ(kernel.getString("outcome"), StringRef("remapped"));
  EXPECT_EQ(kernel.getBoolean("running"), false);
  const json::Object &tuning = *kernel.getObject("tuning");
  EXPECT_EQ(tuning.getArray("attempts")->size(), 2u);
  EXPECT_EQ(tuning.getObject("best")->getInteger("attempt"), 1);
  EXPECT_EQ(tuning.getString("end_reason"), StringRef("all done"));
  EXPECT_EQ(unpack(mappingOf(kernel), 32)[0], 7u);
}

TEST(Input, OfARunThatGoesOnTheBestSoFarIsTaken) {
  StringRef text = kJournal;
  PageInput input = cantFail(
      parsePageInput(text.substr(0, text.find("not a line")), "run.jsonl"));
  const json::Object &kernel = *input.kernels[0].getAsObject();
  EXPECT_EQ(kernel.getBoolean("running"), true);
  EXPECT_EQ(
      kernel.getObject("tuning")->getObject("best")->getInteger("attempt"), 2);
}

TEST(Page, DataCannotEndItsElement) {
  json::Object report{
      {"schema", "swizzle-report/1"},
      {"tool_version", "1"},
      {"kernels", json::Array{json::Object{{"name", "</script><b>"}}}}};
  std::string text = formatv("{0}", json::Value(std::move(report)));
  std::vector<PageInput> inputs;
  inputs.push_back(cantFail(parsePageInput(text, "</script>.json")));
  std::string page = makePage(std::move(inputs));
  EXPECT_EQ(StringRef(page).count("@@"), 0u);
  EXPECT_EQ(StringRef(page).count("</script>"), 3u);
  EXPECT_NE(page.find("\\u003c/script>\\u003cb>"), std::string::npos);
}

} // namespace
