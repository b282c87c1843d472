//===- Recording.h - Exchanges that were recorded ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exchanges that are written to a recording (swizzle/Records/RecordingFile.h),
// or answered from one. What identifies a question is everything that the model
// was told and how it was set up: the prompt's texts line by line, the answer's
// schema, the repair turn, model and temperature. Never a key, a URL, a command
// line or a path.
//
// Failures that the model itself caused (cut off, refused, filtered) are
// answers too, and are replayed as such; failures of the network are not
// recorded.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_EXCHANGE_RECORDING_H
#define SWIZZLE_LIB_AGENT_EXCHANGE_RECORDING_H

#include "Exchange.h"

namespace swizzle::agent {

/// The question as it is recorded.
llvm::json::Object canonicalRequest(llvm::StringRef agent,
                                    const llvm::json::Object &settings,
                                    const Conversation &conversation);

/// Sends through `inner` and appends what comes back to the store at `path`.
/// Fails if nothing can be written there.
llvm::Expected<std::unique_ptr<Exchange>>
recordExchange(llvm::StringRef agent, const AgentOptions &options,
               std::unique_ptr<Exchange> inner);

/// Answers from the store at `options.replayPath`, and asks nobody. A question
/// that was asked several times is answered in the order of the recording, and
/// then from the start again. With an empty `agent`, the texts alone decide:
/// who answered, and how it was set up, does not matter.
llvm::Expected<std::unique_ptr<Exchange>>
replayExchange(llvm::StringRef agent, llvm::json::Object settings,
               const AgentOptions &options);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_EXCHANGE_RECORDING_H
