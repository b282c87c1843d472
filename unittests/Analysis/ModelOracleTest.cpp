//===- ModelOracleTest.cpp - Models against executed kernels --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every kernel in Inputs/*.mlir: what the model says that each thread of
// each workgroup touches, in order, is what the thread touches when it is
// executed. A kernel says with `test.not_modelled = N` how many of its accesses
// must be listed as not modelled; 0 if it says nothing.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "swizzle/Analysis/KernelAnalysis.h"
#include "swizzle/Analysis/PrintModel.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace swizzle;

namespace {

std::string text(const swizzle::test::Touch &touch) {
  const char *kinds[] = {"read", "write", "atomic"};
  return std::string(kinds[int(touch.kind)]) + " arg" +
         std::to_string(touch.buffer) + " at " + std::to_string(touch.byte);
}

/// Compares all threads of all workgroups; stops at the first difference.
void compare(FunctionOpInterface kernel) {
  SCOPED_TRACE(kernel.getName().str());
  LaunchSizes sizes = findLaunchSizes(kernel, std::nullopt, std::nullopt);
  KernelModel model = buildKernelModel(kernel, sizes);
  ASSERT_EQ(verify(model), "");
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printModel(model, os);

  int64_t expected = 0;
  if (auto count = kernel->getAttrOfType<IntegerAttr>("test.not_modelled"))
    expected = count.getInt();
  EXPECT_EQ(int64_t(model.notModelled.size()), expected) << printed;
  if (expected != 0 || !model.notModelled.empty())
    return;

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

class ModelOracle : public ::testing::TestWithParam<const char *> {};

TEST_P(ModelOracle, AgreesWithExecution) {
  std::string path = std::string(SWIZZLE_SOURCE_DIR) +
                     "/unittests/Analysis/Inputs/" + GetParam() + ".mlir";
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file)) << path;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>((*file)->getBuffer(), &context, path);
  ASSERT_TRUE(bool(module));
  module->walk([&](FunctionOpInterface function) {
    if (isKernel(function))
      compare(function);
  });
}

INSTANTIATE_TEST_SUITE_P(Inputs, ModelOracle,
                         ::testing::Values("guards", "ids", "integers",
                                           "linalg", "loops", "matrix",
                                           "vectors", "views"),
                         [](const auto &info) { return info.param; });

} // namespace
