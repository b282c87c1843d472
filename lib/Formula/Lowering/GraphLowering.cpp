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

#include "llvm/Support/ErrorHandling.h"

namespace swizzle::formula {

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
  using Make = OpId (MachineBuilder::*)(OpId, OpId, Range);
  static constexpr std::pair<Op, Make> kArithmetic[] = {
      {Op::Add, &MachineBuilder::add},  {Op::Sub, &MachineBuilder::sub},
      {Op::Mul, &MachineBuilder::mul},  {Op::And, &MachineBuilder::bitAnd},
      {Op::Or, &MachineBuilder::bitOr}, {Op::Xor, &MachineBuilder::bitXor},
      {Op::Shl, &MachineBuilder::shl},  {Op::Shr, &MachineBuilder::shr},
      {Op::Min, &MachineBuilder::min},  {Op::Max, &MachineBuilder::max},
  };
  using Compare = OpId (MachineBuilder::*)(OpId, OpId);
  static constexpr std::pair<Op, Compare> kComparisons[] = {
      {Op::Less, &MachineBuilder::less},
      {Op::LessEqual, &MachineBuilder::lessEqual},
      {Op::Equal, &MachineBuilder::equal},
      {Op::NotEqual, &MachineBuilder::notEqual},
  };
  static constexpr std::pair<Op, LoweredKind> kCurves[] = {
      {Op::HilbertX, LoweredKind::HilbertX},
      {Op::HilbertY, LoweredKind::HilbertY},
      {Op::MortonX, LoweredKind::MortonX},
      {Op::MortonY, LoweredKind::MortonY},
  };
  const Instruction &in = code[slot];
  auto at = [&](unsigned i) { return integer(in.operand(i)); };
  switch (in.op) {
  case Op::Constant:
    return builder.constant(in.low);
  case Op::X:
  case Op::Y:
  case Op::Z:
    return builder.id(axisOf(in.op), grid[axisOf(in.op)]);
  case Op::Extent:
    return builder.extent(in.imm);
  case Op::Div:
  case Op::Mod:
    return lowerDivision(slot);
  case Op::Select:
    return builder.select(test(in.a), at(1), at(2), known(slot));
  default:
    break;
  }
  for (auto [op, make] : kArithmetic)
    if (op == in.op)
      return (builder.*make)(at(0), at(1), known(slot));
  for (auto [op, make] : kComparisons)
    if (op == in.op)
      return (builder.*make)(at(0), at(1));
  for (auto [op, kind] : kCurves)
    if (op == in.op)
      return builder.curve(kind, at(0), at(1), at(2), known(slot));
  llvm_unreachable("no value of a graph for readers");
}

} // namespace swizzle::formula
