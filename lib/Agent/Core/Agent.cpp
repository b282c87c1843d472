//===- Agent.cpp - Errors and usage of agents -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every agent shares: the error classes by name, and adding up usage.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/Agent.h"

namespace swizzle {

char AgentError::ID = 0;

Agent::~Agent() = default;

void AgentError::log(llvm::raw_ostream &os) const { os << message; }

} // namespace swizzle
