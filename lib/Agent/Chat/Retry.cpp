//===- Retry.cpp - When to ask again, and when not ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what a server asks for, and computes a wait where it asks for nothing.
//
//===----------------------------------------------------------------------===//

#include "Retry.h"
#include "Curl.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace swizzle::agent {

std::optional<int64_t> parseHttpDate(StringRef text) {
  Expected<const agent::Curl *> curl = agent::openCurl();
  if (!curl) {
    consumeError(curl.takeError()); // not possible: the date came through it
    return std::nullopt;
  }
  time_t seconds = (*curl)->getdate(text.str().c_str(), nullptr);
  if (seconds < 0)
    return std::nullopt;
  return seconds;
}

std::optional<int64_t> retryAfterMs(const HttpReply &reply, Clock &clock) {
  // A year: anything beyond is taken as that, and will exceed every limit.
  constexpr double longest = 365.0 * 24 * 3600 * 1000;
  auto toMs = [&](double ms) {
    return int64_t(std::ceil(std::min(ms, longest)));
  };
  double number;
  StringRef text = reply.header("retry-after-ms");
  if (!text.empty() && !text.getAsDouble(number) && number >= 0)
    return toMs(number);
  text = reply.header("retry-after");
  if (text.empty())
    return std::nullopt;
  if (!text.getAsDouble(number)) {
    if (number >= 0)
      return toMs(number * 1000);
    return std::nullopt;
  }
  if (std::optional<int64_t> date = parseHttpDate(text))
    return toMs(1000.0 * std::max<int64_t>(*date - clock.unixSeconds(), 0));
  return std::nullopt;
}

int64_t Backoff::nextMs() {
  double wait = policy.firstWaitMs * std::ldexp(1.0, std::min(count, 30u));
  ++count;
  wait = std::min<double>(wait, policy.longestWaitMs);
  // 53 random bits; the distributions of the standard library differ between
  // implementations.
  double jitter = double(random() >> 11) * 0x1p-53;
  return int64_t(wait * (1 - 0.25 * jitter));
}

} // namespace swizzle::agent
