//===- AccessSites.h - Accesses and when they happen ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses of a model out of their loops and guards: each with the linear
// conditions under which it happens. The question whether two of them meet in
// different workgroups is then one about integer points of a polyhedron.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_ACCESSSITES_H
#define SWIZZLE_LIB_ANALYSIS_ACCESSSITES_H

#include "../Affine/Domain.h"
#include "IntegerSearch.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>
#include <vector>

namespace swizzle::analysis {

/// One access and the path to it.
struct AccessSite {
  const Access *access = nullptr;
  /// All hold where the access happens, bounds of loop counters included.
  std::vector<Condition> conditions;
  /// Guards in whose `otherwise` the access stands: not all of their conditions
  /// hold. Kept apart, because that is not a linear condition.
  std::vector<const Guard *> notAll;
  /// Variables that the address, the conditions and the guards depend on.
  std::vector<VariableId> variables;
};

/// All accesses of `model`, in program order.
std::vector<AccessSite> collectAccessSites(const KernelModel &model);

/// How two sites may meet.
struct Meeting {
  WorkgroupId first, second;
  int64_t byte = 0;
};

/// Quick and one-sided answers about many pairs of sites of one model. What it works
/// out of a site is kept for the next pair.
class StrideComparison {
public:
  /// Both have to stay as they are, and as long as this does.
  StrideComparison(const KernelModel &model, Domain &domain);
  ~StrideComparison();

  /// No if the strides, and the ranges that the sites' conditions leave to each
  /// variable of the domain, keep the two apart in different workgroups; else
  /// Unknown.
  Answer meet(const AccessSite &a, const AccessSite &b);

private:
  struct Side;
  struct View;
  const Side &sideOf(const AccessSite &site);

  const KernelModel &model;
  Domain &domain;
  std::unique_ptr<View> view;
  llvm::DenseMap<const AccessSite *, std::unique_ptr<Side>> sides;
  size_t rangesKept = 0;
};

/// Two sites of a model, and the workgroups that are looked at.
struct PairQuestion {
  const KernelModel &model;
  Grid grid;
  const AccessSite &a, &b;
};

/// Exact: are there two different workgroups, the first at `a`, the second at
/// `b`, that touch one byte? Unknown only where an `otherwise` leaves too many cases,
/// or where the budget does not suffice, of which nothing is left then.
Answer meetExactly(const PairQuestion &question, WorkBudget &budget,
                   Meeting &meeting);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_ACCESSSITES_H
