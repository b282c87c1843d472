//===- Clock.cpp - Time that tests can move -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The real clock. Sleeps in short steps, so that Ctrl-C is noticed.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/Clock.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace swizzle {

Clock::~Clock() = default;

namespace {

class SystemClock : public Clock {
public:
  int64_t nowMs() override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  int64_t unixSeconds() override {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }

  void sleepMs(int64_t duration, const std::atomic<bool> *cancel) override {
    constexpr int64_t step = 50;
    for (int64_t end = nowMs() + duration, now = nowMs(); now < end;
         now = nowMs()) {
      if (cancel && *cancel)
        return;
      std::this_thread::sleep_for(
          std::chrono::milliseconds(std::min(step, end - now)));
    }
  }
};

} // namespace

std::shared_ptr<Clock> makeSystemClock() {
  return std::make_shared<SystemClock>();
}

} // namespace swizzle
