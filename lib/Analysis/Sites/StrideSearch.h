//===- StrideSearch.h - Can strides alone keep accesses apart? --*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The quick and one-sided question about two accesses. It may be asked of many
// accesses at a time, if they differ in no more than constants and ranges: what
// an interval around all of them keeps apart, each of them does.
//
//   a[1024 * x + t], a[1024 * x + t + 256], ... + 512, ... + 768
//     one side: 1024 * x + t + [0, 768]
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_STRIDESEARCH_H
#define SWIZZLE_LIB_ANALYSIS_SITES_STRIDESEARCH_H

#include "AccessSites.h"
#include "AddressDigits.h"
#include "swizzle/Support/Interval.h"

#include <array>
#include <memory>

namespace swizzle::analysis {

/// What is compared of an access, or of several: an address by digits.
struct StrideSide {
  /// A key below the number of variables is that variable; the others are
  /// digits of threads or workgroups.
  struct Digit {
    unsigned key = 0;
    Wide stride = 0;
    Interval range; ///< where the access happens
  };
  std::vector<Digit> digits;        ///< sorted by key
  std::array<bool, 3> isSplit = {}; ///< by axis: the workgroup id has digits
  Interval first;                   ///< the constants of the addresses
  int64_t bytes = 0;
  std::vector<BoxDim> box;

  /// Covers `other`, too, which differs in no more than constants and ranges.
  void join(const StrideSide &other);
};

struct DigitDifference;

class StrideComparison {
public:
  /// Both have to stay as they are, and as long as this does.
  StrideComparison(const KernelModel &model, Domain &domain);
  ~StrideComparison();

  StrideSide sideOf(const AccessSite &site);

  /// No if the strides, and the ranges that the conditions of the sites leave
  /// to each digit, keep the two apart in different workgroups; else Unknown.
  Answer meet(const StrideSide &a, const StrideSide &b);

  /// Steps of the search that all answers have taken.
  int64_t stepsTaken() const { return steps; }

private:
  struct View;
  Interval rangeOf(unsigned key) const;
  bool addDigit(const StrideSide &a, const StrideSide &b,
                const StrideSide::Digit &here, const StrideSide::Digit &there,
                DigitDifference &difference) const;

  const KernelModel &model;
  Domain &domain;
  std::unique_ptr<View> view;
  int64_t steps = 0;
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_STRIDESEARCH_H
