//===- InitAll.h - Everything that a driver registers -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of our dialects, passes and pipelines, for `swizzle-opt`, for
// the plugin, and for drivers of other projects. Needs the library
// SwizzleTransforms.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_INITALL_H
#define SWIZZLE_INITALL_H

#include "mlir/IR/DialectRegistry.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Transforms/Passes.h"
#include "swizzle/Transforms/PrintPasses.h"

namespace swizzle {

/// Adds the `swizzle` dialect to `registry`.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<SwizzleDialect>();
}

/// Registers every pass and pipeline under the name that drivers know it by.
inline void registerAllPasses() {
  registerPrintPasses();
  registerSwizzlePasses();
  registerPipelines();
}

} // namespace swizzle

#endif // SWIZZLE_INITALL_H
