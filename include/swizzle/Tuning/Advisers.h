//===- Advisers.h - Who is asked, and how -----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The agents of a list become advisers of swizzle/Planning: those that remember
// are asked once and first; a search that stands alone is asked once; all
// others share a loop in which what they propose is simulated.
//
//   auto advisers = makeAdvisers(std::move(agents), TuningOptions());
//   // "planner": the planner's own answer; "database,openai": the record, and
//   // on a miss the loop; "planner,openai": the loop, in which both take turns
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_ADVISERS_H
#define SWIZZLE_TUNING_ADVISERS_H

#include "swizzle/Planning/Advice.h"
#include "swizzle/Tuning/Tuner.h"

namespace swizzle {

/// `options` are those of the loop, if there is one.
std::vector<Adviser> makeAdvisers(std::vector<std::unique_ptr<Agent>> agents,
                                  const TuningOptions &options);

} // namespace swizzle

#endif // SWIZZLE_TUNING_ADVISERS_H
