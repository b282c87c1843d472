//===- CApiTest.cpp - Tests of the C API ----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses the library as a stranger would: its header, and nothing else of ours.
//
//===----------------------------------------------------------------------===//

#include "swizzle-c/Swizzle.h"

#include "gtest/gtest.h"
#include <string>
#include <thread>
#include <vector>

extern "C" int remapFromC(const char *text, size_t size, const char *options);

static const std::string kKernel = R"(
target triple = "nvptx64-nvidia-cuda"
; a comment that printing would drop
define ptx_kernel void @copy(ptr noalias %in, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 8
  %index = add i32 %row, %x
  %from = getelementptr float, ptr %in, i32 %index
  %to = getelementptr float, ptr %out, i32 %index
  %value = load float, ptr %from
  store float %value, ptr %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
)";

static const char kReverse[] = "chip=h200;formula=@reverse;grid=8x4";

namespace {
struct Result {
  Result(const std::string &module, const char *options)
      : result(swizzle_remap_module(module.data(), module.size(), options)) {}
  ~Result() { swizzle_result_destroy(result); }
  Result(const Result &) = delete;

  std::string error() const {
    const char *text = swizzle_result_error(result);
    return text ? text : "";
  }
  std::string module() const {
    const char *text = swizzle_result_module(result);
    return text ? text : "";
  }
  std::string report() const {
    const char *text = swizzle_result_report(result);
    return text ? text : "";
  }
  bool changed() const { return swizzle_result_is_changed(result); }

  SwizzleResult *result;
};
} // namespace

TEST(CApi, RemapsAndReports) {
  Result result(kKernel, kReverse);
  EXPECT_EQ(result.error(), "");
  EXPECT_TRUE(result.changed());
  EXPECT_NE(result.module().find("\"swizzle.applied\""), std::string::npos);
  EXPECT_NE(result.report().find("\"schema\": \"swizzle-report/1\""),
            std::string::npos);
  EXPECT_NE(result.report().find("\"outcome\": \"remapped\""),
            std::string::npos);
  EXPECT_NE(result.report().find("\"modelled\": 2"), std::string::npos);
}

TEST(CApi, ItsResultIsAModuleThatItKnows) {
  Result first(kKernel, kReverse);
  Result second(first.module(), kReverse);
  EXPECT_EQ(second.error(), "");
  EXPECT_FALSE(second.changed());
  EXPECT_NE(second.report().find("already-remapped"), std::string::npos);
  EXPECT_EQ(second.module(), first.module());
}

TEST(CApi, LeavesWhatItDoesNotRemap) {
  Result result(kKernel, "chip=h200;grid=8x4");
  EXPECT_EQ(result.error(), "");
  EXPECT_FALSE(result.changed());
  EXPECT_EQ(result.module(), kKernel);
  EXPECT_NE(result.report().find("\"outcome\": \"kept\""), std::string::npos);
}

TEST(CApi, ModulesWithoutKernelsHaveAnEmptyReport) {
  Result result("define void @f() {\n  ret void\n}\n", nullptr);
  EXPECT_EQ(result.error(), "");
  std::string report = swizzle_result_report(result.result);
  EXPECT_NE(report.find("\"kernels\": []"), std::string::npos) << report;
  EXPECT_EQ(swizzle_result_summary(result.result), nullptr);
  EXPECT_STREQ(swizzle_result_warnings(result.result),
               "no kernel was found: no function is marked as one, for NVIDIA "
               "or AMD");
  EXPECT_EQ(result.module(), "define void @f() {\n  ret void\n}\n");
}

TEST(CApi, SaysWhatIsWrong) {
  EXPECT_EQ(Result("", "").error(), "the module is empty");
  EXPECT_EQ(Result("define void @f( {", "")
                .error()
                .find("the module is no LLVM IR: line 1: "),
            0u);
  EXPECT_EQ(swizzle_result_module(Result("nonsense", "").result), nullptr);
  EXPECT_EQ(
      Result("define void @f() {\n  %x = add i32 %x, 1\n  ret void\n}", "")
          .error()
          .find("the module is no valid LLVM IR: "),
      0u);
  EXPECT_EQ(
      Result(kKernel, "chips=h200")
          .error()
          .find("swizzle: no such option 'chips'; did you mean chip? There "
                "are chip, "),
      0u);
  EXPECT_NE(Result(kKernel, "report=x.json").error().find("'report'"),
            std::string::npos);
  // Bitcode that is cut off.
  EXPECT_NE(Result(std::string("BC\xC0\xDE\x35\x14", 6), "").error(), "");
}

TEST(CApi, Warns) {
  Result result(kKernel,
                "agent=database;database=nonsense.db;chip=h200;grid=8x4");
  EXPECT_EQ(result.error(), "");
  ASSERT_NE(swizzle_result_warnings(result.result), nullptr);
  EXPECT_NE(
      std::string(swizzle_result_warnings(result.result)).find("nonsense"),
      std::string::npos);
  EXPECT_EQ(result.module(), kKernel);
  EXPECT_NE(Result(kKernel, "chip=nonsense;grid=8x4").error().find("nonsense"),
            std::string::npos);
}

TEST(CApi, IsC) {
  EXPECT_EQ(remapFromC(kKernel.data(), kKernel.size(), kReverse), 1);
  EXPECT_EQ(remapFromC(kKernel.data(), kKernel.size(), "chip=h200;grid=1"), 0);
  EXPECT_EQ(remapFromC("x", 1, kReverse), -1);
}

TEST(CApi, ThreadsMayCallIt) {
  std::string expected = Result(kKernel, kReverse).module();
  std::vector<std::string> modules(4);
  std::vector<std::thread> threads;
  for (std::string &module : modules)
    threads.emplace_back(
        [&module] { module = Result(kKernel, kReverse).module(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &module : modules)
    EXPECT_EQ(module, expected);
}

TEST(CApi, ListsItsOptions) {
  char *options = swizzle_describe_options();
  EXPECT_NE(std::string(options).find("chip: "), std::string::npos);
  swizzle_string_destroy(options);
  EXPECT_STRNE(swizzle_version(), "");
}
