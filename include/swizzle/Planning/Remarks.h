//===- Remarks.h - What was decided, as remarks -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks of the category `swizzle`: `passed` for a remap with its formula,
// proof and prediction; `missed` with the code and the reason; `analysis` for
// what was found out about the kernel either way. Plain data, which a pass
// hands to the remark engine of its IR.
//
//   for (const RemarkText &remark : describeInRemarks(planned))
//     remark.kind      RemarkText::Missed
//     remark.name      "WorkgroupRemap"
//     remark.message   "kept as it is (no-gain): none of 40 ..."
//     remark.values    {"Code", "no-gain"}, {"Reason", "none of 40 ..."}
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNING_REMARKS_H
#define SWIZZLE_PLANNING_REMARKS_H

#include "swizzle/Planning/Decision.h"

namespace swizzle {

struct RemarkText {
  enum Kind : uint8_t { Passed, Missed, Analysis };
  Kind kind = Analysis;
  std::string name;
  std::string message; ///< in less than 200 characters; empty: see the values
  std::vector<std::pair<std::string, std::string>> values; ///< key, text
};

/// All remarks about one kernel, in the order in which they are emitted.
std::vector<RemarkText> describeInRemarks(const PlannedKernel &planned);

} // namespace swizzle

#endif // SWIZZLE_PLANNING_REMARKS_H
