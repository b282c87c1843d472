//===- NestDeals.h - Deals to dies that a text may hold ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The deals of positions to dies that are bijections by construction, for the
// search of NestRecogniser.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_PROOF_NESTDEALS_H
#define SWIZZLE_LIB_FORMULA_PROOF_NESTDEALS_H

#include "Algebra.h"
#include "swizzle/Formula/Orders/Nest.h"
#include <functional>

namespace swizzle::formula {

/// A deal of positions in [0, n) that is a bijection for every n in question.
struct DealShape {
  Polynomial value;
  Deal deal = Deal::None;
  int64_t chunk = 1, dies = 1;
  bool isLoopNest = true;
  std::string description;
  /// Where the text holds not the value but its two digits: value // unit and
  /// value % unit. Zero elsewhere.
  Polynomial unit = {}, high = {}, low = {};
};

struct DealQuestion {
  const std::vector<Polynomial> &nodes;  ///< every expression of the text
  const std::vector<int64_t> &constants; ///< possible dies and chunks
  const std::vector<Polynomial> &sizes;  ///< possible chunks made of extents
  Polynomial position, count;            ///< in [0, count)
  int64_t dies = 0;                      ///< of the hardware; 0 if not known
  /// True if the count is known to be a multiple of a number.
  std::function<bool(int64_t)> divides = nullptr;
};

/// The deals of the position that the text holds.
std::vector<DealShape> findDeals(Algebra &algebra,
                                 const DealQuestion &question);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_PROOF_NESTDEALS_H
