//===- Outcome.h - What a run amounts to ---------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who is asked, what a database shall know of the result, and the exit status.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_OUTCOME_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_OUTCOME_H

#include "swizzle/Agent/Core/Agent.h"
#include "swizzle/Records/TuningDatabase.h"
#include "swizzle/Tuning/Report.h"

namespace swizzle {

/// True if the planner is asked without having been asked for: before agents
/// that only propose.
bool goesFirst(llvm::ArrayRef<std::unique_ptr<Agent>> agents);

/// What a database shall know of a run: what a GPU decided, by its figures, if
/// it was asked; else what the loop did. That nothing beats the order as it is
/// says the planner, or a search whose effort is told; a run in which nobody
/// had an answer, or nothing could be measured, has found out nothing.
std::optional<DatabaseRecord>
makeRecord(const AgentContext &context, const TuningResult &result,
           const std::optional<MeasuredFinalists> &measured);

/// The exit status of a run that has written what it was asked for. It is done
/// all the same if nobody could be asked; but a script shall not take its
/// result for the best that a whole run finds. What the planner says without
/// having been asked for does not count.
int statusOf(llvm::ArrayRef<KernelTuning> tunings, bool plannerAdded);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_OUTCOME_H
