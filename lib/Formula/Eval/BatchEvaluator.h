//===- BatchEvaluator.h - All values for some workgroups --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For readers of a graph (`compileGraph`): every value for consecutive
// workgroups, a batch at a time, its range, and the lanes in which it is
// undefined. Runs the same code as the proof does.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_BATCHEVALUATOR_H
#define SWIZZLE_LIB_FORMULA_EVAL_BATCHEVALUATOR_H

#include "Program.h"

namespace swizzle::formula {

constexpr int64_t kBatch = 1024;

/// The values of one instruction in one batch.
struct Lanes {
  const int32_t *narrow = nullptr; ///< they, or `wide`
  const int64_t *wide = nullptr;
  /// Where they are undefined, and then hold 0; null: nowhere.
  const bool *undefined = nullptr;
  /// Range of the values that are defined.
  int64_t low = INT64_MAX, high = INT64_MIN;

  int64_t value(int64_t lane) const {
    return narrow ? narrow[lane] : wide[lane];
  }
  bool isUndefined(int64_t lane) const { return undefined && undefined[lane]; }
};

/// True if two values are undefined in the same lanes and agree in the others.
bool agree(const Lanes &a, const Lanes &b, int64_t count);

/// Evaluates a graph whose extents are known.
class BatchEvaluator {
public:
  explicit BatchEvaluator(const BoundFormula::Program &graph);
  ~BatchEvaluator();

  /// For workgroups first .. first + count - 1, count <= kBatch.
  void run(int64_t first, int64_t count);
  /// Not for checks.
  const Lanes &operator[](Slot slot) const { return lanes[slot]; }

private:
  class Columns;
  template <typename T> class ColumnsOf;

  const BoundFormula::Program &graph;
  std::unique_ptr<Columns> columns; ///< of the width that the graph needs
  std::vector<Lanes> lanes;
  /// Of values that may be undefined: their checks and their mask, else empty.
  std::vector<llvm::SmallVector<Slot, 1>> checks;
  std::vector<std::unique_ptr<bool[]>> masks;
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_EVAL_BATCHEVALUATOR_H
