//===- ChatServerTest.cpp - The dialects, written and read ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each protocol's request looks like; answers of every kind; and bodies
// mutated at random, which may be refused but must not crash.
//
//===----------------------------------------------------------------------===//

#include "Chat/ChatServer.h"
#include "Agent/Core/Helpers.h"
#include "swizzle/Support/Json.h"

#include "gtest/gtest.h"
#include <random>

using namespace swizzle;
using namespace swizzle::agent;
using namespace llvm;

namespace {

struct Asked {
  AgentContext context;
  Prompt prompt{"be brief", "order \xff these", R"({"type": "object"})", ""};
  Conversation conversation{context, prompt, std::nullopt};
  ChatSettings settings;

  Asked() {
    settings.model = "m";
    settings.answerTokens = 100;
  }
};

json::Value parse(StringRef text) {
  Expected<json::Value> value = parseJson(text);
  if (!value) {
    ADD_FAILURE() << toString(value.takeError());
    return nullptr;
  }
  return *value;
}

TEST(OpenAIChatTest, Request) {
  Asked asked;
  auto server = makeOpenAIChat();
  EXPECT_EQ(json::Value(server->encode(asked.conversation, asked.settings)),
            parse(R"({
    "model": "m", "max_tokens": 100,
    "messages": [{"role": "system", "content": "be brief"},
                 {"role": "user", "content": "order � these"}],
    "response_format": {"type": "json_schema", "json_schema":
      {"name": "swizzle_answer", "strict": true, "schema": null}}})"));
  asked.settings.isPublicServer = true;
  asked.settings.temperature = 0.5;
  asked.settings.structuredOutput = StructuredOutput::Json;
  asked.prompt.system = "";
  asked.conversation.repair = Repair{"bad", "worse", "again"};
  EXPECT_EQ(json::Value(server->encode(asked.conversation, asked.settings)),
            parse(R"({
    "model": "m", "max_completion_tokens": 100, "temperature": 0.5,
    "messages": [{"role": "user", "content": "order � these"},
                 {"role": "assistant", "content": "bad"},
                 {"role": "user", "content": "again"}],
    "response_format": {"type": "json_object"}})"));
  asked.settings.answerTokensField = "max_tokens";
  asked.settings.structuredOutput = StructuredOutput::None;
  json::Object body = server->encode(asked.conversation, asked.settings);
  EXPECT_TRUE(body.get("max_tokens"));
  EXPECT_FALSE(body.get("response_format"));
}

TEST(OpenAIChatTest, Picture) {
  Asked asked;
  asked.prompt.picture = "PNG";
  json::Object body =
      makeOpenAIChat()->encode(asked.conversation, asked.settings);
  EXPECT_EQ((*body.getArray("messages"))[1],
            parse(R"({"role": "user", "content": [
    {"type": "text", "text": "order � these"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H"}}]})"));
}

TEST(OpenAIChatTest, KeyIsOnlyInItsHeader) {
  auto server = makeOpenAIChat();
  EXPECT_TRUE(server->headers("").empty());
  auto headers = server->headers("k");
  ASSERT_EQ(headers.size(), 1u);
  EXPECT_EQ(headers[0].first, "Authorization");
  EXPECT_EQ(headers[0].second, "Bearer k");
}

TEST(AnthropicMessagesTest, Request) {
  Asked asked;
  asked.prompt.picture = "PNG";
  asked.conversation.repair = Repair{"bad", "worse", "again"};
  auto server = makeAnthropicMessages();
  EXPECT_EQ(json::Value(server->encode(asked.conversation, asked.settings)),
            parse(R"({
    "model": "m", "max_tokens": 100, "system": "be brief",
    "messages": [
      {"role": "user", "content": [
        {"type": "image", "source":
          {"type": "base64", "media_type": "image/png", "data": "UE5H"}},
        {"type": "text", "text": "order � these"}]},
      {"role": "assistant", "content": [{"type": "text", "text": "bad"}]},
      {"role": "user", "content": [{"type": "text", "text": "again"}]}],
    "output_config": {"format":
      {"type": "json_schema", "schema": null}}})"));
  auto headers = server->headers("k");
  ASSERT_EQ(headers.size(), 2u);
  EXPECT_EQ(headers[1].first, "x-api-key");
}

TEST(JsonTest, SchemaKeepsItsOrder) {
  json::Value body = json::Object{
      {"z", json::Array{json::Object{{"schema", nullptr}, {"a", nullptr}}}},
      {"schema", "text"}};
  EXPECT_EQ(toText(body, "{\n  \"limits\": 1,\n  \"formula\": 2\n}"),
            R"({"schema":"text","z":[{"a":null,"schema":{"limits": 1,)"
            R"("formula": 2}}]})");
  EXPECT_EQ(toText(body, ""), toText(body));
}

struct Case {
  StringRef body;
  std::optional<AgentErrorKind> error;
  StringRef text = "";
  int64_t input = 0, output = 0;
};

void check(const ChatServer &server, ArrayRef<Case> cases) {
  for (const Case &test : cases) {
    Expected<Reply> reply = server.decode(parse(test.body));
    if (reply) {
      EXPECT_FALSE(test.error) << test.body.str();
      EXPECT_EQ(reply->text, test.text.str());
      EXPECT_EQ(reply->usage.inputTokens, test.input);
      EXPECT_EQ(reply->usage.outputTokens, test.output);
      EXPECT_EQ(reply->usage.requests, 1u);
      continue;
    }
    AgentError error = takeAgentError(reply.takeError());
    ASSERT_TRUE(test.error) << test.body.str() << ": " << error.message;
    EXPECT_EQ(toString(error.kind).str(), toString(*test.error).str())
        << test.body.str() << ": " << error.message;
    EXPECT_EQ(error.usage.outputTokens, test.output) << test.body.str();
  }
}

using Kind = AgentErrorKind;

const Case kOpenAICases[] = {
    {R"({"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}],
         "usage": {"prompt_tokens": 3, "completion_tokens": 4}})",
     std::nullopt, "hi", 3, 4},
    {R"({"choices": [{"message": {"content": [{"type": "text", "text": "a"},
         {"type": "text", "text": "b"}]}, "finish_reason": null}]})",
     std::nullopt, "ab"},
    {R"({"choices": [{"message": {"content": "{", "refusal": null},
         "finish_reason": "length"}], "usage": {"completion_tokens": 9}})",
     Kind::Truncated, "", 0, 9},
    {R"({"choices": [{"message": {"content": null}, "finish_reason":
         "content_filter"}]})",
     Kind::Filtered},
    {R"({"choices": [{"message": {"content": null, "refusal": "no"},
         "finish_reason": "stop"}]})",
     Kind::Refused},
    {R"({"choices": [{"message": {"content": "", "tool_calls": [{}]},
         "finish_reason": "tool_calls"}]})",
     Kind::Protocol},
    {R"({"choices": [{"message": {"content": " \n"}}]})", Kind::Protocol},
    {R"({"choices": [{"message": {"content": 7}}]})", Kind::Protocol},
    {R"({"choices": [{"delta": {"content": "hi"}}]})", Kind::Protocol},
    {R"({"choices": [7]})", Kind::Protocol},
    {R"({"choices": []})", Kind::Protocol},
    {R"({"choices": "none"})", Kind::Protocol},
    {R"([])", Kind::Protocol},
};

const Case kAnthropicCases[] = {
    {R"({"content": [{"type": "text", "text": "hi"}], "stop_reason": "end_turn",
         "usage": {"input_tokens": 3, "output_tokens": 4,
                   "cache_read_input_tokens": 20,
                   "cache_creation_input_tokens": 100}})",
     std::nullopt, "hi", 123, 4},
    {R"({"content": [{"type": "thinking", "thinking": "hm"},
         {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})",
     std::nullopt, "ab"},
    {R"({"content": [{"type": "text", "text": "{"}], "stop_reason":
         "max_tokens", "usage": {"output_tokens": 9}})",
     Kind::Truncated, "", 0, 9},
    {R"({"content": [], "stop_reason": "refusal"})", Kind::Refused},
    {R"({"content": [], "stop_reason": "model_context_window_exceeded"})",
     Kind::ContextTooLong},
    {R"({"content": [{"type": "tool_use", "name": "t", "input": {}}],
         "stop_reason": "tool_use"})",
     Kind::Protocol},
    {R"({"content": []})", Kind::Protocol},
    {R"({"content": "hi"})", Kind::Protocol},
    {R"({"content": [7, {"type": 7}]})", Kind::Protocol},
    {R"(7)", Kind::Protocol},
};

TEST(OpenAIChatTest, Answers) { check(*makeOpenAIChat(), kOpenAICases); }
TEST(AnthropicMessagesTest, Answers) {
  check(*makeAnthropicMessages(), kAnthropicCases);
}

TEST(ChatServerTest, Complaints) {
  auto complaint = [](StringRef text) {
    std::optional<ServerComplaint> found = readComplaint(parse(text));
    return found ? found->code + "|" + found->type + "|" + found->message : "-";
  };
  EXPECT_EQ(complaint(R"({"error": {"message": "m", "type": "t", "code": 5}})"),
            "5|t|m");
  EXPECT_EQ(complaint(R"({"error": "m"})"), "||m");
  EXPECT_EQ(complaint(R"({"detail": [{"msg": "m"}]})"), R"(||[{"msg":"m"}])");
  EXPECT_EQ(complaint(R"({"message": "m"})"), "||m");
  EXPECT_EQ(complaint(R"({"error": {}})"), "||{}");
  EXPECT_EQ(complaint(R"({"other": "m"})"), "-");
  EXPECT_EQ(complaint(R"(["error"])"), "-");
}

TEST(ChatServerTest, DeepNestingIsRefused) {
  HttpReply reply;
  reply.status = 200;
  std::optional<json::Value> body;
  for (std::string text :
       {std::string(1 << 20, '['), "{\"a\":" + std::string(1 << 20, '[')}) {
    reply.body = text;
    std::optional<ChatFault> fault = judgeReply(reply, body);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, AgentErrorKind::Protocol);
  }
  // Brackets inside of a string are no nesting.
  reply.body = "{\"a\": \"\\\"" + std::string(1000, '[') + "\"}";
  EXPECT_FALSE(judgeReply(reply, body));
}

/// What is wrong with `body` under status 200; nullopt if nothing is.
std::optional<ChatFault> judge(const std::string &body) {
  HttpReply reply;
  reply.status = 200;
  reply.body = body;
  std::optional<json::Value> parsed;
  return judgeReply(reply, parsed);
}

TEST(ChatServerTest, AnErrorThatSaysNothingIsNone) {
  for (std::string error : {"null", "false", "0", R"("")", "{}", "[]"})
    EXPECT_FALSE(judge(R"({"choices": [], "error": )" + error + "}")) << error;
}

TEST(ChatServerTest, ErrorsUnderStatus200) {
  // No status is made up, and what was used is booked.
  std::optional<ChatFault> fault =
      judge(R"({"error": {"message": "bad"}, "usage": {"prompt_tokens": 9}})");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, AgentErrorKind::BadRequest);
  EXPECT_EQ(fault->message, "the server refuses the request (HTTP 200): bad");
  EXPECT_TRUE(fault->answered);
  EXPECT_EQ(fault->usage.inputTokens, 9);
  fault = judge(R"({"error": {"type": "overloaded_error", "message": "no"}})");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, AgentErrorKind::Overloaded);
  EXPECT_TRUE(fault->retry);
  EXPECT_FALSE(fault->answered);
  EXPECT_NE(fault->message.find("(HTTP 200)"), std::string::npos);
  fault = judge(R"({"error": {"code": 429, "message": "slow down"}})");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, AgentErrorKind::RateLimit);
  EXPECT_NE(fault->message.find("(HTTP 429)"), std::string::npos);
}

TEST(ChatServerTest, AByteOrderMarkIsNoPartOfTheJson) {
  EXPECT_FALSE(judge("\xef\xbb\xbf{\"choices\": []}"));
}

/// Bytes replaced, dropped, doubled and inserted.
std::string mutate(StringRef text, std::mt19937 &random) {
  static constexpr StringLiteral spice = "{}[]\",:\\0-9eE.nulltrue\x01\xff";
  std::string result = text.str();
  for (unsigned i = 0, n = 1 + random() % 8; i < n && !result.empty(); ++i) {
    size_t at = random() % result.size();
    switch (random() % 5) {
    case 0:
      result[at] = spice[random() % spice.size()];
      break;
    case 1:
      result.erase(at, 1 + random() % 16);
      break;
    case 2:
      result.insert(at, result.substr(at, 1 + random() % 16));
      break;
    case 3:
      result.insert(at, 1, char(random()));
      break;
    case 4:
      result.resize(at);
      break;
    }
  }
  return result;
}

TEST(ChatServerTest, MutatedBodiesAreJudgedWithoutACrash) {
  std::mt19937 random(7);
  auto openai = makeOpenAIChat();
  auto anthropic = makeAnthropicMessages();
  unsigned answers = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    bool first = random() % 2;
    StringRef seed =
        first ? kOpenAICases[random() % std::size(kOpenAICases)].body
              : kAnthropicCases[random() % std::size(kAnthropicCases)].body;
    HttpReply reply;
    reply.status = random() % 4 ? 200 : long(random() % 700);
    reply.body = mutate(seed, random);
    std::optional<json::Value> body;
    if (std::optional<ChatFault> fault = judgeReply(reply, body)) {
      EXPECT_FALSE(fault->message.empty());
      continue;
    }
    Expected<Reply> read = (first ? openai : anthropic)->decode(*body);
    answers += bool(read);
    if (!read)
      EXPECT_NE(takeAgentError(read.takeError()).message, "");
  }
  EXPECT_GT(answers, 20u);
}

} // namespace
