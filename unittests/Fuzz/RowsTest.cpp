//===- RowsTest.cpp - The table of operations, and what is drawn ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of the table that no random kernel has is tried by no number of them:
// each is drawn, or Unmet.def says why it cannot be.
//
//===----------------------------------------------------------------------===//

#include "kernels/Judge.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <map>

using namespace swizzle::fuzz;

namespace {

const std::map<std::string, std::string> &unmet() {
  static const std::map<std::string, std::string> rows = {
#define UNMET(name, reason) {name, reason},
#define RARE(name, reason)
#include "kernels/Unmet.def"
  };
  return rows;
}

bool isRare(const std::string &name) {
  static const char *const rows[] = {
#define UNMET(name, reason)
#define RARE(name, reason) name,
#include "kernels/Unmet.def"
  };
  return llvm::is_contained(rows, name);
}

TEST(Rows, AreDrawnOrListedWithAReason) {
  Coverage coverage;
  JudgeOptions options;
  options.coverage = &coverage;
  options.onlyAnswer = true;
  for (uint64_t seed = 0; seed < 400; ++seed)
    EXPECT_EQ(judgeAgainstOracle(writeKernel(Choices(seed)), options).invalid,
              "")
        << seed;
  for (const FuzzKernel &kernel : writeSingleOperations()) {
    Verdict verdict = judgeAgainstOracle(kernel, options);
    EXPECT_EQ(verdict.invalid, "") << kernel.text;
    EXPECT_EQ(verdict.falseAccept, "") << kernel.text;
    if (kernel.forbidden.empty())
      EXPECT_EQ(verdict.code, "") << kernel.text;
  }
  std::map<std::string, std::string> left = unmet();
  for (const std::string &name : coverage.neverMet())
    EXPECT_EQ(left.erase(name) + isRare(name), 1u)
        << name << " is in no kernel: add it to Operations.def or "
        << "Forbidden.def, or say in Unmet.def why not";
  for (const auto &[name, reason] : left)
    ADD_FAILURE() << name << " is in a kernel, or in no row: Unmet.def need "
                  << "not list it";
  for (const auto &[name, reason] : unmet())
    EXPECT_FALSE(reason.empty()) << name;
}

} // namespace
