//===- Duplicates.h - Two texts, one order ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Agents like to propose the same order twice in other words. What counts is
// the permutation: its hash (128 bits) where the grid can be enumerated, else
// the loop nest that the text was recognised as, in canonical form.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_HISTORY_DUPLICATES_H
#define SWIZZLE_LIB_TUNING_HISTORY_DUPLICATES_H

#include "swizzle/Tuning/ProveVariant.h"
#include <map>

namespace swizzle::tuning {

/// Where an order was tried first.
struct KnownOrder {
  unsigned attempt = 0; ///< 0: the kernel as it is
  ParamValues params;   ///< of that attempt's formula
};

/// Which attempt tried an order first, and with which parameters.
class DuplicateIndex {
public:
  DuplicateIndex() { orders[kIdentityKey.str()] = {}; }

  /// Null if none had this order.
  const KnownOrder *find(const std::string &key) const {
    auto it = orders.find(key);
    return it == orders.end() ? nullptr : &it->second;
  }
  /// Remembers the first attempt that has the order of `variant`.
  void add(const Variant &variant, unsigned attempt) {
    orders.try_emplace(variant.key, KnownOrder{attempt, variant.params});
  }

private:
  std::map<std::string, KnownOrder> orders;
};

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_HISTORY_DUPLICATES_H
