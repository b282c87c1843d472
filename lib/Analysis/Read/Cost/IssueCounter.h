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
// A loop of few instructions and iterations is unrolled: nothing is tested, and
// what differs from one iteration to the next by a constant is computed once.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_COST_ISSUECOUNTER_H
#define SWIZZLE_LIB_ANALYSIS_READ_COST_ISSUECOUNTER_H

#include "swizzle/Kernel/KernelModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <set>

namespace swizzle::analysis {

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

  /// True if a form depends on a variable, by way of others too.
  using DependsOn = llvm::function_ref<bool(const AffineForm &, VariableId)>;

  /// A loop whose body is counted.
  struct CountedLoop {
    VariableId counter = 0;
    int64_t trips = 0; ///< 0: not known
  };

  IssueCounter() { bodies.emplace_back(); }

  /// Begins a body, of a loop or of a guard.
  void open(std::optional<CountedLoop> loop) {
    bodies.emplace_back();
    bodies.back().loop = loop;
  }
  /// Ends it; the instructions that it issues each time.
  double close(DependsOn dependsOn);

  /// `instructions` in the innermost body.
  void add(double instructions) {
    if (!paused)
      bodies.back().count += instructions;
  }
  /// An instruction that computes `number`, unless it was computed before.
  void add(Number number, DependsOn dependsOn);
  /// The test of the loop whose body is open, and the way back.
  void addTest();

  unsigned paused = 0; ///< nothing is counted unless 0

private:
  struct Body {
    std::optional<CountedLoop> loop;
    double count = 0;
    double test = 0;        ///< part of the count
    std::set<Number> known; ///< each of them counted
  };
  std::vector<Body> bodies; ///< outermost first
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_COST_ISSUECOUNTER_H
