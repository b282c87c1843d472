//===- ChatExchange.h - Asks a language-model server ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An exchange over HTTP with a server of any dialect.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_CHAT_CHATEXCHANGE_H
#define SWIZZLE_LIB_AGENT_CHAT_CHATEXCHANGE_H

#include "ChatServer.h"

namespace swizzle::agent {

/// `client`: null for the network. Fails with an `AgentError` (Configuration)
/// if the model is not known or the URL is none; a missing key is noticed when
/// it is needed, so that a replay needs none.
llvm::Expected<std::unique_ptr<Exchange>>
makeChatExchange(std::unique_ptr<ChatServer> server,
                 const AgentOptions &options,
                 std::unique_ptr<HttpClient> client = nullptr);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_CHAT_CHATEXCHANGE_H
