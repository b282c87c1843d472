//===- Effects.cpp - What a workgroup wrote -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Effects.h.
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "Inputs/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

namespace swizzle::host {

namespace {

constexpr uint64_t kOffsetMask = (uint64_t(1) << kOffsetBits) - 1;

struct Element {
  const HostBuffer *buffer;
  int64_t index;
  uint64_t first; ///< place of its first byte, or of the word's
  int64_t bytes;  ///< at most 8
};

/// The element that `place` lies in; of a wider one than 8 bytes, its word.
Element elementAt(uint64_t place, llvm::ArrayRef<HostBuffer> buffers) {
  const HostBuffer &buffer = buffers[place >> kOffsetBits];
  int64_t offset = place & kOffsetMask, wide = buffer.elementBytes;
  int64_t word = offset % wide / 8 * 8;
  return {&buffer, offset / wide, place - offset % wide + word,
          std::min<int64_t>(wide - word, 8)};
}

/// The bytes of `element` as far as they were written.
std::optional<uint64_t> bitsOf(const Effects &effects, const Element &element) {
  uint64_t bits = 0;
  auto *to = reinterpret_cast<char *>(&bits);
  bool any = false;
  for (int64_t i = 0; i < element.bytes; ++i) {
    uint64_t place = element.first + i;
    auto after = llvm::upper_bound(
        effects.pieces, place,
        [](uint64_t p, const Effects::Piece &x) { return p < x.begin; });
    if (after == effects.pieces.begin() || std::prev(after)->end <= place)
      continue;
    const Effects::Piece &piece = *std::prev(after);
    to[i] = effects.contents[piece.bytes + (place - piece.begin)];
    any = true;
  }
  return any ? std::optional<uint64_t>(bits) : std::nullopt;
}

std::string textOf(const Effects &effects, const Element &element) {
  std::optional<uint64_t> bits = bitsOf(effects, element);
  if (!bits)
    return "not written";
  std::string text;
  llvm::raw_string_ostream os(text);
  auto bytes = llvm::format_hex(*bits, 2 + 2 * element.bytes);
  if (element.buffer->semantics && element.buffer->elementBytes <= 8)
    os << llvm::format("%.9g (", decode(element.buffer->semantics, *bits))
       << bytes << ")";
  else
    os << bytes;
  return text;
}

CheckDifference differAt(uint64_t place, const Effects &original,
                         const Effects &variant,
                         llvm::ArrayRef<HostBuffer> buffers) {
  Element element = elementAt(place, buffers);
  CheckDifference difference;
  difference.buffer = element.buffer->name;
  difference.element = element.index;
  difference.originalValue = textOf(original, element);
  difference.variantValue = textOf(variant, element);
  return difference;
}

/// The first place that only one of the two wrote.
std::optional<uint64_t> firstUnshared(const Effects &a, const Effects &b) {
  size_t i = 0, j = 0;
  uint64_t at = 0; // all before is the same
  while (i < a.pieces.size() && j < b.pieces.size()) {
    const Effects::Piece &x = a.pieces[i], &y = b.pieces[j];
    uint64_t xb = std::max(at, x.begin), yb = std::max(at, y.begin);
    if (xb != yb)
      return std::min(xb, yb);
    at = std::min(x.end, y.end);
    i += x.end == at;
    j += y.end == at;
  }
  if (i < a.pieces.size())
    return std::max(at, a.pieces[i].begin);
  if (j < b.pieces.size())
    return std::max(at, b.pieces[j].begin);
  return std::nullopt;
}

bool equalNumbers(uint64_t a, uint64_t b, const HostBuffer &buffer,
                  bool floatAtomic, double tolerance) {
  if (a == b)
    return true;
  if (!buffer.semantics || buffer.elementBytes > 8)
    return false;
  double x = decode(buffer.semantics, a), y = decode(buffer.semantics, b);
  if (std::isnan(x) && std::isnan(y))
    return true;
  // An infinity is not near to anything.
  return floatAtomic && std::isfinite(x) && std::isfinite(y) &&
         std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
}

} // namespace

Effects collectEffects(const HostKernel &kernel) {
  struct Write {
    uint64_t place;
    uint32_t bytes;
    bool floatAtomic;
  };
  std::vector<Write> writes;
  for (const HostAccess &access : kernel.accesses()) {
    const HostSite &site = kernel.sites()[access.site];
    if (site.kind != AccessKind::Read)
      writes.push_back({access.place, access.bytes, site.floatAtomic});
  }
  llvm::sort(writes, [](const Write &a, const Write &b) {
    return std::tie(a.place, a.bytes) < std::tie(b.place, b.bytes);
  });
  Effects effects;
  for (const Write &write : writes) {
    uint64_t end = write.place + write.bytes;
    if (!effects.pieces.empty()) {
      Effects::Piece &last = effects.pieces.back();
      if (write.place < last.end ||
          (write.place == last.end && last.floatAtomic == write.floatAtomic)) {
        last.end = std::max(last.end, end);
        last.floatAtomic |= write.floatAtomic;
        continue;
      }
    }
    effects.pieces.push_back({write.place, end, write.floatAtomic, 0});
  }
  for (Effects::Piece &piece : effects.pieces) {
    piece.bytes = effects.contents.size();
    const char *data = kernel.buffers()[piece.begin >> kOffsetBits].data +
                       (piece.begin & kOffsetMask);
    effects.contents.insert(effects.contents.end(), data,
                            data + (piece.end - piece.begin));
  }
  return effects;
}

std::optional<CheckDifference> compare(const Effects &original,
                                       const Effects &variant,
                                       llvm::ArrayRef<HostBuffer> buffers,
                                       double atomicTolerance) {
  if (std::optional<uint64_t> place = firstUnshared(original, variant))
    return differAt(*place, original, variant, buffers);
  if (original.contents == variant.contents)
    return std::nullopt;
  for (const Effects::Piece &piece : original.pieces) {
    uint64_t place = piece.begin;
    while (place < piece.end) {
      Element element = elementAt(place, buffers);
      uint64_t a = *bitsOf(original, element), b = *bitsOf(variant, element);
      if (!equalNumbers(a, b, *element.buffer, piece.floatAtomic,
                        atomicTolerance))
        return differAt(place, original, variant, buffers);
      place = element.first + element.bytes;
    }
  }
  return std::nullopt;
}

} // namespace swizzle::host
