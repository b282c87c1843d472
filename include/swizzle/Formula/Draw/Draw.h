//===- Draw.h - Pictures of a remap -----------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws a grid before and after a remap: which die computes each tile, and when
// (the position in the order in which that die gets its workgroups).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_DRAW_DRAW_H
#define SWIZZLE_FORMULA_DRAW_DRAW_H

#include "swizzle/Support/Grid.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace swizzle {

struct Drawing {
  std::string title;    ///< first line of the picture
  std::string subtitle; ///< second line; may be empty
  Grid grid;            ///< static
  /// New linear id of each workgroup, as `prove` returns it; a permutation.
  llvm::ArrayRef<uint32_t> permutation;
  int64_t numDies = 1;
  /// Consecutive workgroups dealt to one die before the next one's turn.
  int64_t dispatchChunk = 1;
};

/// The picture as SVG. Grids of more than 128 cells a side are sampled, layers
/// of a 3-D grid are shown side by side (at most nine), a single row is
/// wrapped; the picture says so.
std::string drawSVG(const Drawing &drawing);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_DRAW_DRAW_H
