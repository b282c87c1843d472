//===- NestLoweringTest.cpp - Nests on grids that are not known -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle is `LoopNest::evaluate`, on every workgroup of awkward grids; and
// the identity on grids beyond the guard.
//
//===----------------------------------------------------------------------===//

#include "Lowering/NestLowering.h"
#include "EvaluateLowered.h"
#include "Formula/Orders/RandomNest.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "gtest/gtest.h"

#include <random>

using namespace swizzle;
using namespace swizzle::formula;

namespace {

constexpr int64_t unknown = kUnknownExtent;

const Grid awkwardGrids[] = {
    Grid(1),       Grid(7),       Grid(97),      Grid(1, 13),   Grid(5, 1, 3),
    Grid(13, 17),  Grid(64, 8),   Grid(2, 31),   Grid(31, 2),   Grid(1, 1, 11),
    Grid(3, 5, 7), Grid(6, 4, 9), Grid(4, 4, 4), Grid(1, 9, 5), Grid(8, 3, 1)};

/// Compares `lowered` with the nest for the given workgroups of `grid`.
void expectSame(const LoopNest &nest, const LoweredFormula &lowered,
                const Grid &grid, int64_t dies, int64_t stride = 1) {
  for (int64_t i = 0; i < grid.count(); i += stride) {
    WorkgroupId expected = nest.evaluate(i, grid, dies);
    WorkgroupId got = evaluate(lowered, delinearise(i, grid), grid);
    if (got == expected)
      continue;
    ADD_FAILURE() << nest.describe() << " on " << toString(grid)
                  << ", workgroup " << i << ": (" << got.x << ", " << got.y
                  << ", " << got.z << ") instead of (" << expected.x << ", "
                  << expected.y << ", " << expected.z << ")\n"
                  << lowered.print();
    return;
  }
}

TEST(NestLowering, UnknownGrids) {
  std::mt19937 random(11);
  const int64_t dieCounts[] = {1, 3, 4, 6, 7, 8};
  for (unsigned round = 0; round < 200; ++round) {
    LoopNest nest = randomNest(random);
    int64_t dies = dieCounts[random() % 6];
    LoweredFormula lowered =
        cantFail(lowerNest(nest, Grid(unknown, unknown, unknown), dies));
    for (const Grid &grid : awkwardGrids)
      expectSame(nest, lowered, grid, dies);
  }
}

TEST(NestLowering, PartlyKnownGrids) {
  std::mt19937 random(12);
  for (unsigned round = 0; round < 200; ++round) {
    LoopNest nest = randomNest(random);
    Grid grid = awkwardGrids[random() % 15], known = grid;
    known[random() % 3] = unknown;
    if (random() % 2)
      known[random() % 3] = unknown;
    expectSame(nest, cantFail(lowerNest(nest, known, 8)), grid, 8);
  }
}

TEST(NestLowering, KnownGridsOfAnySize) {
  std::mt19937 random(13);
  const Grid grids[] = {Grid(13, 17), Grid(96, 61), Grid(70001, 50021),
                        Grid(2147483647, 3, 1), Grid(4099, 31, 1009)};
  for (unsigned round = 0; round < 40; ++round) {
    LoopNest nest = randomNest(random);
    for (const Grid &grid : grids) {
      LoweredFormula lowered = cantFail(lowerNest(nest, grid, 8));
      EXPECT_EQ(lowered.maxExtentProduct, 0);
      expectSame(nest, lowered, grid, 8,
                 std::max<int64_t>(1, grid.count() / 777));
    }
  }
}

TEST(NestLowering, LargeGridsUpToTheGuardAndIdentityBeyond) {
  LoopNest nest;
  nest.deal = Deal::Contiguous;
  nest.levels = {{2, 1, false}, {1, 8, false}, {0, 1, false}, {1, 1, false}};
  LoweredFormula lowered =
      cantFail(lowerNest(nest, Grid(unknown, unknown, unknown), 8));
  EXPECT_EQ(lowered.maxExtentProduct, (int64_t(1) << 28) - 1);
  for (const Grid &grid :
       {Grid(16384, 16383), Grid((1 << 28) - 1), Grid(1, (1 << 28) - 1),
        Grid(1, 1, (1 << 28) - 1), Grid(641, 645, 649)})
    expectSame(nest, lowered, grid, 8, grid.count() / 1001);
  for (const Grid &grid :
       {Grid(16384, 16384), Grid(1 << 28), Grid(65536, 65536),
        Grid(65536, 65536, 65536), Grid(2147483647, 2147483647, 2147483647),
        Grid(4, 1 << 30), Grid(1 << 16, 1, 1 << 16)})
    for (WorkgroupId id :
         {WorkgroupId{0, 0, 0},
          WorkgroupId{grid.x() - 1, grid.y() - 1, grid.z() - 1},
          WorkgroupId{grid.x() / 2, grid.y() / 3, 0}})
      EXPECT_EQ(evaluate(lowered, id, grid), id) << toString(grid);
}

TEST(NestLowering, DivisorsAreNeverZero) {
  // The interpreter asserts on a trap; extents for which products wrap to zero.
  std::mt19937 random(14);
  for (unsigned round = 0; round < 100; ++round) {
    LoopNest nest = randomNest(random);
    LoweredFormula lowered =
        cantFail(lowerNest(nest, Grid(unknown, unknown, unknown), 8));
    for (const Grid &grid : {Grid(65536, 65536), Grid(1 << 30, 4, 4),
                             Grid(1 << 29, 8), Grid(2, 1 << 30, 2)})
      EXPECT_EQ(evaluate(lowered, {1, 1, 0}, grid), (WorkgroupId{1, 1, 0}));
  }
}

TEST(NestLowering, OneUnknownExtentNeedsNoProduct) {
  LoopNest nest;
  nest.levels = {{2, 1, false}, {0, 1, false}, {1, 1, false}};
  LoweredFormula lowered = cantFail(lowerNest(nest, Grid(unknown, 64, 1), 8));
  for (const LoweredOp &op : lowered.ops)
    EXPECT_NE(op.kind, LoweredKind::UMulHi);
  for (int64_t x : {1, 5, 64, 1000})
    expectSame(nest, lowered, Grid(x, 64), 8);
}

TEST(NestLowering, Refusals) {
  LoopNest nest;
  nest.levels = {{0, 1, false}};
  llvm::Expected<LoweredFormula> open = lowerNest(nest, Grid(unknown), 8);
  EXPECT_NE(llvm::toString(open.takeError()).find("axis y"), std::string::npos);
  llvm::Expected<LoweredFormula> none =
      lowerNest(LoopNest::rowMajor(), Grid(unknown), 0);
  EXPECT_NE(llvm::toString(none.takeError()).find("0 dies"), std::string::npos);
  llvm::Expected<LoweredFormula> huge =
      lowerNest(LoopNest::rowMajor(), Grid(INT32_MAX, INT32_MAX, INT32_MAX), 8);
  EXPECT_NE(llvm::toString(huge.takeError()).find("64 bits"),
            std::string::npos);
}

} // namespace
