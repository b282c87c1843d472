//===- Context.h - What an agent is told -----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that an agent may know about a kernel, its target and what has
// been tried, as plain data. An agent that is a language model sees it through
// the prompt (Prompt.h); the planner and the database read it directly.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_CORE_CONTEXT_H
#define SWIZZLE_AGENT_CORE_CONTEXT_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Records/History.h"
#include "swizzle/Support/Deadline.h"

namespace swizzle {

/// How much the prompt says about the hardware.
enum class ContextMode : uint8_t {
  Filtered, ///< the facts that matter for an order, of this chip
  None,     ///< nothing
  Manual,   ///< a whole text, as it is
};

/// A record of the tuning database, as an agent is told about it.
struct NearRecord {
  std::string kernel, grid, chip;
  std::string formula;
  ParamValues params;
  /// Baseline over best of the objective's figure, as `DatabaseRecord::gain`.
  std::optional<double> gain;
  std::string origin;
};

/// What an agent may still spend; nullopt: no limit. An agent that pays for
/// its answers reserves against it what the longest answer would cost before it
/// sends anything, and fails with `SpendLimit` if that does not fit.
struct Allowance {
  std::optional<double> seconds;
  std::optional<int64_t> tokens;
  std::optional<double> money;
  /// True: come back soon, with `AgentErrorKind::Cancelled`. May be null.
  const std::atomic<bool> *cancel = nullptr;

  /// When the seconds are over, or the answer is not wanted any more.
  Deadline deadline() const {
    return (seconds ? Deadline::after(*seconds) : Deadline()).orOnce(cancel);
  }
};

/// What a user lets agents know beside the kernel.
struct Briefing {
  ContextMode mode = ContextMode::Filtered;
  std::string manual; ///< text for ContextMode::Manual
  std::string hint;   ///< advice in words
};

struct AgentContext {
  std::string module, kernel;
  /// The kernel's IR, trimmed to index arithmetic and accesses.
  std::string kernelText;
  /// Hash of the kernel's structure, without names and locations: what the
  /// tuning database knows it by. Empty if nobody computed it.
  std::string kernelHash;
  KernelModel model;
  HardwareSpec hardware;
  /// Grid (unknown extents where the launch decides) and hardware constants.
  Environment environment;
  ReuseTable reuse;

  Objective objective = Objective::Time; ///< never Auto here
  std::string objectiveReason;           ///< why `auto` took it; may be empty
  Metrics baseline;
  std::string bottleneck; ///< one sentence
  /// Why a search of its own (the planner) would leave the kernel as it is;
  /// empty if it would not, or was not asked.
  std::string searchReason;

  std::vector<Attempt> history;
  unsigned best = 0; ///< number of the best attempt, 0: the kernel as it is
  unsigned round = 1, rounds = 1;
  unsigned proposals = 3;    ///< how many are asked for
  bool fullDetail = false;   ///< what is simulated is simulated in full
  bool figuresOfKept = true; ///< `PlannerOptions::figuresOfKept`
  Allowance allowance;

  std::vector<NearRecord> nearest;
  std::string hint; ///< of the user
  ContextMode mode = ContextMode::Filtered;
  std::string manual;  ///< text for ContextMode::Manual
  std::string picture; ///< PNG of the mapping, empty if none is attached
};

llvm::StringRef toString(ContextMode mode);

} // namespace swizzle

#endif // SWIZZLE_AGENT_CORE_CONTEXT_H
