//===- IssueCounter.h - Instructions that a thread issues -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts instructions body by body. What an operation computes is known as a
// number, so that what a back end folds, shares or moves out of loops can be
// told without knowing how it does that: a number that was computed before is
// there already, and one that does not depend on a loop is computed before it.
//
//   for i { load a[i + 4*x]; load b[i + 4*x] }    4*x          before the loop
//                                                 i + 4*x, a + .., b + ..  in it
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_ISSUECOUNTER_H
#define SWIZZLE_LIB_ANALYSIS_READ_ISSUECOUNTER_H

#include "swizzle/Kernel/KernelModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <set>

namespace swizzle {

class IssueCounter {
public:
  /// Numbers that differ by a constant are one: the constant is part of the
  /// instruction that uses them. `base` tells addresses into one memory from
  /// those into another, and from integers.
  struct Number {
    int64_t base = 0;
    AffineForm form;
    bool operator<(const Number &other) const;
  };

  IssueCounter() { open(std::nullopt); }

  /// Begins a body: of a loop with `counter`, or of a guard.
  void open(std::optional<VariableId> counter) {
    bodies.push_back({counter, 0, {}});
  }
  /// Ends it; the instructions that it issues.
  double close() {
    double count = bodies.back().count;
    bodies.pop_back();
    return count;
  }

  /// `instructions` in the innermost body.
  void add(double instructions) {
    if (!paused)
      bodies.back().count += instructions;
  }
  /// An instruction that computes `number`, unless it was computed before.
  void add(Number number,
           llvm::function_ref<bool(const AffineForm &, VariableId)> dependsOn);

  unsigned paused = 0; ///< nothing is counted unless 0

private:
  struct Body {
    std::optional<VariableId> counter;
    double count = 0;
    std::set<Number> known;
  };
  std::vector<Body> bodies; ///< outermost first
};

} // namespace swizzle

#endif // SWIZZLE_LIB_ANALYSIS_READ_ISSUECOUNTER_H
