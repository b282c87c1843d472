//===- HostKernelTest.cpp - Kernels on the host against plain loops -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, numbers, faults and recording; each result against a loop written by
// hand.
//
//===----------------------------------------------------------------------===//

#include "Codegen/Host/HostTest.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace swizzle;

namespace {

using HostKernelTest = test::HostTest;
using test::kernelText;

TEST_F(HostKernelTest, ContentsFollowTheSeed) {
  std::string text =
      kernelText("(%a: memref<64xf32>, %b: memref<64xi32>)", 32, "");
  ASSERT_EQ(compile(text), "");
  std::vector<float> first = take<float>(0);
  for (float value : first)
    EXPECT_TRUE(value >= 0.5f && value < 1.5f) << value;
  ASSERT_EQ(compile(text), "");
  EXPECT_EQ(take<float>(0), first);
  options.seed = 2;
  ASSERT_EQ(compile(text), "");
  EXPECT_NE(take<float>(0), first);
}

TEST_F(HostKernelTest, RestoreUndoesWhatWasWritten) {
  ASSERT_EQ(compile(kernelText("(%a: memref<64xf32>)", 32, R"(
    %t = gpu.global_id x
    %one = arith.constant 7.0 : f32
    memref.store %one, %a[%t] : memref<64xf32>)")),
            "");
  std::vector<float> before = take<float>(0);
  ASSERT_EQ(run(1), "");
  std::vector<float> after = take<float>(0);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(after[i], i < 32 ? before[i] : 7.0f);
  kernel->restore();
  EXPECT_EQ(take<float>(0), before);
}

TEST_F(HostKernelTest, LargeBuffersCostWhatIsTouched) {
  // 16 GiB; the last element of the last row.
  ASSERT_EQ(compile(kernelText("(%a: memref<65536x65536xf32>)", 1, R"(
    %c = arith.constant 65535 : index
    %v = memref.load %a[%c, %c] : memref<65536x65536xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%c, %c] : memref<65536x65536xf32>)")),
            "");
  const HostBuffer &buffer = kernel->buffers()[0];
  float before, after;
  std::memcpy(&before, buffer.data + buffer.bytes - 4, 4);
  ASSERT_EQ(run(), "");
  std::memcpy(&after, buffer.data + buffer.bytes - 4, 4);
  EXPECT_EQ(after, before + before);
}

TEST_F(HostKernelTest, WhatLoweringHasNoFormForIsUnchecked) {
  std::string wrong =
      compile(kernelText("(%a: memref<32xf8E4M3FN>, %b: memref<32xf32>)", 32,
                         "%t = gpu.thread_id x\n"
                         "%v = memref.load %a[%t] : memref<32xf8E4M3FN>\n"
                         "%w = arith.extf %v : f8E4M3FN to f32\n"
                         "memref.store %w, %b[%t] : memref<32xf32>"));
  EXPECT_EQ(wrong.find("op arith.extf at -:4:6: cannot be lowered"), 0u)
      << wrong;
}

TEST_F(HostKernelTest, NarrowFloatsAreAdded) {
  for (std::string type : {"f16", "bf16"}) {
    ASSERT_EQ(
        compile(kernelText(
            "(%a: memref<32x" + type + ">, %b: memref<32x" + type + ">)", 32,
            "%t = gpu.thread_id x\n%v = memref.load %a[%t] : memref<32x" +
                type + ">\n%w = arith.addf %v, %v : " + type +
                "\nmemref.store %w, %b[%t] : memref<32x" + type + ">")),
        "");
    ASSERT_EQ(run(), "");
    std::vector<uint16_t> in = take<uint16_t>(0), out = take<uint16_t>(1);
    for (int i = 0; i < 32; ++i) // twice a number: one more in the exponent
      EXPECT_EQ(out[i], in[i] + (type == "f16" ? 1 << 10 : 1 << 7));
  }
}

TEST_F(HostKernelTest, AtomicsCount) {
  give(1, std::vector<int32_t>(8, 100));
  give(2, std::vector<float>(1, 0.0f));
  ASSERT_EQ(
      compile(kernelText(
          "(%unused: memref<1xf32>, %a: memref<8xi32>, %b: memref<1xf32>)", 64,
          R"(
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %bin = arith.remui %t, %c8 : index
    %one = arith.constant 1 : i32
    %x = memref.atomic_rmw addi %one, %a[%bin] : (i32, memref<8xi32>) -> i32
    %half = arith.constant 0.5 : f32
    %zero = arith.constant 0 : index
    %y = memref.generic_atomic_rmw %b[%zero] : memref<1xf32> {
    ^bb0(%old : f32):
      %sum = arith.addf %old, %half : f32
      memref.atomic_yield %sum : f32
    })")),
      "");
  ASSERT_EQ(run(), "");
  EXPECT_EQ(take<int32_t>(1), std::vector<int32_t>(8, 108));
  EXPECT_EQ(take<float>(2), std::vector<float>(1, 32.0f));
}

TEST_F(HostKernelTest, RecordsWhoTouchedWhat) {
  ASSERT_EQ(
      compile(kernelText("(%a: memref<64xf32>, %b: memref<64xf32>)", 4, R"(
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    gpu.barrier
    memref.store %v, %b[%t] : memref<64xf32>)")),
      "");
  ASSERT_EQ(run(0, Recording::Everything), "");
  auto accesses = kernel->accesses();
  ASSERT_EQ(accesses.size(), 8u);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(accesses[i].buffer(), uint32_t(i / 4));
    EXPECT_EQ(accesses[i].offset(), i % 4 * 4);
    EXPECT_EQ(accesses[i].bytes, 4u);
    EXPECT_EQ(accesses[i].thread, i % 4);
    EXPECT_EQ(kernel->sites()[accesses[i].site].kind,
              i < 4 ? AccessKind::Read : AccessKind::Write);
  }
  ASSERT_EQ(run(0), "");
  EXPECT_EQ(kernel->accesses().size(), 4u);
  EXPECT_EQ(kernel->accessCount(), 8);
}

TEST_F(HostKernelTest, FaultsSayWhere) {
  std::string store = R"(
    %t = gpu.global_id x
    %c = arith.constant 40 : index
    %i = arith.subi %t, %c : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%i] : memref<8xf32>)";
  ASSERT_EQ(compile(kernelText("(%a: memref<8xf32>)", 32, store)), "");
  std::string message = run(1);
  EXPECT_NE(message.find("workgroup (1,0,0), thread (0,0,0)"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("writes 4 bytes at byte -32 of arg0, which has 32"),
            std::string::npos)
      << message;
  // Workgroup memory has bounds of its own.
  ASSERT_EQ(compile(kernelText(
                "(%a: memref<8xf32>) workgroup(%w: memref<8xf32, 3>)", 32, R"(
    %t = gpu.thread_id x
    %v = memref.load %w[%t] : memref<8xf32, 3>
    memref.store %v, %a[%t] : memref<8xf32>)")),
            "");
  message = run();
  EXPECT_NE(message.find("thread (8,0,0)"), std::string::npos) << message;
  EXPECT_NE(message.find("reads 4 bytes at byte 32 of workgroup memory"),
            std::string::npos)
      << message;
  options.maxAccesses = 100;
  ASSERT_EQ(compile(kernelText("(%a: memref<8xf32>)", 1, R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1000 : index
    %one = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      memref.store %one, %a[%c0] : memref<8xf32>
    })")),
            "");
  EXPECT_NE(run().find("more accesses than are allowed"), std::string::npos);
}

TEST_F(HostKernelTest, AssertionsAreFaults) {
  ASSERT_EQ(compile(kernelText("(%a: memref<8xf32>)", 32, R"(
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %low = arith.cmpi ult, %t, %c8 : index
    cf.assert %low, "too many threads")")),
            "");
  std::string message = run();
  EXPECT_NE(message.find("thread (8,0,0)"), std::string::npos) << message;
  EXPECT_NE(message.find("assertion failed: too many threads"),
            std::string::npos)
      << message;
}

} // namespace
