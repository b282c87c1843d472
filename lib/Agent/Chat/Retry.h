//===- Retry.h - When to ask again, and when not ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one retry layer. Whether a failure may pass by itself is decided by its
// class; how long to wait, by the server's word, else by exponential back-off
// with jitter (M. Brooker, Exponential Backoff And Jitter, AWS, 2015). Nothing
// is waited for that the total time-out would not leave room for.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_CHAT_RETRY_H
#define SWIZZLE_LIB_AGENT_CHAT_RETRY_H

#include "Http.h"
#include <random>

namespace swizzle::agent {

struct RetryPolicy {
  unsigned retries = 4; ///< after the first attempt
  int64_t firstWaitMs = 500, longestWaitMs = 8000;
  uint64_t seed = 0;
};

/// How long the server asks to wait, from `retry-after-ms`, then `Retry-After`
/// in seconds or as a date; nullopt if it does not say, or not readably.
std::optional<int64_t> retryAfterMs(const HttpReply &reply, Clock &clock);

/// The waits of one question: 0.5 s * 2^n, at most 8 s, each less up to a
/// quarter of it.
class Backoff {
public:
  explicit Backoff(const RetryPolicy &policy)
      : policy(policy), random(policy.seed) {}

  int64_t nextMs();

private:
  RetryPolicy policy;
  std::mt19937_64 random;
  unsigned count = 0;
};

/// Seconds since 1970 of an HTTP date ("Sun, 06 Nov 1994 08:49:37 GMT"),
/// nullopt if it is none.
std::optional<int64_t> parseHttpDate(llvm::StringRef text);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_CHAT_RETRY_H
