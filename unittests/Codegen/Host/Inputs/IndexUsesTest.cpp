//===- IndexUsesTest.cpp - Numbers that kernels use as indices ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contents that nobody gave keep a kernel inside its buffers, ends included, in
// whatever form it came.
//
//===----------------------------------------------------------------------===//

#include "Codegen/Host/HostTest.h"

#include <algorithm>

using namespace swizzle;
using namespace swizzle::test;

namespace {

class IndexUsesTest : public HostTest {
protected:
  /// Runs both workgroups of `body` on all kinds of inputs, and returns the
  /// smallest and the largest number of argument 0.
  std::pair<int32_t, int32_t> runGather(const std::string &signature,
                                        const std::string &body) {
    EXPECT_EQ(compile(kernelText(signature, 32,
                                 "%t = gpu.thread_id x\n%i = gpu.global_id x\n"
                                 "%c0 = arith.constant 0 : index\n"
                                 "%c1 = arith.constant 1 : index\n" +
                                     body)),
              "");
    for (Inputs inputs : {Inputs::Plain, Inputs::Signed, Inputs::Extreme}) {
      EXPECT_FALSE(bool(kernel->refill(inputs)));
      for (int64_t id : {0, 1})
        EXPECT_EQ(run(id), "");
    }
    std::vector<int32_t> values = take<int32_t>(0);
    auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {*low, *high};
  }
};

TEST_F(IndexUsesTest, GathersStayInBounds) {
  ASSERT_EQ(compile(kernelText(
                "(%i: memref<64xi32>, %x: memref<17xf32>, %b: memref<64xf32>)",
                32, R"(
    %t = gpu.global_id x
    %n = memref.load %i[%t] : memref<64xi32>
    %at = arith.index_cast %n : i32 to index
    %v = memref.load %x[%at] : memref<17xf32>
    memref.store %v, %b[%t] : memref<64xf32>)")),
            "");
  EXPECT_EQ(run(0), "");
  EXPECT_EQ(run(1), "");
  std::vector<float> x = take<float>(1), b = take<float>(2);
  std::vector<int32_t> indices = take<int32_t>(0);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(b[i], x[indices[i]]);
}

TEST_F(IndexUsesTest, RowStartsNeverFall) {
  ASSERT_EQ(
      compile(kernelText(
          "(%rows: memref<65xi32>, %v: memref<1000xf32>, %b: memref<64xf32>)",
          32, R"(
    %t = gpu.global_id x
    %c1 = arith.constant 1 : index
    %next = arith.addi %t, %c1 : index
    %zero = arith.constant 0.0 : f32
    %n0 = memref.load %rows[%t] : memref<65xi32>
    %n1 = memref.load %rows[%next] : memref<65xi32>
    %first = arith.index_cast %n0 : i32 to index
    %last = arith.index_cast %n1 : i32 to index
    %sum = scf.for %i = %first to %last step %c1 iter_args(%s = %zero) -> f32 {
      %v0 = memref.load %v[%i] : memref<1000xf32>
      %s1 = arith.addf %s, %v0 : f32
      scf.yield %s1 : f32
    }
    memref.store %sum, %b[%t] : memref<64xf32>)")),
      "");
  EXPECT_EQ(run(0), "");
  EXPECT_EQ(run(1), "");
  std::vector<int32_t> rows = take<int32_t>(0);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 1000);
}

TEST_F(IndexUsesTest, WhatIsAddedHasRoom) {
  auto [low, high] = runGather(
      "(%n: memref<4096xi32>, %x: memref<16xf32>, %o: memref<64xf32>)", R"(
    %v = memref.load %n[%i] : memref<4096xi32>
    %at = arith.index_cast %v : i32 to index
    %next = arith.addi %at, %c1 : index
    %before = arith.subi %at, %c1 : index
    %a = memref.load %x[%next] : memref<16xf32>
    %b = memref.load %x[%before] : memref<16xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %o[%i] : memref<64xf32>)");
  EXPECT_EQ(low, 1);
  EXPECT_EQ(high, 14);
}

TEST_F(IndexUsesTest, RowsAndColumnsHaveTheirOwnExtents) {
  auto [low, high] = runGather(
      "(%n: memref<4096xi32>, %m: memref<8x64xf32>, %o: memref<64xf32>)", R"(
    %v = memref.load %n[%i] : memref<4096xi32>
    %at = arith.index_cast %v : i32 to index
    %a = memref.load %m[%at, %i] : memref<8x64xf32>
    memref.store %a, %o[%i] : memref<64xf32>)");
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, 7);
  std::tie(low, high) = runGather(
      "(%n: memref<4096xi32>, %m: memref<64x24xf32>, %o: memref<64xf32>)", R"(
    %v = memref.load %n[%i] : memref<4096xi32>
    %at = arith.index_cast %v : i32 to index
    %a = memref.load %m[%i, %at] : memref<64x24xf32>
    memref.store %a, %o[%i] : memref<64xf32>)");
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, 23);
}

TEST_F(IndexUsesTest, VectorsFit) {
  auto [low, high] = runGather(
      "(%n: memref<4096xi32>, %x: memref<32xf32>, %o: memref<64xf32>)", R"(
    %v = memref.load %n[%i] : memref<4096xi32>
    %at = arith.index_cast %v : i32 to index
    %a = vector.load %x[%at] : memref<32xf32>, vector<4xf32>
    %s = vector.reduction <add>, %a : vector<4xf32> into f32
    memref.store %s, %o[%i] : memref<64xf32>)");
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, 28);
}

/// y[i] = sum over rows[i] <= j < rows[i + 1] of values[j] * x[columns[j]]
const char *kSparse = R"(gpu.module @m {
  llvm.func @k(%rows: !llvm.ptr, %columns: !llvm.ptr, %values: !llvm.ptr,
               %x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel,
      gpu.known_block_size = array<i32: 32, 1, 1>, known_block_size = array<i32: 32, 1, 1>,
      gpu.known_grid_size = array<i32: 2, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %start = llvm.mul %b, %c32 : i32
    %i = llvm.add %start, %t : i32
    %next = llvm.add %i, %c1 : i32
    %p0 = llvm.getelementptr %rows[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %p1 = llvm.getelementptr %rows[%next] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %first = llvm.load %p0 : !llvm.ptr -> i32
    %last = llvm.load %p1 : !llvm.ptr -> i32
    llvm.br ^head(%first, %zero : i32, f32)
  ^head(%j: i32, %sum: f32):
    %more = llvm.icmp "slt" %j, %last : i32
    llvm.cond_br %more, ^body, ^done
  ^body:
    %pc = llvm.getelementptr %columns[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %column = llvm.load %pc : !llvm.ptr -> i32
    %pv = llvm.getelementptr %values[%j] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %pv : !llvm.ptr -> f32
    %px = llvm.getelementptr %x[%column] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %w = llvm.load %px : !llvm.ptr -> f32
    %product = llvm.fmul %v, %w : f32
    %s = llvm.fadd %sum, %product : f32
    %step = llvm.add %j, %c1 : i32
    llvm.br ^head(%step, %s : i32, f32)
  ^done:
    %py = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %py : f32, !llvm.ptr
    llvm.return
  }
})";

TEST_F(IndexUsesTest, KernelsThatCameLowered) {
  options.readModel = false;
  options.grid = Grid(2);
  options.block = Grid(32);
  options.unknownBytes = 1 << 16;
  ASSERT_EQ(compile(kSparse), "");
  EXPECT_EQ(kernel->inventedIndices().size(), 2u);
  ASSERT_EQ(run(0, Recording::Everything), "");
  ASSERT_EQ(run(1, Recording::Everything), "");
  std::vector<int32_t> rows = take<int32_t>(0);
  ASSERT_GE(rows.size(), 65u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_GT(rows[64], 64) << "the rows have elements";
  std::vector<int32_t> columns = take<int32_t>(1);
  EXPECT_GE(*std::min_element(columns.begin(), columns.end()), 0);
  EXPECT_GT(kernel->accessCount(), 32 * 4);
}

TEST_F(IndexUsesTest, MasksNeedNoHelp) {
  // Whatever is loaded, 15 bits of it are masked off: any number will do.
  auto [low, high] = runGather(
      "(%n: memref<4096xi32>, %x: memref<16xf32>, %o: memref<64xf32>)", R"(
    %v = memref.load %n[%i] : memref<4096xi32>
    %c15 = arith.constant 15 : i32
    %m = arith.andi %v, %c15 : i32
    %at = arith.index_cast %m : i32 to index
    %a = memref.load %x[%at] : memref<16xf32>
    memref.store %a, %o[%i] : memref<64xf32>)");
  EXPECT_LT(low, 0);
  EXPECT_GT(high, 16);
}

} // namespace
