//===- Metering.h - What a question costs, whoever answers ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may ask a language model on our behalf, and a recording may be of
// one: their tokens count against the budget like those of a server. What they
// report is booked, what they do not is estimated from the texts and marked as
// an estimate.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_CHAT_METERING_H
#define SWIZZLE_LIB_AGENT_CHAT_METERING_H

#include "Exchange/Exchange.h"

namespace swizzle::agent {

/// Money for the tokens of `usage`, by the prices of `options` (per million).
double priceOf(const Usage &usage, const AgentOptions &options);

/// Puts an estimate in place of each count of `usage` that nobody told (0), and
/// marks it.
void estimateMissing(Usage &usage, int64_t inputTokens, int64_t outputTokens);

/// Fails where `options` limit the money and lack a price: agent `name` could
/// not keep that limit.
llvm::Error checkPrices(llvm::StringRef name, const AgentOptions &options);

/// Tokens of what a program says in its answer, a member `usage` with
/// `input_tokens` and `output_tokens` (or as OpenAI calls them), and `money`;
/// nothing where there is none.
std::optional<Usage> readReportedUsage(llvm::StringRef text);

/// `inner` with accounts: the longest answer is reserved in `options.ledger`
/// before anything is asked, and settled by the usage of the reply, of its
/// text, or by an estimate, in this order.
std::unique_ptr<Exchange> meterExchange(const AgentOptions &options,
                                        std::unique_ptr<Exchange> inner);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_CHAT_METERING_H
