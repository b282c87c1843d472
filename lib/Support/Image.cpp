//===- Image.cpp - An image with a palette --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// zlib makes it small. The encoder writes the one form of PNG that it needs:
// one byte a pixel, no filter, one chunk of data.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/Image.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace swizzle {

void Image::fill(int64_t left, int64_t top, int64_t w, int64_t h,
                 uint32_t colour) {
  uint8_t index = indexOf(colour);
  for (int64_t y = std::max<int64_t>(top, 0); y < std::min(top + h, height);
       ++y)
    for (int64_t x = std::max<int64_t>(left, 0); x < std::min(left + w, width);
         ++x)
      pixels[size_t(y * width + x)] = index;
}

uint8_t Image::indexOf(uint32_t colour) {
  for (size_t i = 0; i < palette.size(); ++i)
    if (palette[i] == colour)
      return uint8_t(i);
  if (palette.size() < 256)
    palette.push_back(colour);
  return uint8_t(palette.size() - 1);
}

/// Appends one chunk: length, type, data, checksum.
static void writeChunk(llvm::raw_ostream &os, llvm::StringRef type,
                       llvm::StringRef data) {
  llvm::support::endian::Writer writer(os, llvm::endianness::big);
  writer.write(uint32_t(data.size()));
  std::string content = (type + data).str();
  os << content;
  writer.write(llvm::crc32(llvm::arrayRefFromStringRef(content)));
}

llvm::Expected<std::string> Image::encodePNG() const {
  if (!llvm::compression::zlib::isAvailable())
    return llvm::createStringError(
        "a picture needs zlib, and this build of LLVM has none");
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

} // namespace swizzle
