//===- Clock.h - Time that tests can move -----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waiting between attempts goes through this, so that a test of the longest
// back-off takes no time.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_CORE_CLOCK_H
#define SWIZZLE_AGENT_CORE_CLOCK_H

#include <atomic>
#include <cstdint>
#include <memory>

namespace swizzle {

class Clock {
public:
  virtual ~Clock();

  /// Milliseconds since some fixed moment; never goes back.
  virtual int64_t nowMs() = 0;

  /// Seconds since 1970, for servers that name a date.
  virtual int64_t unixSeconds() = 0;

  /// Waits, but no longer than until `cancel` (may be null) becomes true.
  virtual void sleepMs(int64_t duration, const std::atomic<bool> *cancel) = 0;
};

/// The machine's clock.
std::shared_ptr<Clock> makeSystemClock();

} // namespace swizzle

#endif // SWIZZLE_AGENT_CORE_CLOCK_H
