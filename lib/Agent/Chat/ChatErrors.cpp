//===- ChatErrors.cpp - What a server's status and body mean --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classes of errors, from the status code and from what the body says: servers
// report a full context, an empty account and an overload under the same few
// codes, and the words are what tells them apart.
//
//===----------------------------------------------------------------------===//

#include "ChatServer.h"
#include "swizzle/Support/Json.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace swizzle::agent {

ChatServer::~ChatServer() = default;

namespace {

bool containsAny(StringRef text, ArrayRef<StringRef> words) {
  return any_of(
      words, [&](StringRef word) { return text.contains_insensitive(word); });
}

bool isContextTooLong(const ServerComplaint &complaint) {
  std::string text =
      complaint.code + " " + complaint.type + " " + complaint.message;
  return containsAny(text, {"context_length_exceeded", "exceed_context_size",
                            "maximum context length", "context window",
                            "context length", "available context size",
                            "prompt is too long", "request_too_large"});
}

bool isSpendLimit(const ServerComplaint &complaint) {
  std::string text =
      complaint.code + " " + complaint.type + " " + complaint.message;
  return containsAny(text, {"insufficient_quota", "billing_hard_limit",
                            "billing_error", "credit balance",
                            "exceeded your current quota", "spend limit",
                            "spending limit"});
}

std::string textOf(const json::Value *value) {
  if (!value)
    return "";
  if (std::optional<StringRef> text = value->getAsString())
    return text->str();
  if (value->kind() == json::Value::Null)
    return "";
  return toText(*value);
}

/// The class of an error by its status; nullopt for a success.
std::optional<AgentErrorKind> kindOfStatus(long status) {
  switch (status) {
  case 401:
  case 403:
    return AgentErrorKind::Authentication;
  case 402:
    return AgentErrorKind::SpendLimit;
  case 404:
    return AgentErrorKind::NotFound;
  case 408:
    return AgentErrorKind::Timeout;
  case 429:
    return AgentErrorKind::RateLimit;
  default:
    break;
  }
  if (status >= 200 && status < 300)
    return std::nullopt;
  if (status >= 300 && status < 400)
    return AgentErrorKind::Redirect;
  if (status >= 400 && status < 500)
    return AgentErrorKind::BadRequest;
  if (status >= 500)
    return AgentErrorKind::Overloaded;
  return AgentErrorKind::Protocol;
}

bool mayPass(long status) {
  return status == 408 || status == 409 || status == 429 || status >= 500;
}

StringRef describeStatus(AgentErrorKind kind) {
  switch (kind) {
  case AgentErrorKind::Authentication:
    return "the server does not accept the key";
  case AgentErrorKind::NotFound:
    return "the server knows no such model or address; see model and base-url";
  case AgentErrorKind::Timeout:
    return "the server gave up waiting";
  case AgentErrorKind::RateLimit:
    return "the server limits the rate of requests";
  case AgentErrorKind::Overloaded:
    return "the server has an error or is overloaded";
  case AgentErrorKind::ContextTooLong:
    return "the prompt does not fit the model's context";
  case AgentErrorKind::SpendLimit:
    return "the account's money or quota is spent";
  default:
    return "the server refuses the request";
  }
}

/// True of a member `error` that is there and reports none: null, false, "",
/// {}.
bool saysNothing(const json::Value &error) {
  switch (error.kind()) {
  case json::Value::Null:
    return true;
  case json::Value::Boolean:
    return !*error.getAsBoolean();
  case json::Value::Number:
    return *error.getAsNumber() == 0;
  case json::Value::String:
    return error.getAsString()->trim().empty();
  case json::Value::Array:
    return error.getAsArray()->empty();
  case json::Value::Object:
    return error.getAsObject()->empty();
  }
  llvm_unreachable("unknown kind of JSON");
}

/// Some gateways report an upstream error under status 200, with its own status
/// in `error.code`; nullopt if it has none.
std::optional<long> statusInside(const json::Value &error) {
  if (const json::Object *object = error.getAsObject())
    for (StringRef field : {"code", "status"})
      if (std::optional<int64_t> status = object->getInteger(field))
        if (*status >= 400 && *status < 600)
          return *status;
  return std::nullopt;
}

/// The status that an error of this shape has where the server sends one.
long usualStatus(const json::Value &error) {
  const json::Object *object = error.getAsObject();
  bool overloaded =
      object && object->getString("type") == StringRef("overloaded_error");
  return overloaded ? 529 : 400;
}

/// `told`: the status that the server sent, where `status` only stands for its
/// class.
ChatFault faultOf(long status, const std::optional<ServerComplaint> &complaint,
                  StringRef body, std::optional<long> told = std::nullopt) {
  ChatFault fault;
  fault.kind = kindOfStatus(status).value_or(AgentErrorKind::Protocol);
  fault.retry = mayPass(status);
  if (complaint && isSpendLimit(*complaint)) {
    fault.kind = AgentErrorKind::SpendLimit;
    fault.retry = false;
  } else if (complaint && status < 500 && isContextTooLong(*complaint)) {
    fault.kind = AgentErrorKind::ContextTooLong;
    fault.retry = false;
  }
  fault.message = (describeStatus(fault.kind) + " (HTTP " +
                   Twine(told.value_or(status)) + ")")
                      .str();
  std::string said = complaint ? complaint->message : body.trim().str();
  if (!said.empty())
    fault.message += ": " + excerpt(said, 300);
  return fault;
}

} // namespace

std::optional<ServerComplaint> readComplaint(const json::Value &body) {
  const json::Object *object = body.getAsObject();
  if (!object)
    return std::nullopt;
  ServerComplaint complaint;
  const json::Value *error = object->get("error");
  if (const json::Object *inner = error ? error->getAsObject() : nullptr) {
    complaint.message = textOf(inner->get("message"));
    complaint.type = textOf(inner->get("type"));
    complaint.code = textOf(inner->get("code"));
    if (complaint.message.empty())
      complaint.message = toText(*error);
    return complaint;
  }
  for (StringRef field : {"error", "detail", "message"}) {
    complaint.message = textOf(object->get(field));
    if (!complaint.message.empty())
      return complaint;
  }
  return std::nullopt;
}

json::Object chatMessage(StringRef role, json::Value content) {
  return json::Object{{"role", role}, {"content", std::move(content)}};
}

Error makeTruncatedError(const Usage &usage) {
  return makeAgentError(AgentErrorKind::Truncated,
                        "the answer was cut by the token limit; a larger "
                        "answer-tokens would leave room for it",
                        usage);
}

Error makeNoTextError(bool calledTool, const Usage &usage) {
  return makeAgentError(
      AgentErrorKind::Protocol,
      calledTool ? "the model called a tool instead of answering in text"
                 : "the model's answer is empty",
      usage);
}

Expected<const json::Object *> readReplyObject(const json::Value &body,
                                               Usage &usage) {
  usage.requests = 1;
  if (const json::Object *object = body.getAsObject())
    return object;
  return makeAgentError(AgentErrorKind::Protocol,
                        "the server's answer is JSON, but no object");
}

void readTokens(const json::Object *object, StringRef input, StringRef output,
                Usage &usage) {
  // A server cannot make the ledger overflow, or give tokens back.
  constexpr int64_t most = int64_t(1) << 40;
  auto read = [&](StringRef field, int64_t &into) {
    std::optional<int64_t> count = object->getInteger(field);
    if (count && *count >= 0 && *count <= most)
      into = *count;
  };
  if (!object)
    return;
  read(input, usage.inputTokens);
  read(output, usage.outputTokens);
}

Usage readTokens(const json::Object &usage) {
  Usage read;
  readTokens(&usage, "prompt_tokens", "completion_tokens", read);
  readTokens(&usage, "input_tokens", "output_tokens", read);
  return read;
}

/// A reply of status `status` whose `body` has a member `error` that is one.
static ChatFault faultInside(long status, const json::Value &body,
                             const json::Value &error) {
  std::optional<long> inside = statusInside(error);
  ChatFault fault = faultOf(inside.value_or(usualStatus(error)),
                            readComplaint(body), "", inside.value_or(status));
  if (const json::Object *usage = body.getAsObject()->getObject("usage"))
    fault.usage = readTokens(*usage);
  fault.answered = fault.usage.inputTokens || fault.usage.outputTokens;
  return fault;
}

std::optional<ChatFault> judgeReply(const HttpReply &reply,
                                    std::optional<json::Value> &body) {
  if (reply.status >= 300 && reply.status < 400) {
    ChatFault fault;
    fault.kind = AgentErrorKind::Redirect;
    fault.message =
        "the server redirects (HTTP " + std::to_string(reply.status) + ")";
    std::string target = serverOf(reply.header("location").str());
    if (!target.empty())
      fault.message += " to " + excerpt(target);
    fault.message += "; requests carry a key and follow no redirect: set "
                     "base-url to where the server really is";
    return fault;
  }
  StringRef text = reply.body;
  text.consume_front("\xef\xbb\xbf"); // as some servers begin a text
  Expected<json::Value> parsed = parseJson(text);
  if (kindOfStatus(reply.status)) {
    std::optional<ServerComplaint> complaint;
    if (parsed)
      complaint = readComplaint(*parsed);
    else
      consumeError(parsed.takeError()); // the body is quoted as it is
    bool isHtml = reply.header("content-type").contains_insensitive("html");
    return faultOf(reply.status, complaint, isHtml ? "" : text);
  }
  ChatFault fault;
  if (!parsed) {
    std::string why = toString(parsed.takeError());
    text = text.trim();
    bool isMarkup = text.starts_with("<");
    fault.answered = !isMarkup;
    StringRef type = reply.header("content-type");
    if (text.empty())
      fault.message = "the server's answer is empty";
    else if (isMarkup)
      fault.message = "the server answered with HTML, not JSON; does base-url "
                      "name its API?";
    else if (text.starts_with("{"))
      fault.message = "the server's JSON is broken or cut off: " + why;
    else
      fault.message = ("the server's answer is no JSON (content type '" +
                       excerpt(type, 60) + "'): " + excerpt(text, 100));
    return fault;
  }
  if (const json::Object *object = parsed->getAsObject())
    if (const json::Value *error = object->get("error"))
      if (!saysNothing(*error))
        return faultInside(reply.status, *parsed, *error);
  // Right bytes under a wrong label are an answer all the same.
  body = std::move(*parsed);
  return std::nullopt;
}

} // namespace swizzle::agent
