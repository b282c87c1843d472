//===- KernelHashTest.cpp - Tests of kernel hashes ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must not change the hash, and what must.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Describe/KernelHash.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;

namespace {
class KernelHash : public testing::Test {
protected:
  KernelHash() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
  }
  /// Of the first kernel of `text`.
  std::string hash(StringRef text, swizzle::Grid block = swizzle::Grid(64)) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module) << text.str();
    std::string result;
    module->walk([&](FunctionOpInterface function) {
      if (result.empty() && swizzle::isKernel(function))
        result = swizzle::hashKernel(function, block);
    });
    return result;
  }
  MLIRContext context;
};

/// `text` with the first `from` replaced.
std::string with(std::string text, const std::string &from,
                 const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const char *const kBase = R"(
gpu.module @m {
  func.func @twice(%v: f32) -> f32 {
    %w = arith.addf %v, %v : f32
    return %w : f32
  }
  gpu.func @k(%a: memref<64x32xf32>, %b: memref<64x32xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 1, 1>, note = 1 : i32, other = "o"} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %i = arith.muli %t, %c2 : index
    %v = memref.load %a[%x, %i] : memref<64x32xf32>
    %w = func.call @twice(%v) : (f32) -> f32
    memref.store %w, %b[%x, %i] : memref<64x32xf32>
    gpu.return
  }
})";
} // namespace

TEST_F(KernelHash, IsThirtyTwoDigits) {
  std::string text = hash(kBase);
  EXPECT_EQ(text.size(), 32u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST_F(KernelHash, NamesPlacesAndOrderOfAttributesDoNotMatter) {
  std::string base = hash(kBase);
  std::string renamed = kBase;
  for (const char *name : {"%x", "%t", "%c2"})
    for (size_t at; (at = renamed.find(name)) != std::string::npos;)
      renamed.replace(at, 1, "%renamed_");
  EXPECT_EQ(hash(renamed), base);
  std::string symbols = with(kBase, "@m", "@other");
  symbols = with(symbols, "@twice", "@double");
  symbols = with(symbols, "@twice", "@double");
  EXPECT_EQ(hash(with(symbols, "@k", "@kernel")), base);
  EXPECT_EQ(hash(with(kBase, "note = 1 : i32, other = \"o\"",
                      "other = \"o\", note = 1 : i32")),
            base);
  EXPECT_EQ(hash(with(kBase, "gpu.block_id x",
                      "gpu.block_id x loc(\"elsewhere\":7:9)")),
            base);
  EXPECT_EQ(hash(std::string("\n\n\n// moved\n") + kBase), base);
  // The grid is a key of its own.
  EXPECT_EQ(hash(with(kBase, "64, 1, 1", "32, 1, 1")), base);
}

TEST_F(KernelHash, WhatTheKernelDoesMatters) {
  std::set<std::string> hashes = {hash(kBase)};
  auto expectNew = [&](const std::string &text) {
    EXPECT_TRUE(hashes.insert(hash(text)).second) << text;
  };
  expectNew(with(kBase, "constant 2", "constant 3"));     // indexing
  expectNew(with(kBase, "muli %t, %c2", "addi %t, %c2")); // operation
  expectNew(with(kBase, "block_id x", "block_id y"));     // axis
  expectNew(with(kBase, "store %w, %b[%x, %i]", "store %w, %b[%i, %x]"));
  expectNew(with(kBase, "store %w, %b[%x", "store %w, %a[%x")); // buffer
  expectNew(with(kBase, "arith.addf", "arith.mulf"));           // in a callee
  expectNew(with(kBase, "note = 1", "note = 2"));               // attribute
  std::string shape = kBase, type = kBase;
  for (size_t at; (at = shape.find("64x32")) != std::string::npos;)
    shape.replace(at, 5, "64x48");
  expectNew(shape);
  for (size_t at; (at = type.find("f32")) != std::string::npos;)
    type.replace(at, 3, "f16");
  expectNew(type);
  EXPECT_TRUE(hashes.insert(hash(kBase, swizzle::Grid(128))).second);
}

TEST_F(KernelHash, ControlFlowMatters) {
  const char *loop = R"(
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<64xf32>
      memref.store %v, %a[%i] : memref<64xf32>
    }
    gpu.return
  }
})";
  std::set<std::string> hashes = {
      hash(loop), hash(with(loop, "%c0 to %n", "%c1 to %n")),
      hash(with(
          loop, "step %c1 {\n      %v = memref.load %a[%i] : memref<64xf32>",
          "step %c1 {\n      %v = memref.load %a[%c0] : memref<64xf32>"))};
  EXPECT_EQ(hashes.size(), 3u);
}
