//===- LowerKernelTest.cpp - One kernel as the llvm dialect ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is kept beside a lowered kernel, and what is refused before or after.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Lowering/LowerKernel.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace swizzle;

namespace {

class LowerKernelTest : public ::testing::Test {
protected:
  LowerKernelTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<SwizzleDialect>();
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
  }

  /// The kernel of a gpu.module with `body` in it.
  FunctionOpInterface parse(const std::string &body) {
    module =
        parseSourceString<ModuleOp>("gpu.module @m {" + body + "}", &context);
    FunctionOpInterface kernel;
    if (module)
      module->walk([&](FunctionOpInterface function) { kernel = function; });
    return kernel;
  }

  /// Operations of the lowered kernel whose canonical name begins with `name`.
  static unsigned count(LoweredKernel &lowered, StringRef name) {
    unsigned found = 0;
    lowered.function->walk([&](Operation *op) {
      found += StringRef(canonicalName(op)).starts_with(name);
    });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(LowerKernelTest, ArgumentsOfADescriptorAreToldApart) {
  using Role = LoweredArgument::Role;
  FunctionOpInterface kernel = parse(R"(
    gpu.func @k(%n: i32, %a: memref<?x8xf32>) kernel { gpu.return })");
  auto lowered = lowerKernel(kernel, {});
  ASSERT_TRUE(bool(lowered)) << toString(lowered.takeError());
  ASSERT_EQ(lowered->arguments.size(), 8u);
  ASSERT_EQ(lowered->function.getNumArguments(), 8u);
  EXPECT_EQ(lowered->arguments[0].role, Role::Same);
  EXPECT_EQ(lowered->arguments[1].role, Role::Allocation);
  EXPECT_EQ(lowered->arguments[2].role, Role::Pointer);
  EXPECT_EQ(lowered->arguments[3].role, Role::Offset);
  EXPECT_EQ(lowered->arguments[5].role, Role::Size);
  EXPECT_EQ(lowered->arguments[5].dim, 1u);
  EXPECT_EQ(lowered->arguments[7].role, Role::Stride);
  for (unsigned i = 1; i < 8; ++i)
    EXPECT_EQ(lowered->arguments[i].argument, 1u);
}

TEST_F(LowerKernelTest, EveryIdIsAMarker) {
  FunctionOpInterface kernel = parse(R"(
    gpu.func @k(%a: memref<64xindex>) kernel {
      %x = gpu.block_id x
      %i = gpu.global_id x
      memref.store %i, %a[%x] : memref<64xindex>
      gpu.return
    })");
  std::string before;
  llvm::raw_string_ostream(before) << *module;
  auto lowered = lowerKernel(kernel, {});
  ASSERT_TRUE(bool(lowered)) << toString(lowered.takeError());
  EXPECT_EQ(count(*lowered, kIdMarker), 2u);
  EXPECT_EQ(count(*lowered, "nvvm.read.ptx.sreg.ctaid"), 0u);
  std::string after;
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after) << "the module of the user is not touched";
}

TEST_F(LowerKernelTest, OperationsOfTheUserAreRemembered) {
  FunctionOpInterface kernel = parse(R"(
    gpu.func @k(%a: memref<64xf32>) kernel {
      %x = gpu.block_id x
      %v = memref.load %a[%x] : memref<64xf32>
      gpu.return
    })");
  auto lowered = lowerKernel(kernel, {});
  ASSERT_TRUE(bool(lowered)) << toString(lowered.takeError());
  unsigned loads = 0;
  lowered->function->walk([&](LLVM::LoadOp load) {
    ++loads;
    EXPECT_EQ(originalOperation(load.getLoc()), "memref.load");
    EXPECT_TRUE(isa<FileLineColLoc>(originalLocation(load.getLoc())));
  });
  EXPECT_EQ(loads, 1u) << "what nobody uses is kept";
}

TEST_F(LowerKernelTest, VendorIsThatOfTheOperations) {
  FunctionOpInterface plain = parse("gpu.func @k() kernel { gpu.return }");
  EXPECT_EQ(chooseVendor(plain, std::nullopt), GpuVendor::NVIDIA);
  EXPECT_EQ(chooseVendor(plain, GpuVendor::AMD), GpuVendor::AMD);
  FunctionOpInterface amd =
      parse("gpu.func @k() kernel { amdgpu.lds_barrier gpu.return }");
  EXPECT_EQ(chooseVendor(amd, GpuVendor::NVIDIA), GpuVendor::AMD);
}

TEST_F(LowerKernelTest, TargetsWithoutAssemblyArePreferred) {
  auto hasAssembly = [](LoweredKernel &lowered) {
    return lowered.function
        ->walk([](LLVM::InlineAsmOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  FunctionOpInterface barrier =
      parse("gpu.func @k() kernel { amdgpu.lds_barrier gpu.return }");
  for (const char *architecture : {"", "gfx908", "gfx942"}) {
    KernelLoweringOptions options;
    options.architecture = architecture;
    auto lowered = lowerKernel(barrier, options);
    ASSERT_TRUE(bool(lowered)) << toString(lowered.takeError());
    EXPECT_FALSE(hasAssembly(*lowered)) << architecture;
  }
  // Assembly of the user stays, also where it holds more than a product.
  for (const char *text : {"mma.sp.sync.aligned.m16n8k16 $0, $1; ret;",
                           "mma.sp.sync.aligned.m16n8k16 $0, %ctaid.x;",
                           "mma.sp.sync.aligned.m16n8k16 $0, [$1];"}) {
    FunctionOpInterface own = parse(
        std::string("gpu.func @k(%a: i32) kernel { %0 = llvm.inline_asm \"") +
        text + "\", \"=r,r\" %a : (i32) -> i32 gpu.return }");
    auto lowered = lowerKernel(own, {});
    ASSERT_TRUE(bool(lowered)) << toString(lowered.takeError());
    EXPECT_TRUE(hasAssembly(*lowered)) << text;
  }
}

TEST_F(LowerKernelTest, WhatCannotBeLoweredIsNamed) {
  FunctionOpInterface foreign = parse(
      R"(gpu.func @k() kernel { "other.thing"() : () -> () gpu.return })");
  auto lowered = lowerKernel(foreign, {});
  ASSERT_FALSE(bool(lowered));
  std::string message = toString(lowered.takeError());
  EXPECT_NE(message.find("'other.thing'"), std::string::npos) << message;
}

TEST_F(LowerKernelTest, MarkersOfTheUserAreRefused) {
  for (const char *name : {"swizzle.workgroup_id.x.i32", "swizzle.keep.f32",
                           "swizzle.remapped.i64"}) {
    FunctionOpInterface kernel = parse(std::string("llvm.func @") + name +
                                       R"(() -> i32
      llvm.func @k() attributes {nvvm.kernel} {
        %0 = llvm.call @)" + name + R"(() : () -> i32
        llvm.return
      })");
    auto lowered = lowerKernel(kernel, {});
    EXPECT_FALSE(bool(lowered)) << name;
    if (!lowered)
      llvm::consumeError(lowered.takeError());
  }
}

TEST_F(LowerKernelTest, NamesOfIntrinsicsLoseTheirTypes) {
  FunctionOpInterface kernel = parse(R"(
    llvm.func @llvm.amdgcn.raw.ptr.buffer.load.v4f32(!llvm.ptr<8>, i32, i32, i32) -> vector<4xf32>
    llvm.func @k(%r: !llvm.ptr<8>, %i: i32) attributes {rocdl.kernel} {
      %0 = llvm.call @llvm.amdgcn.raw.ptr.buffer.load.v4f32(%r, %i, %i, %i) : (!llvm.ptr<8>, i32, i32, i32) -> vector<4xf32>
      %1 = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
      llvm.return
    })");
  std::vector<std::string> names;
  kernel->walk([&](Operation *op) { names.push_back(canonicalName(op)); });
  EXPECT_EQ(names[0], "rocdl.raw.ptr.buffer.load");
  EXPECT_EQ(names[1], "nvvm.read.ptx.sreg.ctaid.x");
  EXPECT_EQ(findIdReadings(kernel).size(), 1u);
}

} // namespace
