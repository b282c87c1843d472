//===- ArgumentClaims.cpp - What somebody says is passed ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a claim fits the argument is known to who has the kernel
// (Analysis/Describe/NoteClaims.h); here it is only read.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/ArgumentClaims.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace swizzle {

/// Reads "4096x8192": a number for each dimension.
static std::optional<std::vector<int64_t>> readDimensions(StringRef text) {
  constexpr int64_t most = int64_t(1) << 40;
  std::vector<int64_t> numbers;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t &number = numbers.emplace_back();
    if (part.getAsInteger(10, number) || number < 1 || number > most)
      return std::nullopt;
  }
  return numbers;
}

/// Reads "2:4096x8192:8192x1:128x64": bytes of an element, extents, strides,
/// box.
static std::optional<ClaimedTensorMap> readTensorMap(StringRef text) {
  constexpr size_t mostDimensions = 5;
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  ClaimedTensorMap map;
  if (parts.size() != 4 || parts[0].getAsInteger(10, map.elementBytes) ||
      !is_contained({1, 2, 4, 8, 16}, map.elementBytes))
    return std::nullopt;
  auto extents = readDimensions(parts[1]), strides = readDimensions(parts[2]),
       box = readDimensions(parts[3]);
  if (!extents || !strides || !box || extents->size() > mostDimensions ||
      strides->size() != extents->size() || box->size() != extents->size() ||
      strides->back() != 1)
    return std::nullopt;
  // The first and the last byte have to be apart by what fits into 64 bits.
  double span = 0;
  for (auto [extent, stride] : zip(*extents, *strides))
    span += double(extent) * double(stride) * double(map.elementBytes);
  if (span >= double(int64_t(1) << 50))
    return std::nullopt;
  map.extents = *extents;
  map.strides = *strides;
  map.box = *box;
  return map;
}

/// Reads a size; nullopt if it is none.
static std::optional<int64_t> readSize(StringRef text) {
  int64_t value = 0;
  if (text.getAsInteger(10, value) || value <= -(int64_t(1) << 50) ||
      value >= int64_t(1) << 50)
    return std::nullopt;
  return value;
}

/// Reads "?:4096" of "{?:4096}": a size or `?` for each member of a structure.
static std::optional<ClaimedMembers> readMembers(StringRef text) {
  ClaimedMembers members;
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  for (StringRef part : parts) {
    members.push_back(readSize(part));
    if (!members.back() && part != "?")
      return std::nullopt;
  }
  return members;
}

static Expected<ArgumentClaim> readClaim(StringRef text) {
  auto isNot = [&](const Twine &what) {
    return createStringError("'" + text + "' is " + what);
  };
  ArgumentClaim claim{text.str(), {}};
  StringRef inside = text;
  if (text == "?")
    return std::move(claim);
  if (text.starts_with("{")) {
    std::optional<ClaimedMembers> members;
    if (inside.consume_front("{") && inside.consume_back("}"))
      members = readMembers(inside);
    if (!members)
      return isNot("not as '{?:4096}' is: a size below 2^50 or '?' for each "
                   "member of a structure");
    claim.what = std::move(*members);
    return std::move(claim);
  }
  if (inside.consume_front("map:")) {
    std::optional<ClaimedTensorMap> map = readTensorMap(inside);
    if (!map)
      return isNot("not as 'map:2:4096x8192:8192x1:128x64' is: bytes of an "
                   "element, extents, strides and box, the last stride 1");
    claim.what = std::move(*map);
    return std::move(claim);
  }
  std::optional<int64_t> size = readSize(text);
  if (!size)
    return isNot("no size below 2^50, no tensor map 'map:...', no structure "
                 "'{...}' and not '?', as pointers and floating-point numbers "
                 "are given");
  claim.what = *size;
  return std::move(claim);
}

Expected<ArgumentClaims> readArgumentClaims(StringRef text) {
  ArgumentClaims claims;
  SmallVector<StringRef> parts;
  text.split(parts, '+');
  for (StringRef part : parts) {
    Expected<ArgumentClaim> claim = readClaim(part.trim());
    if (!claim)
      return claim.takeError();
    claims.push_back(std::move(*claim));
  }
  return std::move(claims);
}

} // namespace swizzle
