//===- Ledger.h - Tokens and money ------------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A budget that cannot be overdrawn: what a request may cost is reserved before
// it is sent and settled when the answer says what it did cost. Agents that
// draw on the same budget share one ledger.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_CORE_LEDGER_H
#define SWIZZLE_AGENT_CORE_LEDGER_H

#include "swizzle/Agent/Core/Agent.h"
#include <mutex>

namespace swizzle {

class Ledger {
public:
  /// 0: no limit.
  explicit Ledger(int64_t tokenLimit = 0, double moneyLimit = 0)
      : tokenLimit(tokenLimit), moneyLimit(moneyLimit) {}

  /// Sets `tokens` and `money` aside. Fails with an `AgentError` (SpendLimit)
  /// that names what is left, if that is less.
  llvm::Error reserve(int64_t tokens, double money);

  /// Gives a reservation back and books what was used instead.
  void settle(int64_t reservedTokens, double reservedMoney, const Usage &used);

  /// Books what was used before, by a run that is being resumed.
  void book(const Usage &used) { settle(0, 0, used); }

  Usage spent() const;

private:
  mutable std::mutex mutex;
  int64_t tokenLimit, reservedTokens = 0;
  double moneyLimit, reservedMoney = 0;
  Usage used;
};

/// Tokens that `text` may come to: one for every three bytes, which
/// overestimates English and code for the tokenizers in use (about four bytes
/// each).
int64_t estimateTokens(llvm::StringRef text);

} // namespace swizzle

#endif // SWIZZLE_AGENT_CORE_LEDGER_H
