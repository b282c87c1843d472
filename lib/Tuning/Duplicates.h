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

#ifndef SWIZZLE_LIB_TUNING_DUPLICATES_H
#define SWIZZLE_LIB_TUNING_DUPLICATES_H

#include "swizzle/Tuning/Tuner.h"
#include <map>

namespace swizzle::tuning {

/// Key of the order in which the kernel is.
inline constexpr llvm::StringLiteral kIdentityKey("identity");

/// Proves `formula` with `environment.params` on `environment.grid`, and on
/// success fills in a variant whose order is named by its key. `modelGrid` is
/// what stands for a grid that is not known. Fails with a `Refusal` in
/// `refusal`.
std::optional<Variant> proveVariant(const Formula &formula,
                                    const Environment &environment,
                                    const Grid &modelGrid, Refusal &refusal);

/// Which attempt tried an order first; 0: the kernel as it is.
class DuplicateIndex {
public:
  DuplicateIndex() { attempts[kIdentityKey.str()] = 0; }

  /// The attempt that had this order, nullopt if none had.
  std::optional<unsigned> find(const std::string &key) const {
    auto it = attempts.find(key);
    if (it == attempts.end())
      return std::nullopt;
    return it->second;
  }
  /// Remembers the first attempt that has this order.
  void add(const std::string &key, unsigned attempt) {
    attempts.emplace(key, attempt);
  }

private:
  std::map<std::string, unsigned> attempts;
};

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_DUPLICATES_H
