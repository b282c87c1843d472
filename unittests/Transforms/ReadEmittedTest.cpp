//===- ReadEmittedTest.cpp - Each operation against APInt -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation of every width, on corner cases and random numbers, with and
// without promises not to wrap. The oracle is LLVM's own arithmetic.
//
//===----------------------------------------------------------------------===//

#include "ReadEmitted.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace swizzle;
using namespace mlir;
using llvm::APInt;

namespace {

/// What an operation makes of two numbers; nullopt where it is undefined.
using Oracle = std::optional<APInt> (*)(const APInt &, const APInt &);

struct Case {
  const char *text; ///< with %a and %b of type TYPE
  Oracle oracle;
};

template <bool isUnsigned, bool isSigned,
          APInt (APInt::*wrapsU)(const APInt &, bool &) const,
          APInt (APInt::*wrapsS)(const APInt &, bool &) const>
std::optional<APInt> promised(const APInt &a, const APInt &b) {
  bool u = false, s = false;
  APInt result = (a.*wrapsU)(b, u);
  (void)(a.*wrapsS)(b, s);
  if ((isUnsigned && u) || (isSigned && s))
    return std::nullopt;
  return result;
}

#define SWIZZLE_PROMISES(OP, U, S)                                             \
  {"arith." OP " %a, %b : TYPE",                                               \
   promised<false, false, &APInt::U, &APInt::S>},                              \
      {"arith." OP " %a, %b overflow<nuw> : TYPE",                             \
       promised<true, false, &APInt::U, &APInt::S>},                           \
      {"arith." OP " %a, %b overflow<nsw> : TYPE",                             \
       promised<false, true, &APInt::U, &APInt::S>},                           \
  {                                                                            \
    "arith." OP " %a, %b overflow<nsw, nuw> : TYPE",                           \
        promised<true, true, &APInt::U, &APInt::S>                             \
  }

#define SWIZZLE_TOTAL(TEXT, RESULT)                                            \
  {TEXT " %a, %b : TYPE",                                                      \
   [](const APInt &a, const APInt &b) -> std::optional<APInt> {                \
     return RESULT;                                                            \
   }}

#define SWIZZLE_WHERE(TEXT, CONDITION, RESULT)                                 \
  {TEXT " %a, %b : TYPE",                                                      \
   [](const APInt &a, const APInt &b) -> std::optional<APInt> {                \
     if (!(CONDITION))                                                         \
       return std::nullopt;                                                    \
     return RESULT;                                                            \
   }}

template <bool isUnsigned, bool isSigned>
std::optional<APInt> shiftLeft(const APInt &a, const APInt &b) {
  if (b.uge(a.getBitWidth()))
    return std::nullopt;
  APInt result = a.shl(b);
  if ((isUnsigned && result.lshr(b) != a) || (isSigned && result.ashr(b) != a))
    return std::nullopt;
  return result;
}

const Case arithmetic[] = {
    SWIZZLE_PROMISES("addi", uadd_ov, sadd_ov),
    SWIZZLE_PROMISES("subi", usub_ov, ssub_ov),
    SWIZZLE_PROMISES("muli", umul_ov, smul_ov),
    {"arith.shli %a, %b : TYPE", shiftLeft<false, false>},
    {"arith.shli %a, %b overflow<nuw> : TYPE", shiftLeft<true, false>},
    {"arith.shli %a, %b overflow<nsw> : TYPE", shiftLeft<false, true>},
    {"arith.shli %a, %b overflow<nsw, nuw> : TYPE", shiftLeft<true, true>},
    SWIZZLE_WHERE("arith.shrui", b.ult(a.getBitWidth()), a.lshr(b)),
    SWIZZLE_WHERE("arith.shrsi", b.ult(a.getBitWidth()), a.ashr(b)),
    SWIZZLE_WHERE("arith.divui", !b.isZero(), a.udiv(b)),
    SWIZZLE_WHERE("arith.remui", !b.isZero(), a.urem(b)),
    SWIZZLE_WHERE("arith.divsi", !b.isZero() && !b.isAllOnes(), a.sdiv(b)),
    SWIZZLE_WHERE("arith.remsi", !b.isZero() && !b.isAllOnes(), a.srem(b)),
    SWIZZLE_TOTAL("arith.andi", a &b),
    SWIZZLE_TOTAL("arith.ori", a | b),
    SWIZZLE_TOTAL("arith.xori", a ^ b),
    SWIZZLE_TOTAL("arith.minui", llvm::APIntOps::umin(a, b)),
    SWIZZLE_TOTAL("arith.maxui", llvm::APIntOps::umax(a, b)),
    SWIZZLE_TOTAL("arith.minsi", llvm::APIntOps::smin(a, b)),
    SWIZZLE_TOTAL("arith.maxsi", llvm::APIntOps::smax(a, b)),
};

const Case comparisons[] = {
    SWIZZLE_TOTAL("arith.cmpi eq,", APInt(1, a == b)),
    SWIZZLE_TOTAL("arith.cmpi ne,", APInt(1, a != b)),
    SWIZZLE_TOTAL("arith.cmpi slt,", APInt(1, a.slt(b))),
    SWIZZLE_TOTAL("arith.cmpi sle,", APInt(1, a.sle(b))),
    SWIZZLE_TOTAL("arith.cmpi sgt,", APInt(1, a.sgt(b))),
    SWIZZLE_TOTAL("arith.cmpi sge,", APInt(1, a.sge(b))),
    SWIZZLE_TOTAL("arith.cmpi ult,", APInt(1, a.ult(b))),
    SWIZZLE_TOTAL("arith.cmpi ule,", APInt(1, a.ule(b))),
    SWIZZLE_TOTAL("arith.cmpi ugt,", APInt(1, a.ugt(b))),
    SWIZZLE_TOTAL("arith.cmpi uge,", APInt(1, a.uge(b))),
};

class ReadEmittedTest : public ::testing::Test {
protected:
  ReadEmittedTest() {
    context
        .loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  }

  /// Compiles a function of two indices; its results are the outputs.
  llvm::Expected<EmittedProgram> compile(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return llvm::createStringError("not parsed: " + text);
    auto function = *module->getOps<func::FuncOp>().begin();
    llvm::SmallVector<Value> inputs(function.getArguments());
    llvm::SmallVector<Value> outputs(
        function.getBody().front().getTerminator()->getOperands());
    return readEmitted(inputs, outputs);
  }

  void check(const Case &one, unsigned width, bool isComparison);

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// "i32", or "index" for 64 bits.
std::string typeName(unsigned width) {
  return width == 64 ? "index" : "i" + std::to_string(width);
}

std::string replaced(std::string text, const std::string &type) {
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
    text.replace(at, 4, type);
  return text;
}

void ReadEmittedTest::check(const Case &one, unsigned width,
                            bool isComparison) {
  std::string type = typeName(width);
  bool narrow = width < 64;
  std::string text =
      "func.func @f(%x: index, %y: index) -> index {\n" +
      (narrow ? "%a = arith.index_castui %x : index to " + type +
                    "\n%b = arith.index_castui %y : index to " + type + "\n"
              : "%zero = arith.constant 0 : index\n"
                "%a = arith.ori %x, %zero : index\n"
                "%b = arith.ori %y, %zero : index\n") +
      "%r = " + replaced(one.text, type) + "\n" +
      (narrow || isComparison
           ? "%s = arith.index_castui %r : " + (isComparison ? "i1" : type) +
                 " to index\nreturn %s : index\n}"
           : std::string("return %r : index\n}"));
  llvm::Expected<EmittedProgram> interpreter = compile(text);
  ASSERT_TRUE(bool(interpreter)) << llvm::toString(interpreter.takeError());

  // Corner cases against each other, then whatever comes.
  std::vector<uint64_t> corners;
  for (uint64_t low : {0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64})
    corners.insert(corners.end(), {low, ~low, (uint64_t(1) << 31) + low,
                                   (uint64_t(1) << (width - 1)) - low,
                                   (uint64_t(1) << (width / 2)) + low});
  std::mt19937_64 random(width);
  std::vector<std::pair<APInt, APInt>> operands;
  auto add = [&](uint64_t a, uint64_t b) {
    operands.emplace_back(APInt(64, a).trunc(width), APInt(64, b).trunc(width));
  };
  for (uint64_t a : corners)
    for (uint64_t b : corners)
      add(a, b);
  for (unsigned i = 0; i < 1000; ++i)
    add(random() >> random() % 64, random() >> random() % 64);

  // What is defined goes through in batches; what is not, one at a time.
  std::vector<std::pair<APInt, APInt>> defined;
  for (auto &[a, b] : operands) {
    if (one.oracle(a, b)) {
      defined.emplace_back(a, b);
      continue;
    }
    // Among lanes that are fine it is found.
    for (unsigned axis = 0; axis < 2; ++axis)
      std::fill_n(
          interpreter->input(axis).begin(), 5,
          defined.empty()
              ? (axis ? b : a).getZExtValue()
              : (axis ? defined[0].second : defined[0].first).getZExtValue());
    interpreter->input(0)[3] = a.getZExtValue();
    interpreter->input(1)[3] = b.getZExtValue();
    llvm::Error error = interpreter->run(5);
    ASSERT_TRUE(bool(error))
        << text << a.getZExtValue() << ", " << b.getZExtValue();
    EXPECT_EQ(interpreter->failedLane(), defined.empty() ? 0u : 3u);
    llvm::consumeError(std::move(error));
  }
  for (size_t first = 0; first < defined.size();
       first += EmittedProgram::batchSize) {
    size_t count = std::min(EmittedProgram::batchSize, defined.size() - first);
    for (size_t lane = 0; lane < count; ++lane) {
      interpreter->input(0)[lane] = defined[first + lane].first.getZExtValue();
      interpreter->input(1)[lane] = defined[first + lane].second.getZExtValue();
    }
    llvm::Error error = interpreter->run(count);
    ASSERT_FALSE(bool(error)) << text << llvm::toString(std::move(error));
    for (size_t lane = 0; lane < count; ++lane) {
      auto &[a, b] = defined[first + lane];
      ASSERT_EQ(interpreter->output(0)[lane], one.oracle(a, b)->getZExtValue())
          << text << "\n"
          << a.getZExtValue() << ", " << b.getZExtValue();
    }
  }
}

TEST_F(ReadEmittedTest, ArithmeticOfEveryWidth) {
  for (unsigned width : {8u, 16u, 31u, 32u, 48u, 64u})
    for (const Case &one : arithmetic)
      check(one, width, /*isComparison=*/false);
}

TEST_F(ReadEmittedTest, ComparisonsOfEveryWidth) {
  for (unsigned width : {8u, 16u, 31u, 32u, 48u, 64u})
    for (const Case &one : comparisons)
      check(one, width, /*isComparison=*/true);
}

TEST_F(ReadEmittedTest, ConversionsExtendedProductsAndChoices) {
  auto interpreter = compile(R"(
    func.func @f(%x: index, %y: index) -> (index, index, index, index, index) {
      %a = arith.index_cast %x : index to i32
      %b = arith.trunci %a : i32 to i8
      %c = arith.extsi %b : i8 to i32
      %d = arith.index_cast %c : i32 to index
      %e = arith.extui %b : i8 to i32
      %f = arith.index_castui %e : i32 to index
      %g = arith.index_castui %y : index to i32
      %low, %high = arith.mului_extended %a, %g : i32
      %h = arith.index_castui %high : i32 to index
      %test = arith.cmpi ult, %a, %g : i32
      %i = arith.select %test, %x, %y : index
      %j = arith.select %test, %a, %g : i32
      %k = arith.index_castui %j : i32 to index
      return %d, %f, %h, %i, %k : index, index, index, index, index
    })");
  ASSERT_TRUE(bool(interpreter)) << llvm::toString(interpreter.takeError());
  std::mt19937 random(5);
  std::vector<std::pair<uint32_t, uint32_t>> values(1000);
  for (size_t lane = 0; lane < values.size(); ++lane) {
    values[lane] = {random(), random() >> lane % 32};
    interpreter->input(0)[lane] = values[lane].first;
    interpreter->input(1)[lane] = values[lane].second;
  }
  cantFail(interpreter->run(values.size()));
  for (size_t lane = 0; lane < values.size(); ++lane) {
    auto [a, b] = values[lane];
    EXPECT_EQ(int64_t(interpreter->output(0)[lane]), int64_t(int8_t(a)));
    EXPECT_EQ(interpreter->output(1)[lane], uint8_t(a));
    EXPECT_EQ(interpreter->output(2)[lane], uint64_t(a) * b >> 32);
    EXPECT_EQ(interpreter->output(3)[lane], a < b ? a : b);
    EXPECT_EQ(interpreter->output(4)[lane], a < b ? a : b);
  }
}

TEST_F(ReadEmittedTest, LoopsCarryValuesThatChangePlaces) {
  // The carried values are exchanged, and what the body repeats from before the
  // loop, or from itself, is not what changes from turn to turn.
  auto interpreter = compile(R"(
    func.func @f(%x: index, %y: index) -> (index, index) {
      %a = arith.index_cast %x : index to i32
      %b = arith.index_cast %y : index to i32
      %sum = arith.addi %a, %b : i32
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c7 = arith.constant 7 : i32
      %r:3 = scf.for %i = %c0 to %c7 step %c1 iter_args(%p = %a, %q = %b, %t = %c0) -> (i32, i32, i32) : i32 {
        %again = arith.addi %a, %b : i32
        %one = arith.constant 1 : i32
        %u = arith.addi %t, %p : i32
        %v = arith.addi %t, %p : i32
        %w = arith.muli %v, %one : i32
        %k = arith.addi %w, %again : i32
        %n = arith.addi %k, %i : i32
        scf.yield %q, %p, %n : i32, i32, i32
      }
      %after = arith.addi %r#2, %r#0 : i32
      %s = arith.index_castui %after : i32 to index
      %m = arith.index_castui %r#1 : i32 to index
      return %s, %m : index, index
    })");
  ASSERT_TRUE(bool(interpreter)) << llvm::toString(interpreter.takeError());
  for (uint32_t lane = 0; lane < 100; ++lane) {
    interpreter->input(0)[lane] = lane * 37;
    interpreter->input(1)[lane] = lane * lane;
  }
  cantFail(interpreter->run(100));
  for (uint32_t lane = 0; lane < 100; ++lane) {
    uint32_t a = lane * 37, b = lane * lane, p = a, q = b, t = 0;
    for (uint32_t i = 0; i < 7; ++i) {
      t = t + p + a + b + i;
      std::swap(p, q);
    }
    EXPECT_EQ(interpreter->output(0)[lane], t + p);
    EXPECT_EQ(interpreter->output(1)[lane], q);
  }
}

} // namespace
