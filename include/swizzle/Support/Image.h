//===- Image.h - An image with a palette ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rectangles in at most 256 colours, written as PNG.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_IMAGE_H
#define SWIZZLE_SUPPORT_IMAGE_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace swizzle {

class Image {
public:
  /// All white.
  Image(int64_t width, int64_t height)
      : width(width), height(height), pixels(size_t(width * height), 0),
        palette(1, 0xffffff) {}

  /// A rectangle in the colour 0xrrggbb; what lies outside is cut off. More
  /// colours than the palette holds share its last one.
  void fill(int64_t left, int64_t top, int64_t w, int64_t h, uint32_t colour);

  /// Fails if LLVM was built without zlib.
  llvm::Expected<std::string> encodePNG() const;

private:
  uint8_t indexOf(uint32_t colour);

  int64_t width, height;
  std::vector<uint8_t> pixels;
  std::vector<uint32_t> palette;
};

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_IMAGE_H
