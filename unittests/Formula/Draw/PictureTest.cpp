//===- PictureTest.cpp - Pictures hold what they show ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The PNG is taken apart again, by the format's own rules, and its pixels are
// compared with who computes each tile.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Draw/Picture.h"
#include "Draw/DrawLayout.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace swizzle;

namespace {

struct Image {
  int64_t width = 0, height = 0;
  std::vector<uint32_t> pixels;
  uint32_t at(int64_t x, int64_t y) const { return pixels[y * width + x]; }
};

/// Reads the form of PNG that the encoder writes; checks every checksum.
Image decode(llvm::StringRef png) {
  Image image;
  EXPECT_TRUE(png.consume_front(llvm::StringRef("\x89PNG\r\n\x1a\n", 8)));
  std::string palette, packed;
  while (!png.empty()) {
    uint32_t size = llvm::support::endian::read32be(png.data());
    llvm::StringRef type = png.substr(4, 4), data = png.substr(8, size);
    EXPECT_EQ(llvm::support::endian::read32be(png.data() + 8 + size),
              llvm::crc32(llvm::arrayRefFromStringRef(png.substr(4, size + 4))))
        << type.str();
    if (type == "IHDR") {
      image.width = llvm::support::endian::read32be(data.data());
      image.height = llvm::support::endian::read32be(data.data() + 4);
      EXPECT_EQ(data.drop_front(8), llvm::StringRef("\x08\x03\0\0\0", 5));
    } else if (type == "PLTE") {
      palette = data.str();
    } else if (type == "IDAT") {
      packed += data;
    }
    png = png.drop_front(12 + size);
  }
  llvm::SmallVector<uint8_t, 0> rows;
  size_t expected = size_t((image.width + 1) * image.height);
  llvm::Error error = llvm::compression::zlib::decompress(
      llvm::arrayRefFromStringRef(packed), rows, expected);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(rows.size(), expected);
  for (int64_t y = 0; y < image.height; ++y) {
    EXPECT_EQ(rows[y * (image.width + 1)], 0);
    for (int64_t x = 0; x < image.width; ++x) {
      size_t index = 3 * rows[y * (image.width + 1) + 1 + x];
      uint32_t colour = 0;
      for (size_t i = 0; i < 3; ++i)
        colour = colour << 8 | uint8_t(palette.at(index + i));
      image.pixels.push_back(colour);
    }
  }
  return image;
}

TEST(PictureTest, ShowsWhoComputesWhat) {
  Grid grid(16, 8);
  std::vector<uint32_t> permutation(grid.count());
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  Drawing drawing;
  drawing.grid = grid;
  drawing.permutation = permutation;
  drawing.numDies = 8;
  Image image = decode(llvm::cantFail(drawPNG(drawing)));
  // Cells of 24 pixels, 16 pixels between panels.
  ASSERT_EQ(image.width, 3 * 16 + 2 * 16 * 24);
  ASSERT_EQ(image.height, 3 * 16 + 2 * 8 * 24);
  for (int64_t y = 0; y < 8; ++y)
    for (int64_t x = 0; x < 16; ++x) {
      int64_t before = y * 16 + x, after = 127 - before;
      int64_t px = 16 + 24 * x + 12, py = 16 + 24 * y + 12;
      EXPECT_EQ(image.at(px, py), draw::dieColour(before % 8, 8));
      EXPECT_EQ(image.at(px + 16 * 24 + 16, py), draw::dieColour(after % 8, 8));
    }
  // The first tile is dark on the left and light on the right.
  int64_t below = 2 * 16 + 8 * 24 + 12;
  EXPECT_EQ(image.at(16 + 12, below), draw::timeColour(0));
  EXPECT_EQ(image.at(2 * 16 + 16 * 24 + 12, below),
            draw::timeColour(draw::kTimeSteps - 1));
  EXPECT_EQ(image.at(0, 0), 0xffffffu);
}

TEST(PictureTest, AwkwardGridsAreDrawn) {
  for (Grid grid : {Grid(1), Grid(1, 1000), Grid(1000, 2), Grid(1, 1, 50),
                    Grid(3, 1, 2), Grid(17), Grid(1000, 700)})
    for (int64_t dies : {1, 8, 300}) {
      std::vector<uint32_t> permutation(grid.count());
      std::iota(permutation.begin(), permutation.end(), 0);
      Drawing drawing;
      drawing.grid = grid;
      drawing.permutation = permutation;
      drawing.numDies = dies;
      std::string png = llvm::cantFail(drawPNG(drawing));
      EXPECT_LT(png.size(), 300000u);
      Image image = decode(png);
      EXPECT_LE(image.width, 900);
      EXPECT_LE(image.height, 900);
    }
}

} // namespace
