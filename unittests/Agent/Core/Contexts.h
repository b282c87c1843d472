//===- Contexts.h - A context to test agents with ------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context with every part filled in: a matrix product, a baseline, attempts
// of every fate.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_AGENT_CONTEXTS_H
#define SWIZZLE_UNITTESTS_AGENT_CONTEXTS_H

#include "swizzle/Agent/Core/Context.h"

namespace swizzle::contexts {

/// Round 1: nothing has been tried.
AgentContext fresh(const std::string &chip);
/// Round 3: one attempt of each status.
AgentContext tried(const std::string &chip);

} // namespace swizzle::contexts

#endif // SWIZZLE_UNITTESTS_AGENT_CONTEXTS_H
