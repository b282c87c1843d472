//===- Tiles.cpp - Tile sizes of one linalg operation ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads lie along the last parallel loop, whose neighbours are neighbours in
// the result's memory; what is left of a workgroup lies along the loop before.
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir;

namespace swizzle::schedule {

/// Points that a thread computes along a loop, where they divide its extent:
/// what one vector access of 16 bytes moves in fp32.
static constexpr int64_t kPoints = 4;

/// Neighbours that fill a cache line of 128 bytes in fp32.
static constexpr int64_t kLine = 32;

bool reusesOperands(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return false;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return llvm::any_of(
        parallel, [&](unsigned loop) { return !map.isFunctionOfDim(loop); });
  });
}

namespace {

/// What one loop is given.
struct Share {
  int64_t threads = 1, points = 1;
};

/// At most `threads` threads of `points` points along a loop of `extent`.
Share divide(int64_t extent, int64_t threads, int64_t points) {
  if (ShapedType::isDynamic(extent))
    return {threads, 1};
  if (points > 1 && extent % points == 0) {
    int64_t left = extent / points, most = std::min(threads, left);
    // The largest count that leaves no smaller last tile.
    int64_t whole = most;
    while (left % whole)
      --whole;
    if (4 * whole >= most)
      return {whole, points};
  }
  return {std::min<int64_t>(threads, llvm::PowerOf2Ceil(extent)), 1};
}

} // namespace

/// The parallel loops in the order in which threads are given to them: first
/// the last one; then one whose neighbours are neighbours in another operand,
/// as in a transposition; then the others from the inside out.
static SmallVector<unsigned> orderLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getParallelDims(loops);
  std::reverse(loops.begin(), loops.end());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.getNumResults() < 2)
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    auto *found = last ? llvm::find(loops, last.getPosition()) : loops.end();
    if (found == loops.end() || found == loops.begin())
      continue;
    std::rotate(loops.begin() + 1, found, found + 1);
    break;
  }
  return loops;
}

/// Whether some input's neighbours lie along `loop`.
static bool isContiguousAlong(linalg::LinalgOp op, unsigned loop) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return map.getNumResults() > 1 &&
           map.getResults().back() == getAffineDimExpr(loop, op->getContext());
  });
}

Tiles chooseTiles(linalg::LinalgOp op, bool reuse,
                  const ScheduleOptions &options) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Tiles tiles;
  tiles.workgroup.assign(extents.size(), 0);
  tiles.thread.assign(extents.size(), 0);
  tiles.step.assign(extents.size(), 0);

  SmallVector<unsigned> loops = orderLoops(op);
  bool transposes = loops.size() > 1 && isContiguousAlong(op, loops[1]);
  // A square of threads shares the most operands, a row of them moves the most
  // neighbours at once; a transposition moves whole lines on both sides.
  int64_t first = options.threads;
  if (reuse)
    first = int64_t(std::sqrt(double(options.threads)));
  else if (transposes)
    first = std::max<int64_t>(options.threads / kLine, 1);
  else if (loops.size() > 1)
    first = std::min(options.threads, options.waveSize);
  int64_t left = options.threads;
  for (auto [position, loop] : llvm::enumerate(loops)) {
    int64_t wanted = position == 0 ? first : position == 1 ? left : 1;
    int64_t points = position == 0 || (reuse && position == 1) ? kPoints : 1;
    Share share = divide(extents[loop], wanted, points);
    left /= share.threads;
    tiles.workgroup[loop] = share.threads * share.points;
    tiles.thread[loop] = share.points;
  }
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned loop : reductions)
    tiles.step[loop] = 1;
  // Along the innermost reduction several steps are one vector.
  if (!reductions.empty() &&
      !ShapedType::isDynamic(extents[reductions.back()]) &&
      extents[reductions.back()] % kPoints == 0)
    tiles.step[reductions.back()] = kPoints;
  return tiles;
}

} // namespace swizzle::schedule
