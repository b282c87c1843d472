//===- RandomKernelTest.cpp - The host runner against an oracle -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels drawn from fixed seeds: what the runner leaves in memory must be what
// the oracle computes, to the bit. Then each kernel under another order,
// written by hand in its IR: one that is right must pass the check, and one
// that only looks so, because it sends two workgroups to one place, must not.
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"
#include "Codegen/Host/HostTest.h"

#include <algorithm>
#include <random>
#include <set>

using namespace swizzle;
using test::RandomKernel;

namespace {

constexpr uint64_t kSeeds = 48;

using RandomKernelTest = test::HostTest;

std::vector<WorkgroupId> allIds(const Grid &grid) {
  std::vector<WorkgroupId> ids;
  for (int64_t i = 0; i < grid.count(); ++i)
    ids.push_back(delinearise(i, grid));
  return ids;
}

RandomKernel::Memory readMemory(const HostKernel &kernel) {
  RandomKernel::Memory memory;
  for (const HostBuffer &buffer : kernel.buffers()) {
    memory.emplace_back(buffer.bytes / 4);
    std::memcpy(memory.back().data(), buffer.data, buffer.bytes);
  }
  return memory;
}

TEST_F(RandomKernelTest, RunsAsTheOracle) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RandomKernel random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + random.text());
    options.seed = seed;
    ASSERT_EQ(compile(random.text()), "");
    ASSERT_EQ(kernel->grid(), random.grid);
    ASSERT_EQ(kernel->block(), random.block);
    RandomKernel::Memory before = readMemory(*kernel), expected = before;
    std::vector<WorkgroupId> ids = allIds(random.grid);
    std::shuffle(ids.begin(), ids.end(), std::mt19937_64(seed));
    for (WorkgroupId id : ids) {
      random.run(id, expected);
      ThreadOrder order =
          id.x % 2 ? ThreadOrder::Descending : ThreadOrder::Ascending;
      llvm::Error error = kernel->run(id, order, Recording::Writes);
      ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
    }
    RandomKernel::Memory found = readMemory(*kernel);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i], expected[i]) << "argument " << i;
    EXPECT_NE(found, before);
  }
}

/// The kernels are worth running: each feature occurs in several of them.
TEST(RandomKernelTextTest, KernelsDiffer) {
  for (const char *feature :
       {"gpu.barrier", "scf.for", "scf.if", "memref.atomic_rmw", "arith.addf",
        "arith.select", "arith.index_castui", "gpu.block_dim", "xf32>"}) {
    unsigned count = 0;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed)
      count += RandomKernel(seed).text().find(feature) != std::string::npos;
    EXPECT_GE(count, 5u) << feature;
  }
  EXPECT_EQ(RandomKernel(1).text(), RandomKernel(1).text());
}

/// An order: in the IR, as a formula, and as the ids that it gives.
struct IdMap {
  std::string lines;   ///< define %bx, %by from %ix, %iy
  std::string formula; ///< that the variant claims to follow
  std::function<WorkgroupId(WorkgroupId)> map; ///< what `lines` compute

  /// True if each id of `grid` is given once.
  bool isPermutation(const Grid &grid) const {
    std::set<int64_t> images;
    for (WorkgroupId id : allIds(grid)) {
      WorkgroupId image = map(id);
      if (image.x < grid.x() && image.y < grid.y())
        images.insert(linearise(image, grid));
    }
    return int64_t(images.size()) == grid.count();
  }
  std::string text(const Grid &grid) const {
    std::string result = "%ix = gpu.block_id x\n%iy = gpu.block_id y\n";
    for (auto [name, value] :
         {std::pair("one", int64_t(1)), std::pair("two", int64_t(2)),
          std::pair("gx", grid.x()), std::pair("gy", grid.y())})
      result += std::string("%") + name + " = arith.constant " +
                std::to_string(value) + " : index\n";
    return result + lines;
  }
};

const char *const kSuperGroup = "i = y * gx + x\n"
                                "g, k = i // (2 * gx), i % (2 * gx)\n"
                                "h = min(gy - g * 2, 2)\n"
                                "return k // h, g * 2 + k % h";

std::vector<IdMap> rightMaps(const Grid &grid) {
  int64_t gx = grid.x(), gy = grid.y();
  return {{R"(%last = arith.subi %gx, %one : index
              %bx = arith.subi %last, %ix : index
              %by = arith.addi %iy, %zero : index
)",
           "return gx - 1 - x, y",
           [=](WorkgroupId id) { return WorkgroupId{gx - 1 - id.x, id.y}; }},
          {R"(%row = arith.muli %iy, %gx : index
              %i = arith.addi %row, %ix : index
              %bx = arith.divui %i, %gy : index
              %by = arith.remui %i, %gy : index
)",
           "i = y * gx + x\nreturn i // gy, i % gy",
           [=](WorkgroupId id) {
             int64_t i = id.y * gx + id.x;
             return WorkgroupId{i / gy, i % gy};
           }},
          {R"(%sum = arith.addi %ix, %iy : index
              %bx = arith.remui %sum, %gx : index
              %by = arith.addi %iy, %zero : index
)",
           "return (x + y) % gx, y", [=](WorkgroupId id) {
             return WorkgroupId{(id.x + id.y) % gx, id.y};
           }}};
}

/// Slips as people make them; the claimed formula is the one that was meant.
std::vector<IdMap> wrongMaps(const Grid &grid) {
  int64_t gx = grid.x(), gy = grid.y();
  std::vector<IdMap> maps = {
      // A clamp one too low.
      {R"(%last = arith.subi %gx, %one : index
          %most = arith.subi %gx, %two : index
          %back = arith.subi %last, %ix : index
          %bx = arith.minui %back, %most : index
          %by = arith.addi %iy, %zero : index
)",
       "return gx - 1 - x, y",
       [=](WorkgroupId id) {
         return WorkgroupId{std::min(gx - 1 - id.x, gx - 2), id.y};
       }},
      // Pairs without their second half.
      {R"(%half = arith.divui %ix, %two : index
          %bx = arith.muli %half, %two : index
          %by = arith.addi %iy, %zero : index
)",
       "return x, y",
       [=](WorkgroupId id) { return WorkgroupId{id.x / 2 * 2, id.y}; }},
      // A rotation modulo one too few.
      {R"(%last = arith.subi %gx, %one : index
          %sum = arith.addi %ix, %iy : index
          %bx = arith.remui %sum, %last : index
          %by = arith.addi %iy, %zero : index
)",
       "return (x + y) % gx, y", [=](WorkgroupId id) {
         return WorkgroupId{(id.x + id.y) % (gx - 1), id.y};
       }}};
  // Groups of two rows, as if the last one were never short.
  if (gy % 2)
    maps.push_back({R"(%row = arith.muli %iy, %gx : index
          %i = arith.addi %row, %ix : index
          %pair = arith.muli %gx, %two : index
          %g = arith.divui %i, %pair : index
          %k = arith.remui %i, %pair : index
          %bx = arith.divui %k, %two : index
          %first = arith.muli %g, %two : index
          %odd = arith.remui %k, %two : index
          %by = arith.addi %first, %odd : index
)",
                    kSuperGroup, [=](WorkgroupId id) {
                      int64_t i = id.y * gx + id.x, k = i % (2 * gx);
                      return WorkgroupId{k / 2, i / (2 * gx) * 2 + k % 2};
                    }});
  return maps;
}

CheckResult checkMap(mlir::ModuleOp original, mlir::ModuleOp variant,
                     const IdMap &map, const Grid &grid, uint64_t seed) {
  llvm::Expected<Formula> formula = Formula::parse(map.formula);
  Environment environment;
  environment.grid = grid;
  llvm::Expected<BoundFormula> bound =
      BoundFormula::bind(llvm::cantFail(std::move(formula)), environment);
  CheckOptions options;
  options.host.seed = seed;
  return check(original, variant, "", llvm::cantFail(std::move(bound)),
               options);
}

TEST_F(RandomKernelTest, RightMapsPassAndWrongOnesAreCaught) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RandomKernel random(seed);
    const Grid &grid = random.grid;
    auto original = parse(random.text());
    auto variantOf = [&](const IdMap &map) {
      return parse(random.text(map.text(grid)));
    };
    std::vector<IdMap> right = rightMaps(grid), wrong = wrongMaps(grid);
    const IdMap &good = right[seed % right.size()],
                &bad = wrong[seed % wrong.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", grid " + toString(grid));
    ASSERT_TRUE(good.isPermutation(grid)) << good.formula;
    ASSERT_FALSE(bad.isPermutation(grid)) << bad.lines;
    CheckResult result =
        checkMap(*original, *variantOf(good), good, grid, seed);
    EXPECT_EQ(result.status, CheckStatus::Passed) << good.formula << "\n"
                                                  << result.message;
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.workgroups, grid.count());
    result = checkMap(*original, *variantOf(bad), bad, grid, seed);
    EXPECT_EQ(result.status, CheckStatus::Failed) << bad.lines << random.text();
    EXPECT_NE(result.message, "");
  }
}

} // namespace
