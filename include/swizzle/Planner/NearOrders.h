//===- NearOrders.h - What to try next, given times -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner's space of orders, for a search that goes by times from
// elsewhere: of a GPU, as a rule. Same input, same output.
//
//   NearOrdersQuestion question{model, h200, environment, /*timeUs=*/100};
//   question.tried = {{"return y, x", {}, 90.0}};
//   for (const NearOrder &order : proposeNearOrders(question, 16))
//     order.description       // "x/4, y, x"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNER_NEARORDERS_H
#define SWIZZLE_PLANNER_NEARORDERS_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Support/Deadline.h"

namespace swizzle {

/// An order that was tried.
struct TriedOrder {
  std::string formula;
  ParamValues params;
  std::optional<double> timeUs = {}; ///< nullopt: it could not be timed
};

struct NearOrdersQuestion {
  const KernelModel &model;
  const HardwareSpec &hardware;
  const Environment &environment;
  double timeUs = 0; ///< of the kernel as it is
  std::vector<TriedOrder> tried = {};
  Deadline deadline =
      {}; ///< of simulating; what has no figure yet goes without
};

struct NearOrder {
  std::string description; ///< of the nest or curve
  std::string formula;
};

/// Up to `count` orders that were not tried. First, in up to half of the places
/// (all of them while nothing is timed), shapes that were not tried: of each,
/// the order that is simulated to be fastest. Then neighbours of the fastest
/// three, most of them of the fastest one: in turns those simulated to gain
/// most and those that differ least. Fewer where there are no more.
std::vector<NearOrder> proposeNearOrders(const NearOrdersQuestion &question,
                                         size_t count);

} // namespace swizzle

#endif // SWIZZLE_PLANNER_NEARORDERS_H
