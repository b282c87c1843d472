//===- Wording.h - Figures as a reason tells them ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One digit behind the point is enough, mostly: "1301.8 -> 1022.4 us". Where two
// figures that differ would read the same, there are more: "0.129 -> 0.135 us".
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_WORDING_H
#define SWIZZLE_LIB_PLANNER_WORDING_H

#include <string>

namespace swizzle::planner {

/// Two times, in microseconds, with an arrow between them.
std::string fromTo(double before, double after);

/// A relative gain in per cent, which is below `enough`.
std::string gainBelow(double enough, double gain);

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_WORDING_H
