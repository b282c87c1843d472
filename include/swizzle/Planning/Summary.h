//===- Summary.h - What was decided, in one line ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What people read first, and often all they read: one short line about each
// kernel. Tools print it on standard error; remarks open with it.
//
//   mm: remapped for mi300x, simulated 11 % faster: in groups of 12 columns, row
//   by row, back and forth; assumes that its buffers do not overlap
//   ticket: may not be remapped (atomic-result-used): the old value of ...
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNING_SUMMARY_H
#define SWIZZLE_PLANNING_SUMMARY_H

#include "swizzle/Planning/Decision.h"

namespace swizzle {

/// A summary has no more characters than this.
inline constexpr size_t kSummaryLength = 199;

/// `text`, or what fits into a summary of it and " ...".
std::string shorten(std::string text);

/// The order of a remap in plain words; empty if it is no loop nest.
std::string explainOrder(const ProvedRemap &remap);

/// "simulated 11.2 % faster": the ratio of the two times, less one. Empty if
/// nothing is simulated.
std::string describeSpeed(const Decision &decision);

/// What was decided, without the kernel's name, in no more than
/// `kSummaryLength` characters.
std::string summarise(const PlannedKernel &planned);

/// A line for each: its name, with its module or its grid if others are called
/// so, and what was decided.
std::vector<std::string> summariseAll(llvm::ArrayRef<PlannedKernel> kernels);

} // namespace swizzle

#endif // SWIZZLE_PLANNING_SUMMARY_H
