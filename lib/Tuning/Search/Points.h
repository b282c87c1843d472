//===- Points.h - The parameter sets of a template --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which combinations of a template's parameters are worth looking at: feasible,
// legal, and different orders. Infeasible ones are counted and left out.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_SEARCH_POINTS_H
#define SWIZZLE_LIB_TUNING_SEARCH_POINTS_H

#include "History/Duplicates.h"
#include "swizzle/Agent/Core/Context.h"
#include <set>

namespace swizzle::tuning {

class Points {
public:
  Points(const Formula &formula, const AgentContext &context,
         const DuplicateIndex &tried);

  /// Proves one parameter set. True if it is a new legal order, which is then
  /// the last of `variants`; false if it was looked at before, is infeasible,
  /// illegal, or equal to one that is known.
  bool add(const ParamValues &params);

  /// The agent's own sets, completed by the first values where they leave a
  /// parameter out; what is wrong with them goes into `notes` and `refused`.
  /// None of them counts towards the number that `addSpread` is given.
  void addSuggested(const std::vector<ParamValues> &sets);

  /// Combinations spread over the whole template until `most` variants are
  /// there or the work of proving is used up.
  void addSpread(size_t most);

  /// Neighbours of `params`: one parameter moved by one value.
  std::vector<ParamValues> neighbours(const ParamValues &params) const;

  std::vector<Variant> variants; ///< legal, new, each order once
  unsigned infeasible = 0, illegal = 0;
  std::optional<Refusal> refusal; ///< of the first illegal set
  ParamValues refusedParams;
  struct Met {
    KnownOrder order; ///< where it was tried
    std::string key;
    ParamValues params; ///< with which it came again
  };
  std::optional<Met> met;        ///< the first known order
  std::vector<TriedSet> refused; ///< of the agent's sets, with the reasons
  std::vector<std::string> notes;

private:
  /// Why `add` said no, in a few words.
  std::string lastReason;
  const Formula &formula;
  const AgentContext &context;
  const DuplicateIndex &tried;
  std::set<ParamValues> looked;
  std::set<std::string> keys;
  int64_t work = 0; ///< ids enumerated
};

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_SEARCH_POINTS_H
