//===- PtxTest.cpp - What the grammar of inline PTX reads -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements as Triton writes them, and texts that differ from such a statement in
// one place: those are all errors.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Import/Ptx.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

SmallVector<PtxStatement, 4> parsed(StringRef text) {
  auto statements = parsePtx(text);
  EXPECT_TRUE(bool(statements)) << text.str();
  if (!statements) {
    consumeError(statements.takeError());
    return {};
  }
  return *statements;
}

std::string refusal(StringRef text) {
  auto statements = parsePtx(text);
  if (statements)
    return "";
  return toString(statements.takeError());
}

TEST(Ptx, ReadsAPredicatedLoadOfSeveralElements) {
  auto statements = parsed(
      "mov.u32 $0, 0x0;\n\tmov.u32 $1, $4;\n\t"
      "@$3 ld.global.L1::evict_last.v2.b32 { $0, $1 }, [ $2 + 16 ];");
  ASSERT_EQ(statements.size(), 3u);
  EXPECT_EQ(join(statements[0].opcode, "."), "mov.u32");
  EXPECT_FALSE(statements[0].predicate);
  EXPECT_EQ(statements[0].operands[1].kind, PtxOperand::Number);
  EXPECT_EQ(statements[0].operands[1].number, 0);
  EXPECT_EQ(statements[1].operands[1].registers.front(), 4u);
  const PtxStatement &load = statements[2];
  EXPECT_EQ(join(load.opcode, "."), "ld.global.L1::evict_last.v2.b32");
  EXPECT_EQ(load.predicate, 3u);
  EXPECT_FALSE(load.negated);
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[0].kind, PtxOperand::List);
  EXPECT_EQ(load.operands[0].registers, (SmallVector<unsigned, 4>{0, 1}));
  EXPECT_EQ(load.operands[1].kind, PtxOperand::Address);
  EXPECT_EQ(load.operands[1].registers.front(), 2u);
  EXPECT_EQ(load.operands[1].number, 16);
}

TEST(Ptx, ReadsNegatedPredicatesNumbersAndComments) {
  auto statements = parsed("// wait for regs: $0,$1\n@!$2 st.shared.b32 "
                           "[ $0 + -4 ], $1; bar.sync 0; wgmma.fence;");
  ASSERT_EQ(statements.size(), 3u);
  EXPECT_TRUE(statements[0].negated);
  EXPECT_EQ(statements[0].operands[0].number, -4);
  EXPECT_EQ(statements[1].operands[0].number, 0);
  EXPECT_TRUE(statements[2].operands.empty());
  EXPECT_TRUE(parsed("").empty());
  EXPECT_TRUE(parsed(" // nothing").empty());
}

TEST(Ptx, ReadsFractionsWithoutTheirValue) {
  for (StringRef number : {"1.0", "-0.25", "0f3F800000", "0d3FF0000000000000"}) {
    auto statements = parsed(("add.f32 $0, $1, " + number + ";").str());
    ASSERT_EQ(statements.size(), 1u) << number.str();
    EXPECT_EQ(statements[0].operands[2].kind, PtxOperand::Fraction);
  }
}

TEST(Ptx, RefusesWhatIsNotInTheGrammar) {
  for (StringRef text :
       {"mov.u32 $0, %ctaid.x;", "mov.u32 $0, %smid;", "@p ld.global.b32 $0, [$1];",
        "{ .reg .pred p; }", "wait: ld.global.b32 $0, [$1];", "bra wait;",
        "ld.global.b32 $0, [ $1 + $2 ];", "ld.global.b32 $0, [ 16 ];",
        "ld.global.b32 $0, [ $1", "ld.global.b32 $0, [ $1 ]", "ld..b32 $0, $1;",
        "ld.global.b32 $, $1;", "ld.global.b32 $x, $1;", "mov.u32 $0, 12ab;",
        "mov.u32 $0, 0x;", "mov.u32 $0, 0xffffffffffffffffff;", ";",
        "mov.u32 $0 $1;", "mov.u32 {}, $1;", "mov.u32 {$0, 1}, $1;",
        "mov.u32 $0, $99999999999999;", "@$1 ;", "mov.f32 $0, 0f;", "mov.f32 $0, 0f3G;",
        "mov.f32 $0, 1.;", "mov.f32 $0, 1.5x;", "mov.f32 $0, .5;",
        "cp.async.wait_all; griddepcontrol.wait; %"})
    EXPECT_NE(refusal(text), "") << text.str();
}

TEST(Ptx, NamesTheStatementThatItDoesNotKnow) {
  EXPECT_EQ(refusal("bar.sync 0; mov.u32 $0, %ctaid.x; bar.sync 0;"),
            "at character 24, in 'mov.u32 $0, %ctaid.x'");
}

} // namespace
