//===- BatchEvaluator.cpp - All nodes for some workgroups -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchEvaluator.h"

#include "NodeSemantics.h"
#include "Reciprocal.h"
#include "swizzle/Support/ColumnLoops.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle::lowering {

static bool fitsNarrow(int64_t low, int64_t high) {
  return low >= INT32_MIN && high <= INT32_MAX;
}

bool agree(const Lanes &a, const Lanes &b, int64_t count) {
  // A node that is not narrow has a lane that no narrow one can have.
  if (a.isNarrow || b.isNarrow)
    return a.isNarrow && b.isNarrow && a.low == b.low && a.high == b.high &&
           std::equal(a.narrow.begin(), a.narrow.begin() + count,
                      b.narrow.begin());
  return std::equal(a.wide.begin(), a.wide.begin() + count, b.wide.begin()) &&
         std::equal(a.undefined.begin(), a.undefined.begin() + count,
                    b.undefined.begin());
}

BatchEvaluator::BatchEvaluator(const WideGraph &graph, const Grid &grid)
    : graph(graph), grid(grid), lanes(graph.size()) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph[id].kind != NodeKind::Constant)
      continue;
    int64_t value = graph[id].value;
    Lanes &out = lanes[id];
    out.low = out.high = value;
    out.isNarrow = fitsNarrow(value, value);
    out.isWide = true;
    out.narrow.fill(int32_t(value));
    out.wide.fill(value);
    out.undefined.fill(false);
  }
}

void BatchEvaluator::run(int64_t first, int64_t size) {
  count = size;
  lastCurve.reset();
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node &node = graph[id];
    if (node.kind == NodeKind::Id)
      runIds(node.value, first, lanes[id]);
    else if (node.kind != NodeKind::Constant)
      runNode(node, lanes[id]);
  }
}

void BatchEvaluator::runIds(unsigned axis, int64_t first, Lanes &out) {
  WorkgroupId id = delinearise(first, grid);
  for (int64_t lane = 0; lane < count;) {
    int64_t run = std::min(count - lane, grid.x() - id.x);
    for (int64_t k = 0; k < run; ++k)
      out.narrow[lane + k] = int32_t(axis == 0   ? id.x + k
                                     : axis == 1 ? id.y
                                                 : id.z);
    lane += run;
    id.x = 0;
    if (++id.y == grid.y()) {
      id.y = 0;
      ++id.z;
    }
  }
  finishNarrow(out);
}

/// Narrow lanes are complete but for their range.
void BatchEvaluator::finishNarrow(Lanes &out) {
  std::tie(out.low, out.high) = columns::range(count, out.narrow.data());
  out.isNarrow = true;
  out.isWide = false;
  out.anyUndefined = false;
}

/// Wide lanes are complete but for what is known of them all.
void BatchEvaluator::finishWide(Lanes &out) {
  out.low = INT64_MAX;
  out.high = INT64_MIN;
  out.anyUndefined = false;
  for (int64_t lane = 0; lane < count; ++lane) {
    if (out.undefined[lane]) {
      out.anyUndefined = true;
      continue;
    }
    out.low = std::min(out.low, out.wide[lane]);
    out.high = std::max(out.high, out.wide[lane]);
  }
  out.isWide = true;
  out.isNarrow = !out.anyUndefined && fitsNarrow(out.low, out.high);
  if (out.isNarrow)
    std::copy_n(out.wide.begin(), count, out.narrow.begin());
}

const Lanes &BatchEvaluator::widened(NodeId node) {
  Lanes &out = lanes[node];
  if (!out.isWide) {
    std::copy_n(out.narrow.begin(), count, out.wide.begin());
    std::fill_n(out.undefined.begin(), count, false);
    out.isWide = true;
  }
  return out;
}

void BatchEvaluator::runNode(const Node &node, Lanes &out) {
  if (node.kind >= NodeKind::HilbertX)
    return runCurve(node, out);
  const Lanes &a = lanes[node.operands[0]];
  const Lanes &b = lanes[node.operands[node.numOperands > 1 ? 1 : 0]];
  const Lanes &c = lanes[node.operands[node.numOperands > 2 ? 2 : 0]];
  if (a.isNarrow && b.isNarrow && c.isNarrow && runNarrow(node, a, b, c, out))
    finishNarrow(out);
  else
    runWide(node, out);
}

/// Computes `out.narrow` if no lane can leave 32 bits or be undefined.
bool BatchEvaluator::runNarrow(const Node &node, const Lanes &a, const Lanes &b,
                               const Lanes &c, Lanes &out) {
  auto apply = [&](auto compute) {
    columns::map(count, a.narrow.data(), b.narrow.data(), c.narrow.data(),
                 out.narrow.data(),
                 [=](int32_t x, int32_t y, int32_t z, uint32_t &) {
                   return int32_t(compute(x, y, z));
                 });
    return true;
  };
  switch (node.kind) {
  case NodeKind::Add:
    return fitsNarrow(a.low + b.low, a.high + b.high) &&
           apply([](int32_t x, int32_t y, int32_t) { return x + y; });
  case NodeKind::Sub:
    return fitsNarrow(a.low - b.high, a.high - b.low) &&
           apply([](int32_t x, int32_t y, int32_t) { return x - y; });
  case NodeKind::Mul: {
    auto [low, high] = std::minmax(
        {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return fitsNarrow(low, high) &&
           apply([](int32_t x, int32_t y, int32_t) { return x * y; });
  }
  case NodeKind::FloorDiv:
  case NodeKind::FloorMod:
    return runDivision(node.kind == NodeKind::FloorMod, a, b, out);
  case NodeKind::And:
    return apply([](int32_t x, int32_t y, int32_t) { return x & y; });
  case NodeKind::Or:
    return apply([](int32_t x, int32_t y, int32_t) { return x | y; });
  case NodeKind::Xor:
    return apply([](int32_t x, int32_t y, int32_t) { return x ^ y; });
  case NodeKind::Shl: {
    if (b.low < 0 || b.high > 31)
      return false;
    int64_t most = int64_t(1) << b.high;
    if (!fitsNarrow(std::min<int64_t>(a.low * most, a.low),
                    std::max<int64_t>(a.high * most, a.high)))
      return false;
    return apply([](int32_t x, int32_t y, int32_t) {
      return int32_t(uint32_t(x) << y);
    });
  }
  case NodeKind::Shr:
    // Beyond 31 only the sign is left, as at 31.
    return b.low >= 0 && b.high <= 63 &&
           apply([](int32_t x, int32_t y, int32_t) {
             return x >> (y > 31 ? 31 : y);
           });
  case NodeKind::Min:
    return apply([](int32_t x, int32_t y, int32_t) { return x < y ? x : y; });
  case NodeKind::Max:
    return apply([](int32_t x, int32_t y, int32_t) { return x < y ? y : x; });
  case NodeKind::Less:
    return apply([](int32_t x, int32_t y, int32_t) { return x < y; });
  case NodeKind::LessEqual:
    return apply([](int32_t x, int32_t y, int32_t) { return x <= y; });
  case NodeKind::Equal:
    return apply([](int32_t x, int32_t y, int32_t) { return x == y; });
  case NodeKind::NotEqual:
    return apply([](int32_t x, int32_t y, int32_t) { return x != y; });
  case NodeKind::Select:
    return apply([](int32_t x, int32_t y, int32_t z) { return x ? y : z; });
  default:
    return false;
  }
}

/// By a divisor that is positive throughout.
bool BatchEvaluator::runDivision(bool remainder, const Lanes &a, const Lanes &b,
                                 Lanes &out) {
  if (b.low <= 0)
    return false;
  auto divideBy = [&](auto quotient) {
    columns::map(count, a.narrow.data(), b.narrow.data(), b.narrow.data(),
                 out.narrow.data(),
                 [=](int32_t x, int32_t y, int32_t, uint32_t &) {
                   int32_t q = quotient(x, y);
                   return remainder ? x - q * y : q;
                 });
    return true;
  };
  if (b.low < b.high) {
    // The quotient of two integers below 2^53 is never rounded up to the next.
    return a.low >= 0 && divideBy([](int32_t x, int32_t y) {
             return int32_t(double(x) / double(y));
           });
  }
  int32_t divisor = int32_t(b.low);
  if (llvm::isPowerOf2_32(divisor)) {
    unsigned shift = llvm::Log2_32(divisor);
    return divideBy([=](int32_t x, int32_t) { return x >> shift; });
  }
  Reciprocal<int32_t> reciprocal(divisor);
  if (a.low >= 0)
    return divideBy([=](int32_t x, int32_t) {
      return int32_t(reciprocal.divide(uint32_t(x)));
    });
  // floor(x / d) for x < 0 is the complement of floor(~x / d).
  return divideBy([=](int32_t x, int32_t) {
    uint32_t sign = uint32_t(x >> 31);
    return int32_t(reciprocal.divide(uint32_t(x) ^ sign) ^ sign);
  });
}

/// One operation for a batch in 64 bits; a loop of its own for each kind.
template <NodeKind kind>
static void evaluateWide(const Lanes &a, const Lanes &b, const Lanes &c,
                         Lanes &out, int64_t count) {
  bool operandsDefined = !a.anyUndefined && !b.anyUndefined && !c.anyUndefined;
  for (int64_t lane = 0; lane < count; ++lane) {
    std::optional<int64_t> value;
    if (operandsDefined ||
        !(a.undefined[lane] || b.undefined[lane] || c.undefined[lane]))
      value = evaluateKind(kind, a.wide[lane], b.wide[lane], c.wide[lane]);
    out.wide[lane] = value.value_or(0);
    out.undefined[lane] = !value;
  }
}

void BatchEvaluator::runWide(const Node &node, Lanes &out) {
  const Lanes &a = widened(node.operands[0]);
  const Lanes &b = widened(node.operands[node.numOperands > 1 ? 1 : 0]);
  const Lanes &c = widened(node.operands[node.numOperands > 2 ? 2 : 0]);
  switch (node.kind) {
#define SWIZZLE_NODE_KIND(KIND)                                                \
  case NodeKind::KIND:                                                         \
    evaluateWide<NodeKind::KIND>(a, b, c, out, count);                         \
    break
    SWIZZLE_NODE_KIND(Add);
    SWIZZLE_NODE_KIND(Sub);
    SWIZZLE_NODE_KIND(Mul);
    SWIZZLE_NODE_KIND(FloorDiv);
    SWIZZLE_NODE_KIND(FloorMod);
    SWIZZLE_NODE_KIND(And);
    SWIZZLE_NODE_KIND(Or);
    SWIZZLE_NODE_KIND(Xor);
    SWIZZLE_NODE_KIND(Shl);
    SWIZZLE_NODE_KIND(Shr);
    SWIZZLE_NODE_KIND(Min);
    SWIZZLE_NODE_KIND(Max);
    SWIZZLE_NODE_KIND(Less);
    SWIZZLE_NODE_KIND(LessEqual);
    SWIZZLE_NODE_KIND(Equal);
    SWIZZLE_NODE_KIND(NotEqual);
#undef SWIZZLE_NODE_KIND
  case NodeKind::Select:
    for (int64_t lane = 0; lane < count; ++lane) {
      const Lanes &chosen = a.wide[lane] ? b : c;
      out.undefined[lane] = a.undefined[lane] || chosen.undefined[lane];
      out.wide[lane] = out.undefined[lane] ? 0 : chosen.wide[lane];
    }
    break;
  default:
    return; // elsewhere; extents are constants on a known grid
  }
  finishWide(out);
}

void BatchEvaluator::runCurve(const Node &node, Lanes &out) {
  bool isHilbert =
      node.kind == NodeKind::HilbertX || node.kind == NodeKind::HilbertY;
  bool wantsX =
      node.kind == NodeKind::HilbertX || node.kind == NodeKind::MortonX;
  const Lanes &i = lanes[node.operands[0]];
  const Lanes &w = lanes[node.operands[1]], &h = lanes[node.operands[2]];
  auto isPoint = [&](int64_t lane) {
    return !i.isUndefined(lane) && !w.isUndefined(lane) &&
           !h.isUndefined(lane) &&
           isCurvePoint(i.value(lane), w.value(lane), h.value(lane));
  };
  auto curve = std::tuple(isHilbert, node.operands[0], node.operands[1],
                          node.operands[2]);
  if (lastCurve != curve) {
    lastCurve = curve;
    allPoints = true;
    for (int64_t lane = 0; lane < count; ++lane) {
      if (!isPoint(lane)) {
        allPoints = false;
        points[lane] = {};
        continue;
      }
      int64_t at = i.value(lane), width = w.value(lane), height = h.value(lane);
      points[lane] = isHilbert ? hilbert.at(at, width, height)
                               : mortonPoint(at, width, height);
    }
  }
  // A coordinate is below a side, which is below 2^31.
  if (allPoints) {
    for (int64_t lane = 0; lane < count; ++lane)
      out.narrow[lane] = int32_t(wantsX ? points[lane].x : points[lane].y);
    return finishNarrow(out);
  }
  for (int64_t lane = 0; lane < count; ++lane) {
    out.wide[lane] = wantsX ? points[lane].x : points[lane].y;
    out.undefined[lane] = !isPoint(lane);
  }
  finishWide(out);
}

} // namespace swizzle::lowering
