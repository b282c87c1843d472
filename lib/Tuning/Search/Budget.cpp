//===- Budget.cpp - What has been spent, and what is left -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A limit of 0 is none.
//
//===----------------------------------------------------------------------===//

#include "Budget.h"

#include "swizzle/Records/Journal.h"

#include "llvm/Support/FormatVariadic.h"

#include <chrono>

namespace swizzle::tuning {

static double readSteadyClock() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

Budget::Budget(const TuningBudget &limits, const TuningHooks &hooks)
    : limits(limits), hooks(hooks) {
  (void)elapsed();
}

double Budget::elapsed() {
  if (hooks.journal && hooks.journal->replaying())
    return hooks.journal->replayedSeconds();
  double now = hooks.clock ? hooks.clock() : readSteadyClock();
  if (!liveSince) {
    liveSince = now;
    before = hooks.journal ? hooks.journal->replayedSeconds() : 0;
  }
  return before + (now - *liveSince);
}

std::optional<TuningEnd> Budget::beforeEvaluating() {
  // What is replayed was allowed when it was done.
  if (hooks.journal && hooks.journal->replaying())
    return std::nullopt;
  if (isCancelled())
    return TuningEnd::Cancelled;
  if (hooks.journal && hooks.journal->broken())
    return TuningEnd::JournalFailed;
  if (limits.evaluations && evaluations >= limits.evaluations)
    return TuningEnd::Evaluations;
  if (limits.seconds > 0 && elapsed() >= limits.seconds)
    return TuningEnd::Seconds;
  if (deviceSpent)
    return TuningEnd::DeviceSeconds;
  return std::nullopt;
}

std::optional<TuningEnd> Budget::beforeAsking() {
  if (std::optional<TuningEnd> end = beforeEvaluating())
    return end;
  if (limits.tokens && usage.inputTokens + usage.outputTokens >= limits.tokens)
    return TuningEnd::Tokens;
  if (limits.money > 0 && usage.money >= limits.money)
    return TuningEnd::Money;
  return std::nullopt;
}

std::optional<unsigned> Budget::evaluationsLeft() const {
  if (!limits.evaluations)
    return std::nullopt;
  return limits.evaluations - std::min(limits.evaluations, evaluations);
}

Allowance Budget::allowance() {
  Allowance left;
  left.cancel = hooks.cancel;
  if (limits.seconds > 0)
    left.seconds = std::max(0.0, limits.seconds - elapsed());
  if (limits.tokens)
    left.tokens = std::max<int64_t>(0, limits.tokens - usage.inputTokens -
                                           usage.outputTokens);
  if (limits.money > 0)
    left.money = std::max(0.0, limits.money - usage.money);
  return left;
}

Deadline Budget::deadline() {
  Deadline deadline;
  if (limits.seconds > 0 && !hooks.clock)
    deadline = Deadline::after(limits.seconds - elapsed());
  return deadline.orOnce(hooks.cancel);
}

std::string describeEnd(TuningEnd end, const TuningBudget &limits) {
  switch (end) {
  case TuningEnd::Evaluations:
    return llvm::formatv("the budget of {0} evaluations is spent",
                         limits.evaluations);
  case TuningEnd::Seconds:
    return llvm::formatv("the budget of {0} seconds is spent",
                         llvm::format("%g", limits.seconds));
  case TuningEnd::DeviceSeconds:
    return "the budget of the device's seconds is spent";
  case TuningEnd::Tokens:
    return llvm::formatv("the budget of {0} tokens is spent", limits.tokens);
  case TuningEnd::Money:
    return llvm::formatv("the budget of {0} (max-money) is spent",
                         llvm::format("%g", limits.money));
  case TuningEnd::Cancelled:
    return "cancelled";
  case TuningEnd::JournalFailed:
    return "the journal cannot be written";
  default:
    return "";
  }
}

} // namespace swizzle::tuning

namespace swizzle {

llvm::StringRef toString(TuningEnd end) {
  switch (end) {
  case TuningEnd::Rounds:
    return "rounds";
  case TuningEnd::Patience:
    return "patience";
  case TuningEnd::Evaluations:
    return "evaluations";
  case TuningEnd::Seconds:
    return "seconds";
  case TuningEnd::DeviceSeconds:
    return "device-seconds";
  case TuningEnd::Tokens:
    return "tokens";
  case TuningEnd::Money:
    return "money";
  case TuningEnd::NothingToGain:
    return "nothing-to-gain";
  case TuningEnd::AgentsDone:
    return "agents-done";
  case TuningEnd::AgentFailed:
    return "agent-failed";
  case TuningEnd::Cancelled:
    return "cancelled";
  case TuningEnd::JournalFailed:
    return "journal-failed";
  }
  llvm_unreachable("unknown end");
}

} // namespace swizzle
