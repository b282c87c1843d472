//===- BailOut.h - Why no order can help ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `whyNoOrderHelps` looks at that the search looks at, too.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_BAILOUT_H
#define SWIZZLE_LIB_PLANNER_BAILOUT_H

namespace swizzle {
struct Metrics;
} // namespace swizzle

namespace swizzle::planner {

/// True if units wait for workgroups that take longer than others.
bool leavesUnitsIdle(const Metrics &metrics);

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_BAILOUT_H
