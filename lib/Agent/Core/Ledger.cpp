//===- Ledger.cpp - Tokens and money --------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reservation and settlement. A usage that a server reports can exceed what was
// reserved (a server that ignores the token limit); it is booked as it is, and
// the next reservation then finds nothing left.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/Ledger.h"

#include "llvm/Support/FormatVariadic.h"

namespace swizzle {

llvm::Error Ledger::reserve(int64_t tokens, double money) {
  std::lock_guard<std::mutex> lock(mutex);
  auto refuse = [](std::string message) {
    return llvm::make_error<AgentError>(AgentErrorKind::SpendLimit,
                                        std::move(message));
  };
  if (tokenLimit) {
    int64_t left =
        tokenLimit - reservedTokens - used.inputTokens - used.outputTokens;
    if (tokens > left)
      return refuse(
          llvm::formatv("the token budget of {0} (max-tokens) is spent: "
                        "{1} are left, and the next request may take {2}",
                        tokenLimit, std::max<int64_t>(left, 0), tokens));
  }
  if (moneyLimit > 0) {
    double left = moneyLimit - reservedMoney - used.money;
    if (money > left)
      return refuse(
          llvm::formatv("the money budget of {0:f4} (max-money) is spent: "
                        "{1:f4} is left, and the next request may cost "
                        "{2:f4}",
                        moneyLimit, std::max(left, 0.0), money));
  }
  reservedTokens += tokens;
  reservedMoney += money;
  return llvm::Error::success();
}

void Ledger::settle(int64_t tokens, double money, const Usage &usage) {
  std::lock_guard<std::mutex> lock(mutex);
  reservedTokens -= tokens;
  reservedMoney -= money;
  used += usage;
}

Usage Ledger::spent() const {
  std::lock_guard<std::mutex> lock(mutex);
  return used;
}

int64_t estimateTokens(llvm::StringRef text) {
  return (int64_t(text.size()) + 2) / 3;
}

} // namespace swizzle
