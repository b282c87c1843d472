//===- Advice.h - What is advised about one kernel --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever may answer for a kernel is an adviser: an agent that is asked once,
// or a loop that asks several and measures what they propose (swizzle/Tuning).
//
//   AgentContext context = makeContext(facts, mi300x, briefing);
//   Advice advice = askingOnce(makePlannerAgent())(context);
//   advice.kind       Advice::Found
//   advice.formula    return gx - 1 - x, y       (not yet proved)
//   advice.code       "improved"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNING_ADVICE_H
#define SWIZZLE_PLANNING_ADVICE_H

#include "swizzle/Agent/Core/Agent.h"
#include "swizzle/Kernel/KernelFacts.h"
#include <functional>
#include <memory>

namespace swizzle {

struct Advice {
  enum Kind : uint8_t {
    Found,  ///< `formula`, with `params`
    Keep,   ///< leave the kernel as it is
    Missed, ///< knows nothing of this kernel; others may
    Failed, ///< could not be asked, or answered what cannot be used
  };
  Kind kind = Failed;
  std::optional<Formula> formula; ///< not yet proved
  /// Of a template whose parameters are not given, the best are searched.
  ParamValues params;
  std::string code, reason, counterexample;
  std::string source; ///< whose the formula is, for messages
  /// Somebody knew the formula before: it is simulated only if that is asked
  /// for.
  bool isKnown = false;
  std::optional<Prediction> prediction;
  std::vector<std::string> notes;

  static Advice fail(llvm::StringRef code, const llvm::Twine &reason);
  /// The class of an agent's error and its message.
  static Advice fail(llvm::Error error);
};

using Adviser = std::function<Advice(const AgentContext &)>;

/// An adviser that takes the first proposal of `agent` as it stands.
Adviser askingOnce(std::shared_ptr<Agent> agent);

/// The grid that formulas see, and the constants of the chip, if one is known.
Environment makeEnvironment(const KernelFacts &facts,
                            const HardwareSpec *hardware);

/// What agents are told about the kernel before anything was tried. The only
/// place that makes a context.
AgentContext makeContext(const KernelFacts &facts, const HardwareSpec &hardware,
                         const Briefing &briefing);

} // namespace swizzle

#endif // SWIZZLE_PLANNING_ADVICE_H
