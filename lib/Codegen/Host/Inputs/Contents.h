//===- Contents.h - What stands in arrays before a kernel runs --*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that a seed and a place decide. Plain ones keep sums from cancelling
// and logarithms from failing, so that results differ where inputs do; signed
// and extreme ones reach the branches that plain ones do not. One array of
// numbers cannot do all: a single infinity makes every sum infinite or NaN.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INPUTS_CONTENTS_H
#define SWIZZLE_LIB_CODEGEN_HOST_INPUTS_CONTENTS_H

#include "swizzle/Codegen/Host/HostKernel.h"
#include "llvm/ADT/APFloat.h"

namespace swizzle::host {

struct Contents {
  enum class Kind : uint8_t {
    Random, ///< as `Inputs` says
    Range,  ///< integers in [low, high)
    Ramp,   ///< integers from low to high, never falling: the rows of a matrix
    Fixed,  ///< `bytes`
  };
  Kind kind = Kind::Random;
  /// Null: integers.
  const llvm::fltSemantics *semantics = nullptr;
  int64_t elementBytes = 4;
  int64_t low = 0, high = 0;
  std::vector<char> bytes; ///< the first bytes, whatever the kind
  uint64_t seed = 0;
};

/// Fills `bytes` bytes, a multiple of the element's, from `to` on.
void fill(char *to, int64_t bytes, const Contents &contents, Inputs inputs);

/// A floating-point argument that is a number: 0.75 to 1.125, the same
/// negative, or zero.
uint64_t scalarBits(const llvm::fltSemantics &semantics, uint64_t seed,
                    Inputs inputs);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INPUTS_CONTENTS_H
