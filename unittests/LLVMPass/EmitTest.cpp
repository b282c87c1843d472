//===- EmitTest.cpp - The second emitter, and the check of it -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas and awkward grids of the tests of `arith`, written as LLVM IR
// and compared with the formula's evaluation; then errors of the kinds that
// compilers make are planted, and each must be caught.
//
//===----------------------------------------------------------------------===//

#include "swizzle/LLVMPass/Emit.h"

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Formula/Syntax/Catalogue.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace swizzle;
using llvmpass::LaunchValues;
using llvmpass::RemappedIds;

namespace {

class LLVMEmitTest : public ::testing::Test {
protected:
  /// A function of six integers of `width` bits, with a store behind what is
  /// emitted, so that a curve has to split the block.
  void begin(unsigned width) {
    module = std::make_unique<llvm::Module>("m", context);
    llvm::Type *type = llvm::Type::getIntNTy(context, width);
    llvm::SmallVector<llvm::Type *> types(6, type);
    types.push_back(llvm::PointerType::get(context, 0));
    function = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
        llvm::Function::ExternalLinkage, "kernel", *module);
    auto *entry = llvm::BasicBlock::Create(context, "", function);
    builder.SetInsertPoint(entry);
    end = builder.CreateRetVoid();
    builder.SetInsertPoint(end);
    for (unsigned axis = 0; axis < 3; ++axis)
      launch.ids[axis] = function->getArg(axis);
    launch.extents.clear();
  }

  void bind(llvm::StringRef text, const Grid &grid, int64_t dies = 8,
            const ParamValues &params = {}) {
    formula = cantFail(Formula::parse(text));
    environment = {};
    environment.grid = grid;
    environment.params = params;
    for (llvm::StringRef name : knownHardwareNames())
      environment.hardware[name.str()] = 304;
    environment.hardware["num_xcds"] = dies;
  }

  /// Emits what was bound; empty, or what is wrong with it.
  std::string emitAndCheck(unsigned width, bool guarded = false) {
    LoweringOptions options;
    options.gridIsAssumed = guarded;
    llvm::Expected<LoweredFormula> lowered =
        lower(*formula, environment, options);
    if (!lowered)
      return llvm::toString(lowered.takeError());
    begin(width);
    if (guarded || !environment.grid.isStatic())
      for (unsigned axis = 0; axis < 3; ++axis)
        launch.extents.push_back(function->getArg(3 + axis));
    results = llvmpass::emit(builder, *lowered, launch);
    if (guarded)
      llvmpass::guardGrid(builder, environment.grid, launch, results);
    for (llvm::Value *result : results)
      builder.CreateStore(result, function->getArg(6));
    std::string wrong;
    llvm::raw_string_ostream os(wrong);
    if (llvm::verifyFunction(*function, &os))
      return "not valid: " + wrong;
    maxExtentProduct = lowered->maxExtentProduct;
    return check(guarded);
  }

  std::string check(bool guarded = false) {
    return llvm::toString(llvmpass::checkEmitted(
        results, launch, {*formula, environment, maxExtentProduct, guarded}));
  }

  std::string print() {
    std::string text;
    llvm::raw_string_ostream(text) << *function;
    return text;
  }

  /// The first instruction with `opcode`.
  llvm::Instruction *find(unsigned opcode) {
    for (llvm::BasicBlock &block : *function)
      for (llvm::Instruction &one : block)
        if (one.getOpcode() == opcode)
          return &one;
    ADD_FAILURE() << "no such instruction in\n" << print();
    return nullptr;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::IRBuilder<> builder{context};
  llvm::Function *function = nullptr;
  llvm::Instruction *end = nullptr;
  LaunchValues launch;
  RemappedIds results;
  std::optional<Formula> formula;
  Environment environment;
  int64_t maxExtentProduct = 0;
};

const Grid awkwardGrids[] = {
    Grid(1),       Grid(7),       Grid(97),      Grid(1, 13),  Grid(5, 1, 3),
    Grid(13, 17),  Grid(64, 8),   Grid(2, 31),   Grid(31, 2),  Grid(1, 1, 11),
    Grid(3, 5, 7), Grid(4, 4, 4), Grid(8, 3, 1), Grid(16, 16), Grid(96, 61)};

TEST_F(LLVMEmitTest, TheCatalogueOnAwkwardGrids) {
  unsigned emitted = 0;
  for (const CatalogueEntry &entry : catalogue())
    for (const Grid &grid : awkwardGrids)
      for (bool guarded : {false, true}) {
        bind(entry.text, grid, /*dies=*/guarded ? 6 : 8);
        TemplateVerdict verdict = firstLegal(*formula, environment);
        if (!verdict.verdict.legal())
          continue;
        environment.params = verdict.params;
        ++emitted;
        EXPECT_EQ(emitAndCheck(guarded ? 64 : 32, guarded), "")
            << entry.name << " on " << toString(grid) << "\n"
            << print();
      }
  EXPECT_GT(emitted, 500u);
}

TEST_F(LLVMEmitTest, TheCatalogueOnUnknownGrids) {
  constexpr int64_t unknown = kUnknownExtent;
  unsigned emitted = 0;
  for (const CatalogueEntry &entry : catalogue())
    for (const Grid &grid : {Grid(unknown, unknown), Grid(unknown),
                             Grid(unknown, unknown, unknown)})
      for (unsigned width : {32, 64}) {
        bind(entry.text, grid, /*dies=*/6);
        TemplateVerdict verdict = firstLegal(*formula, environment);
        if (!verdict.verdict.legal())
          continue;
        environment.params = verdict.params;
        ++emitted;
        EXPECT_EQ(emitAndCheck(width), "")
            << entry.name << " on " << toString(grid) << "\n"
            << print();
      }
  EXPECT_GT(emitted, 80u);
}

TEST_F(LLVMEmitTest, BitOperatorsComparisonsAndSigns) {
  for (const char *text :
       {"return x ^ 1 if x ^ 1 < gx else x, y",
        "return (x & ~3) | (3 - x & 3) if x // 4 < gx // 4 else x, y",
        "return x, (y - 5) % gy", "return abs(x - gx + 1), y",
        "return gx - 1 - x if y % 2 else x, y",
        "return max(gx - 1 - x, 0), min(y, gy)",
        "return (x if x <= 2 else gx + 2 - x), y"})
    for (const Grid &grid : {Grid(13, 5), Grid(64, 8), Grid(7, 1)}) {
      bind(text, grid);
      if (!prove(*formula, environment).legal())
        continue;
      EXPECT_EQ(emitAndCheck(32), "") << text << "\n" << print();
    }
}

TEST_F(LLVMEmitTest, PromisesAreWritten) {
  bind("return gx - 1 - x, y", Grid(61, 64));
  ASSERT_EQ(emitAndCheck(32), "");
  auto *difference = find(llvm::Instruction::Sub);
  EXPECT_TRUE(difference->hasNoSignedWrap()) << print();
  EXPECT_TRUE(difference->hasNoUnsignedWrap()) << print();
  EXPECT_EQ(results[1], launch.ids[1]);
}

/// A super-group on a ragged grid, which has most kinds of operations.
const char *const kSuperGroup =
    "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 8); k = i % w\n"
    "return k // h, g*8 + k % h";

TEST_F(LLVMEmitTest, PlantedErrorsAreCaught) {
  bind(kSuperGroup, Grid(13, 21));
  ASSERT_EQ(emitAndCheck(32), "");
  // Another constant.
  auto *product = find(llvm::Instruction::Mul);
  llvm::Value *kept = product->getOperand(1);
  product->setOperand(1, llvm::ConstantInt::get(kept->getType(), 12345));
  EXPECT_NE(check(), "");
  product->setOperand(1, kept);
  ASSERT_EQ(check(), "");
  // A result that is the old id.
  RemappedIds right = results;
  results[1] = launch.ids[1];
  EXPECT_NE(check().find("is sent to"), std::string::npos) << check();
  results = right;
  // A promise that does not hold.
  ASSERT_EQ(check(), "");
  auto *sum = find(llvm::Instruction::Sub);
  sum->setHasNoUnsignedWrap(true);
  llvm::Value *from = sum->getOperand(0);
  sum->setOperand(0, llvm::ConstantInt::get(from->getType(), 0));
  EXPECT_NE(check().find("undefined arithmetic"), std::string::npos) << check();
}

TEST_F(LLVMEmitTest, GuardThatIsMissingIsCaught) {
  bind("return gx - 1 - x, y", Grid(8, 8));
  EXPECT_EQ(emitAndCheck(32, /*guarded=*/true), "");
  LoweredFormula lowered = cantFail(lower(*formula, environment, {true}));
  begin(32);
  for (unsigned axis = 0; axis < 3; ++axis)
    launch.extents.push_back(function->getArg(3 + axis));
  results = llvmpass::emit(builder, lowered, launch);
  EXPECT_NE(check(/*guarded=*/true).find("is sent to"), std::string::npos);
}

TEST_F(LLVMEmitTest, CurvesAreLoopsAndTheirErrorsAreCaught) {
  bind("i = y * gx + x; return hilbert_x(i, gx, gy), hilbert_y(i, gx, gy)",
       Grid(13, 9));
  ASSERT_EQ(emitAndCheck(32), "");
  unsigned loops = 0;
  for (llvm::BasicBlock &block : *function)
    loops += llvm::is_contained(llvm::successors(&block), &block);
  EXPECT_EQ(loops, 1u) << print();
  // One trip fewer.
  for (llvm::BasicBlock &block : *function)
    if (llvm::is_contained(llvm::successors(&block), &block)) {
      auto *branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
      auto *test = llvm::cast<llvm::ICmpInst>(branch->getCondition());
      llvm::Value *times = test->getOperand(1);
      test->setOperand(1, llvm::ConstantInt::get(times->getType(), 2));
      EXPECT_NE(check(), "");
      test->setOperand(1, times);
      ASSERT_EQ(check(), "");
      // A bound that is none.
      test->setOperand(1, function->getArg(3));
      EXPECT_NE(check().find("loop"), std::string::npos) << check();
    }
}

TEST_F(LLVMEmitTest, WhatEmissionDoesNotMakeIsRefused) {
  bind("return x, y", Grid(8, 8));
  ASSERT_EQ(emitAndCheck(32), "");
  llvm::Value *x = launch.ids[0];
  // Loads, flags that go unchecked, and values from elsewhere.
  results[0] = builder.CreateLoad(x->getType(), function->getArg(6));
  EXPECT_NE(check().find("load"), std::string::npos) << check();
  results[0] = builder.CreateLShr(x, uint64_t(0), "", /*isExact=*/true);
  EXPECT_NE(check().find("exact"), std::string::npos) << check();
  results[0] = function->getArg(4);
  EXPECT_NE(check().find("neither an id nor an extent"), std::string::npos);
  results[0] = builder.CreateUDiv(x, function->getArg(1));
  EXPECT_NE(check().find("undefined arithmetic in '"), std::string::npos);
}

} // namespace
