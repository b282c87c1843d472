//===- Picture.cpp - A remap as PNG ---------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cells become squares of a few pixels in an image with a palette; zlib makes
// them small. The encoder writes the one form of PNG that it needs: one byte a
// pixel, no filter, one chunk of data.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Draw/Picture.h"

#include "DrawLayout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace swizzle {

namespace {
constexpr int64_t kPanelPixels = 384, kGap = 16;

/// An image of at most 256 colours.
class Image {
public:
  Image(int64_t width, int64_t height)
      : width(width), height(height), pixels(size_t(width * height), 0),
        palette(1, 0xffffff) {}

  void fill(int64_t left, int64_t top, int64_t w, int64_t h, uint32_t colour) {
    uint8_t index = indexOf(colour);
    for (int64_t y = top; y < std::min(top + h, height); ++y)
      for (int64_t x = left; x < std::min(left + w, width); ++x)
        pixels[size_t(y * width + x)] = index;
  }
  std::string encode() const;

private:
  uint8_t indexOf(uint32_t colour) {
    for (size_t i = 0; i < palette.size(); ++i)
      if (palette[i] == colour)
        return uint8_t(i);
    // More dies than the palette can tell apart share its last colour.
    if (palette.size() < 256)
      palette.push_back(colour);
    return uint8_t(palette.size() - 1);
  }

  int64_t width, height;
  std::vector<uint8_t> pixels;
  std::vector<uint32_t> palette;
};
} // namespace

/// Appends one chunk: length, type, data, checksum.
static void writeChunk(llvm::raw_ostream &os, llvm::StringRef type,
                       llvm::StringRef data) {
  llvm::support::endian::Writer writer(os, llvm::endianness::big);
  writer.write(uint32_t(data.size()));
  std::string content = (type + data).str();
  os << content;
  writer.write(llvm::crc32(llvm::arrayRefFromStringRef(content)));
}

std::string Image::encode() const {
  std::string header;
  {
    llvm::raw_string_ostream os(header);
    llvm::support::endian::Writer writer(os, llvm::endianness::big);
    writer.write(uint32_t(width));
    writer.write(uint32_t(height));
    // Eight bits a pixel, palette, deflate, no filter, not interlaced.
    os << llvm::StringRef("\x08\x03\x00\x00\x00", 5);
  }
  std::string colours;
  for (uint32_t colour : palette)
    for (int shift : {16, 8, 0})
      colours += char(colour >> shift & 0xff);
  std::vector<uint8_t> rows;
  for (int64_t y = 0; y < height; ++y) {
    rows.push_back(0); // this row is not filtered
    rows.insert(rows.end(), pixels.begin() + y * width,
                pixels.begin() + (y + 1) * width);
  }
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zlib::compress(
      rows, packed, llvm::compression::zlib::BestSizeCompression);
  std::string result;
  llvm::raw_string_ostream os(result);
  os << llvm::StringRef("\x89PNG\r\n\x1a\n", 8);
  writeChunk(os, "IHDR", header);
  writeChunk(os, "PLTE", colours);
  writeChunk(os, "IDAT", llvm::toStringRef(packed));
  writeChunk(os, "IEND", "");
  return result;
}

llvm::Expected<std::string> drawPNG(const Drawing &drawing) {
  if (!llvm::compression::zlib::isAvailable())
    return llvm::createStringError(
        "a picture needs zlib, and this build of LLVM has none");
  draw::Mapping mapping(drawing);
  const draw::Layout &layout = mapping.layout;
  // Layers of a 3-D grid stand side by side with a cell between them.
  int64_t cellsX = layout.width * layout.across + layout.across - 1;
  int64_t cellsY = layout.height * layout.rows() + layout.rows() - 1;
  int64_t cell = std::max<int64_t>(1, kPanelPixels / std::max(cellsX, cellsY));
  int64_t panelW = cellsX * cell, panelH = cellsY * cell;
  bool byDie = drawing.numDies > 1;
  Image image(2 * panelW + 3 * kGap, (byDie ? 2 : 1) * (panelH + kGap) + kGap);
  auto panel = [&](int64_t left, int64_t top, bool time, bool after) {
    for (size_t k = 0; k < layout.layers.size(); ++k)
      for (int64_t row = 0; row < layout.height; ++row)
        for (int64_t column = 0; column < layout.width; ++column) {
          int64_t key = mapping.keyAt(column, row, k, time, after);
          if (key < 0)
            continue;
          int64_t x = int64_t(k) % layout.across * (layout.width + 1) + column;
          int64_t y = int64_t(k) / layout.across * (layout.height + 1) + row;
          image.fill(left + x * cell, top + y * cell, cell, cell,
                     time ? draw::timeColour(int(key))
                          : draw::dieColour(key, drawing.numDies));
        }
  };
  for (bool after : {false, true}) {
    int64_t left = kGap + (after ? panelW + kGap : 0);
    if (byDie)
      panel(left, kGap, /*time=*/false, after);
    panel(left, kGap + (byDie ? panelH + kGap : 0), /*time=*/true, after);
  }
  return image.encode();
}

} // namespace swizzle
