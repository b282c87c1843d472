//===- ArgumentClaims.h - What somebody says is passed ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that a kernel is handed are not in its IR. Whoever launches it may say
// them, an argument each, joined by `+`, `?` for those of which nothing is
// said:
//
//   ?+?+2048                             two pointers and a size
//   map:2:4096x8192:8192x1:128x64        a tensor map: bytes of an element, then
//                                        extents, strides and box
//   {?:4096}                             a structure by value, its members
//
// Nothing of it is believed: it stands for nominal sizes in what is planned by.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_ARGUMENTCLAIMS_H
#define SWIZZLE_KERNEL_ARGUMENTCLAIMS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace swizzle {

/// What a tensor map is of: a number for each dimension, outermost first.
struct ClaimedTensorMap {
  int64_t elementBytes = 0;
  std::vector<int64_t> extents, strides, box; ///< in elements
};

/// The members of a structure that is passed by value; nullopt where nobody
/// says.
using ClaimedMembers = std::vector<std::optional<int64_t>>;

/// What is said of one argument.
struct ArgumentClaim {
  std::string text; ///< as it was typed: "4096"
  std::variant<std::monostate, int64_t, ClaimedTensorMap, ClaimedMembers> what;
};

using ArgumentClaims = std::vector<ArgumentClaim>;

/// Reads the list above; the error names the entry that is none.
llvm::Expected<ArgumentClaims> readArgumentClaims(llvm::StringRef text);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_ARGUMENTCLAIMS_H
