//===- DatabaseAgent.h - Proposes what was found before ------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs no network and no simulator: an exact hit is proposed as it stands in
// the tuning database, and proved again by whoever asked.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_AGENTS_DATABASEAGENT_H
#define SWIZZLE_AGENT_AGENTS_DATABASEAGENT_H

#include "swizzle/Agent/Core/Agent.h"
#include <memory>

namespace swizzle {

/// What to do where the database has no record of the kernel.
enum class OnMiss : uint8_t {
  Keep,    ///< leave the kernel as it is
  Planner, ///< ask the other agent
  Error,   ///< fail with `AgentErrorKind::DatabaseMiss`
};

/// Agent `database`, which reads `path` when it is asked. `planner` is asked on
/// a miss with `OnMiss::Planner`, and is null otherwise.
std::unique_ptr<Agent> makeDatabaseAgent(std::string path, OnMiss onMiss,
                                         std::unique_ptr<Agent> planner);

} // namespace swizzle

#endif // SWIZZLE_AGENT_AGENTS_DATABASEAGENT_H
