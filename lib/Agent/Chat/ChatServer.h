//===- ChatServer.h - A dialect of language-model servers -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs between the servers' protocols, and nothing else: where to send,
// which headers carry the key, how the question is written and the answer read.
// Pure functions of plain data; no network. A new protocol is one file with one
// class, and a line in the registry.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_CHAT_CHATSERVER_H
#define SWIZZLE_LIB_AGENT_CHAT_CHATSERVER_H

#include "Exchange/Exchange.h"
#include "Http.h"

namespace swizzle::agent {

/// What is asked for besides the conversation.
struct ChatSettings {
  std::string model;
  std::optional<double> temperature;
  int64_t answerTokens = 0;
  std::string answerTokensField; ///< empty: the dialect's choice
  StructuredOutput structuredOutput = StructuredOutput::Schema;
  bool isPublicServer = false; ///< the base URL is the dialect's own
};

/// Where a dialect finds what the user did not give.
struct ChatDefaults {
  llvm::StringRef keyVariable, urlVariable, modelVariable;
  llvm::StringRef publicUrl; ///< of the protocol's maker
  llvm::StringRef path;      ///< below the base URL
};

class ChatServer {
public:
  virtual ~ChatServer();

  virtual llvm::StringRef name() const = 0;
  virtual const ChatDefaults &defaults() const = 0;

  /// Headers besides the content type; `key` may be empty.
  virtual std::vector<std::pair<std::string, std::string>>
  headers(const std::string &key) const = 0;

  /// The request's body. Where the answer's schema belongs it has a member
  /// `schema` that is null, which the schema's text takes the place of.
  virtual llvm::json::Object encode(const Conversation &conversation,
                                    const ChatSettings &settings) const = 0;

  /// Reads the body of a successful reply, already known to be JSON and no
  /// error report. Fails with an `AgentError` that tells apart: not what the
  /// protocol promises, a tool call, cut by length, filtered, refused. Tokens
  /// stay 0 where the server does not tell them.
  virtual llvm::Expected<Reply> decode(const llvm::json::Value &body) const = 0;
};

std::unique_ptr<ChatServer> makeOpenAIChat();
std::unique_ptr<ChatServer> makeAnthropicMessages();

/// What a server says about an error, from any of the shapes in use:
/// `{"error": {"message", "type", "code"}}`, `{"error": "..."}`,
/// `{"detail": ...}`, `{"message": ...}`.
struct ServerComplaint {
  std::string message, type, code;
};
std::optional<ServerComplaint> readComplaint(const llvm::json::Value &body);

/// Why a reply is no answer. `retry`: it may pass by itself.
struct ChatFault {
  AgentErrorKind kind = AgentErrorKind::Protocol;
  std::string message;
  bool retry = false;
  /// The server took the question, and may charge for an answer.
  bool answered = false;
  Usage usage; ///< as the server tells it; 0 where it does not
};

/// Judges status, content type and body up to the point where the dialect takes
/// over; on success `body` is the parsed JSON.
std::optional<ChatFault> judgeReply(const HttpReply &reply,
                                    std::optional<llvm::json::Value> &body);

/// \name What both dialects write and complain about
/// @{
llvm::json::Object chatMessage(llvm::StringRef role, llvm::json::Value content);
/// An answer that ended by the token limit.
llvm::Error makeTruncatedError(const Usage &usage);
/// An answer without text; `calledTool`: it has a tool call instead.
llvm::Error makeNoTextError(bool calledTool, const Usage &usage);
/// The object that a reply's body must be, counted as one request in `usage`.
llvm::Expected<const llvm::json::Object *>
readReplyObject(const llvm::json::Value &body, Usage &usage);
/// @}

/// `usage` with tokens taken from the two members of `object` if they are
/// there.
void readTokens(const llvm::json::Object *object, llvm::StringRef input,
                llvm::StringRef output, Usage &usage);
/// The tokens of `usage` by the names of either dialect.
Usage readTokens(const llvm::json::Object &usage);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_CHAT_CHATSERVER_H
