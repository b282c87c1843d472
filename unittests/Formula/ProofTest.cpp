//===- ProofTest.cpp - Proofs and refusals --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verdicts on small grids.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Proof.h"
#include "swizzle/Formula/Catalogue.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

Verdict verdict(llvm::StringRef text, Grid grid) {
  Environment environment;
  environment.grid = grid;
  environment.hardware["num_xcds"] = 8;
  return prove(llvm::cantFail(Formula::parse(text)), environment);
}

TEST(ProofTest, NamesACollision) {
  Verdict v = verdict("return x // 8, y", Grid(16, 2));
  ASSERT_FALSE(v.legal());
  EXPECT_EQ(v.refusal->code, "duplicate");
  EXPECT_EQ(v.refusal->counterexample,
            "workgroups (0,0) and (1,0) both map to (0,0); (2,0) is never "
            "reached");
}

TEST(ProofTest, BalancedSuperGroupIsLegal) {
  Formula formula =
      llvm::cantFail(readFormulaOption("@xcd-balanced-super-group"));
  for (Grid grid :
       {Grid(96, 61), Grid(1, 7), Grid(7, 1), Grid(3, 2), Grid(13, 17)}) {
    Environment environment;
    environment.grid = grid;
    environment.hardware["num_xcds"] = 8;
    environment.params["G"] = 4;
    Verdict v = prove(formula, environment);
    EXPECT_TRUE(v.legal()) << toString(grid) << ": "
                           << (v.refusal ? v.refusal->message +
                                               v.refusal->counterexample
                                         : "");
  }
}

} // namespace
