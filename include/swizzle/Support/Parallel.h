//===- Parallel.h - Independent pieces of work on a few threads -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each piece of work is a function of its number alone, how many are done
// at a time changes nothing but the time that all take.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_PARALLEL_H
#define SWIZZLE_SUPPORT_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace swizzle {

/// Threads that work at the same time, at most. Work comes in rounds of four to
/// twelve pieces, so that more would have little to do, and a compiler is seldom
/// alone on its machine.
inline constexpr size_t kMostThreads = 8;

/// Threads that `forEachInParallel` takes for `count` pieces of work.
inline size_t threadsFor(size_t count) {
  return std::min<size_t>(
      {std::max<size_t>(1, count), kMostThreads,
       std::max<size_t>(1, std::thread::hardware_concurrency())});
}

/// Calls `work(i, thread)` for each i below `count`; `thread`, which is below
/// `threadsFor(count)`, says whose scratch space may be used.
template <typename Work> void forEachInParallel(size_t count, Work work) {
  std::atomic<size_t> next{0};
  auto run = [&](size_t thread) {
    for (size_t i; (i = next++) < count;)
      work(i, thread);
  };
  std::vector<std::thread> helpers;
  for (size_t thread = 1; thread < threadsFor(count); ++thread)
    helpers.emplace_back(run, thread);
  run(0);
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_PARALLEL_H
