//===- ChooseWorkgroups.cpp - Which workgroups a check runs ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ChooseWorkgroups.h.
//
//===----------------------------------------------------------------------===//

#include "ChooseWorkgroups.h"
#include "swizzle/Formula/Proof/Proof.h"

#include <random>

namespace swizzle::host {

std::vector<uint32_t> evaluateEverywhere(const BoundFormula &formula,
                                         const Grid &grid, std::string &wrong) {
  int64_t count = grid.count();
  if (count > kMostEnumerated)
    return {};
  std::vector<uint32_t> permutation(count);
  if (llvm::Error error = formula.evaluate(0, permutation)) {
    wrong = llvm::toString(std::move(error));
    return permutation;
  }
  auto nameOf = [&](int64_t id) {
    return toString(delinearise(id, grid), grid);
  };
  std::vector<int64_t> from(count, -1);
  for (int64_t id = 0; id < count; ++id) {
    int64_t &first = from[permutation[id]];
    if (first >= 0) {
      wrong = "the formula is no permutation: workgroups " + nameOf(first) +
              " and " + nameOf(id) + " both map to " + nameOf(permutation[id]);
      return permutation;
    }
    first = id;
  }
  return permutation;
}

size_t addCorners(const Grid &grid, llvm::ArrayRef<uint32_t> permutation,
                  llvm::SetVector<int64_t> &chosen) {
  llvm::SetVector<int64_t> tiles;
  for (int corner = 0; corner < 8; ++corner)
    tiles.insert(
        linearise({corner & 1 ? grid.x() - 1 : 0, corner & 2 ? grid.y() - 1 : 0,
                   corner & 4 ? grid.z() - 1 : 0},
                  grid));
  chosen.insert(tiles.begin(), tiles.end());
  // Those that do the original's corners.
  for (auto [id, tile] : llvm::enumerate(permutation))
    if (tiles.contains(tile))
      chosen.insert(id);
  return chosen.size();
}

void addSample(const Grid &grid, const CheckOptions &options,
               llvm::SetVector<int64_t> &chosen) {
  int64_t count = grid.count();
  if (count <= options.allUpTo) {
    for (int64_t id = 0; id < count; ++id)
      chosen.insert(id);
    return;
  }
  std::mt19937_64 random(options.host.seed);
  auto any = [&](int64_t extent) {
    return int64_t(random() % uint64_t(extent));
  };
  // Tails: anywhere on the last plane of each axis.
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < 2 && grid[axis] > 1; ++i) {
      WorkgroupId id{any(grid.x()), any(grid.y()), any(grid.z())};
      (axis == 0 ? id.x : axis == 1 ? id.y : id.z) = grid[axis] - 1;
      chosen.insert(linearise(id, grid));
    }
  for (int64_t i = 0; i < options.sample; ++i)
    chosen.insert(any(count));
}

} // namespace swizzle::host
