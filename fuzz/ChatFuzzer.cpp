//===- ChatFuzzer.cpp - Answers of language-model servers -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first two bytes choose dialect, status and content type, the others are
// the body. Whatever a server sends is an answer or an error with a message in
// one line; never a crash, and never a negative count of tokens.
//
//===----------------------------------------------------------------------===//

#include "Chat/ChatServer.h"

#include <cstdlib>

using namespace swizzle;
using namespace swizzle::agent;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

static void checkMessage(const std::string &message) {
  require(!message.empty() && message.size() < 4096);
  for (unsigned char c : message)
    require(c >= 0x20 && c != 0x7f);
}

static void checkUsage(const Usage &usage) {
  require(usage.inputTokens >= 0 && usage.outputTokens >= 0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::unique_ptr<ChatServer> servers[] = {
      makeOpenAIChat(), makeAnthropicMessages()};
  static constexpr long statuses[] = {200, 200, 200, 204, 302, 400, 402, 404,
                                      408, 413, 422, 429, 500, 503, 529, 0};
  static constexpr const char *types[] = {"application/json", "text/html", "",
                                          "\x1b\xff"};
  if (size < 2)
    return 0;
  HttpReply reply;
  reply.status = statuses[data[0] % 16];
  reply.headers["content-type"] = types[data[0] / 16 % 4];
  reply.body.assign(reinterpret_cast<const char *>(data) + 2, size - 2);
  reply.headers["location"] = reply.body;
  std::optional<llvm::json::Value> body;
  if (std::optional<ChatFault> fault = judgeReply(reply, body)) {
    checkMessage(fault->message);
    return 0;
  }
  llvm::Expected<Reply> answer = servers[data[1] % 2]->decode(*body);
  if (answer) {
    require(!answer->text.empty());
    checkUsage(answer->usage);
    return 0;
  }
  llvm::handleAllErrors(answer.takeError(), [](const AgentError &error) {
    checkMessage(error.message);
    checkUsage(error.usage);
  });
  return 0;
}
