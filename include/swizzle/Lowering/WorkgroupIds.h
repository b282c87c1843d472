//===- WorkgroupIds.h - Where a function reads its id -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The readings of workgroup ids, in the IR in which a kernel came, because that
// is the IR that is rewritten. Whether these are all of them is checked on the
// lowered kernel (LowerKernel.h).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LOWERING_WORKGROUPIDS_H
#define SWIZZLE_LOWERING_WORKGROUPIDS_H

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace swizzle {

/// One operation that reads a workgroup id, in the kernel or in a callee.
struct IdReading {
  mlir::Operation *op = nullptr;
  unsigned axis = 0;
  bool global = false; ///< gpu.global_id: id * block + thread
};

/// The readings of workgroup ids in the body of `function` itself, without
/// those of its callees.
llvm::SmallVector<IdReading> findIdReadings(mlir::FunctionOpInterface function);

/// True if nothing comes of what `op` computes: outlining reads all ids.
bool isUnused(mlir::Operation *op);

/// What `op` reads if it reads a workgroup id.
std::optional<IdReading> asIdReading(mlir::Operation *op);

/// The function that `call` reaches; null if it is not in the module (or has no
/// symbol, and then `indirect` is set).
mlir::FunctionOpInterface resolveCallee(mlir::CallOpInterface call,
                                        bool &indirect);

/// `function`, and all functions of the module that it calls, or that those
/// call.
llvm::SmallVector<mlir::FunctionOpInterface>
reachableFunctions(mlir::FunctionOpInterface function);

/// The name under which a table knows `op`: that of its operation, or of the
/// intrinsic or the function without a body that it calls. Intrinsics of a
/// vendor have the name that the vendor's dialect gives them, and no types:
/// `llvm.amdgcn.raw.ptr.buffer.load.f32` is `rocdl.raw.ptr.buffer.load`. A call
/// of something else is `llvm.call`.
std::string canonicalName(mlir::Operation *op);

} // namespace swizzle

#endif // SWIZZLE_LOWERING_WORKGROUPIDS_H
