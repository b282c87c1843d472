//===- GridText.cpp - Grids and workgroup ids as text ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `96x61`, `64x64x4`, `?x?`: x first, as every launch has it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/GridText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace swizzle {

llvm::Expected<Grid> parseGrid(llvm::StringRef text) {
  auto failure = [&](const llvm::Twine &what) {
    return llvm::createStringError("`" + text + "`: " + what +
                                   "; sizes are written as 96x61, 64x64x4 "
                                   "or ?x?, x first");
  };
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  if (parts.size() > 3)
    return failure("there are " + llvm::Twine(parts.size()) +
                   " extents, at most three are possible");
  Grid grid;
  for (size_t axis = 0; axis < parts.size(); ++axis) {
    llvm::StringRef part = parts[axis].trim();
    if (part == "?") {
      grid[axis] = kUnknownExtent;
      continue;
    }
    if (part.empty())
      return failure("an extent is missing");
    if (!llvm::all_of(part, llvm::isDigit))
      return failure("`" + part + "` is not a number");
    if (part.getAsInteger(10, grid[axis]) || grid[axis] > INT32_MAX)
      return failure("`" + part + "` is more than 2147483647");
    if (grid[axis] == 0)
      return failure("an extent is at least 1");
  }
  return grid;
}

std::string toString(const Grid &grid) {
  unsigned rank = rankOf(grid);
  std::string text;
  for (unsigned axis = 0; axis < rank; ++axis) {
    text += axis ? "x" : "";
    text += grid[axis] == kUnknownExtent ? "?" : std::to_string(grid[axis]);
  }
  return text;
}

unsigned rankOf(const Grid &grid) {
  return grid.z() != 1 ? 3 : grid.y() != 1 ? 2 : 1;
}

std::string toString(WorkgroupId id, const Grid &grid) {
  std::string text = "(" + std::to_string(id.x);
  unsigned rank = std::max(rankOf(grid), id.z ? 3u : id.y ? 2u : 1u);
  if (rank > 1)
    text += "," + std::to_string(id.y);
  if (rank > 2)
    text += "," + std::to_string(id.z);
  return text + ")";
}

} // namespace swizzle
