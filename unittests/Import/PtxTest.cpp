//===- PtxTest.cpp - What the grammar of inline PTX reads -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements as Triton writes them, and texts that differ from such a statement
// in one place: those are all errors.
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
  return statements->statements;
}

std::string refusal(StringRef text) {
  auto statements = parsePtx(text);
  if (statements)
    return "";
  return toString(statements.takeError());
}

TEST(Ptx, ReadsAPredicatedLoadOfSeveralElements) {
  auto statements =
      parsed("mov.u32 $0, 0x0;\n\tmov.u32 $1, $4;\n\t"
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

TEST(Ptx, ReadsNumbersAndNamesAsCudaWritesThem) {
  auto statements = parsed("{ .reg .b32 $$a, b$$1; mov.b32 $$a, 0X1fU;\n"
                           "  mov.u32 b$$1, WARP_SZ; add.u32 $0, $$a, b$$1; "
                           "mov.f32 $0, 0F3f800000; }");
  ASSERT_EQ(statements.size(), 4u);
  EXPECT_EQ(statements[0].operands[0].registers.front(), kFirstPtxRegister);
  EXPECT_EQ(statements[0].operands[1].number, 31);
  EXPECT_EQ(statements[1].operands[0].registers.front(), kFirstPtxRegister + 1);
  EXPECT_EQ(statements[1].operands[1].kind, PtxOperand::Number);
  EXPECT_EQ(statements[1].operands[1].number, 32);
  EXPECT_EQ(statements[2].operands[0].registers.front(), 0u);
  EXPECT_EQ(statements[2].operands[1].registers.front(), kFirstPtxRegister);
  EXPECT_EQ(statements[3].operands[1].kind, PtxOperand::Fraction);
}

TEST(Ptx, ReadsFractionsWithoutTheirValue) {
  for (StringRef number :
       {"1.0", "-0.25", "0f3F800000", "0d3FF0000000000000"}) {
    auto statements = parsed(("add.f32 $0, $1, " + number + ";").str());
    ASSERT_EQ(statements.size(), 1u) << number.str();
    EXPECT_EQ(statements[0].operands[2].kind, PtxOperand::Fraction);
  }
}

TEST(Ptx, ReadsBlocksWithRegistersOfTheirOwn) {
  PtxText text = cantFail(parsePtx(
      "{\n.reg .pred %p, q;\n.reg .b32 r<2>;\nsetp.ne.b32 %p|q, $1, 0;\n"
      "@%p mov.b32 r1, $1;\n{ .reg .b64 r1; mov.b64 r1, %clock64; }\n"
      "mov.b32 $0, r1;\n}"));
  ASSERT_EQ(text.registers.size(), 6u);
  EXPECT_EQ(text.registers[0].name, "%p");
  EXPECT_EQ(text.registers[0].bits, 1u);
  EXPECT_EQ(text.registers[3].name, "r1");
  EXPECT_EQ(text.registers[3].bits, 32u);
  EXPECT_EQ(text.registers[4].bits, 64u);
  EXPECT_TRUE(text.registers[5].ofMachine);
  EXPECT_EQ(text.registers[5].name, "clock64");
  ASSERT_EQ(text.statements.size(), 4u);
  EXPECT_EQ(text.statements[0].operands[0].kind, PtxOperand::List);
  EXPECT_EQ(
      text.statements[0].operands[0].registers,
      (SmallVector<unsigned, 4>{kFirstPtxRegister, kFirstPtxRegister + 1}));
  EXPECT_EQ(text.statements[1].predicate, kFirstPtxRegister);
  // The inner block's register has gone.
  EXPECT_EQ(text.statements[2].operands[0].registers[0], kFirstPtxRegister + 4);
  EXPECT_EQ(text.statements[3].operands[1].registers[0], kFirstPtxRegister + 3);
}

TEST(Ptx, ReadsLabelsBranchesAndCoordinates) {
  auto statements =
      parsed("again: mbarrier.try_wait.parity.shared::cta.b64 %p, [$0], $1;"
             "@!%p bra.uni again;"
             "@$2 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
             "[$3, {$4, $5}], [$6];");
  ASSERT_EQ(statements.size(), 3u);
  EXPECT_TRUE(statements[0].isLabelled);
  EXPECT_FALSE(statements[1].isLabelled);
  EXPECT_EQ(statements[1].operands[0].kind, PtxOperand::Label);
  EXPECT_EQ(statements[1].operands[0].label, "again");
  EXPECT_EQ(statements[2].operands[0].registers,
            (SmallVector<unsigned, 4>{3, 4, 5}));
  // A label that is another one in each copy, and one behind all statements.
  EXPECT_EQ(parsed("L${:uid}: bra L${:uid}; bra M; M:").size(), 2u);
}

/// How a number of 16 bits becomes the upper half of one of 32.
TEST(Ptx, ReadsNumbersBesideRegistersThatAreJoined) {
  auto statements = parsed("{ mov.b32 $0, {0,$1};} mov.b64 $2, {$3, 0x10};");
  ASSERT_EQ(statements.size(), 2u);
  const PtxOperand &joined = statements[0].operands[1];
  EXPECT_EQ(joined.kind, PtxOperand::List);
  EXPECT_TRUE(joined.hasNumbers);
  EXPECT_EQ(joined.registers, (SmallVector<unsigned, 4>{1}));
  EXPECT_EQ(statements[1].operands[1].registers, (SmallVector<unsigned, 4>{3}));
}

TEST(Ptx, RefusesWhatIsNotInTheGrammar) {
  for (StringRef text : {"@p ld.global.b32 $0, [$1];",
                         "bra wait;",
                         "{ .reg .pred p;",
                         "{ .reg .pred p; } }",
                         "{ .reg .pred p; } @p bar.sync 0;",
                         ".reg .pred p, p;",
                         ".reg .pred _;",
                         ".reg .b7 r;",
                         ".reg .b32 r",
                         ".reg .b32 r<2000>;",
                         ".reg .b32 r<2>; mov.b32 r2, 0;",
                         "wait: bar.sync 0; wait: bar.sync 0;",
                         "{ wait: } bra wait",
                         "mov.b32 $0|, 1;",
                         "mov.b32 $0, $65536;",
                         "mov.u32 $0, %;",
                         "ld.global.b32 $0, [$1, $2];",
                         "ld.global.b32 $0, [$1, {}];",
                         "ld.global.b32 $0, [ $1 + $2 ];",
                         "ld.global.b32 $0, [ 16 ];",
                         "ld.global.b32 $0, [ $1 + 0xffffffffffffffff ];",
                         "ld.global.b32 $0, [ $1",
                         "ld.global.b32 $0, [ $1 ]",
                         "ld..b32 $0, $1;",
                         "ld.global.b32 $, $1;",
                         "ld.global.b32 $x, $1;",
                         "mov.u32 $0, 12ab;",
                         "mov.u32 $0, 12UU;",
                         "mov.u32 $0, 0xU;",
                         "mov.u32 $$a, 1;",
                         "mov.u32 WARP_SZ, 1; mov.u32 $0, WARP_SZE;",
                         "mov.u32 $0, 010;",
                         "mov.u32 $0, [$1 + 010];",
                         "mov.u32 $0, 0x;",
                         "mov.u32 $0, 0xffffffffffffffffff;",
                         ";",
                         "mov.u32 $0 $1;",
                         "mov.u32 {}, $1;",
                         "mov.u32 {$0, 1}, $1;",
                         "mov.u32 $0, {$1, 1}, $2;",
                         "mov.b32 $0, {1x, $1};",
                         "ld.global.v2.b32 {$0, 1}, [$1];",
                         "st.global.v2.b32 [$0], {1, $1};",
                         "mov.u32 $0, $99999999999999;",
                         "@$1 ;",
                         "mov.f32 $0, 0f;",
                         "mov.f32 $0, 0f3G;",
                         "mov.f32 $0, 1.;",
                         "mov.f32 $0, 1.5x;",
                         "mov.f32 $0, .5;",
                         "cp.async.wait_all; griddepcontrol.wait; %"})
    EXPECT_NE(refusal(text), "") << text.str();
}

/// What a load yields where it is not done may have its highest bit set.
TEST(Ptx, KeepsTheBitsOfLargeNumbers) {
  auto statements = parsed("mov.u64 $0, 0xffffffffffffffff;\n\t"
                           "mov.u64 $1, 0x8000000000000000;");
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].operands[1].number, -1);
  EXPECT_EQ(statements[1].operands[1].number, INT64_MIN);
  EXPECT_NE(refusal("mov.u64 $0, -0xffffffffffffffff;"), "");
}

TEST(Ptx, NamesTheStatementThatItDoesNotKnow) {
  EXPECT_EQ(refusal("bar.sync 0; mov.u32 $0, [16]; bar.sync 0;"),
            "at character 25, in 'mov.u32 $0, [16]'");
  EXPECT_EQ(refusal("bra away;"), "'away' is neither declared nor a label");
  EXPECT_EQ(refusal("{ bar.sync 0;"), "a block that is not closed");
}

} // namespace
