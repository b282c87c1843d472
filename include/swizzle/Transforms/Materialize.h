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

#include "mlir/IR/Builders.h"
#include "swizzle/Emit/CompareEmitted.h"
#include "swizzle/IR/SwizzleDialect.h"
#include <array>

namespace swizzle {

class ModuleFacts;
struct PlannedKernel;

/// Emits `lowered` before the builder's insertion point. `ids` and, for a
/// dynamic grid, `extents` are index values. Returns the new x, y, z as index.
std::array<mlir::Value, 3> emit(mlir::OpBuilder &builder, mlir::Location loc,
                                const LoweredFormula &lowered,
                                llvm::ArrayRef<mlir::Value> ids,
                                llvm::ArrayRef<mlir::Value> extents);

/// Makes `results` the identity unless the launch has the extents of `grid`.
void guardGrid(mlir::OpBuilder &builder, mlir::Location loc, const Grid &grid,
               llvm::ArrayRef<mlir::Value> ids,
               llvm::ArrayRef<mlir::Value> extents,
               std::array<mlir::Value, 3> &results);

/// Replaces one remap by arithmetic, evaluates the emitted operations for every
/// id of a known grid (up to 2^22) against the formula, and marks the kernel as
/// remapped. A grid that is not known is checked on sample grids: the proof is
/// the nest's, the samples check the emission. On a mismatch the op's uses get
/// the ids unchanged and an error is emitted.
mlir::LogicalResult materialize(RemapOp op);

/// As above with given operations instead of those of `lower`.
mlir::LogicalResult materialize(RemapOp op, const LoweredFormula &lowered);

/// As above, one of several remaps of `module`; null: by `lower`.
mlir::LogicalResult materialize(RemapOp op, const LoweredFormula *lowered,
                                const ModuleFacts &module);

/// Makes what was emitted into `function` the llvm dialect, if that is what the
/// function is in.
mlir::LogicalResult lowerEmitted(mlir::Operation *function);

/// The lowered formulas of a module's remaps, as far as planning has needed
/// them: an analysis, so that materialising straight after it does not lower
/// again. Where a pass stands between, it is gone, and all is lowered anew.
class LoweredRemaps {
public:
  explicit LoweredRemaps(mlir::Operation *module)
      : context(module->getContext()) {}

  /// Keeps the operations of a decision's remap, if it has any.
  void insert(const PlannedKernel &planned);
  /// Null if there is none.
  const LoweredFormula *lookup(RemapOp op) const;

private:
  struct Entry {
    FormulaAttr formula;
    Grid grid;
    bool guarded;
    LoweredFormula lowered;
  };
  mlir::MLIRContext *context;
  std::vector<Entry> entries;
};

/// Evaluates the operations that define `results` and compares them with what
/// is expected, as `materialize` does. `ids` and `extents` are the values that
/// the operations start from; `extents` may be empty for a known grid.
llvm::Error checkEmitted(llvm::ArrayRef<mlir::Value> results,
                         llvm::ArrayRef<mlir::Value> ids,
                         llvm::ArrayRef<mlir::Value> extents,
                         const EmittedExpectation &expected);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_MATERIALIZE_H
