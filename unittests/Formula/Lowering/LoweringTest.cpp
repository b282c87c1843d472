//===- LoweringTest.cpp - The operations compute the formula --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle is the formula's own evaluator, on every workgroup of awkward
// grids: primes, flat, tall, fewer workgroups than dies, powers of two.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Lowering/Lowering.h"
#include "EvaluateLowered.h"
#include "Formula/Orders/RandomNest.h"
#include "swizzle/Formula/Orders/Nest.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <random>

using namespace swizzle;

namespace {

const Grid awkwardGrids[] = {
    Grid(1),       Grid(7),       Grid(97),      Grid(1, 13),   Grid(5, 1, 3),
    Grid(13, 17),  Grid(64, 8),   Grid(2, 31),   Grid(31, 2),   Grid(1, 1, 11),
    Grid(3, 5, 7), Grid(6, 4, 9), Grid(4, 4, 4), Grid(1, 9, 5), Grid(8, 3, 1),
    Grid(16, 16),  Grid(8, 4, 2), Grid(96, 61),  Grid(2, 2),    Grid(1009)};

/// Lowers and compares for every workgroup.
LoweredFormula expectSame(const Formula &formula,
                          const Environment &environment,
                          const LoweringOptions &options = {}) {
  llvm::Expected<LoweredFormula> lowered = lower(formula, environment, options);
  if (!lowered) {
    ADD_FAILURE() << llvm::toString(lowered.takeError()) << "\n"
                  << formula.print();
    return {};
  }
  BoundFormula bound = cantFail(BoundFormula::bind(formula, environment));
  const Grid &grid = environment.grid;
  for (int64_t i = 0; i < grid.count(); ++i) {
    WorkgroupId id = delinearise(i, grid);
    WorkgroupId expected = cantFail(bound.evaluate(id));
    WorkgroupId got = evaluate(*lowered, id, grid);
    if (got == expected)
      continue;
    ADD_FAILURE() << toString(grid) << ", workgroup (" << id.x << ", " << id.y
                  << ", " << id.z << "): (" << got.x << ", " << got.y << ", "
                  << got.z << ") instead of (" << expected.x << ", "
                  << expected.y << ", " << expected.z << ")\n"
                  << formula.print() << lowered->print();
    break;
  }
  return *lowered;
}

Formula parse(llvm::StringRef text) { return cantFail(Formula::parse(text)); }

Environment onGrid(Grid grid, int64_t dies = 8) {
  Environment environment;
  environment.grid = grid;
  environment.hardware["num_xcds"] = dies;
  return environment;
}

unsigned countKind(const LoweredFormula &lowered, LoweredKind kind) {
  unsigned count = 0;
  for (const LoweredOp &op : lowered.ops)
    count += op.kind == kind;
  return count;
}

TEST(Lowering, RandomNestsOnAwkwardGrids) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 60; ++round) {
    LoopNest nest = randomNest(random);
    ASSERT_EQ(nest.verify(), "");
    Formula formula = nest.toFormula(3);
    const int64_t dieCounts[] = {1, 3, 4, 6, 7, 8};
    for (const Grid &grid : awkwardGrids)
      expectSame(formula, onGrid(grid, dieCounts[random() % 6]));
  }
}

TEST(Lowering, CatalogueOnAwkwardGrids) {
  for (const CatalogueEntry &entry : catalogue()) {
    Formula formula = parse(entry.text);
    for (const Grid &grid : awkwardGrids)
      for (int64_t dies : {1, 6, 8}) {
        Environment environment = onGrid(grid, dies);
        for (llvm::StringRef name : knownHardwareNames())
          if (name != "num_xcds")
            environment.hardware[name.str()] = 304;
        TemplateVerdict verdict = firstLegal(formula, environment);
        if (!verdict.verdict.legal())
          continue;
        environment.params = verdict.params;
        expectSame(formula, environment);
      }
  }
}

// Under sanitizers some of them show as much.
constexpr unsigned kEvery = LLVM_ADDRESS_SANITIZER_BUILD ? 6 : 1;

TEST(Lowering, WhateverIsProvedOnUnknownGridsIsLowered) {
  constexpr int64_t unknown = kUnknownExtent;
  unsigned proved = 0, tried = 0;
  for (const CatalogueEntry &entry : catalogue()) {
    if (tried++ % kEvery)
      continue;
    for (const Grid &known :
         {Grid(unknown, unknown), Grid(unknown, unknown, unknown),
          Grid(64, unknown, 2), Grid(unknown), Grid(1, unknown)}) {
      Formula formula = parse(entry.text);
      Environment environment = onGrid(known, /*dies=*/6);
      for (llvm::StringRef name : knownHardwareNames())
        if (name != "num_xcds")
          environment.hardware[name.str()] = 304;
      TemplateVerdict verdict = firstLegal(formula, environment);
      if (!verdict.verdict.legal())
        continue;
      ++proved;
      environment.params = verdict.params;
      llvm::Expected<LoweredFormula> lowered = lower(formula, environment);
      if (!lowered) {
        ADD_FAILURE() << entry.name << " on " << toString(known) << ": "
                      << llvm::toString(lowered.takeError());
        continue;
      }
      for (Grid grid : awkwardGrids) {
        for (unsigned axis = 0; axis < 3; ++axis)
          if (known[axis] != unknown)
            grid[axis] = known[axis];
        environment.grid = grid;
        BoundFormula bound = cantFail(BoundFormula::bind(formula, environment));
        for (int64_t i = 0; i < grid.count(); ++i) {
          WorkgroupId id = delinearise(i, grid);
          ASSERT_EQ(evaluate(*lowered, id, grid), cantFail(bound.evaluate(id)))
              << entry.name << " on " << toString(grid) << "\n"
              << lowered->print();
        }
      }
    }
  }
  EXPECT_GT(proved, 60u / kEvery);
}

TEST(Lowering, FamiliesOnRowsBeyondEnumeration) {
  unsigned proved = 0;
  std::mt19937 random(3);
  for (const CatalogueEntry &entry : catalogue())
    for (Grid grid : {Grid((1 << 22) + 1), Grid(304 * 16384)}) {
      Formula formula = parse(entry.text);
      Environment environment = onGrid(grid);
      for (llvm::StringRef name : knownHardwareNames())
        if (name != "num_xcds")
          environment.hardware[name.str()] = 304;
      environment.params = formula.combination(0);
      if (!prove(formula, environment).legal())
        continue;
      ++proved;
      llvm::Expected<LoweredFormula> lowered = lower(formula, environment);
      if (!lowered) {
        ADD_FAILURE() << entry.name << " on " << toString(grid) << ": "
                      << llvm::toString(lowered.takeError());
        continue;
      }
      BoundFormula bound = cantFail(BoundFormula::bind(formula, environment));
      for (unsigned i = 0; i < 4000; ++i) {
        WorkgroupId id{int64_t(random() % grid.x()), 0, 0};
        if (i < 2000) // Both ends.
          id.x = i % 2 ? grid.x() - 1 - i : i;
        ASSERT_EQ(evaluate(*lowered, id, grid), cantFail(bound.evaluate(id)))
            << entry.name << " on " << toString(grid) << "\n"
            << lowered->print();
      }
    }
  EXPECT_GT(proved, 50u);
}

TEST(Lowering, AssumedGridStaysTrapFreeOutsideIt) {
  // The interpreter asserts on a trap; ids far outside the grid must not.
  Formula formula = parse("h = min(gy - y // 8 * 8, 8); i = y % 8 * gx + x\n"
                          "return i // h, y // 8 * 8 + i % h");
  LoweringOptions options;
  options.gridIsAssumed = true;
  for (const Grid &grid : {Grid(96, 61), Grid(13, 17), Grid(4, 3)}) {
    Environment environment = onGrid(grid);
    LoweredFormula lowered = expectSame(formula, environment, options);
    for (int64_t y : {0, 60, 61, 63, 64, 100000})
      evaluate(lowered, {70000, y, 3}, Grid(100000, 100001, 4));
  }
}

TEST(Lowering, PowersOfTwoMoveBits) {
  // XCD-contiguous shares, then groups of 8 rows: x -> y, and a rotation.
  Formula formula = parse("d, j = (y * gx + x) % 8, (y * gx + x) // 8\n"
                          "i = d * (gx * gy // 8) + j; w = 8 * gx\n"
                          "g, k = i // w, i % w\n"
                          "return k // 8, g * 8 + k % 8");
  LoweredFormula lowered = expectSame(formula, onGrid(Grid(64, 64)));
  // The rotation is a product that lays two copies side by side.
  EXPECT_LE(estimateCost(lowered), 3);
  EXPECT_EQ(countKind(lowered, LoweredKind::UMulHi), 0u);
}

TEST(Lowering, RaggedGroupMultipliesByOneOfTwoReciprocals) {
  Formula formula = parse("i = y * gx + x; w = 8 * gx; g, k = i // w, i % w\n"
                          "h = min(gy - g * 8, 8)\n"
                          "return k // h, g * 8 + k % h");
  LoweredFormula lowered = expectSame(formula, onGrid(Grid(96, 61)));
  EXPECT_EQ(countKind(lowered, LoweredKind::UDiv), 0u);
  EXPECT_GE(countKind(lowered, LoweredKind::UMulHi), 1u);
  EXPECT_LE(estimateCost(lowered), 20);
}

TEST(Lowering, DivisionIsNeverSpeculated) {
  // The divisor is zero for a third of the workgroups.
  for (const Grid &grid : {Grid(7, 9), Grid(64, 64), Grid(96, 61)})
    expectSame(parse("r = y % 3 * (x + 1)\nk = x // r if r else x\n"
                     "return x + k - k, y"),
               onGrid(grid));
}

TEST(Lowering, NegativeNumbersRoundDown) {
  for (const Grid &grid : awkwardGrids) {
    expectSame(parse("a = (x - 5) // 3 * 3 + (x - 5) % 3; return a + 5, y, z"),
               onGrid(grid));
    expectSame(parse("d = y % 5 - 2; d = d if d else 7; a = x - 4\n"
                     "return a // d * d + a % d + 4, y, z"),
               onGrid(grid));
    expectSame(parse("a = -x; return -(a // -3 * -3 + a % -3), y, z"),
               onGrid(grid));
    expectSame(parse("return gx - 1 - x, abs(y - gy) - 1, ~(~z)"),
               onGrid(grid));
  }
}

TEST(Lowering, WideValuesStayExact) {
  // Intermediate values beyond 32 bits, and a modulus that is not.
  Formula formula =
      parse("b = (x + 1) * 3000000019 * (y + 1); k = b % 1000003 // 1000003\n"
            "c = (b >> 40) // ((b >> 40) + 1) + (b << 3 >> 3) - b\n"
            "return x + k + c, y, z");
  for (const Grid &grid : awkwardGrids)
    expectSame(formula, onGrid(grid));
}

TEST(Lowering, TheSmallestNumberOf64Bits) {
  for (const Grid &grid : {Grid(7), Grid(5, 3)}) {
    expectSame(parse("m = -9223372036854775808\n"
                     "return (x + (cdiv(m, 13) == -709490156681136600) + gx) "
                     "% gx, y"),
               onGrid(grid));
    expectSame(parse("return (x + gx - 9223372036854775807 - 1 ^ 7) % gx, y"),
               onGrid(grid));
  }
}

TEST(Lowering, BitOperatorsAndComparisons) {
  Formula formula =
      parse("a = x ^ (y & 7); b = (x | 12) & ~3; c = 1 < x <= 5 and y or z\n"
            "d = not a; e = max(a, b, c, -d) - max(a, b, c, -d)\n"
            "s = (1 << (x & 15)) >> (y & 3)\n"
            "return x + e + (s - s), y + (0 if x == y else e), z + (x != x)");
  for (const Grid &grid : awkwardGrids)
    expectSame(formula, onGrid(grid));
}

TEST(Lowering, UnusedSideMayBeUndefined) {
  Formula formula = parse("a = 1 << (x - 3) if 3 <= x < 60 else 0\n"
                          "b = 100 // (x - 2) if x != 2 else 0\n"
                          "return x + (a + b) - (b + a), y, z");
  for (const Grid &grid : awkwardGrids)
    expectSame(formula, onGrid(grid));
}

TEST(Lowering, Curves) {
  for (const Grid &grid : awkwardGrids) {
    if (grid.z() != 1)
      continue;
    for (const char *text :
         {"i = y * gx + x\nreturn hilbert_x(i, gx, gy), hilbert_y(i, gx, gy)",
          "i = y * gx + x\nreturn morton_x(i, gx, gy), morton_y(i, gx, gy)"})
      expectSame(parse(text), onGrid(grid));
  }
}

std::string errorOf(llvm::StringRef text, Environment environment) {
  llvm::Expected<LoweredFormula> lowered = lower(parse(text), environment);
  return lowered ? "" : llvm::toString(lowered.takeError());
}

TEST(Lowering, Refusals) {
  EXPECT_NE(errorOf("return x // (x - 2)", onGrid(Grid(5))).find("undefined"),
            std::string::npos);
  EXPECT_NE(errorOf("return x + 1", onGrid(Grid(5))).find("leaves the grid"),
            std::string::npos);
  EXPECT_NE(
      errorOf("param G in {1, 2}\nreturn x // G * G + x % G", onGrid(Grid(5)))
          .find("G"),
      std::string::npos);
  EXPECT_NE(errorOf("return x % num_cus", onGrid(Grid(5))).find("num_cus"),
            std::string::npos);
  EXPECT_NE(errorOf("return x", onGrid(Grid(0))).find("extent 0"),
            std::string::npos);
}

} // namespace
