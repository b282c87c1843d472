//===- Emit.h - One walk over lowered operations -------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of a lowered formula become those of an IR one to one, in the
// width they were given; curves become loops (EmitCurve.h). What differs
// between IRs is a back end: how to write one operation. `arith` has one
// (Transforms), LLVM IR has another (LLVMPass), and what each operation is
// called there stands in LoweredOps.def.
//
//   return gx - 1 - x, y   on 64x64:   i32 63 - x, with nuw and nsw
//
//   LLVMBackend backend(builder, ids, extents);
//   auto [x, y, z] = emitFormula(backend, lowered);
//
// A back end has:
//
//   Value                                  a handle
//   Value constant(unsigned width, int64_t value)
//   Value given(unsigned axis)             the id, as the kernel has it
//   Value id(unsigned axis, unsigned width), extent(axis, width)
//   Value asGiven(Value value)             a new id, of the type of the ids
//   Value binary(LoweredKind kind, Value a, Value b, Wrapping wrapping)
//   Value select(Value condition, Value then, Value otherwise)
//   Value convert(LoweredKind kind, unsigned width, Value value)
//   Value mulHigh(Value a, Value b)        of 32 bits
//   Value fold(LoweredKind kind, Value a, Value b), foldSelect(c, a, b)
//                                          as above, constants folded
//   std::optional<int64_t> asConstant(Value value)
//   unsigned widthOf(Value value)
//   SmallVector<Value> repeat(unsigned times, ArrayRef<Value> state, body)
//                                          body: ArrayRef<Value> to the next
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_EMIT_EMIT_H
#define SWIZZLE_EMIT_EMIT_H

#include "swizzle/Emit/EmitCurve.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>
#include <map>

namespace swizzle {

/// What may be promised of a sum, difference, product or left shift: operands
/// and result are the integers that they stand for, for every workgroup.
Wrapping wrappingOf(const LoweredFormula &lowered, const LoweredOp &op);

/// One formula being written by one back end.
template <typename Backend> class FormulaEmitter {
public:
  using Value = typename Backend::Value;

  FormulaEmitter(Backend &backend, const LoweredFormula &lowered)
      : backend(backend), lowered(lowered) {}

  std::array<Value, 3> run() {
    for (const LoweredOp &op : lowered.ops)
      values.push_back(emitOp(op));
    std::array<Value, 3> results;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const LoweredOp &op = lowered.ops[lowered.results[axis]];
      results[axis] = op.kind == LoweredKind::Id
                          ? backend.given(op.value)
                          : backend.asGiven(values[lowered.results[axis]]);
    }
    return results;
  }

private:
  Value operand(const LoweredOp &op, unsigned i) const {
    return values[op.operands[i]];
  }

  Value emitOp(const LoweredOp &op) {
    switch (op.kind) {
    case LoweredKind::Constant:
      return backend.constant(op.width, op.value);
    case LoweredKind::Id:
      return backend.id(op.value, op.width);
    case LoweredKind::Extent:
      return backend.extent(op.value, op.width);
#define SWIZZLE_WRAPPING(kind, arith, llvm) case LoweredKind::kind:
#include "swizzle/Emit/LoweredOps.def"
      return backend.binary(op.kind, operand(op, 0), operand(op, 1),
                            wrappingOf(lowered, op));
#define SWIZZLE_BINARY(kind, arith, llvm) case LoweredKind::kind:
#define SWIZZLE_EXTREME(kind, arith, llvm) case LoweredKind::kind:
#define SWIZZLE_COMPARISON(kind, arith, llvm) case LoweredKind::kind:
#include "swizzle/Emit/LoweredOps.def"
      return backend.binary(op.kind, operand(op, 0), operand(op, 1), {});
#define SWIZZLE_CONVERSION(kind, arith, llvm) case LoweredKind::kind:
#include "swizzle/Emit/LoweredOps.def"
      return backend.convert(op.kind, op.width, operand(op, 0));
    case LoweredKind::UMulHi:
      return backend.mulHigh(operand(op, 0), operand(op, 1));
    case LoweredKind::Select:
      return backend.select(operand(op, 0), operand(op, 1), operand(op, 2));
    case LoweredKind::HilbertX:
    case LoweredKind::HilbertY:
    case LoweredKind::MortonX:
    case LoweredKind::MortonY:
      return emitCurve(op);
    }
    llvm_unreachable("a lowered operation without a way to emit it");
  }

  /// x and y of one point share one loop.
  Value emitCurve(const LoweredOp &op) {
    bool hilbert =
        op.kind == LoweredKind::HilbertX || op.kind == LoweredKind::HilbertY;
    bool wantsX =
        op.kind == LoweredKind::HilbertX || op.kind == LoweredKind::MortonX;
    auto [known, added] = curves.try_emplace(
        {hilbert, op.operands[0], op.operands[1], op.operands[2]});
    if (added) {
      CurveEmitter<Backend> emitter(
          backend,
          {operand(op, 0), operand(op, 1), operand(op, 2),
           lowered.ops[op.operands[1]].high, lowered.ops[op.operands[2]].high});
      known->second = hilbert ? emitter.hilbert() : emitter.morton();
    }
    return wantsX ? known->second.first : known->second.second;
  }

  Backend &backend;
  const LoweredFormula &lowered;
  std::vector<Value> values;
  /// Points of curves, by kind (Hilbert or Morton) and operands.
  std::map<std::array<uint32_t, 4>, std::pair<Value, Value>> curves;
};

/// Writes `lowered`; returns the new x, y, z.
template <typename Backend>
std::array<typename Backend::Value, 3>
emitFormula(Backend &backend, const LoweredFormula &lowered) {
  return FormulaEmitter<Backend>(backend, lowered).run();
}

/// The ids as they were unless the launch has the extents of `grid`, all known.
template <typename Backend>
void emitGridGuard(Backend &backend, const Grid &grid,
                   std::array<typename Backend::Value, 3> &results) {
  using Value = typename Backend::Value;
  // The extents differ from the assumed ones if any bit does.
  Value difference{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value extent = backend.extent(axis, 32);
    Value assumed = backend.constant(32, grid[axis]);
    Value bits = backend.binary(LoweredKind::Xor, extent, assumed, {});
    difference =
        axis ? backend.binary(LoweredKind::Or, difference, bits, {}) : bits;
  }
  Value same = backend.binary(LoweredKind::CmpEq, difference,
                              backend.constant(32, 0), {});
  for (unsigned axis = 0; axis < 3; ++axis)
    if (results[axis] != backend.given(axis))
      results[axis] = backend.select(same, results[axis], backend.given(axis));
}

} // namespace swizzle

#endif // SWIZZLE_EMIT_EMIT_H
