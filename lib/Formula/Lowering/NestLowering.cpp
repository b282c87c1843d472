//===- NestLowering.cpp - Lowering a loop nest on any grid ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest is decoded as Nest.cpp does it, with the extents as values. Everything
// is computed in 32 bits under one condition, which reads extents and constants
// only: the product of the extents, times the largest tile, is below 2^31. Then
// every position, volume and coordinate fits; where the condition does not
// hold, every workgroup keeps its id.
//
// Outer loops that walk the slowest axes in the order of dispatch need no
// position: their axes are read directly.
//
//===----------------------------------------------------------------------===//

#include "NestLowering.h"
#include "TextLowering.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle::formula {

namespace {

class NestLowering {
public:
  NestLowering(const LoopNest &nest, const Grid &grid, int64_t numDies,
               LoweredFormula &out)
      : nest(nest), grid(grid), numDies(numDies), out(out), builder(out) {}

  void run();

private:
  bool isDynamic() const { return !grid.isStatic(); }
  /// What is known of a value between `low` and `high` while the grid is as the
  /// guard says.
  Range within(int64_t low, int64_t high) const {
    return {low, high, !isDynamic()};
  }
  OpId number(int64_t value) { return builder.constant(value); }
  bool isOne(OpId op) const { return builder.asConstant(op) == 1; }

  OpId guard();
  size_t followDispatch();
  void formPosition();
  void deal();
  void decode(const NestLevel &level);
  OpId turned(const NestLevel &level, OpId index);
  void place(const NestLevel &level, OpId index);

  const LoopNest &nest;
  Grid grid;
  int64_t numDies;
  LoweredFormula &out;
  MachineBuilder builder;

  int64_t maxCount = 0;   ///< most workgroups, while the guard holds
  OpId id[3], raw[3];     ///< as dealt; what is left of it
  OpId start[3], size[3]; ///< new coordinate so far; what is left of an axis
  int slowest = 2;        ///< axes above are decoded
  OpId position = 0, step = 0;
  int64_t maxPosition = 0;
};

} // namespace

/// True, as a test, where the grid is small enough; a constant if it always is.
OpId NestLowering::guard() {
  int64_t largestTile = 1;
  for (const NestLevel &level : nest.levels)
    largestTile = std::max(largestTile, level.tile);
  unsigned bits =
      31 - std::min<unsigned>(31, llvm::Log2_64_Ceil(uint64_t(largestTile)));
  maxCount = (int64_t(1) << bits) - 1;

  out.maxExtentProduct = maxCount;
  return emitSizeTest(builder, grid, bits);
}

/// `index`, or its mirror image while the loop around is at an odd step.
OpId NestLowering::turned(const NestLevel &level, OpId index) {
  if (!level.serpentine || builder.asConstant(step) == 0)
    return index;
  OpId last = builder.sub(size[level.axis], number(1), within(0, maxCount));
  OpId odd = builder.bitAnd(step, number(1));
  return builder.select(builder.asTest(odd),
                        builder.sub(last, index, within(0, maxCount)), index,
                        within(0, maxCount));
}

/// The loop of `level` stands at `index`.
void NestLowering::place(const NestLevel &level, OpId index) {
  unsigned axis = level.axis;
  int64_t most = grid[axis] == kUnknownExtent ? maxCount - 1 : grid[axis] - 1;
  OpId offset =
      builder.mul(turned(level, index), number(level.tile), within(0, most));
  start[axis] = builder.add(start[axis], offset, within(0, most));
  if (level.tile == 1) {
    size[axis] = number(1);
  } else {
    OpId left = builder.sub(size[axis], offset, within(1, most + 1));
    size[axis] = builder.min(number(level.tile), left,
                             within(1, std::min(level.tile, most + 1)));
  }
  step = index;
}

/// Decodes the outer loops that walk the slowest axis left from that axis;
/// returns how many.
size_t NestLowering::followDispatch() {
  size_t count = 0;
  for (; count < nest.levels.size(); ++count) {
    const NestLevel &level = nest.levels[count];
    unsigned axis = level.axis;
    if (isOne(size[axis])) {
      step = number(0);
      continue;
    }
    while (slowest > 0 && isOne(size[slowest]))
      --slowest;
    if (int(axis) != slowest)
      break;
    OpId index = builder.floorDiv(raw[axis], number(level.tile));
    raw[axis] = builder.floorMod(raw[axis], number(level.tile));
    place(level, index);
  }
  return count;
}

/// The position among what is left, x fastest.
void NestLowering::formPosition() {
  position = number(0);
  maxPosition = maxCount - 1;
  for (int axis = 2; axis >= 0; --axis) {
    if (isOne(size[axis]))
      continue;
    OpId scaled = builder.mul(position, size[axis], within(0, maxPosition));
    position = builder.add(scaled, raw[axis], within(0, maxPosition));
  }
}

/// From a dispatch id to a position: each die gets its share.
void NestLowering::deal() {
  OpId count = number(1);
  for (unsigned axis = 0; axis < 3; ++axis)
    count = builder.mul(count, size[axis], within(1, maxCount));
  OpId dies = number(numDies);
  OpId die = builder.floorMod(position, dies);
  OpId turn = builder.floorDiv(position, dies);
  if (nest.deal == Deal::Contiguous) {
    OpId share =
        builder.mul(die, builder.floorDiv(count, dies), within(0, maxPosition));
    OpId extra = builder.min(die, builder.floorMod(count, dies));
    position = builder.add(builder.add(share, extra, within(0, maxPosition)),
                           turn, within(0, maxPosition));
    return;
  }
  int64_t round = numDies * nest.chunk;
  OpId rest = builder.floorMod(count, number(round));
  OpId whole = builder.sub(count, rest, within(0, maxCount));
  // turn / chunk * round + die * chunk + turn % chunk; only needed where the
  // position is in a whole round.
  Range needed{0, maxPosition, false};
  OpId chunks = builder.floorDiv(turn, number(nest.chunk));
  OpId skipped = builder.mul(chunks, number(round - nest.chunk), needed);
  OpId offset = builder.mul(die, number(nest.chunk), needed);
  OpId dealt = builder.add(builder.add(skipped, offset, needed), turn, needed);
  position = builder.select(builder.less(position, whole), dealt, position,
                            within(0, maxPosition));
}

/// Decodes one loop from the position.
void NestLowering::decode(const NestLevel &level) {
  unsigned axis = level.axis;
  if (isOne(size[axis])) {
    step = number(0);
    return;
  }
  OpId volume = number(level.tile);
  Range most = isDynamic() ? within(1, INT32_MAX) : Range{};
  for (unsigned other = 0; other < 3; ++other)
    if (other != axis)
      volume = builder.mul(size[other], volume, most);
  if (isOne(volume)) { // the innermost loop
    place(level, position);
    position = number(0);
    return;
  }
  OpId index = builder.floorDiv(position, volume, within(0, maxPosition));
  position = builder.floorMod(position, volume, within(0, maxPosition));
  place(level, index);
}

void NestLowering::run() {
  out.grid = grid;
  OpId holds = number(1);
  if (isDynamic())
    holds = guard();
  else
    maxCount = grid.count();
  for (unsigned axis = 0; axis < 3; ++axis) {
    id[axis] = raw[axis] = builder.id(axis, grid[axis]);
    start[axis] = number(0);
    size[axis] = grid[axis] == kUnknownExtent ? builder.extent(axis)
                                              : number(grid[axis]);
  }
  step = number(0);
  size_t first = 0;
  if (nest.deal == Deal::None)
    first = followDispatch();
  formPosition();
  if (nest.deal != Deal::None && numDies > 1)
    deal();
  for (const NestLevel &level :
       llvm::ArrayRef<NestLevel>(nest.levels).drop_front(first))
    decode(level);
  if (isDynamic())
    for (unsigned axis = 0; axis < 3; ++axis)
      start[axis] = builder.select(holds, start[axis], id[axis]);
  builder.finish(start[0], start[1], start[2]);
}

llvm::Expected<LoweredFormula> lowerNest(const LoopNest &nest, const Grid &grid,
                                         int64_t numDies) {
  if (std::string wrong = nest.verify(); !wrong.empty())
    return llvm::createStringError("cannot lower the loop nest: " + wrong);
  if (numDies < 1)
    return llvm::createStringError(
        "cannot lower the loop nest: it deals to %lld dies; at least 1",
        static_cast<long long>(numDies));
  // The largest product formed on the way is that of a tile and the other axes.
  int64_t largest = nest.deal == Deal::Chunked ? nest.chunk : 1;
  for (const NestLevel &level : nest.levels)
    largest = std::max(largest, level.tile);
  if (largest > (int64_t(1) << 24) || numDies > (int64_t(1) << 24) ||
      (grid.isStatic() && grid.count() > INT64_MAX / largest / 4))
    return llvm::createStringError(
        "cannot lower the loop nest: the grid's workgroups cannot be counted "
        "in 64 bits");
  LoweredFormula result;
  NestLowering(nest, grid, numDies, result).run();
  return result;
}

} // namespace swizzle::formula
