//===- IntrinsicsTest.cpp - What only a GPU has, against plain loops ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel with intrinsics of a vendor is run beside one without that does
// the same; both must leave the same memory.
//
//===----------------------------------------------------------------------===//

#include "AlikeTest.h"

using namespace swizzle;
using namespace swizzle::test;

namespace {

using IntrinsicsTest = AlikeTest;

TEST_F(IntrinsicsTest, MmaSync) {
  // A is 16x16, B 16x8, each lane loads its elements as the PTX ISA has them.
  expectSame(
      "(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %o: memref<16x8xf32>)", R"(
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %g = arith.divui %t, %c4 : index
    %g8 = arith.addi %g, %c8 : index
    %in = arith.remui %t, %c4 : index
    %k0 = arith.muli %in, %c2 : index
    %k1 = arith.addi %k0, %c1 : index
    %k8 = arith.addi %k0, %c8 : index
    %k9 = arith.addi %k8, %c1 : index
    %a0 = vector.load %a[%g, %k0] : memref<16x16xf16>, vector<2xf16>
    %a1 = vector.load %a[%g8, %k0] : memref<16x16xf16>, vector<2xf16>
    %a2 = vector.load %a[%g, %k8] : memref<16x16xf16>, vector<2xf16>
    %a3 = vector.load %a[%g8, %k8] : memref<16x16xf16>, vector<2xf16>
    %b0 = memref.load %b[%k0, %g] : memref<16x8xf16>
    %b1 = memref.load %b[%k1, %g] : memref<16x8xf16>
    %b2 = memref.load %b[%k8, %g] : memref<16x8xf16>
    %b3 = memref.load %b[%k9, %g] : memref<16x8xf16>
    %x0 = vector.from_elements %b0, %b1 : vector<2xf16>
    %x1 = vector.from_elements %b2, %b3 : vector<2xf16>
    %za = arith.constant dense<0.0> : vector<4x2xf16>
    %zb = arith.constant dense<0.0> : vector<2x2xf16>
    %zc = arith.constant dense<0.0> : vector<2x2xf32>
    %A0 = vector.insert %a0, %za[0] : vector<2xf16> into vector<4x2xf16>
    %A1 = vector.insert %a1, %A0[1] : vector<2xf16> into vector<4x2xf16>
    %A2 = vector.insert %a2, %A1[2] : vector<2xf16> into vector<4x2xf16>
    %A3 = vector.insert %a3, %A2[3] : vector<2xf16> into vector<4x2xf16>
    %B0 = vector.insert %x0, %zb[0] : vector<2xf16> into vector<2x2xf16>
    %B1 = vector.insert %x1, %B0[1] : vector<2xf16> into vector<2x2xf16>
    %d = nvgpu.mma.sync(%A3, %B1, %zc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
    vector.store %d0, %o[%g, %k0] : memref<16x8xf32>, vector<2xf32>
    vector.store %d1, %o[%g8, %k0] : memref<16x8xf32>, vector<2xf32>)",
      R"(
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    scf.for %e = %t to %c128 step %c32 {
      %m = arith.divui %e, %c8 : index
      %n = arith.remui %e, %c8 : index
      %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> f32 {
        %x = memref.load %a[%m, %k] : memref<16x16xf16>
        %y = memref.load %b[%k, %n] : memref<16x8xf16>
        %xf = arith.extf %x : f16 to f32
        %yf = arith.extf %y : f16 to f32
        %p = arith.mulf %xf, %yf : f32
        %r = arith.addf %acc, %p : f32
        scf.yield %r : f32
      }
      memref.store %s, %o[%m, %n] : memref<16x8xf32>
    })",
      1e-5, 32);
}

TEST_F(IntrinsicsTest, LoadsOfMatrices) {
  for (bool transposed : {false, true})
    expectSame(
        "(%a: memref<16x16xf16>, %o: memref<32x8xf16>) workgroup(%shared: "
        "memref<16x16xf16, #gpu.address_space<workgroup>>)",
        R"(
    %c16 = arith.constant 16 : index
    %c8 = arith.constant 8 : index
    scf.for %e = %t to %c256 step %c32 {
      %m = arith.divui %e, %c16 : index
      %n = arith.remui %e, %c16 : index
      %v = memref.load %a[%m, %n] : memref<16x16xf16>
      memref.store %v, %shared[%m, %n] : memref<16x16xf16, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %row = arith.remui %t, %c16 : index
    %half = arith.divui %t, %c16 : index
    %column = arith.muli %half, %c8 : index
    %x = nvgpu.ldmatrix %shared[%row, %column] {numTiles = 4 : i32, transpose = )" +
            std::string(transposed ? "true" : "false") +
            R"(} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %f = vector.shape_cast %x : vector<4x2xf16> to vector<8xf16>
    vector.store %f, %o[%t, %c0] : memref<32x8xf16>, vector<8xf16>)",
        R"(
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %tile = arith.divui %j, %c2 : index
      %odd = arith.remui %j, %c2 : index
      %down = arith.remui %tile, %c2 : index
      %right = arith.divui %tile, %c2 : index
      %r0 = arith.muli %down, %c8 : index
      %k0 = arith.muli %right, %c8 : index
      %g = arith.divui %t, %c4 : index
      %in = arith.remui %t, %c4 : index
      %pair = arith.muli %in, %c2 : index
      %n = arith.addi %pair, %odd : index
      %r = arith.addi %r0, )" +
            std::string(transposed ? "%n" : "%g") +
            R"( : index
      %k = arith.addi %k0, )" +
            std::string(transposed ? "%g" : "%n") + R"( : index
      %v = memref.load %a[%r, %k] : memref<16x16xf16>
      memref.store %v, %o[%t, %j] : memref<32x8xf16>
    })",
        0, 32);
}

TEST_F(IntrinsicsTest, BufferResources) {
  // Beyond the end, loads give zero and stores are dropped.
  expectSame("(%a: memref<40xf32>, %o: memref<64xf32>, %n: memref<1xi32>)", R"(
    %at = arith.index_cast %t : index to i32
    %v = amdgpu.raw_buffer_load {boundsCheck = true} %a[%at] : memref<40xf32>, i32 -> f32
    %two = arith.constant 2 : i32
    %there = arith.muli %at, %two : i32
    amdgpu.raw_buffer_store {boundsCheck = true} %v -> %o[%there] : f32 -> memref<64xf32>, i32)",
             R"(
    %c40 = arith.constant 40 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %inside = arith.cmpi ult, %t, %c40 : index
    %v = scf.if %inside -> f32 {
      %x = memref.load %a[%t] : memref<40xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      %there = arith.muli %t, %c2 : index
      memref.store %v, %o[%there] : memref<64xf32>
    })",
             0, 64);
}

TEST_F(IntrinsicsTest, AsynchronousCopies) {
  expectSame("(%a: memref<32x4xf32>, %o: memref<32x4xf32>) workgroup(%tile: "
             "memref<32x4xf32, #gpu.address_space<workgroup>>)",
             R"(
    %token = nvgpu.device_async_copy %a[%t, %c0], %tile[%t, %c0], 4 {bypassL1} : memref<32x4xf32> to memref<32x4xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    gpu.barrier
    %c31 = arith.constant 31 : index
    %m = arith.subi %c31, %t : index
    %v = vector.load %tile[%m, %c0] : memref<32x4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %v, %o[%t, %c0] : memref<32x4xf32>, vector<4xf32>)",
             R"(
    %c31 = arith.constant 31 : index
    %m = arith.subi %c31, %t : index
    %v = vector.load %a[%m, %c0] : memref<32x4xf32>, vector<4xf32>
    vector.store %v, %o[%t, %c0] : memref<32x4xf32>, vector<4xf32>)",
             0, 32);
}

//===----------------------------------------------------------------------===//
// Other ways to write an intrinsic
//===----------------------------------------------------------------------===//

/// A kernel in the llvm dialect that stores %r, of %v and the thread %t.
std::string llvmText(const std::string &body) {
  return R"(gpu.module @m {
    llvm.func @k(%a: !llvm.ptr, %o: !llvm.ptr) attributes {gpu.kernel,
        gpu.known_block_size = array<i32: 64, 1, 1>,
        gpu.known_grid_size = array<i32: 1, 1, 1>} {
      %t = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %at = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %at : !llvm.ptr -> i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
)" + body +
         R"(
      %to = llvm.getelementptr %o[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %r, %to : i32, !llvm.ptr
      llvm.return
    } })";
}

TEST_F(IntrinsicsTest, OneRowForEachWayToWriteIt) {
  const char *ways[] = {
      "%r = nvvm.shfl.sync bfly %all, %v, %c3, %c31 : i32 -> i32",
      R"(%r = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%all, %v, %c3, %c31) : (i32, i32, i32, i32) -> i32)",
  };
  std::vector<std::vector<int32_t>> results;
  give(0, std::vector<int32_t>{5, 6, 7, 8, 9, 10, 11, 12});
  options.unknownBytes = 4096;
  for (const char *way : ways) {
    ASSERT_EQ(compile(llvmText(way)), "") << way;
    ASSERT_EQ(run(), "") << way;
    results.push_back(take<int32_t>(1));
    EXPECT_EQ(results.back()[0], 8);
    EXPECT_EQ(results.back()[1], 7);
    EXPECT_EQ(results.back(), results.front());
  }
}

TEST_F(IntrinsicsTest, ControlsOfDpp) {
  struct {
    int control;
    int (*from)(int);
  } const cases[] = {
      {0x1B, [](int lane) { return lane / 4 * 4 + 3 - lane % 4; }},
      {0x140, [](int lane) { return lane / 16 * 16 + 15 - lane % 16; }},
      {0x141, [](int lane) { return lane / 8 * 8 + 7 - lane % 8; }},
      {0x111, [](int lane) { return lane % 16 ? lane - 1 : -1; }},
      {0x102, [](int lane) { return lane % 16 < 14 ? lane + 2 : -1; }},
      {0x142, [](int lane) { return lane < 16 ? -1 : lane / 16 * 16 - 1; }},
  };
  options.unknownBytes = 4096;
  options.subgroupSize = 64;
  for (const auto &one : cases) {
    ASSERT_EQ(compile(llvmText("%r = rocdl.update.dpp %all, %v with " +
                               std::to_string(one.control) +
                               ", 0xf, 0xf, false : i32")),
              "");
    ASSERT_EQ(run(), "");
    std::vector<int32_t> in = take<int32_t>(0), out = take<int32_t>(1);
    for (int lane = 0; lane < 64; ++lane) {
      int from = one.from(lane);
      EXPECT_EQ(out[lane], from < 0 ? -1 : in[from])
          << one.control << ", " << lane;
    }
  }
}

/// RDNA3: a lane holds a row of A and a column of B, both halves the same.
TEST_F(IntrinsicsTest, WmmaOfAmd) {
  options.unknownBytes = 4096;
  options.subgroupSize = 32;
  ASSERT_EQ(compile(R"(gpu.module @m {
    llvm.func @k(%a: !llvm.ptr, %b: !llvm.ptr, %o: !llvm.ptr) attributes {
        gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>,
        gpu.known_grid_size = array<i32: 1, 1, 1>} {
      %t = rocdl.workitem.id.x : i32
      %c15 = llvm.mlir.constant(15 : i32) : i32
      %line = llvm.and %t, %c15 : i32
      %pa = llvm.getelementptr %a[%line] : (!llvm.ptr, i32) -> !llvm.ptr, vector<16xf16>
      %pb = llvm.getelementptr %b[%line] : (!llvm.ptr, i32) -> !llvm.ptr, vector<16xf16>
      %x = llvm.load %pa : !llvm.ptr -> vector<16xf16>
      %y = llvm.load %pb : !llvm.ptr -> vector<16xf16>
      %c = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
      %d = llvm.call_intrinsic "llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16"(%x, %y, %c)
        : (vector<16xf16>, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
      %po = llvm.getelementptr %o[%t] : (!llvm.ptr, i32) -> !llvm.ptr, vector<8xf32>
      llvm.store %d, %po : vector<8xf32>, !llvm.ptr
      llvm.return
    } })"),
            "");
  ASSERT_EQ(run(), "");
  auto number = [](uint16_t bits) {
    return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits))
        .convertToDouble();
  };
  std::vector<uint16_t> a = take<uint16_t>(0), b = take<uint16_t>(1);
  std::vector<float> o = take<float>(2);
  for (int lane = 0; lane < 32; ++lane)
    for (int slot = 0; slot < 8; ++slot) {
      int row = 2 * slot + lane / 16, column = lane % 16;
      double sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += number(a[row * 16 + k]) * number(b[column * 16 + k]);
      EXPECT_NEAR(o[lane * 8 + slot], sum, 1e-3) << lane << ", " << slot;
    }
}

TEST_F(IntrinsicsTest, WhatHasNoRowIsUnchecked) {
  std::string wrong = compile(llvmText(
      R"(%r = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.smid"() : () -> i32)"));
  EXPECT_EQ(wrong.substr(0, 40), "op llvm.nvvm.read.ptx.sreg.smid at -:11:")
      << wrong;
}

} // namespace
