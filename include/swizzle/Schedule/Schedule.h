//===- Schedule.h - From linalg to GPU kernels ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generic schedule for whoever comes with linalg and has no kernel yet: each
// operation (with what can be fused into it) becomes one kernel, made by
// upstream's tiling, vectorisation and bufferisation.
//
//   func.func @f(%a: tensor<1024x512xf32>, ...) { linalg.matmul ... }
//   scheduleForGpu(module, options);
//   gpu.module @f_kernel { gpu.func @f_kernel(...) kernel ... }
//
// The kernels are not tuned: docs/from-linalg.md says what is done for
// which kind of operation, and what is not.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SCHEDULE_SCHEDULE_H
#define SWIZZLE_SCHEDULE_SCHEDULE_H

#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <string>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace swizzle {

struct ScheduleOptions {
  int64_t threads = 256; ///< of a workgroup, at most
  int64_t waveSize = 32; ///< threads that run together
  std::string target;    ///< "sm_90", "gfx942"; empty: none is attached
};

/// Registers what the schedule creates, and the interfaces that it calls.
void registerScheduleDialects(mlir::DialectRegistry &registry);

/// Replaces the linalg operations of all functions of `module` by launches of
/// kernels. On failure an error is emitted at the operation that stopped it,
/// and `module` is to be thrown away.
mlir::LogicalResult scheduleForGpu(mlir::ModuleOp module,
                                   const ScheduleOptions &options);

} // namespace swizzle

#endif // SWIZZLE_SCHEDULE_SCHEDULE_H
