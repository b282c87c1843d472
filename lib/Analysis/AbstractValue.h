//===- AbstractValue.h - What the analysis knows of a value -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An SSA value as the symbolic reading of a kernel sees it: an integer by
// cases, a vector of such integers, a view of memory, a struct of any of them,
// or unknown for a stated reason.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_ABSTRACTVALUE_H
#define SWIZZLE_LIB_ANALYSIS_ABSTRACTVALUE_H

#include "Scalars.h"
#include <map>

namespace swizzle {

enum class MemorySpace : uint8_t { Global, Workgroup, Private };

/// A memref, or a bare pointer (then without sizes and strides).
struct MemoryView {
  MemorySpace space = MemorySpace::Global;
  uint32_t buffer = 0; ///< in the model; only for global memory
  CasesRef offset;     ///< bytes from the start of the buffer
  std::vector<CasesRef> sizes, strides; ///< in elements
  int64_t elementBytes = 1;
  std::string reason; ///< why `offset`, a size or a stride is null
};

struct AbstractValue {
  enum class Kind : uint8_t { Unknown, Scalar, Vector, Memory, Aggregate };
  Kind kind = Kind::Unknown;
  std::string reason;           ///< Unknown
  CasesRef scalar;              ///< Scalar
  std::vector<CasesRef> lanes;  ///< Vector, row-major; or, of a mask,
  std::vector<CasesRef> prefix; ///< how many lanes are set, by dimension
  std::shared_ptr<const MemoryView> memory;              ///< Memory
  std::map<std::vector<int64_t>, AbstractValue> members; ///< Aggregate

  static AbstractValue unknown(std::string reason) {
    AbstractValue value;
    value.reason = std::move(reason);
    return value;
  }
  /// A null tree becomes unknown for `reason`.
  static AbstractValue of(CasesRef scalar, const std::string &reason) {
    if (!scalar)
      return unknown(reason);
    AbstractValue value;
    value.kind = Kind::Scalar;
    value.scalar = std::move(scalar);
    return value;
  }
  static AbstractValue of(MemoryView view) {
    AbstractValue value;
    value.kind = Kind::Memory;
    value.memory = std::make_shared<const MemoryView>(std::move(view));
    return value;
  }
  static AbstractValue of(std::vector<CasesRef> lanes) {
    AbstractValue value;
    value.kind = Kind::Vector;
    value.lanes = std::move(lanes);
    return value;
  }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isMemory() const { return kind == Kind::Memory; }
};

} // namespace swizzle

#endif // SWIZZLE_LIB_ANALYSIS_ABSTRACTVALUE_H
