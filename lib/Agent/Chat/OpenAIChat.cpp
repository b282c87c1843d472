//===- OpenAIChat.cpp - OpenAI's Chat Completions -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect that OpenAI, vLLM, llama.cpp, Ollama and most gateways speak.
//
//===----------------------------------------------------------------------===//

#include "ChatServer.h"
#include "swizzle/Support/Json.h"

#include "llvm/Support/Base64.h"

using namespace llvm;

namespace swizzle::agent {

namespace {

/// The text of `content`, which is a string or a list of parts.
std::optional<std::string> contentText(const json::Value *content) {
  if (!content)
    return std::nullopt;
  if (std::optional<StringRef> text = content->getAsString())
    return text->str();
  const json::Array *parts = content->getAsArray();
  if (!parts)
    return std::nullopt;
  std::string text;
  for (const json::Value &part : *parts)
    if (const json::Object *object = part.getAsObject())
      text += object->getString("text").value_or("");
  return text;
}

class OpenAIChat : public ChatServer {
public:
  StringRef name() const override { return "openai"; }

  const ChatDefaults &defaults() const override {
    static constexpr ChatDefaults values{
        "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL",
        "https://api.openai.com/v1", "/chat/completions"};
    return values;
  }

  std::vector<std::pair<std::string, std::string>>
  headers(const std::string &key) const override {
    if (key.empty())
      return {};
    return {{"Authorization", "Bearer " + key}};
  }

  json::Object encode(const Conversation &conversation,
                      const ChatSettings &settings) const override;
  Expected<Reply> decode(const json::Value &body) const override;
};

json::Object OpenAIChat::encode(const Conversation &conversation,
                                const ChatSettings &settings) const {
  const Prompt &prompt = conversation.prompt;
  json::Array messages;
  if (!prompt.system.empty())
    messages.push_back(chatMessage("system", json::fixUTF8(prompt.system)));
  if (prompt.picture.empty()) {
    messages.push_back(chatMessage("user", json::fixUTF8(prompt.user)));
  } else {
    messages.push_back(chatMessage(
        "user",
        json::Array{
            json::Object{{"type", "text"},
                         {"text", json::fixUTF8(prompt.user)}},
            json::Object{
                {"type", "image_url"},
                {"image_url",
                 json::Object{{"url", "data:image/png;base64," +
                                          encodeBase64(prompt.picture)}}}}}));
  }
  if (conversation.repair) {
    messages.push_back(
        chatMessage("assistant", json::fixUTF8(conversation.repair->answer)));
    messages.push_back(
        chatMessage("user", json::fixUTF8(conversation.repair->text)));
  }
  json::Object body{{"model", json::fixUTF8(settings.model)},
                    {"messages", std::move(messages)}};
  if (settings.temperature)
    body["temperature"] = *settings.temperature;
  if (settings.answerTokens) {
    std::string field = settings.answerTokensField;
    if (field.empty())
      field = settings.isPublicServer ? "max_completion_tokens" : "max_tokens";
    body[field] = settings.answerTokens;
  }
  if (settings.structuredOutput == StructuredOutput::Json) {
    body["response_format"] = json::Object{{"type", "json_object"}};
  } else if (settings.structuredOutput == StructuredOutput::Schema &&
             !prompt.schema.empty()) {
    body["response_format"] =
        json::Object{{"type", "json_schema"},
                     {"json_schema", json::Object{{"name", "swizzle_answer"},
                                                  {"strict", true},
                                                  {"schema", nullptr}}}};
  }
  return body;
}

Expected<Reply> OpenAIChat::decode(const json::Value &body) const {
  Reply reply;
  Expected<const json::Object *> read = readReplyObject(body, reply.usage);
  if (!read)
    return read.takeError();
  const json::Object *object = *read;
  readTokens(object->getObject("usage"), "prompt_tokens", "completion_tokens",
             reply.usage);
  auto fail = [&](AgentErrorKind kind, const Twine &what) {
    return makeAgentError(kind, what, reply.usage);
  };
  const json::Array *choices = object->getArray("choices");
  if (!choices)
    return fail(AgentErrorKind::Protocol,
                "the server's answer has no `choices`; is this a Chat "
                "Completions server?");
  if (choices->empty())
    return fail(AgentErrorKind::Protocol,
                "the server's answer has an empty list of `choices`");
  const json::Object *choice = choices->front().getAsObject();
  const json::Object *answer = choice ? choice->getObject("message") : nullptr;
  if (!answer)
    return fail(AgentErrorKind::Protocol,
                "the server's answer has no `choices[0].message`");
  StringRef finish = choice->getString("finish_reason").value_or("");
  if (finish == "content_filter")
    return fail(AgentErrorKind::Filtered,
                "the server's content filter stopped the answer");
  std::optional<StringRef> refusal = answer->getString("refusal");
  if (refusal && !refusal->empty())
    return fail(AgentErrorKind::Refused,
                "the model declined to answer: " + excerpt(*refusal));
  if (finish == "length")
    return makeTruncatedError(reply.usage);
  if (finish == "refusal")
    return fail(AgentErrorKind::Refused, "the model declined to answer");
  std::optional<std::string> text = contentText(answer->get("content"));
  if (!text || StringRef(*text).trim().empty()) {
    const json::Array *calls = answer->getArray("tool_calls");
    bool called = (calls && !calls->empty()) ||
                  answer->getObject("function_call") ||
                  finish == "tool_calls" || finish == "function_call";
    return makeNoTextError(called, reply.usage);
  }
  reply.text = std::move(*text);
  return reply;
}

} // namespace

std::unique_ptr<ChatServer> makeOpenAIChat() {
  return std::make_unique<OpenAIChat>();
}

} // namespace swizzle::agent
