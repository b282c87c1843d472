//===- CollectivesTest.cpp - What threads do together, naively ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exchanges, reductions and matrix products against loops over all lanes.
//
//===----------------------------------------------------------------------===//

#include "Codegen/Host/HostTest.h"

#include "llvm/ADT/APFloat.h"

using namespace swizzle;

namespace {

using CollectivesTest = test::HostTest;
using test::kernelText;

TEST_F(CollectivesTest, Shuffles) {
  // For NVIDIA by 32 lanes, of which lowering makes no groups; for AMD by 64.
  for (auto [mode, offset, width, lanes] :
       {std::tuple("xor", 5, 32, 32), std::tuple("down", 3, 32, 32),
        std::tuple("up", 9, 32, 32), std::tuple("idx", 7, 32, 32),
        std::tuple("xor", 1, 8, 64), std::tuple("down", 3, 16, 64),
        std::tuple("xor", 40, 64, 64), std::tuple("down", 30, 64, 64)}) {
    options.subgroupSize = lanes;
    std::string text =
        "%t = gpu.thread_id x\n%v = memref.load %a[%t] : memref<64xf32>\n"
        "%o = arith.constant " +
        std::to_string(offset) + " : i32\n%w = arith.constant " +
        std::to_string(width) + " : i32\n%r, %p = gpu.shuffle " + mode +
        " %v, %o, %w : f32\n"
        "%z = arith.extui %p : i1 to i32\n"
        "memref.store %r, %b[%t] : memref<64xf32>\n"
        "memref.store %z, %c[%t] : memref<64xi32>";
    ASSERT_EQ(compile(kernelText("(%a: memref<64xf32>, %b: memref<64xf32>, "
                                 "%c: memref<64xi32>)",
                                 64, text)),
              "");
    ASSERT_EQ(run(), "");
    std::vector<float> in = take<float>(0), out = take<float>(1);
    std::vector<int32_t> valid = take<int32_t>(2);
    for (int t = 0; t < 64; ++t) {
      int group = t / width * width, lane = t % width, from;
      std::string m = mode;
      from = m == "xor"    ? lane ^ offset
             : m == "down" ? lane + offset
             : m == "up"   ? lane - offset
                           : offset;
      bool inside = from >= 0 && from < width;
      EXPECT_EQ(valid[t], inside) << mode << " " << t;
      if (inside)
        EXPECT_EQ(out[t], in[group + from]) << mode << " " << t;
    }
  }
}

TEST_F(CollectivesTest, Reductions) {
  ASSERT_EQ(compile(kernelText(
                "(%a: memref<96xf32>, %b: memref<96xf32>, %c: memref<96xi32>, "
                "%d: memref<96xi32>, %e: memref<96xf32>)",
                96, R"(
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<96xf32>
    %s = gpu.subgroup_reduce add %v : (f32) -> f32
    memref.store %s, %b[%t] : memref<96xf32>
    %n = memref.load %c[%t] : memref<96xi32>
    %m = gpu.all_reduce minsi %n uniform {} : (i32) -> i32
    memref.store %m, %d[%t] : memref<96xi32>
    %x = gpu.subgroup_reduce maxnumf %v cluster(size = 4, stride = 2) : (f32) -> f32
    memref.store %x, %e[%t] : memref<96xf32>)")),
            "");
  ASSERT_EQ(run(), "");
  std::vector<float> in = take<float>(0), sums = take<float>(1),
                     maxima = take<float>(4);
  std::vector<int32_t> numbers = take<int32_t>(2), least = take<int32_t>(3);
  for (int t = 0; t < 96; ++t) {
    float sum = 0;
    for (int i = 0; i < 32; ++i)
      sum = i ? sum + in[t / 32 * 32 + i] : in[t / 32 * 32];
    EXPECT_NEAR(sums[t], sum, 1e-4); // a GPU adds by halves
    EXPECT_EQ(least[t], *std::min_element(numbers.begin(), numbers.end()));
    float most = 0;
    for (int i = 0; i < 4; ++i)
      most = std::max(most, in[t / 8 * 8 + t % 2 + 2 * i]);
    EXPECT_EQ(maxima[t], most) << t;
  }
}

TEST_F(CollectivesTest, DivergentLanesReconverge) {
  // Half of the lanes leave the loop earlier; the shuffle after it is for all.
  ASSERT_EQ(compile(kernelText("(%a: memref<32xi32>)", 32, R"(
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %half = arith.remui %t, %c2 : index
    %trips = arith.addi %half, %c1 : index
    %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%s = %z) -> i32 {
      %r, %ok = gpu.shuffle idx %one, %one, %w : i32
      %n = arith.addi %s, %r : i32
      scf.yield %n : i32
    }
    %x, %p = gpu.shuffle xor %sum, %one, %w : i32
    memref.store %x, %a[%t] : memref<32xi32>)")),
            "");
  ASSERT_EQ(run(), "");
  std::vector<int32_t> out = take<int32_t>(0);
  for (int t = 0; t < 32; ++t) // all in round 1, the odd ones in round 2
    EXPECT_EQ(out[t], t % 2 ? 1 : 2);
}

float half(uint16_t bits) {
  llvm::APFloat value(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
  bool lost;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToFloat();
}

TEST_F(CollectivesTest, MatrixFragments) {
  std::string text = kernelText(
      "(%a: memref<16x24xf16>, %b: memref<16x32xf16>, %c: memref<16x16xf32>)",
      64, R"(
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %two = arith.constant 2.0 : f32
    %t = gpu.thread_id x
    %first = arith.cmpi ult, %t, %c32 : index
    scf.if %first {
      %x = gpu.subgroup_mma_load_matrix %a[%c0, %c3] {leadDimension = 24 : index} : memref<16x24xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %y = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 32 : index, transpose} : memref<16x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %z = gpu.subgroup_mma_load_matrix %c[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
      %r = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      %k = gpu.subgroup_mma_constant_matrix %two : !gpu.mma_matrix<16x16xf32, "COp">
      %s = gpu.subgroup_mma_elementwise mulf %r, %k : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.subgroup_mma_store_matrix %s, %c[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    })");
  ASSERT_EQ(compile(text), "");
  std::vector<uint16_t> a = take<uint16_t>(0), b = take<uint16_t>(1);
  std::vector<float> before = take<float>(2);
  ASSERT_EQ(run(), "");
  std::vector<float> c = take<float>(2);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float sum = before[i * 16 + j];
      for (int k = 0; k < 16; ++k)
        sum += half(a[i * 24 + k + 3]) * half(b[j * 32 + k]);
      EXPECT_NEAR(c[i * 16 + j], 2 * sum, 1e-4) << i << " " << j;
    }
}

TEST_F(CollectivesTest, HalfASubgroupCannotMultiply) {
  ASSERT_EQ(compile(kernelText("(%a: memref<16x16xf16>)", 32, R"(
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %first = arith.cmpi ult, %t, %c16 : index
    scf.if %first {
      %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %y = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %z = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
      %r = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
      gpu.subgroup_mma_store_matrix %r, %a[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
    })")),
            "");
  EXPECT_NE(run().find("not all lanes of the subgroup take part"),
            std::string::npos);
}

/// 32x32x8: A has 32 rows of 8, B 8 rows of 32, by the layout of the CDNA ISA.
TEST_F(CollectivesTest, Mfma) {
  ASSERT_EQ(
      compile(kernelText(
          "(%a: memref<32x8xf16>, %b: memref<32x8xf16>, %c: memref<64x16xf32>)",
          64, R"(
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %row = arith.remui %t, %c32 : index
    %group = arith.divui %t, %c32 : index
    %k = arith.muli %group, %c4 : index
    %x = vector.load %a[%row, %k] : memref<32x8xf16>, vector<4xf16>
    %y = vector.load %b[%row, %k] : memref<32x8xf16>, vector<4xf16>
    %z = arith.constant dense<0.0> : vector<16xf32>
    %r = amdgpu.mfma 32x32x8 %x * %y + %z blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
    vector.store %r, %c[%t, %c0] : memref<64x16xf32>, vector<16xf32>)")),
      "");
  EXPECT_EQ(kernel->subgroupSize(), 64);
  ASSERT_EQ(run(), "");
  std::vector<uint16_t> a = take<uint16_t>(0), b = take<uint16_t>(1);
  std::vector<float> c = take<float>(2);
  for (int lane = 0; lane < 64; ++lane)
    for (int e = 0; e < 16; ++e) {
      int row = 8 * (e / 4) + 4 * (lane / 32) + e % 4, column = lane % 32;
      float sum = 0;
      for (int k = 0; k < 8; ++k)
        sum += half(a[row * 8 + k]) * half(b[column * 8 + k]);
      EXPECT_NEAR(c[lane * 16 + e], sum, 1e-4) << lane << " " << e;
    }
}

TEST_F(CollectivesTest, LoweredKernels) {
  // What convert-gpu-to-nvvm and convert-gpu-to-rocdl leave.
  for (std::string target : {"nvvm", "rocdl"}) {
    bool nv = target == "nvvm";
    std::string tid = nv ? "nvvm.read.ptx.sreg.tid.x" : "rocdl.workitem.id.x";
    std::string bid =
        nv ? "nvvm.read.ptx.sreg.ctaid.x" : "rocdl.workgroup.id.x";
    std::string barrier = nv ? "nvvm.barrier0" : "rocdl.barrier";
    ASSERT_EQ(
        compile("gpu.module @m {\n"
                "llvm.mlir.global internal @w() {addr_space = 3 : i32} : "
                "!llvm.array<32 x f32>\n"
                "llvm.func @k(%a: !llvm.ptr, %b: !llvm.ptr<1>) attributes "
                "{gpu.kernel, " +
                target +
                ".kernel, known_block_size = array<i32: 32, 1, 1>, "
                "known_grid_size = array<i32: 2, 1, 1>} {\n"
                "%t = " +
                tid + " : i32\n%g = " + bid +
                " : i32\n"
                "%n = llvm.mlir.constant(32 : i32) : i32\n"
                "%o = llvm.mlir.constant(31 : i32) : i32\n"
                "%base = llvm.mul %g, %n : i32\n%i = llvm.add %base, %t : i32\n"
                "%p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> "
                "!llvm.ptr, f32\n"
                "%v = llvm.load %p : !llvm.ptr -> f32\n"
                "%w = llvm.mlir.addressof @w : !llvm.ptr<3>\n"
                "%q = llvm.getelementptr %w[%t] : (!llvm.ptr<3>, i32) -> "
                "!llvm.ptr<3>, f32\n"
                "llvm.store %v, %q : f32, !llvm.ptr<3>\n" +
                barrier +
                "\n"
                "%m = llvm.sub %o, %t : i32\n"
                "%r = llvm.getelementptr %w[%m] : (!llvm.ptr<3>, i32) -> "
                "!llvm.ptr<3>, f32\n"
                "%u = llvm.load %r : !llvm.ptr<3> -> f32\n"
                "%s = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> "
                "!llvm.ptr<1>, f32\n"
                "llvm.store %u, %s : f32, !llvm.ptr<1>\nllvm.return\n} }"),
        "")
        << target;
    ASSERT_EQ(run(1), "");
    const float *a = reinterpret_cast<const float *>(kernel->buffers()[0].data);
    const float *b = reinterpret_cast<const float *>(kernel->buffers()[1].data);
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(b[32 + t], a[63 - t]) << target;
  }
}

} // namespace
