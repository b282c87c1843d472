//===- ScalingTest.cpp - Kernels of tens of thousands of accesses ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code generators unroll. None of this is measured in seconds: whoever
// looks at each pair of accesses, or reads each select for each way that leads
// to it, either gives up, which is an answer that is not expected here, or does
// not end.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "swizzle/Analysis/Legality/Independence.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace swizzle;

namespace {

constexpr int64_t kMany = 50'000;

/// Workgroups of 64 threads that each write `addresses`, 4 bytes at a time.
KernelModel makeWrites(const std::vector<AffineForm> &addresses) {
  KernelModel model = KernelModel::create(Grid(256), Grid(64));
  model.buffers.push_back({"a", -1, 4, 0});
  for (const AffineForm &address : addresses) {
    Access access;
    access.kind = AccessKind::Write;
    access.address = address;
    model.body.push_back({access});
  }
  return model;
}

/// 64 * x + tx
AffineForm threadOfGrid() { return makeVariable(0, 64) + makeVariable(3); }

TEST(Scaling, RecordsOfManyFieldsAreApart) {
  std::vector<AffineForm> fields;
  for (int64_t i = 0; i < kMany; ++i)
    fields.push_back(threadOfGrid() * (4 * kMany) + makeConstant(4 * i));
  Independence verdict = judgeIndependence(makeWrites(fields));
  EXPECT_FALSE(verdict.counterexample);
  EXPECT_TRUE(verdict.assumptions.empty());
  // One more is the first field of the next record.
  fields.push_back(threadOfGrid() * (4 * kMany) + makeConstant(4 * kMany));
  verdict = judgeIndependence(makeWrites(fields));
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->byte % (4 * kMany), 0);
}

TEST(Scaling, ManyPlanesAreApart) {
  std::vector<AffineForm> planes;
  for (int64_t i = 0; i < kMany; ++i)
    planes.push_back(threadOfGrid() * 4 + makeConstant(4 * 64 * 256 * i));
  Independence verdict = judgeIndependence(makeWrites(planes));
  EXPECT_FALSE(verdict.counterexample);
  EXPECT_TRUE(verdict.assumptions.empty());
  planes[kMany / 2] = planes[kMany / 2] + makeConstant(4);
  EXPECT_TRUE(judgeIndependence(makeWrites(planes)).counterexample);
}

TEST(Scaling, UnmodelledAccessesAreOneAssumption) {
  KernelModel model = makeWrites({threadOfGrid() * 4});
  for (int64_t i = 0; i < kMany; ++i)
    model.notModelled.push_back({"store of a", "loaded from memory",
                                 "k.mlir:" + std::to_string(i), 0,
                                 AccessKind::Write, ""});
  Independence verdict = judgeIndependence(model);
  EXPECT_FALSE(verdict.counterexample);
  EXPECT_EQ(verdict.assumptions.size(), 1u);
}

/// A store at an address that `count` selects in a row add to.
std::string chainOfSelects(unsigned count) {
  std::string text = R"(
llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
  %v = llvm.mlir.constant(0 : i32) : i32
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %n = llvm.mlir.constant(256 : i32) : i32
  %b = llvm.mul %x, %n : i32
  %s0 = llvm.add %b, %t : i32
)";
  for (unsigned i = 0; i < count; ++i) {
    std::string now = std::to_string(i), next = std::to_string(i + 1);
    text += "  %l" + now + " = llvm.mlir.constant(" +
            std::to_string(7 * i + 9) + " : i32) : i32\n  %c" + now +
            " = llvm.icmp \"slt\" %s0, %l" + now + " : i32\n  %p" + now +
            " = llvm.add %s" + now + ", %l" + now + " : i32\n  %s" + next +
            " = llvm.select %c" + now + ", %p" + now + ", %s" + now +
            " : i1, i32\n";
  }
  return text + "  %g = llvm.getelementptr %a[%s" + std::to_string(count) +
         "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
         "  llvm.store %v, %g : i32, !llvm.ptr<1>\n  llvm.return\n}\n";
}

TEST(Scaling, ChainsOfSelectsEnd) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  for (unsigned count : {20, 400}) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(chainOfSelects(count), &context);
    ASSERT_TRUE(module);
    FunctionOpInterface kernel = *module->getOps<FunctionOpInterface>().begin();
    KernelModel model = buildKernelModel(
        kernel, findLaunchSizes(kernel, std::nullopt, std::nullopt));
    // Some cases are told apart; hundreds are too many.
    EXPECT_EQ(model.notModelled.size(), count > 64 ? 1u : 0u);
  }
}

} // namespace
