//===- ShownMemory.h - What an operand of a launch shows --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which allocation of the host program an operand is a view of, and of which
// part of it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_RACES_SHOWNMEMORY_H
#define SWIZZLE_LIB_CODEGEN_HOST_RACES_SHOWNMEMORY_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace swizzle::host {

using Extents = llvm::SmallVector<int64_t, 3>;
inline constexpr int64_t kOpen = mlir::ShapedType::kDynamic;

/// An integer of the host program, if it is constant.
std::optional<int64_t> constantOf(mlir::Value value, int depth = 0);

/// What an operand of a launch shows.
struct Shown {
  const void *memory = nullptr; ///< the same for the same allocation
  int64_t byteOffset = 0;       ///< of the descriptor's aligned pointer
  Extents shape, strides;
  int64_t offset = kOpen;
};

/// Nothing if it is made in a way that is not followed.
std::optional<Shown> show(mlir::Value value);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_RACES_SHOWNMEMORY_H
