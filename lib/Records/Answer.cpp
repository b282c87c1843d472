//===- Answer.cpp - What an agent said ------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds up what answers cost, and names the ways in which an agent fails as
// reports and journals do.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/Answer.h"

#include "llvm/Support/ErrorHandling.h"

namespace swizzle {

Usage &Usage::operator+=(const Usage &other) {
  requests += other.requests;
  inputTokens += other.inputTokens;
  outputTokens += other.outputTokens;
  money += other.money;
  estimated |= other.estimated;
  return *this;
}

llvm::StringRef toString(AgentErrorKind kind) {
  switch (kind) {
  case AgentErrorKind::Connection:
    return "connection";
  case AgentErrorKind::Timeout:
    return "timeout";
  case AgentErrorKind::RateLimit:
    return "rate-limit";
  case AgentErrorKind::Overloaded:
    return "overloaded";
  case AgentErrorKind::Authentication:
    return "authentication";
  case AgentErrorKind::NotFound:
    return "not-found";
  case AgentErrorKind::BadRequest:
    return "bad-request";
  case AgentErrorKind::ContextTooLong:
    return "context-too-long";
  case AgentErrorKind::SpendLimit:
    return "spend-limit";
  case AgentErrorKind::Protocol:
    return "protocol";
  case AgentErrorKind::Truncated:
    return "truncated";
  case AgentErrorKind::Filtered:
    return "filtered";
  case AgentErrorKind::Refused:
    return "refused";
  case AgentErrorKind::Schema:
    return "schema";
  case AgentErrorKind::Redirect:
    return "redirect";
  case AgentErrorKind::Tls:
    return "tls";
  case AgentErrorKind::TooLarge:
    return "too-large";
  case AgentErrorKind::ReplayMiss:
    return "replay-miss";
  case AgentErrorKind::DatabaseMiss:
    return "database-miss";
  case AgentErrorKind::Planner:
    return "agent-failed";
  case AgentErrorKind::Program:
    return "program";
  case AgentErrorKind::Cancelled:
    return "cancelled";
  case AgentErrorKind::Configuration:
    return "configuration";
  }
  llvm_unreachable("unknown kind of agent error");
}

} // namespace swizzle
