//===- RandomKernel.h - Small kernels and what they compute -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel drawn from a seed, as MLIR and as a list of steps that are carried
// out here, on plain arrays, each by all threads of a workgroup before the next
// one. Nothing of the host runner takes part in that: it is the oracle that the
// runner is compared with.
//
// The kernels load, gather, compute with integers and floats, loop, exchange
// values through workgroup memory between barriers, guard the tails of grids
// that do not divide evenly, store one element a thread, and count atomically.
// Every workgroup stores something of its own, so that no two are alike.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_CODEGEN_HOST_CHECK_RANDOMKERNEL_H
#define SWIZZLE_UNITTESTS_CODEGEN_HOST_CHECK_RANDOMKERNEL_H

#include "swizzle/Support/Grid.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace swizzle::test {

class RandomKernel {
public:
  explicit RandomKernel(uint64_t seed);

  /// The kernel `k`. `idMap`: lines that define `%bx` and `%by`, the
  /// workgroup's id; by default the one that it was dealt.
  std::string text(const std::string &idMap = "") const;

  Grid grid, block;

  /// Elements of 4 bytes, by argument.
  using Memory = std::vector<std::vector<uint32_t>>;

  /// What workgroup `id` makes of `memory`.
  void run(WorkgroupId id, Memory &memory) const;

private:
  friend class KernelWriter;

  struct Thread {
    int64_t x = 0, y = 0;
    std::vector<uint64_t> registers; ///< indices and 32-bit patterns
  };
  struct Workgroup {
    WorkgroupId id;
    Memory &memory;
    std::vector<uint32_t> shared; ///< workgroup memory
  };
  /// What one thread does in one step.
  using Action = std::function<void(Workgroup &, Thread &)>;
  struct Step {
    Action action;
    int condition = -1; ///< register that must not be 0
    /// A loop instead: its body, so many times, with the counter in a register
    /// and values that one turn hands to the next.
    int64_t turns = 0;
    int counter = -1, carried = -1, next = -1;
    std::vector<Step> body = {};
  };
  void run(const std::vector<Step> &steps, Workgroup &workgroup,
           std::vector<Thread> &threads) const;

  std::string arguments, shared, body;
  std::vector<Step> steps;
  size_t registers = 0;
  int64_t sharedElements = 0;
};

} // namespace swizzle::test

#endif // SWIZZLE_UNITTESTS_CODEGEN_HOST_CHECK_RANDOMKERNEL_H
