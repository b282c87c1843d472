//===- Deadline.h - When to stop --------------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A point in time after which long work ends with what it has, or a flag that
// says so earlier, which Ctrl-C sets. Results that were made under a deadline
// depend on the machine: nothing sets one unless somebody asked for it.
//
//   std::atomic<bool> cancel{false};            // set by a handler of signals
//   Deadline deadline = Deadline::after(60).orOnce(&cancel);
//   deadline.passed()                           // a minute later, or cancelled
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_DEADLINE_H
#define SWIZZLE_SUPPORT_DEADLINE_H

#include <atomic>
#include <cassert>
#include <chrono>
#include <limits>
#include <optional>

namespace swizzle {

class Deadline {
public:
  /// Never.
  Deadline() = default;

  /// `seconds` from now; at once if that is not positive.
  static Deadline after(double seconds) {
    using namespace std::chrono;
    Deadline deadline;
    // What a clock can count; more is never.
    if (seconds < 1e9)
      deadline.end = steady_clock::now() +
                     duration_cast<steady_clock::duration>(
                         duration<double>(seconds > 0 ? seconds : 0));
    return deadline;
  }

  /// The same, and as soon as `*flag` is true; null: just the same. The flag
  /// outlives the deadline.
  Deadline orOnce(const std::atomic<bool> *flag) const {
    Deadline deadline = *this;
    assert((!cancel || !flag || cancel == flag) && "one flag is heeded");
    if (flag)
      deadline.cancel = flag;
    return deadline;
  }

  /// True if it is not the time that is up.
  bool isCancelled() const {
    return cancel && cancel->load(std::memory_order_relaxed);
  }

  /// What is left of the time: infinitely much where there is no end to it.
  double secondsLeft() const {
    if (isCancelled())
      return 0;
    if (!end)
      return std::numeric_limits<double>::infinity();
    std::chrono::duration<double> left =
        *end - std::chrono::steady_clock::now();
    return left.count() > 0 ? left.count() : 0;
  }

  bool passed() const {
    return isCancelled() || (end && std::chrono::steady_clock::now() >= *end);
  }
  /// True if it may ever pass.
  explicit operator bool() const { return end || cancel; }

  friend Deadline earlier(const Deadline &a, const Deadline &b) {
    Deadline result = a.orOnce(b.cancel);
    if (b.end && (!a.end || *b.end < *a.end))
      result.end = b.end;
    return result;
  }

private:
  std::optional<std::chrono::steady_clock::time_point> end;
  const std::atomic<bool> *cancel = nullptr;
};

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_DEADLINE_H
