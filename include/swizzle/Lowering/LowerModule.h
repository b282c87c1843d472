//===- LowerModule.h - A GPU module to the llvm dialect ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversions in the order in which they fit. Device code and the
// analysis go through this one function, so that what is read is what gets
// compiled.
//
//   gpu.module @m { gpu.func @k(%a: memref<8xf32>) kernel { ... } }
//   lowerGpuModule(module, {GpuVendor::NVIDIA, "sm_90", 32}, {});
//   gpu.module @m { llvm.func @k(%ptr: !llvm.ptr, ...) { ... } }
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LOWERING_LOWERMODULE_H
#define SWIZZLE_LOWERING_LOWERMODULE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>

namespace swizzle {

enum class GpuVendor { NVIDIA, AMD };

/// Whose intrinsics the result uses.
struct LoweringTarget {
  GpuVendor vendor = GpuVendor::NVIDIA;
  std::string arch;       ///< "sm_90", "gfx942"; empty: what upstream takes
  unsigned waveSize = 32; ///< threads of a subgroup
};

struct ModuleLoweringOptions {
  /// Memrefs of static shape become one pointer each; the caller has checked
  /// that all arguments of kernels are such.
  bool barePointers = false;
  /// For NVIDIA: fp32 functions become polynomials instead of calls of
  /// libdevice, and what PTX has an instruction for becomes an intrinsic.
  bool expandMath = false;
  /// Vectors are aligned as vectors, not as their elements.
  bool alignedVectors = false;
  /// Transfers of several dimensions become one access a row, without a loop
  /// and a copy in private memory.
  bool unrollTransfers = false;
};

/// Lowers `module`, which stands alone in a module of its own, in place. A
/// failure is reported as a diagnostic.
mlir::LogicalResult lowerGpuModule(mlir::gpu::GPUModuleOp module,
                                   const LoweringTarget &target,
                                   const ModuleLoweringOptions &options);

/// All dialects that may occur on the way; a pass that lowers depends on them.
void registerLoweringDialects(mlir::DialectRegistry &registry);

} // namespace swizzle

#endif // SWIZZLE_LOWERING_LOWERMODULE_H
