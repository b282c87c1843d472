//===- NeighbourAgent.h - Goes on from what is fastest ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proposes shapes that nobody tried and neighbours of the fastest attempts
// (NearOrders.h). Decides by the history alone: with figures of a GPU it climbs
// what is measured, else what is simulated.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_AGENTS_NEIGHBOURAGENT_H
#define SWIZZLE_AGENT_AGENTS_NEIGHBOURAGENT_H

#include "swizzle/Agent/Core/Agent.h"
#include <memory>

namespace swizzle {

/// Has finished once there is nothing near that was not tried.
std::unique_ptr<Agent> makeNeighbourAgent();

} // namespace swizzle

#endif // SWIZZLE_AGENT_AGENTS_NEIGHBOURAGENT_H
