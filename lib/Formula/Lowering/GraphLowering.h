//===- GraphLowering.h - From a graph to operations -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation after the other, as the graph has them. Where ranges come from
// is what lowerings differ in: on a known grid they were found by enumeration
// (GridLowering), on any other they are multiples of extents (TextLowering).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_LOWERING_GRAPHLOWERING_H
#define SWIZZLE_LIB_FORMULA_LOWERING_GRAPHLOWERING_H

#include "Eval/Program.h"
#include "MachineBuilder.h"

namespace swizzle::formula {

/// The axis of the input X, Y or Z.
inline unsigned axisOf(Op op) { return unsigned(op) - unsigned(Op::X); }

class GraphLowering {
protected:
  /// `trustIds`: see `MachineBuilder`.
  GraphLowering(const BoundFormula::Program &graph, bool trustIds,
                LoweredFormula &out)
      : graph(graph), code(graph.code), grid(graph.environment.grid),
        builder(out, trustIds), lowered(code.size(), 0) {}
  virtual ~GraphLowering() = default;

  /// What is known of the values of `slot` beyond its operands' ranges.
  virtual Range known(Slot slot) const = 0;
  /// The value to use for `slot`.
  virtual Slot standsFor(Slot slot) const { return slot; }
  /// The values that lowering `slot` asks for.
  virtual llvm::SmallVector<Slot, 4> dependencies(Slot slot) const;
  virtual OpId lower(Slot slot) { return lowerOperation(slot); }
  virtual OpId lowerDivision(Slot slot);

  /// Marks what the results need.
  std::vector<bool> findNeeded() const;
  /// Lowers all of that.
  void lowerAll();
  /// `slot` by the operation of its kind.
  OpId lowerOperation(Slot slot);
  OpId loweredAs(Slot slot) {
    Slot stands = standsFor(slot);
    if (std::optional<int64_t> value = asConstant(graph, stands))
      return builder.constant(*value);
    return lowered[stands];
  }
  OpId integer(Slot slot) { return builder.asInteger(loweredAs(slot)); }
  OpId test(Slot slot) { return builder.asTest(loweredAs(slot)); }

  const BoundFormula::Program &graph;
  const std::vector<Instruction> &code;
  const Grid &grid;
  MachineBuilder builder;
  std::vector<OpId> lowered;
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_LOWERING_GRAPHLOWERING_H
