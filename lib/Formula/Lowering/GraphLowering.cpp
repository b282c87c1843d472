//===- GraphLowering.cpp - From a graph to operations ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See GraphLowering.h.
//
//===----------------------------------------------------------------------===//

#include "GraphLowering.h"

namespace swizzle::lowering {

llvm::SmallVector<Slot, 4> GraphLowering::dependencies(Slot slot) const {
  llvm::SmallVector<Slot, 4> result;
  for (unsigned i = 0; i < code[slot].numOperands(); ++i)
    result.push_back(standsFor(code[slot].operand(i)));
  return result;
}

OpId GraphLowering::lowerDivision(Slot slot) {
  OpId a = integer(code[slot].a), b = integer(code[slot].b);
  return code[slot].op == Op::Div ? builder.floorDiv(a, b, known(slot))
                                  : builder.floorMod(a, b, known(slot));
}

std::vector<bool> GraphLowering::findNeeded() const {
  std::vector<bool> needed(code.size(), false);
  for (Slot result : graph.results)
    needed[standsFor(result)] = true;
  for (Slot slot = code.size(); slot-- > 0;)
    if (needed[slot])
      for (Slot operand : dependencies(slot))
        needed[operand] = true;
  return needed;
}

void GraphLowering::lowerAll() {
  std::vector<bool> needed = findNeeded();
  for (Slot slot = 0; slot < code.size(); ++slot)
    if (needed[slot])
      lowered[slot] = lower(slot);
}

OpId GraphLowering::lowerOperation(Slot slot) {
  const Instruction &in = code[slot];
  auto at = [&](unsigned i) { return integer(in.operand(i)); };
  auto binary = [&](OpId (MachineBuilder::*make)(OpId, OpId, Range)) {
    return (builder.*make)(at(0), at(1), known(slot));
  };
  auto compare = [&](OpId (MachineBuilder::*make)(OpId, OpId)) {
    return (builder.*make)(at(0), at(1));
  };
  auto curve = [&](LoweredKind kind) {
    return builder.curve(kind, at(0), at(1), at(2), known(slot));
  };
  switch (in.op) {
  case Op::Constant:
    return builder.constant(in.low);
  case Op::X:
  case Op::Y:
  case Op::Z:
    return builder.id(axisOf(in.op), grid[axisOf(in.op)]);
  case Op::Extent:
    return builder.extent(in.imm);
  case Op::Add:
    return binary(&MachineBuilder::add);
  case Op::Sub:
    return binary(&MachineBuilder::sub);
  case Op::Mul:
    return binary(&MachineBuilder::mul);
  case Op::Div:
  case Op::Mod:
    return lowerDivision(slot);
  case Op::And:
    return binary(&MachineBuilder::bitAnd);
  case Op::Or:
    return binary(&MachineBuilder::bitOr);
  case Op::Xor:
    return binary(&MachineBuilder::bitXor);
  case Op::Shl:
    return binary(&MachineBuilder::shl);
  case Op::Shr:
    return binary(&MachineBuilder::shr);
  case Op::Min:
    return binary(&MachineBuilder::min);
  case Op::Max:
    return binary(&MachineBuilder::max);
  case Op::Less:
    return compare(&MachineBuilder::less);
  case Op::LessEqual:
    return compare(&MachineBuilder::lessEqual);
  case Op::Equal:
    return compare(&MachineBuilder::equal);
  case Op::NotEqual:
    return compare(&MachineBuilder::notEqual);
  case Op::Select:
    return builder.select(test(in.a), at(1), at(2), known(slot));
  case Op::HilbertX:
    return curve(LoweredKind::HilbertX);
  case Op::HilbertY:
    return curve(LoweredKind::HilbertY);
  case Op::MortonX:
    return curve(LoweredKind::MortonX);
  case Op::MortonY:
    return curve(LoweredKind::MortonY);
  default: // no value of a graph for readers
    return builder.constant(0);
  }
}

} // namespace swizzle::lowering
