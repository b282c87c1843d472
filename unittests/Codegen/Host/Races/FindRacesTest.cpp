//===- FindRacesTest.cpp - Races between workgroups -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts as a race, what it says, and how the search ends.
//
//===----------------------------------------------------------------------===//

#include "Codegen/Host/HostTest.h"

#include "swizzle/Codegen/Host/FindRaces.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>

using namespace swizzle;
using namespace swizzle::test;

namespace {

class FindRacesTest : public HostTest {
protected:
  /// Looks for races in `body`, run by two workgroups of 32 threads.
  RaceResult find(const std::string &signature, const std::string &body) {
    return findInText(kernelText(
        signature, 32,
        "%w = gpu.block_id x\n%t = gpu.thread_id x\n%i = gpu.global_id x\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c32 = arith.constant 32 : index\n%f = arith.constant 1.0 : f32\n"
        "%n = arith.constant 1 : i32\n" +
            body));
  }
  RaceResult findInText(const std::string &text) {
    module = parse(text);
    auto found = findKernel(*module, "");
    EXPECT_TRUE(bool(found));
    return findRaces(*found, races);
  }
  bool startsWith(const RaceResult &result, const char *text) {
    return llvm::StringRef(result.reason).starts_with(text);
  }

  RaceOptions races;
};

TEST_F(FindRacesTest, SeparateBytesAreNoRace) {
  RaceResult result =
      find("(%a: memref<64xf32>)", "memref.store %f, %a[%i] : memref<64xf32>");
  EXPECT_EQ(result.outcome, RaceOutcome::NoRace) << result.reason;
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.workgroups, 2);
  EXPECT_EQ(result.accesses, 64);
}

TEST_F(FindRacesTest, NeighboursOfOneWordAreNoRace) {
  // Two workgroups, two halves of each 64-byte line, bytes beside each other.
  RaceResult result = find("(%a: memref<64xi8>)", R"(
    %c2 = arith.constant 2 : index
    %at = arith.muli %t, %c2 : index
    %j = arith.addi %at, %w : index
    %v = arith.constant 7 : i8
    memref.store %v, %a[%j] : memref<64xi8>)");
  EXPECT_EQ(result.outcome, RaceOutcome::NoRace) << result.reason;
}

TEST_F(FindRacesTest, WhoReadsWhatAnotherWrites) {
  RaceResult result = find("(%a: memref<65xf32>)", R"(
    %next = arith.addi %i, %c1 : index
    %v = memref.load %a[%next] : memref<65xf32>
    memref.store %v, %a[%i] : memref<65xf32>)");
  ASSERT_EQ(result.outcome, RaceOutcome::Race);
  ASSERT_TRUE(result.race);
  EXPECT_EQ(result.race->first.kind, AccessKind::Read);
  EXPECT_EQ(result.race->second.kind, AccessKind::Write);
  EXPECT_EQ(result.race->first.workgroup.x, 0);
  EXPECT_EQ(result.race->first.thread.x, 31);
  EXPECT_EQ(result.race->second.workgroup.x, 1);
  EXPECT_EQ(result.race->second.thread.x, 0);
  EXPECT_EQ(result.race->buffer, "arg0");
  EXPECT_EQ(result.race->argument, 0);
  EXPECT_EQ(result.race->byte, 128);
  EXPECT_FALSE(result.race->sameValue);
}

TEST_F(FindRacesTest, TheSameValueIsARaceThatSaysSo) {
  RaceResult result =
      find("(%a: memref<64xf32>)", "memref.store %f, %a[%t] : memref<64xf32>");
  ASSERT_EQ(result.outcome, RaceOutcome::Race);
  EXPECT_TRUE(result.race->sameValue);
  EXPECT_TRUE(
      llvm::StringRef(result.reason).ends_with("both leave the same value"))
      << result.reason;
}

TEST_F(FindRacesTest, DifferentValuesGoBeforeTheSameValue) {
  RaceResult result = find("(%a: memref<64xf32>, %b: memref<64xindex>)", R"(
    memref.store %f, %a[%t] : memref<64xf32>
    memref.store %w, %b[%t] : memref<64xindex>)");
  ASSERT_EQ(result.outcome, RaceOutcome::Race);
  EXPECT_FALSE(result.race->sameValue);
  EXPECT_EQ(result.race->buffer, "arg1");
}

TEST_F(FindRacesTest, OverlapOfOneByte) {
  // Workgroup 0 writes bytes 0 to 3, workgroup 1 bytes 3 to 6.
  RaceResult result = find("(%a: memref<8xi8>)", R"(
    %c3 = arith.constant 3 : index
    %at = arith.muli %w, %c3 : index
    %v = arith.index_cast %w : index to i8
    %x = vector.broadcast %v : i8 to vector<4xi8>
    vector.store %x, %a[%at] : memref<8xi8>, vector<4xi8>)");
  ASSERT_EQ(result.outcome, RaceOutcome::Race);
  EXPECT_EQ(result.race->byte, 3);
}

TEST_F(FindRacesTest, WorkgroupAndPrivateMemoryAreNotShared) {
  RaceResult result = find("(%a: memref<64xf32>)", R"(
    %s = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    memref.store %f, %s[%c0] : memref<4xf32, #gpu.address_space<private>>
    %x = memref.load %s[%c0] : memref<4xf32, #gpu.address_space<private>>
    %l = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %x, %l[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    %v = memref.load %l[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %a[%i] : memref<64xf32>)");
  EXPECT_EQ(result.outcome, RaceOutcome::NoRace) << result.reason;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

TEST_F(FindRacesTest, TheSameUpdateCommutes) {
  for (const char *kind : {"addi", "maxs", "minu", "andi", "ori"}) {
    RaceResult result = find("(%a: memref<64xi32>)",
                             "memref.atomic_rmw " + std::string(kind) +
                                 " %n, %a[%t] : (i32, memref<64xi32>) -> i32");
    EXPECT_EQ(result.outcome, RaceOutcome::NoRace) << kind << result.reason;
  }
}

TEST_F(FindRacesTest, AnExchangeDoesNotCommute) {
  RaceResult result = find("(%a: memref<64xi32>)", R"(
    memref.atomic_rmw assign %n, %a[%t] : (i32, memref<64xi32>) -> i32)");
  EXPECT_EQ(result.outcome, RaceOutcome::Race);
}

TEST_F(FindRacesTest, AnOldValueThatIsUsedIsARace) {
  RaceResult result = find("(%a: memref<1xi32>, %b: memref<64xi32>)", R"(
    %old = memref.atomic_rmw addi %n, %a[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %old, %b[%i] : memref<64xi32>)");
  ASSERT_EQ(result.outcome, RaceOutcome::Race);
  EXPECT_EQ(result.race->buffer, "arg0");
  EXPECT_EQ(result.race->first.kind, AccessKind::Atomic);
}

TEST_F(FindRacesTest, TwoUpdatesOfOneWorkgroupAndOneOfAnother) {
  // Workgroup 0 adds and takes the maximum, workgroup 1 adds only.
  RaceResult result = find("(%a: memref<64xi32>)", R"(
    memref.atomic_rmw addi %n, %a[%t] : (i32, memref<64xi32>) -> i32
    %first = arith.cmpi eq, %w, %c0 : index
    scf.if %first {
      memref.atomic_rmw maxs %n, %a[%t] : (i32, memref<64xi32>) -> i32
    })");
  EXPECT_EQ(result.outcome, RaceOutcome::Race);
}

TEST_F(FindRacesTest, UpdatesOfTwoWidths) {
  RaceResult result = findInText(R"(
    gpu.module @m { llvm.func @k(%a: !llvm.ptr) attributes {gpu.kernel,
        gpu.known_block_size = array<i32: 1, 1, 1>,
        gpu.known_grid_size = array<i32: 2, 1, 1>} {
      %w = nvvm.read.ptx.sreg.ctaid.x : i32
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %wide = llvm.mlir.constant(1 : i64) : i64
      %first = llvm.icmp "eq" %w, %zero : i32
      llvm.cond_br %first, ^a, ^b
    ^a:
      %x = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      llvm.return
    ^b:
      %y = llvm.atomicrmw add %a, %wide monotonic : !llvm.ptr, i64
      llvm.return
    } })");
  EXPECT_EQ(result.outcome, RaceOutcome::Race) << result.reason;
}

TEST_F(FindRacesTest, AScopeOfOneWorkgroupIsNotAtomicForOthers) {
  for (bool narrow : {false, true}) {
    RaceResult result =
        findInText(R"(
      gpu.module @m { llvm.func @k(%a: !llvm.ptr) attributes {gpu.kernel,
          gpu.known_block_size = array<i32: 1, 1, 1>,
          gpu.known_grid_size = array<i32: 2, 1, 1>} {
        %one = llvm.mlir.constant(1 : i32) : i32
        %x = llvm.atomicrmw add %a, %one )" +
                   std::string(narrow ? "syncscope(\"workgroup\")"
                                      : "syncscope(\"agent\")") +
                   R"( monotonic : !llvm.ptr, i32
        llvm.return
      } })");
    EXPECT_EQ(result.outcome, narrow ? RaceOutcome::Race : RaceOutcome::NoRace)
        << result.reason;
  }
}

TEST_F(FindRacesTest, AnUpdateAndAPlainRead) {
  RaceResult result = find("(%a: memref<64xi32>)", R"(
    %v = memref.load %a[%i] : memref<64xi32>
    memref.atomic_rmw addi %v, %a[%t] : (i32, memref<64xi32>) -> i32)");
  ASSERT_EQ(result.outcome, RaceOutcome::Race);
}

/// Workgroup 0 does the one update of a word for each thread, workgroup 1 the
/// other; %n is 1.
std::string updatesText(const std::string &first, const std::string &second) {
  auto update = [](const std::string &text) {
    return "llvm.atomicrmw " + text.substr(0, text.find(' ')) + " %at, " +
           text.substr(text.find(' ') + 1) + " monotonic : !llvm.ptr, i32\n";
  };
  return R"(gpu.module @m { llvm.func @k(%a: !llvm.ptr, %n: i32) attributes {
      gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>,
      gpu.known_grid_size = array<i32: 2, 1, 1>} {
    %w = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %seven = llvm.mlir.constant(7 : i32) : i32
    %nine = llvm.mlir.constant(9 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %at = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %first = llvm.icmp "eq" %w, %zero : i32
    llvm.cond_br %first, ^one, ^other
  ^one:
    %x = )" +
         update(first) + "llvm.return\n^other:\n%y = " + update(second) +
         "llvm.return\n} }";
}

TEST_F(FindRacesTest, CountersOfOneBoundCommute) {
  for (auto [first, second] :
       {std::pair("uinc_wrap %seven", "uinc_wrap %seven"),
        {"udec_wrap %seven", "udec_wrap %seven"},
        {"uinc_wrap %n", "uinc_wrap %one"},
        {"uinc_wrap %t", "uinc_wrap %t"}}) {
    RaceResult result = findInText(updatesText(first, second));
    EXPECT_EQ(result.outcome, RaceOutcome::NoRace)
        << first << ": " << result.reason;
  }
}

TEST_F(FindRacesTest, CountersOfTwoBoundsDoNotCommute) {
  for (auto [first, second] : {std::pair("uinc_wrap %seven", "uinc_wrap %nine"),
                               {"udec_wrap %seven", "udec_wrap %nine"},
                               {"uinc_wrap %seven", "udec_wrap %seven"},
                               {"uinc_wrap %w", "uinc_wrap %w"},
                               {"uinc_wrap %seven", "add %seven"}}) {
    RaceResult result = findInText(updatesText(first, second));
    EXPECT_EQ(result.outcome, RaceOutcome::Race) << first << ", " << second;
  }
}

TEST_F(FindRacesTest, ACounterWhoseOldValueIsUsedIsARace) {
  RaceResult result = findInText(R"(
    gpu.module @m { llvm.func @k(%a: !llvm.ptr, %b: !llvm.ptr) attributes {
        gpu.kernel, gpu.known_block_size = array<i32: 1, 1, 1>,
        gpu.known_grid_size = array<i32: 2, 1, 1>} {
      %w = nvvm.read.ptx.sreg.ctaid.x : i32
      %seven = llvm.mlir.constant(7 : i32) : i32
      %old = llvm.atomicrmw uinc_wrap %a, %seven monotonic : !llvm.ptr, i32
      %at = llvm.getelementptr %b[%w] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %old, %at : i32, !llvm.ptr
      llvm.return
    } })");
  EXPECT_EQ(result.outcome, RaceOutcome::Race);
}

TEST_F(FindRacesTest, EachUpdateHasItsBoundHoweverManyThereAre) {
  // More than are handed over at once; the bound of word i is i.
  RaceResult result = findInText(R"(
    gpu.module @m { llvm.func @k(%a: !llvm.ptr) attributes {gpu.kernel,
        gpu.known_block_size = array<i32: 32, 1, 1>,
        gpu.known_grid_size = array<i32: 2, 1, 1>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %words = llvm.mlir.constant(7 : i32) : i32
      %times = llvm.mlir.constant(5000 : i32) : i32
      llvm.br ^loop(%zero : i32)
    ^loop(%i: i32):
      %word = llvm.urem %i, %words : i32
      %at = llvm.getelementptr %a[%word] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %old = llvm.atomicrmw uinc_wrap %at, %word monotonic : !llvm.ptr, i32
      %next = llvm.add %i, %one : i32
      %more = llvm.icmp "ult" %next, %times : i32
      llvm.cond_br %more, ^loop(%next : i32), ^end
    ^end:
      llvm.return
    } })");
  EXPECT_EQ(result.outcome, RaceOutcome::NoRace) << result.reason;
  EXPECT_EQ(result.accesses, 2 * 32 * 5000);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Copies %a to %b by rows of 32, launched as `launches` say.
std::string launchText(const std::string &launches) {
  return R"(module attributes {gpu.container_module} {
    gpu.module @m { gpu.func @k(%a: memref<?xf32>, %b: memref<?xf32, strided<[1], offset: ?>>) kernel {
      %i = gpu.global_id x
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %b[%i] : memref<?xf32, strided<[1], offset: ?>>
      gpu.return
    } }
    func.func @host(%x: memref<?xf32>, %y: memref<?xf32, strided<[1], offset: ?>>) {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c256 = arith.constant 256 : index
      %m = memref.alloc(%c256) : memref<?xf32>
  )" + launches +
         "return } }";
}

TEST_F(FindRacesTest, OneAllocationIsOneMemory) {
  RaceResult result = findInText(launchText(R"(
      %v = memref.subview %m[%c16] [64] [1]
        : memref<?xf32> to memref<64xf32, strided<[1], offset: ?>>
      %w = memref.cast %v : memref<64xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      gpu.launch_func @m::@k blocks in (%c3, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%m : memref<?xf32>, %w : memref<?xf32, strided<[1], offset: ?>>)
    )"));
  ASSERT_EQ(result.outcome, RaceOutcome::Race) << result.reason;
  EXPECT_EQ(result.race->byte, 64);
  EXPECT_EQ(result.grid, Grid(3));
  EXPECT_EQ(result.block, Grid(16));
}

TEST_F(FindRacesTest, EachLaunchIsRun) {
  // The first is harmless, the second makes both arguments one memory.
  RaceResult result = findInText(launchText(R"(
      gpu.launch_func @m::@k blocks in (%c3, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%x : memref<?xf32>, %y : memref<?xf32, strided<[1], offset: ?>>)
      %v = memref.reinterpret_cast %m to offset: [1], sizes: [128], strides: [1]
        : memref<?xf32> to memref<128xf32, strided<[1], offset: 1>>
      %w = memref.cast %v : memref<128xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: ?>>
      gpu.launch_func @m::@k blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%m : memref<?xf32>, %w : memref<?xf32, strided<[1], offset: ?>>)
    )"));
  ASSERT_EQ(result.outcome, RaceOutcome::Race) << result.reason;
  EXPECT_EQ(result.launch, 1);
  EXPECT_EQ(result.launches, 2);
}

TEST_F(FindRacesTest, WhoPassesWhatIsNotSeen) {
  RaceResult result = findInText(launchText(R"(
      %b = memref.alloc(%c256) : memref<?xf32>
      %yes = arith.constant true
      %s = arith.select %yes, %m, %b : memref<?xf32>
      gpu.launch_func @m::@k blocks in (%c3, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%s : memref<?xf32>, %y : memref<?xf32, strided<[1], offset: ?>>)
    )"));
  EXPECT_EQ(result.outcome, RaceOutcome::Unchecked);
  EXPECT_NE(result.reason.find("is made by op arith.select"), std::string::npos)
      << result.reason;
}

TEST_F(FindRacesTest, ArgumentsThatAreOneMemoryByOption) {
  std::string signature = "(%a: memref<64xf32>, %b: memref<64xf32>)";
  std::string body = R"(
    %x = arith.xori %i, %c32 : index
    %v = memref.load %a[%x] : memref<64xf32>
    memref.store %v, %b[%i] : memref<64xf32>)";
  EXPECT_EQ(find(signature, body).outcome, RaceOutcome::NoRace);
  races.host.arguments[1].sameAs = 0;
  EXPECT_EQ(find(signature, body).outcome, RaceOutcome::Race);
  races.host.arguments[1].byteOffset = 256;
  EXPECT_EQ(find(signature, body).outcome, RaceOutcome::NoRace);
}

TEST_F(FindRacesTest, OptionsThatContradictTheKernel) {
  races.host.grid = Grid(3);
  RaceResult result = find("(%a: memref<64xf32>)", "");
  EXPECT_TRUE(result.unusable);
  EXPECT_EQ(result.outcome, RaceOutcome::Unchecked);
  EXPECT_EQ(result.reason, "grid 3x1x1 of the options contradicts 2x1x1 of k");
}

TEST_F(FindRacesTest, LargeGridsAreSampled) {
  RaceResult result = findInText(R"(gpu.module @m {
    gpu.func @k(%a: memref<1000001xf32>) kernel attributes {
        known_block_size = array<i32: 1, 1, 1>,
        known_grid_size = array<i32: 1000000, 1, 1>} {
      %i = gpu.global_id x
      %c1 = arith.constant 1 : index
      %next = arith.addi %i, %c1 : index
      %v = memref.load %a[%next] : memref<1000001xf32>
      memref.store %v, %a[%i] : memref<1000001xf32>
      gpu.return
    } })");
  EXPECT_EQ(result.outcome, RaceOutcome::Race) << result.reason;
  EXPECT_FALSE(result.complete);
  EXPECT_LT(result.workgroups, 200);
}

//===----------------------------------------------------------------------===//
// How it ends
//===----------------------------------------------------------------------===//

TEST_F(FindRacesTest, EndlessLoopsReachTheStepLimit) {
  races.maxSteps = 100000;
  RaceResult busy = find("(%a: memref<64xf32>)", R"(
    %yes = arith.constant true
    cf.br ^again
  ^again:
    cf.cond_br %yes, ^again, ^out
  ^out:)");
  EXPECT_EQ(busy.outcome, RaceOutcome::Unchecked);
  EXPECT_TRUE(startsWith(busy, "step limit")) << busy.reason;
  RaceResult writing = find("(%a: memref<64xf32>)", R"(
    %yes = arith.constant true
    cf.br ^again
  ^again:
    memref.store %f, %a[%i] : memref<64xf32>
    cf.cond_br %yes, ^again, ^out
  ^out:)");
  EXPECT_EQ(writing.outcome, RaceOutcome::Unchecked);
  EXPECT_TRUE(startsWith(writing, "step limit")) << writing.reason;
  RaceResult waiting = find("(%a: memref<64xf32>)", R"(
    %yes = arith.constant true
    cf.br ^again
  ^again:
    gpu.barrier
    cf.cond_br %yes, ^again, ^out
  ^out:)");
  EXPECT_TRUE(startsWith(waiting, "step limit")) << waiting.reason;
}

TEST_F(FindRacesTest, ARaceBeforeTheStepLimitIsARace) {
  races.maxSteps = 100000;
  RaceResult result = find("(%a: memref<64xindex>)", R"(
    memref.store %w, %a[%t] : memref<64xindex>
    %second = arith.cmpi eq, %w, %c1 : index
    cf.cond_br %second, ^again, ^out
  ^again:
    memref.store %w, %a[%t] : memref<64xindex>
    cf.br ^again
  ^out:
    %v = memref.load %a[%t] : memref<64xindex>)");
  EXPECT_EQ(result.outcome, RaceOutcome::Race) << result.reason;
}

TEST_F(FindRacesTest, TheRecordIsLimited) {
  races.maxRecordBytes = 1 << 16;
  RaceResult result = find("(%a: memref<65536xf32>)", R"(
    %c65536 = arith.constant 65536 : index
    scf.for %j = %c0 to %c65536 step %c32 {
      %at = arith.addi %j, %t : index
      %v = memref.load %a[%at] : memref<65536xf32>
      memref.atomic_rmw addf %v, %a[%at] : (f32, memref<65536xf32>) -> f32
    })");
  EXPECT_EQ(result.outcome, RaceOutcome::Unchecked);
  EXPECT_TRUE(startsWith(result, "memory limit")) << result.reason;
}

TEST_F(FindRacesTest, WhatCannotBeRun) {
  RaceResult outside =
      find("(%a: memref<32xf32>)", "memref.store %f, %a[%i] : memref<32xf32>");
  EXPECT_EQ(outside.outcome, RaceOutcome::Unchecked);
  EXPECT_TRUE(startsWith(outside, "the kernel itself: workgroup (1,0,0)"))
      << outside.reason;
}

/// A fuzzer runs thousands of kernels a minute in its own process.
TEST_F(FindRacesTest, ManySmallKernels) {
  races.host.optimise = false;
  auto start = std::chrono::steady_clock::now();
  const int count = 10;
  for (int i = 0; i < count; ++i)
    EXPECT_EQ(
        find("(%a: memref<64xf32>)", "memref.store %f, %a[%i] : memref<64xf32>")
            .outcome,
        RaceOutcome::NoRace);
  std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count() / count, 500) << "4.4 on the machine of its first run";
}

} // namespace
