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

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_ACCESSSITES_H
#define SWIZZLE_LIB_ANALYSIS_SITES_ACCESSSITES_H

#include "../Affine/Domain.h"
#include "IntegerSearch.h"
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

/// The accesses of `model`, in program order, but for those that are assumed or
/// go by numbers from memory, of which nothing is known.
std::vector<AccessSite> collectAccessSites(const KernelModel &model);

/// Accesses that data alone decides on (`Access::byData`), under what is known
/// besides.
std::vector<AccessSite> collectSitesByData(const KernelModel &model);

/// How two sites may meet.
struct Meeting {
  WorkgroupId first, second;
  int64_t byte = 0;
};

/// Two sites of a model, and the workgroups that are looked at.
struct PairQuestion {
  const KernelModel &model;
  Grid grid;
  const AccessSite &a, &b;
};

/// Exact: are there two different workgroups, the first at `a`, the second at
/// `b`, that touch one byte? Unknown only where an `otherwise` leaves too many
/// cases, or where the budget does not suffice, of which nothing is left then.
Answer meetExactly(const PairQuestion &question, WorkBudget &budget,
                   Meeting &meeting);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_ACCESSSITES_H
