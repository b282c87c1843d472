//===- Effects.h - What an operation does that others could see -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allow-list behind `judgeKernel`: each operation of a kernel is sorted
// into one of a few effects, and what is not on the list is refused. The list
// goes by name, so that an operation that a later MLIR adds is refused until
// somebody has thought about it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_EFFECTS_H
#define SWIZZLE_LIB_ANALYSIS_EFFECTS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace swizzle {

enum class EffectKind : uint8_t {
  Harmless,    ///< no effect, or one that stays inside the workgroup
  Access,      ///< plain reads and writes of global memory: the model has them
  Atomic,      ///< commuting atomic on global memory, old value unused
  FloatAtomic, ///< the same, of floating-point numbers: not bit-stable
  Prints,      ///< printing, assertions
  ReadsId,     ///< a workgroup id
  Calls,       ///< judged by what is called
  Refused,
};

/// What one operation does. `code` and `reason` are set if it is refused.
struct Effect {
  EffectKind kind = EffectKind::Harmless;
  std::string code;
  std::string reason;
  unsigned axis = 0;   ///< ReadsId
  bool global = false; ///< ReadsId: id * block + thread
  std::string update =
      {}; ///< atomics: which; two different ones need not commute
  mlir::Value memory = {}; ///< atomics: what is updated, if an operand says so
};

/// What `memory` is a view of, through casts and pointer arithmetic.
mlir::Value rootOf(mlir::Value memory);

/// Sorts one operation; its nested operations are sorted for themselves.
Effect classify(mlir::Operation *op);

/// Sorts a callee that has no body, by its name: a device-library function that
/// computes, or a refusal. `call` is the operation that calls it.
Effect classifyDeclaration(llvm::StringRef name, mlir::Operation *call);

/// Sorts an intrinsic that is called by name (`llvm.amdgcn.workgroup.id.x`).
Effect classifyIntrinsic(llvm::StringRef name, mlir::Operation *call);

/// Sorts an operation of the gpu, nvvm, rocdl, nvgpu and amdgpu dialects by its
/// full name; nullopt if the tables do not have it.
std::optional<Effect> classifyByTable(llvm::StringRef name);

/// True if `memory` (a memref or a pointer) may lie outside the workgroup's own
/// memory: anything that is not known to be workgroup or private memory.
bool mayBeGlobal(mlir::Value memory);

} // namespace swizzle

#endif // SWIZZLE_LIB_ANALYSIS_EFFECTS_H
