//===- Deadline.h - When to stop --------------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A point in time after which long work ends with what it has. Results that
// were made under a deadline depend on the machine: nothing sets one unless
// somebody asked for it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_DEADLINE_H
#define SWIZZLE_SUPPORT_DEADLINE_H

#include <chrono>
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

  /// What is left; only of one that is set.
  double secondsLeft() const {
    std::chrono::duration<double> left =
        *end - std::chrono::steady_clock::now();
    return left.count() > 0 ? left.count() : 0;
  }

  bool passed() const {
    return end && std::chrono::steady_clock::now() >= *end;
  }
  explicit operator bool() const { return end.has_value(); }

  friend Deadline earlier(const Deadline &a, const Deadline &b) {
    if (!a.end || !b.end)
      return a.end ? a : b;
    return *a.end < *b.end ? a : b;
  }

private:
  std::optional<std::chrono::steady_clock::time_point> end;
};

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_DEADLINE_H
