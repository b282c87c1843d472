//===- Materialize.h - Emit a lowered formula as arith ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The callable functions behind `swizzle-materialize`.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_MATERIALIZE_H
#define SWIZZLE_TRANSFORMS_MATERIALIZE_H

#include "swizzle/Formula/Lowering.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "mlir/IR/Builders.h"

namespace swizzle {

/// Emits `lowered` before the builder's insertion point. `ids` and, for a
/// dynamic grid, `extents` are index values. Returns the new x, y, z as index.
std::array<mlir::Value, 3> emit(mlir::OpBuilder &builder, mlir::Location loc,
                                const LoweredFormula &lowered,
                                llvm::ArrayRef<mlir::Value> ids,
                                llvm::ArrayRef<mlir::Value> extents);

/// Replaces one remap by arithmetic, evaluates the emitted operations for every
/// id of a known grid (up to 2^22) against the formula, and marks the kernel as
/// remapped. On a mismatch the op's uses get the ids unchanged and an error is
/// emitted.
mlir::LogicalResult materialize(RemapOp op);

/// Runs the emitted operations that define `results` for given ids and extents:
/// an interpreter for the few `arith`, `scf` and `gpu` operations that `emit`
/// makes. Fails on any other operation and on undefined arithmetic.
class EmittedInterpreter;

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_MATERIALIZE_H
