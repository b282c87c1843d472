//===- AddressDigits.h - Addresses as sums over digits of ids ---*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quotients of the thread id, such as the row of a lane in a matrix fragment,
// are digits: with N = d * q + r, what an address says of N and q it says of q
// and r, which range freely. So are those of a workgroup id, from which a
// kernel takes the row and the column of its tile.
//
//   4 * t + 4032 * (t / 16) = 4 * r + 4096 * q    with t = 16 * q + r
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_ADDRESSDIGITS_H
#define SWIZZLE_LIB_ANALYSIS_SITES_ADDRESSDIGITS_H

#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Support/Interval.h"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace swizzle::analysis {

/// Strides are multiplied in twice their width.
using Wide = __int128;

/// The digits of one numerator: quotients by divisors that divide one another.
struct IdDigits {
  AffineForm numerator; ///< in thread ids, constant 0, never negative, or an id
  /// The workgroup id that the numerator is, if it is one.
  std::optional<VariableId> workgroup;
  /// divisor -> quotient variables that are floor(numerator / divisor)
  std::map<int64_t, std::vector<VariableId>> quotients;
};

/// An address by digits: strides by key. Keys below the number of variables are
/// those variables; the others are digits of threads or workgroups.
struct DigitForm {
  int64_t constant = 0;
  std::map<unsigned, Wide> strides;
  std::array<bool, 3> isSplit = {}; ///< by axis: the workgroup id has digits
};

/// Rewrites addresses into digits.
class DigitView {
public:
  explicit DigitView(const KernelModel &model);

  DigitForm rewrite(const AffineForm &form) const;
  /// The range of the digit `key`.
  Interval rangeOf(unsigned key) const { return digitOf(key).range; }
  /// The same where its numerator, which is never negative, lies in
  /// `numerator`.
  Interval rangeOf(unsigned key, Interval numerator) const;
  /// What the digit `key` is one of.
  const AffineForm &numeratorOf(unsigned key) const {
    return groups[digitOf(key).group].numerator;
  }
  /// The workgroup id that the digit `key` is one of, if it is.
  std::optional<VariableId> workgroupOf(unsigned key) const {
    return key < numVariables ? std::nullopt
                              : groups[digitOf(key).group].workgroup;
  }

private:
  /// floor(numerator / divisor), modulo the divisor of the next digit.
  struct Digit {
    size_t group = 0;
    int64_t divisor = 1;
    int64_t modulus = 0; ///< 0: the leading one
    Interval range;
  };
  const Digit &digitOf(unsigned key) const {
    return digits[key - numVariables];
  }

  std::vector<IdDigits> groups;
  std::vector<unsigned> firstKey; ///< of each group
  std::vector<Digit> digits;
  size_t numVariables;
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_ADDRESSDIGITS_H
