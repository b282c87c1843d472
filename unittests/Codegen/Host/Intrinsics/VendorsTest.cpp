//===- VendorsTest.cpp - One kernel, lowered for either vendor ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where either vendor will do, a kernel that is lowered for NVIDIA with 32
// lanes and for AMD with 64 leaves the same memory.
//
//===----------------------------------------------------------------------===//

#include "AlikeTest.h"

using namespace swizzle;
using namespace swizzle::test;

namespace {

class VendorsTest : public AlikeTest {
protected:
  /// `body` by each of two workgroups of 64 threads.
  void expectOneMeaning(const char *name, const std::string &signature,
                        const std::string &body, double tolerance = 0) {
    SCOPED_TRACE(name);
    std::string text = kernelText(signature, 64,
                                  "%w = gpu.block_id x\n%t = gpu.thread_id x\n"
                                  "%i = gpu.global_id x\n"
                                  "%c0 = arith.constant 0 : index\n"
                                  "%c1 = arith.constant 1 : index\n" +
                                      body);
    for (int64_t id : {0, 1}) {
      Buffers bytes[2];
      for (int which : {0, 1}) {
        options.subgroupSize = which ? 64 : 32;
        ASSERT_EQ(compile(text), "") << options.subgroupSize;
        ASSERT_EQ(runOne(*kernel, {id, 0, 0}, bytes[which]), "");
      }
      expectAlike(bytes[0], bytes[1], tolerance);
    }
  }
};

TEST_F(VendorsTest, WorkgroupMemoryAndBarriers) {
  expectOneMeaning(
      "reversed",
      "(%a: memref<128xf32>, %o: memref<128xf32>) workgroup(%tile: "
      "memref<64xf32, #gpu.address_space<workgroup>>)",
      R"(
    %p = memref.alloca() : memref<2xf32, #gpu.address_space<private>>
    %v = memref.load %a[%i] : memref<128xf32>
    memref.store %v, %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    %u = memref.load %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    memref.store %u, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %c63 = arith.constant 63 : index
    %m = arith.subi %c63, %t : index
    %r = memref.load %tile[%m] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %r, %o[%i] : memref<128xf32>)");
}

TEST_F(VendorsTest, Functions) {
  for (const char *function :
       {"exp", "exp2", "log", "log2", "sin", "cos", "tanh", "sqrt", "rsqrt",
        "absf", "floor", "ceil", "erf"})
    expectOneMeaning(function, "(%a: memref<128xf32>, %o: memref<128xf32>)",
                     "%v = memref.load %a[%i] : memref<128xf32>\n%r = math." +
                         std::string(function) +
                         " %v : f32\nmemref.store %r, %o[%i] : memref<128xf32>",
                     1e-4);
}

TEST_F(VendorsTest, Atomics) {
  expectOneMeaning("atomics", "(%a: memref<8xi32>, %b: memref<8xf32>)", R"(
    %c8 = arith.constant 8 : index
    %at = arith.remui %t, %c8 : index
    %one = arith.constant 1 : i32
    %half = arith.constant 0.5 : f32
    %x = memref.atomic_rmw addi %one, %a[%at] : (i32, memref<8xi32>) -> i32
    %y = memref.atomic_rmw addf %half, %b[%at] : (f32, memref<8xf32>) -> f32)");
}

TEST_F(VendorsTest, SizesAndReductionsByTheWorkgroup) {
  expectOneMeaning("sizes", "(%a: memref<128x2xindex>)", R"(
    %bd = gpu.block_dim x
    %gd = gpu.grid_dim x
    memref.store %bd, %a[%i, %c0] : memref<128x2xindex>
    memref.store %gd, %a[%i, %c1] : memref<128x2xindex>)");
  expectOneMeaning("clusters", "(%a: memref<128xi32>, %o: memref<128xi32>)", R"(
    %v = memref.load %a[%i] : memref<128xi32>
    %r = gpu.subgroup_reduce add %v cluster(size = 8) : (i32) -> i32
    memref.store %r, %o[%i] : memref<128xi32>)");
  expectOneMeaning("all", "(%a: memref<128xi32>, %o: memref<128xi32>)", R"(
    %v = memref.load %a[%i] : memref<128xi32>
    %r = gpu.all_reduce add %v uniform {} : (i32) -> (i32)
    memref.store %r, %o[%i] : memref<128xi32>)");
}

TEST_F(VendorsTest, MemoryThatThreadsAllocate) {
  expectOneMeaning("malloc", "(%a: memref<128xf32>, %o: memref<128xf32>)", R"(
    %own = memref.alloc() : memref<4xf32>
    %v = memref.load %a[%i] : memref<128xf32>
    memref.store %v, %own[%c1] : memref<4xf32>
    %u = memref.load %own[%c1] : memref<4xf32>
    memref.store %u, %o[%i] : memref<128xf32>
    memref.dealloc %own : memref<4xf32>)");
}

} // namespace
