//===- ModelOracleTest.cpp - Models against executed kernels --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every kernel in Inputs/*.mlir: what the model says that each thread of
// each workgroup touches, in order, is what the thread touches when it is
// executed. A kernel says with `test.not_modelled = N` how many of its accesses
// must be listed as not modelled; 0 if it says nothing. Where one operation
// touches several rows and their order is nobody's promise, `test.any_order`.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Kernel/PrintModel.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>

using namespace mlir;
using namespace swizzle;

namespace {

std::string text(const swizzle::test::Touch &touch) {
  const char *kinds[] = {"read", "write", "atomic"};
  return std::string(kinds[int(touch.kind)]) + " arg" +
         std::to_string(touch.buffer) + " at " + std::to_string(touch.byte);
}

/// Compares all threads of all workgroups; stops at the first difference.
/// `argument` maps the arguments of the model to those of `kernel`.
void compareAll(FunctionOpInterface kernel, const KernelModel &model,
                const std::vector<int> *arguments = nullptr) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printModel(model, os);
  swizzle::test::Interpreter interpreter(kernel, model.grid, model.block, 4096);
  size_t touched = 0;
  for (int64_t id = 0; id < model.grid.count(); ++id)
    for (int64_t t = 0; t < model.block.count(); ++t) {
      WorkgroupId w = delinearise(id, model.grid);
      WorkgroupId l = delinearise(t, model.block);
      auto run = interpreter.run({w.x, w.y, w.z}, {l.x, l.y, l.z});
      ASSERT_EQ(interpreter.error, "");
      auto read =
          swizzle::test::enumerate(model, {w.x, w.y, w.z}, {l.x, l.y, l.z});
      if (arguments)
        for (swizzle::test::Touch &touch : read)
          touch.buffer = (*arguments)[touch.buffer];
      if (kernel->hasAttr("test.any_order")) {
        auto before = [](const auto &a, const auto &b) {
          return std::tie(a.kind, a.buffer, a.byte) <
                 std::tie(b.kind, b.buffer, b.byte);
        };
        std::sort(run.begin(), run.end(), before);
        std::sort(read.begin(), read.end(), before);
      }
      touched += run.size();
      for (size_t i = 0; i < std::max(run.size(), read.size()); ++i)
        ASSERT_TRUE(i < run.size() && i < read.size() && run[i] == read[i])
            << "thread (" << l.x << ", " << l.y << ", " << l.z
            << ") of workgroup (" << w.x << ", " << w.y << ", " << w.z
            << "), access " << i << ": executed "
            << (i < run.size() ? text(run[i]) : "nothing") << ", modelled "
            << (i < read.size() ? text(read[i]) : "nothing") << "\n"
            << printed;
    }
  EXPECT_GT(touched, 0u) << "a kernel that touches nothing tests nothing";
}

int64_t expectedNotModelled(FunctionOpInterface kernel) {
  auto count = kernel->getAttrOfType<IntegerAttr>("test.not_modelled");
  return count ? count.getInt() : 0;
}

KernelModel modelOf(FunctionOpInterface kernel) {
  return buildKernelModel(kernel,
                          findLaunchSizes(kernel, std::nullopt, std::nullopt));
}

void compare(FunctionOpInterface kernel) {
  SCOPED_TRACE(kernel.getName().str());
  KernelModel model = modelOf(kernel);
  ASSERT_EQ(verify(model), "");
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printModel(model, os);
  int64_t expected = expectedNotModelled(kernel);
  EXPECT_EQ(int64_t(model.notModelled.size()), expected) << printed;
  if (expected == 0 && model.notModelled.empty())
    compareAll(kernel, model);
}

/// Stores every loaded value to private memory, so that lowering keeps the
/// load.
void keepLoads(ModuleOp module) {
  module->walk([](Operation *op) {
    if (!isa<memref::LoadOp, vector::LoadOp, affine::AffineLoadOp,
             affine::AffineVectorLoadOp, vector::TransferReadOp>(op) ||
        !op->use_empty())
      return;
    if (isa<vector::YieldOp>(op->getBlock()->getTerminator()))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value loaded = op->getResult(0);
    Value slot = memref::AllocaOp::create(
        builder, op->getLoc(), MemRefType::get({}, loaded.getType()));
    memref::StoreOp::create(builder, op->getLoc(), loaded, slot);
  });
}

constexpr const char *kLowering =
    "builtin.module(gpu.module(lower-affine,expand-strided-metadata,"
    "lower-affine,convert-vector-to-scf{full-unroll=true},lower-affine,"
    "convert-scf-to-cf,convert-vector-to-llvm,convert-gpu-to-nvvm,"
    "reconcile-unrealized-casts))";

/// The lowered kernel's model against the execution of the kernel before.
void compareLowered(FunctionOpInterface kernel, ModuleOp lowered) {
  SCOPED_TRACE(kernel.getName().str() + ", lowered");
  FunctionOpInterface after;
  lowered->walk([&](FunctionOpInterface function) {
    if (function.getName() == kernel.getName())
      after = function;
  });
  ASSERT_TRUE(bool(after));
  ASSERT_TRUE(isKernel(after));
  KernelModel model = modelOf(after);
  ASSERT_EQ(verify(model), "");
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printModel(model, os);
  ASSERT_EQ(model.notModelled.size(), 0u) << printed;
  // A memref became two pointers, an offset, and its sizes and strides.
  std::vector<int> arguments;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    arguments.insert(arguments.end(), memref ? 3 + 2 * memref.getRank() : 1,
                     index);
  }
  compareAll(kernel, model, &arguments);
}

class ModelOracle : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    std::string path = std::string(SWIZZLE_SOURCE_DIR) +
                       "/unittests/Analysis/Inputs/" + GetParam() + ".mlir";
    auto file = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(bool(file)) << path;
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>((*file)->getBuffer(), &context, path);
    ASSERT_TRUE(bool(module));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_P(ModelOracle, AgreesWithExecution) {
  module->walk([&](FunctionOpInterface function) {
    if (isKernel(function))
      compare(function);
  });
}

class LoweredOracle : public ModelOracle {};

TEST_P(LoweredOracle, AgreesWithExecution) {
  // Without what cannot be lowered this way, or is not modelled to start with.
  SmallVector<Operation *> unfit;
  module->walk([&](FunctionOpInterface function) {
    if (expectedNotModelled(function) || function->hasAttr("test.not_lowered"))
      unfit.push_back(function);
  });
  for (Operation *op : unfit)
    op->erase();
  OwningOpRef<ModuleOp> lowered(cast<ModuleOp>(module->clone()));
  keepLoads(*lowered);
  PassManager manager(&context);
  ASSERT_TRUE(succeeded(parsePassPipeline(
      StringRef(kLowering).drop_front(strlen("builtin.module(")).drop_back(),
      manager)));
  ASSERT_TRUE(succeeded(manager.run(*lowered)));
  module->walk([&](FunctionOpInterface function) {
    if (isKernel(function))
      compareLowered(function, *lowered);
  });
}

INSTANTIATE_TEST_SUITE_P(Inputs, ModelOracle,
                         ::testing::Values("guards", "ids", "integers",
                                           "linalg", "loops", "matrix",
                                           "vectors", "views"),
                         [](const auto &info) { return info.param; });

INSTANTIATE_TEST_SUITE_P(Inputs, LoweredOracle,
                         ::testing::Values("guards", "ids", "integers", "loops",
                                           "vectors", "views"),
                         [](const auto &info) { return info.param; });

} // namespace

int main(int argc, char **argv) {
  registerAllPasses();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
