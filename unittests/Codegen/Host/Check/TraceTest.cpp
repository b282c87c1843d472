//===- TraceTest.cpp - Recordings, and what is simulated from them --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording of a kernel that the analysis understands must simulate as its
// model does; matrices from files against matrices written out.
//
//===----------------------------------------------------------------------===//

#include "Codegen/Host/HostTest.h"

#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Codegen/Host/RecordTrace.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

using namespace swizzle;

namespace {

using TraceTest = test::HostTest;
using test::kernelText;

/// Rows of a matrix summed up: strided by thread, and a column that all read.
const char *kRows = R"(
    %t = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 48 : index
    %z = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
      %v = memref.load %a[%t, %i] : memref<512x48xf32>
      %w = memref.load %b[%i] : memref<48xf32>
      %p = arith.mulf %v, %w : f32
      %s1 = arith.addf %s, %p : f32
      scf.yield %s1 : f32
    }
    memref.store %sum, %c[%t] : memref<512xf32>)";

TEST_F(TraceTest, SimulatesAsTheModel) {
  module = parse(kernelText("(%a: memref<512x48xf32>, %b: memref<48xf32>, "
                            "%c: memref<512xf32>)",
                            256, kRows));
  auto kernel = llvm::cantFail(findKernel(*module, "k"));
  HardwareSpec chip = llvm::cantFail(findChip("h100"));
  options.subgroupSize = chip.waveSize;
  auto trace = llvm::cantFail(recordTrace(kernel, options));
  EXPECT_EQ(verify(trace), "");
  // Two workgroups of 48 times 2 reads and a write.
  EXPECT_EQ(trace.steps.size(), 2u * (48 * 2 + 1));
  KernelModel model = buildKernelModel(
      kernel, findLaunchSizes(kernel, std::nullopt, std::nullopt));
  Metrics recorded = llvm::cantFail(simulate(trace, chip, {}));
  Metrics modelled = llvm::cantFail(simulate(model, chip, {}));
  EXPECT_EQ(recorded.lineAccesses, modelled.lineAccesses);
  EXPECT_EQ(recorded.bytes("l2"), modelled.bytes("l2"));
  EXPECT_EQ(recorded.dramReadBytes, modelled.dramReadBytes);
  EXPECT_EQ(recorded.dramWriteBytes, modelled.dramWriteBytes);
  // In another order of workgroups too.
  std::vector<uint32_t> order{1, 0};
  EXPECT_EQ(llvm::cantFail(simulate(trace, chip, order)).lineAccesses,
            modelled.lineAccesses);
}

TEST_F(TraceTest, LanesWaitForEachOtherBehindLoops) {
  // Thread t reads t + 1 elements, then all write: 8 steps of reading, one of
  // writing.
  module = parse(kernelText("(%a: memref<64xf32>, %b: memref<8xf32>)", 8, R"(
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %n = arith.addi %t, %c1 : index
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
      %v = memref.load %a[%i] : memref<64xf32>
      %s1 = arith.addf %s, %v : f32
      scf.yield %s1 : f32
    }
    memref.store %sum, %b[%t] : memref<8xf32>)"));
  auto trace = llvm::cantFail(
      recordTrace(llvm::cantFail(findKernel(*module, "k")), options));
  ASSERT_EQ(trace.firstStep[1], 9u);
  for (uint32_t i = 0; i < 9; ++i) {
    EXPECT_EQ(trace.steps[i].kind,
              i < 8 ? AccessKind::Read : AccessKind::Write);
    EXPECT_EQ(trace.steps[i].laneBytes, i < 8 ? 4 * (8 - i) : 32);
    EXPECT_EQ(trace.steps[i].touches, 1u);
    EXPECT_EQ(trace.steps[i].last, i != 7);
  }
}

TEST_F(TraceTest, MatrixMarket) {
  auto matrix = llvm::cantFail(readMatrixMarket(
      "%%MatrixMarket matrix coordinate real symmetric\n% comment\n\n3 3 4\n"
      "1 1 2.0\n3 1 -1.5\n2 2 1e1\n3 3 4\n",
      "m.mtx"));
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.rowStart, (std::vector<int32_t>{0, 2, 3, 5}));
  EXPECT_EQ(matrix.column, (std::vector<int32_t>{0, 2, 1, 0, 2}));
  EXPECT_EQ(matrix.value, (std::vector<float>{2, -1.5, 10, -1.5, 4}));
  for (auto [text, expected] :
       {std::pair("", "m.mtx:1: expected '%%MatrixMarket"),
        std::pair("%%MatrixMarket matrix array real general\n",
                  "m.mtx:1: only sparse matrices"),
        std::pair("%%MatrixMarket matrix coordinate complex general\n",
                  "m.mtx:1: elements must be real"),
        std::pair(
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n",
            "m.mtx:3: the file ends after 1 of 2 elements"),
        std::pair(
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n",
            "m.mtx:3: element (0, 1) lies outside"),
        std::pair("%%MatrixMarket matrix coordinate real general\n"
                  "2147483647 1 1\n1 1 1\n",
                  "m.mtx:2: the matrix has more than 268435456 rows"),
        std::pair("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n",
                  "m.mtx:3: expected row, column and value")}) {
    auto wrong = readMatrixMarket(text, "m.mtx");
    ASSERT_FALSE(bool(wrong)) << text;
    EXPECT_NE(llvm::toString(wrong.takeError()).find(expected),
              std::string::npos)
        << expected;
  }
}

} // namespace
