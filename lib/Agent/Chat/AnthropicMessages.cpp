//===- AnthropicMessages.cpp - Anthropic's Messages -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect of Anthropic's API and of gateways that stand in for it.
//
//===----------------------------------------------------------------------===//

#include "ChatServer.h"
#include "swizzle/Support/Json.h"

#include "llvm/Support/Base64.h"

using namespace llvm;

namespace swizzle::agent {

namespace {

json::Object textBlock(StringRef text) {
  return json::Object{{"type", "text"}, {"text", json::fixUTF8(text)}};
}

class AnthropicMessages : public ChatServer {
public:
  StringRef name() const override { return "anthropic"; }

  const ChatDefaults &defaults() const override {
    static constexpr ChatDefaults values{
        "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL",
        "https://api.anthropic.com", "/v1/messages"};
    return values;
  }

  std::vector<std::pair<std::string, std::string>>
  headers(const std::string &key) const override {
    std::vector<std::pair<std::string, std::string>> result = {
        {"anthropic-version", "2023-06-01"}};
    if (!key.empty())
      result.push_back({"x-api-key", key});
    return result;
  }

  json::Object encode(const Conversation &conversation,
                      const ChatSettings &settings) const override;
  Expected<Reply> decode(const json::Value &body) const override;
};

json::Object AnthropicMessages::encode(const Conversation &conversation,
                                       const ChatSettings &settings) const {
  const Prompt &prompt = conversation.prompt;
  json::Array content;
  if (!prompt.picture.empty())
    content.push_back(json::Object{
        {"type", "image"},
        {"source", json::Object{{"type", "base64"},
                                {"media_type", "image/png"},
                                {"data", encodeBase64(prompt.picture)}}}});
  content.push_back(textBlock(prompt.user));
  json::Array messages{chatMessage("user", std::move(content))};
  if (conversation.repair) {
    messages.push_back(chatMessage(
        "assistant", json::Array{textBlock(conversation.repair->answer)}));
    messages.push_back(
        chatMessage("user", json::Array{textBlock(conversation.repair->text)}));
  }
  json::Object body{{"model", json::fixUTF8(settings.model)},
                    {"max_tokens", settings.answerTokens},
                    {"messages", std::move(messages)}};
  if (!prompt.system.empty())
    body["system"] = json::fixUTF8(prompt.system);
  if (settings.temperature)
    body["temperature"] = *settings.temperature;
  // This protocol has no form of "any JSON".
  if (settings.structuredOutput == StructuredOutput::Schema &&
      !prompt.schema.empty()) {
    body["output_config"] = json::Object{
        {"format", json::Object{{"type", "json_schema"}, {"schema", nullptr}}}};
  }
  return body;
}

Expected<Reply> AnthropicMessages::decode(const json::Value &body) const {
  Reply reply;
  Expected<const json::Object *> read = readReplyObject(body, reply.usage);
  if (!read)
    return read.takeError();
  const json::Object *object = *read;
  const json::Object *usage = object->getObject("usage");
  readTokens(usage, "input_tokens", "output_tokens", reply.usage);
  // What a cache held or was given is not part of `input_tokens`, and no count
  // of the input where those are missing.
  if (reply.usage.inputTokens)
    for (StringRef field :
         {"cache_creation_input_tokens", "cache_read_input_tokens"}) {
      Usage cached;
      readTokens(usage, field, "", cached);
      reply.usage.inputTokens += cached.inputTokens;
    }
  auto fail = [&](AgentErrorKind kind, const Twine &what) {
    return makeAgentError(kind, what, reply.usage);
  };
  const json::Array *content = object->getArray("content");
  StringRef stop = object->getString("stop_reason").value_or("");
  if (stop == "refusal")
    return fail(AgentErrorKind::Refused, "the model declined to answer");
  if (stop == "max_tokens")
    return makeTruncatedError(reply.usage);
  if (stop == "model_context_window_exceeded")
    return fail(AgentErrorKind::ContextTooLong,
                "prompt and answer do not fit the model's context");
  if (!content)
    return fail(AgentErrorKind::Protocol,
                "the server's answer has no `content`; is this a Messages "
                "server?");
  if (content->empty())
    return fail(AgentErrorKind::Protocol,
                "the server's answer has an empty list of `content`");
  bool tool = stop == "tool_use";
  for (const json::Value &block : *content) {
    const json::Object *part = block.getAsObject();
    StringRef type = part ? part->getString("type").value_or("") : "";
    if (type == "text")
      reply.text += part->getString("text").value_or("");
    tool |= type == "tool_use";
  }
  if (StringRef(reply.text).trim().empty())
    return makeNoTextError(tool, reply.usage);
  return reply;
}

} // namespace

std::unique_ptr<ChatServer> makeAnthropicMessages() {
  return std::make_unique<AnthropicMessages>();
}

} // namespace swizzle::agent
