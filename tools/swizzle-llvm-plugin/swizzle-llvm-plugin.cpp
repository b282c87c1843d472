//===- swizzle-llvm-plugin.cpp - The pass in a stock opt and clang --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point that opt and clang look for in a library they are told to
// load:
//
//   opt -load-pass-plugin=SwizzleLLVM.so -passes='swizzle<chip=mi300x>' kernel.ll
//   SWIZZLE_OPTIONS='grid=64x64' clang -x hip -fpass-plugin=SwizzleLLVM.so kernel.hip
//
//===----------------------------------------------------------------------===//

#include "swizzle/LLVMPass/SwizzlePass.h"

#include "llvm/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "swizzle", SWIZZLE_VERSION,
          swizzle::llvmpass::registerSwizzlePasses};
}
