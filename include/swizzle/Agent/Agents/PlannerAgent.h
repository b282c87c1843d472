//===- PlannerAgent.h - The planner as an agent ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The default agent: offline, deterministic, needs nothing but the model.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_AGENTS_PLANNERAGENT_H
#define SWIZZLE_AGENT_AGENTS_PLANNERAGENT_H

#include "swizzle/Agent/Core/Agent.h"
#include "swizzle/Planner/Planner.h"
#include <memory>

namespace swizzle {

/// Answers once: the order that the planner chose, then the best of the others
/// that it simulated; and has finished with that.
std::unique_ptr<Agent> makePlannerAgent(PlannerOptions options = {});

} // namespace swizzle

#endif // SWIZZLE_AGENT_AGENTS_PLANNERAGENT_H
