//===- TextLowering.cpp - Lowering a formula on a grid not enumerated -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing can be enumerated here, so every value is bounded symbolically: by a
// number times a product of distinct extents. A product of distinct extents is
// at most the number of workgroups; so if the largest number is C, and there
// are fewer than 2^31 / C workgroups, everything fits 32 bits. That is the one
// condition that is tested at run time; where it does not hold, every workgroup
// keeps its id.
//
//===----------------------------------------------------------------------===//

#include "TextLowering.h"
#include "GraphLowering.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle::formula {

namespace {

/// At most `factor` times the product of the extents of `axes` (a bit set):
/// what stands in the place of an end of an `Interval`, as the extents have no
/// number.
struct Bound {
  int64_t factor = 0;
  unsigned axes = 0;
};

/// -down <= value <= up.
struct Bounds {
  Bound up, down;
  bool isNatural() const { return down.factor == 0; }
};

/// The largest factor: of extents that have no number their product has to fit
/// beside it, of known ones there is nothing but the factor.
constexpr int64_t kMostUnknown = int64_t(1) << 30, kMostKnown = int64_t(1)
                                                                << 61;

/// Sums and products of bounds with a factor of at most `most`.
struct BoundArithmetic {
  int64_t most;

  std::optional<Bound> sum(Bound a, Bound b) const {
    if (a.factor > most - b.factor)
      return std::nullopt;
    return Bound{a.factor + b.factor, a.axes | b.axes};
  }

  std::optional<Bound> product(Bound a, Bound b) const {
    if (a.factor == 0 || b.factor == 0)
      return Bound{};
    if ((a.axes & b.axes) || a.factor > most / b.factor)
      return std::nullopt;
    return Bound{a.factor * b.factor, a.axes | b.axes};
  }
};

Bound larger(Bound a, Bound b) {
  return {std::max(a.factor, b.factor), a.axes | b.axes};
}

/// The one that says more, of two that both hold.
Bound tighter(Bound a, Bound b) {
  if (a.axes != b.axes)
    return llvm::popcount(a.axes) < llvm::popcount(b.axes) ? a : b;
  return a.factor < b.factor ? a : b;
}

std::optional<Bounds> both(std::optional<Bound> up, std::optional<Bound> down) {
  if (!up || !down)
    return std::nullopt;
  return Bounds{*up, *down};
}

class TextLowering : public GraphLowering, BoundArithmetic {
public:
  TextLowering(const BoundFormula::Program &graph, LoweredFormula &out)
      : GraphLowering(graph, /*trustIds=*/true, out),
        BoundArithmetic{grid.isStatic() ? kMostKnown : kMostUnknown}, out(out),
        bounds(code.size()), isDivisor(code.size(), false) {}

  llvm::Error run();

private:
  Range known(Slot slot) const override;
  std::optional<Bounds> boundsOf(const Instruction &node) const;
  std::optional<Bounds> boundsOfBits(const Instruction &node) const;

  LoweredFormula &out;
  std::vector<Bounds> bounds;
  std::vector<bool> isDivisor;
  int64_t maxCount = 1;
};

} // namespace

std::optional<Bounds>
TextLowering::boundsOfBits(const Instruction &node) const {
  auto at = [&](unsigned i) { return bounds[node.operand(i)]; };
  switch (node.op) {
  case Op::And:
    if (at(0).isNatural() && at(1).isNatural())
      return Bounds{tighter(at(0).up, at(1).up), {}};
    if (at(0).isNatural() || at(1).isNatural())
      return Bounds{at(0).isNatural() ? at(0).up : at(1).up, {}};
    return std::nullopt;
  case Op::Or:
  case Op::Xor:
    if (!at(0).isNatural() || !at(1).isNatural())
      return std::nullopt;
    return both(sum(at(0).up, at(1).up), Bound{});
  case Op::Shl: {
    std::optional<int64_t> amount = asConstant(graph, node.b);
    if (!amount || *amount < 0 || *amount > 30)
      return std::nullopt;
    Bound factor{int64_t(1) << *amount, 0};
    return both(product(at(0).up, factor), product(at(0).down, factor));
  }
  case Op::Shr:
    return at(0);
  default:
    return std::nullopt;
  }
}

std::optional<Bounds> TextLowering::boundsOf(const Instruction &node) const {
  auto at = [&](unsigned i) { return bounds[node.operand(i)]; };
  auto ofAxis = [&](int64_t axis) {
    return grid[axis] == kUnknownExtent ? Bound{1, 1u << axis}
                                        : Bound{grid[axis], 0};
  };
  switch (node.op) {
  case Op::Constant:
    if (node.low > most || node.low < -most)
      return std::nullopt;
    return Bounds{{std::max<int64_t>(node.low, 0), 0},
                  {std::max<int64_t>(-node.low, 0), 0}};
  case Op::X:
  case Op::Y:
  case Op::Z:
    return Bounds{ofAxis(axisOf(node.op)), {}};
  case Op::Extent:
    return Bounds{ofAxis(node.imm), {}};
  case Op::Add:
    return both(sum(at(0).up, at(1).up), sum(at(0).down, at(1).down));
  case Op::Sub:
    return both(sum(at(0).up, at(1).down), sum(at(0).down, at(1).up));
  case Op::Mul: {
    std::optional<Bound> pp = product(at(0).up, at(1).up);
    std::optional<Bound> nn = product(at(0).down, at(1).down);
    std::optional<Bound> pn = product(at(0).up, at(1).down);
    std::optional<Bound> np = product(at(0).down, at(1).up);
    if (!pp || !nn || !pn || !np)
      return std::nullopt;
    return Bounds{larger(*pp, *nn), larger(*pn, *np)};
  }
  case Op::Div: { // by a positive number
    Bounds result = at(0);
    if (!result.isNatural()) // Rounding down goes one further at most.
      return both(result.up, sum(result.down, {1, 0}));
    std::optional<int64_t> divisor = asConstant(graph, node.b);
    if (divisor && *divisor > 1 && !result.up.axes)
      result.up.factor /= *divisor;
    return result;
  }
  case Op::Mod:
    if (at(0).isNatural())
      return Bounds{tighter(at(0).up, at(1).up), {}};
    return Bounds{at(1).up, {}};
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Shl:
  case Op::Shr:
    return boundsOfBits(node);
  case Op::Min: {
    bool natural = at(0).isNatural() && at(1).isNatural();
    Bound up =
        natural ? tighter(at(0).up, at(1).up) : larger(at(0).up, at(1).up);
    return Bounds{up, larger(at(0).down, at(1).down)};
  }
  case Op::Max:
    return Bounds{larger(at(0).up, at(1).up),
                  at(0).isNatural() || at(1).isNatural()
                      ? Bound{}
                      : larger(at(0).down, at(1).down)};
  case Op::Less:
  case Op::LessEqual:
  case Op::Equal:
  case Op::NotEqual:
    return Bounds{{1, 0}, {}};
  case Op::Select:
    return Bounds{larger(at(1).up, at(2).up), larger(at(1).down, at(2).down)};
  case Op::HilbertX:
  case Op::MortonX:
    return Bounds{at(1).up, {}};
  case Op::HilbertY:
  case Op::MortonY:
    return Bounds{at(2).up, {}};
  default: // no value of a graph for readers
    return std::nullopt;
  }
}

Range TextLowering::known(Slot node) const {
  const Bounds &bound = bounds[node];
  auto number = [&](Bound b) {
    return b.axes ? b.factor * maxCount : b.factor;
  };
  int64_t low = isDivisor[node] ? 1 : -number(bound.down);
  return {low, std::max(number(bound.up), low), false};
}

llvm::Error TextLowering::run() {
  std::vector<bool> needed = findNeeded();
  for (Slot slot = 0; slot < code.size(); ++slot)
    if (needed[slot] && (code[slot].op == Op::Div || code[slot].op == Op::Mod))
      isDivisor[code[slot].b] = true;
  int64_t largest = 1;
  for (Slot id = 0; id < code.size(); ++id) {
    if (!needed[id])
      continue;
    std::optional<Bounds> bound = boundsOf(code[id]);
    if (!bound)
      return llvm::createStringError(
          grid.isStatic()
              ? "cannot lower the formula: a value in it may not fit 62 bits"
              : "cannot lower the formula: a value in it cannot be bounded by "
                "the number of workgroups of a grid that is not known");
    if (isDivisor[id])
      bound->down = {};
    bounds[id] = *bound;
    largest = std::max({largest, bound->up.factor, bound->down.factor});
  }
  OpId holds = builder.constant(1);
  if (!grid.isStatic()) {
    unsigned bits = 31 - std::min<unsigned>(30, llvm::Log2_64_Ceil(largest));
    maxCount = (int64_t(1) << bits) - 1;
    out.maxExtentProduct = maxCount;
    holds = emitSizeTest(builder, grid, bits);
  }
  lowerAll();
  OpId results[3];
  for (unsigned axis = 0; axis < 3; ++axis)
    results[axis] = builder.select(holds, integer(graph.results[axis]),
                                   builder.id(axis, grid[axis]));
  builder.finish(results[0], results[1], results[2]);
  return llvm::Error::success();
}

llvm::Expected<LoweredFormula> lowerText(const BoundFormula::Program &graph) {
  LoweredFormula result;
  result.grid = graph.environment.grid;
  if (llvm::Error error = TextLowering(graph, result).run())
    return error;
  return result;
}

OpId emitSizeTest(MachineBuilder &builder, const Grid &grid, unsigned bits) {
  int64_t known = 1, most = (int64_t(1) << bits) - 1;
  llvm::SmallVector<OpId, 3> factors;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (grid[axis] == kUnknownExtent)
      factors.push_back(builder.extent(axis));
    else
      known = std::min<int64_t>(known * grid[axis], int64_t(1) << 31);
  if (factors.size() == 1)
    return builder.lessEqual(factors[0], builder.constant(most / known));
  if (known > 1)
    factors.push_back(builder.constant(known));
  // Nothing may be left of the product above its low bits.
  OpId low = factors[0], beyond = builder.constant(0);
  for (OpId factor : llvm::ArrayRef<OpId>(factors).drop_front()) {
    beyond = builder.bitOr(beyond, builder.mulHigh32(low, factor));
    low = builder.mulLow32(low, factor);
  }
  beyond = builder.bitOr(beyond, builder.shr(low, builder.constant(bits)));
  return builder.equal(beyond, builder.constant(0));
}

} // namespace swizzle::formula
