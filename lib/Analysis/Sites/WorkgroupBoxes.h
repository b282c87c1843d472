//===- WorkgroupBoxes.h - What one workgroup touches ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that an access touches in one workgroup, of which the id is a
// number: what follows from it alone is one, too, and of the rest there are
// intervals.
//
//   a[64 * (x % 8) + t], t < 64, in workgroup 11: 192 + [0, 63]
//
// All of this is safe: bytes may be added, and none is left out.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_WORKGROUPBOXES_H
#define SWIZZLE_LIB_ANALYSIS_SITES_WORKGROUPBOXES_H

#include "AccessSites.h"
#include "AddressDigits.h"

namespace swizzle::analysis {

/// first + [0, bytes) + sums of the steps: each stride at most count - 1 times.
struct StridedBytes {
  struct Step {
    int64_t stride = 0; ///< positive, above those before it
    int64_t count = 1;  ///< above 1
  };
  Wide first = 0;
  int64_t bytes = 0;
  llvm::SmallVector<Step, 4> steps;
};

/// What `site` touches, workgroup by workgroup.
class WorkgroupBoxes {
public:
  WorkgroupBoxes(const KernelModel &model, const DigitView &digits,
                 const AccessSite &site);

  enum class Result : uint8_t { Touched, Nothing, Unknown };

  /// What workgroup `at` touches, if that is bounded.
  Result touch(WorkgroupId at, StridedBytes &touched);

  /// Work of one call.
  uint64_t work() const { return workOfOne; }

private:
  Interval rangeOf(const AffineForm &form,
                   std::optional<VariableId> without = std::nullopt) const;
  void deriveQuotients();
  bool narrow(const AffineForm &form);
  bool narrow(const AffineForm &form, const Term &term);
  bool isReached();
  bool addSteps(StridedBytes &touched) const;

  const KernelModel &model;
  const DigitView &digits;
  const AccessSite &site;
  AffineForm uniform; ///< what of the address the workgroup id alone decides
  DigitForm rest;
  std::vector<Interval> ranges; ///< by variable
  uint64_t workOfOne = 0;
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_WORKGROUPBOXES_H
