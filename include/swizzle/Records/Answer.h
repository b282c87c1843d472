//===- Answer.h - What an agent said ----------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What comes back from an agent, and what went wrong if nothing does, as plain
// data: agents make it, the loop acts on it, journals and recordings keep it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_ANSWER_H
#define SWIZZLE_RECORDS_ANSWER_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Metrics/Metrics.h"

namespace swizzle {

struct Proposal {
  std::string formula; ///< text, not yet parsed
  /// Parameter sets that the agent suggests, best first; may be empty.
  std::vector<ParamValues> params;
  std::string critique;    ///< which earlier expectation failed, and why
  std::string limits;      ///< what limits the kernel now
  std::string change;      ///< what the formula does
  std::string expectation; ///< of the metrics
};

/// What an answer cost.
struct Usage {
  unsigned requests = 0;
  int64_t inputTokens = 0, outputTokens = 0;
  double money = 0;       ///< in the unit of the prices given, 0 if none are
  bool estimated = false; ///< the server did not say; counted from the text

  Usage &operator+=(const Usage &other);
};

/// Counts before and after, by simulation.
struct Prediction {
  std::string mode; ///< "full", "sampled 1/16", "sampled 1/16, prefix"
  Metrics before, after;
};

struct Answer {
  std::vector<Proposal> proposals;
  /// True if the agent has nothing more to offer ("leave it as it is").
  bool finished = false;
  std::string reason; ///< one sentence: of `finished`, or of the first proposal
  /// Stable word for `reason`, of an agent that decides by itself: "improved",
  /// "no-gain", "database"; else empty. Not kept in journals.
  std::string reasonCode;
  /// Of the first proposal, or of the kernel as it is, by an agent that
  /// simulates. Not kept in journals.
  std::optional<Prediction> prediction;
  Usage usage;
};

/// Why an agent has no answer. The class decides whether trying again helps.
enum class AgentErrorKind : uint8_t {
  Connection,     ///< refused, reset, no such host
  Timeout,        ///< connect, idle or total
  RateLimit,      ///< 429
  Overloaded,     ///< 500, 502, 503, 529
  Authentication, ///< 401, 403
  NotFound,       ///< 404: wrong base URL or model
  BadRequest,     ///< 400, 409, 413, 422, ...
  ContextTooLong, ///< the prompt does not fit the model
  SpendLimit,     ///< the account's, or the budget's
  Protocol,       ///< not the JSON that the dialect promises
  Truncated,      ///< finished by length
  Filtered,       ///< finished by a content filter
  Refused,        ///< the model declined
  Schema,         ///< an answer that does not match the schema, also repaired
  Redirect,       ///< the server sends us elsewhere
  Tls,            ///< certificate or handshake
  TooLarge,       ///< a body beyond the limit
  ReplayMiss,     ///< nothing recorded for this request
  DatabaseMiss,   ///< the tuning database has no record of this kernel
  Program,        ///< the command could not be run, or failed
  Planner,        ///< the planner cannot simulate the kernel
  Cancelled,      ///< Ctrl-C
  Configuration,  ///< a missing key, an unknown agent, a bad URL
};
llvm::StringRef toString(AgentErrorKind kind);

} // namespace swizzle

#endif // SWIZZLE_RECORDS_ANSWER_H
