//===- swizzle-plugin.cpp - The dialect and passes in a stock mlir-opt ----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two entry points that an mlir-opt looks for in a library it is told to load:
//
//   mlir-opt kernel.mlir --load-dialect-plugin=SwizzlePlugin.so
//     --load-pass-plugin=SwizzlePlugin.so
//     --pass-pipeline='builtin.module(hw-aware-swizzle)'
//
// The drivers read short pass flags before they load plugins, so passes of a
// plugin can only be named inside `--pass-pipeline`.
//
//===----------------------------------------------------------------------===//

#include "swizzle/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

namespace {

constexpr char kName[] = "swizzle";
constexpr char kVersion[] = SWIZZLE_VERSION;

} // namespace

/// Called by `--load-dialect-plugin`.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, kVersion,
          [](mlir::DialectRegistry *registry) {
            swizzle::registerAllDialects(*registry);
          }};
}

/// Called by `--load-pass-plugin`.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, kVersion,
          [] { swizzle::registerAllPasses(); }};
}
