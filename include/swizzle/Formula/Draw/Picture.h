//===- Picture.h - A remap as PNG ----------------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The picture of Draw.h without its words, for readers that take pictures but
// no SVG: multimodal language models.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_DRAW_PICTURE_H
#define SWIZZLE_FORMULA_DRAW_PICTURE_H

#include "swizzle/Formula/Draw/Draw.h"

namespace swizzle {

/// Panels as PNG: the grid as it is on the left, under the remap on the right.
/// Above, one colour for each die; below, the time from dark (first) to light
/// (last). A chip of one die has the lower panels only. Title and subtitle are
/// not shown. Fails if LLVM was built without zlib.
llvm::Expected<std::string> drawPNG(const Drawing &drawing);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_DRAW_PICTURE_H
