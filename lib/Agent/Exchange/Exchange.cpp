//===- Exchange.cpp - One question, one answer ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all exchanges share.
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

using namespace llvm;

namespace swizzle::agent {

Exchange::~Exchange() = default;

Error makeAgentError(AgentErrorKind kind, const Twine &message, Usage usage) {
  return make_error<AgentError>(kind, message.str(), usage);
}

} // namespace swizzle::agent
