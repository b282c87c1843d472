//===- ChatExchange.cpp - Asks a language-model server --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the pieces together: the dialect writes the request, the ledger reserves
// what it may cost, the client sends it, the retry layer decides what a failure
// means, and the dialect reads the answer. The key is looked up for each
// question and is nowhere but in the request's header.
//
//===----------------------------------------------------------------------===//

#include "ChatExchange.h"
#include "Metering.h"
#include "Retry.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace swizzle::agent {

namespace {

/// What one attempt came to.
struct Attempted {
  std::optional<Reply> reply;
  AgentErrorKind kind = AgentErrorKind::Connection;
  std::string message;
  bool retry = false;
  bool byModel = false; ///< the model's doing, whatever server it runs on
  std::optional<int64_t> waitMs; ///< as the server asks
  Usage usage;
};

class ChatExchange : public Exchange {
public:
  ChatExchange(std::unique_ptr<ChatServer> server, AgentOptions options,
               std::unique_ptr<HttpClient> client)
      : server(std::move(server)), options(std::move(options)),
        client(std::move(client)), secrets(findSecrets(this->options)) {
    const ChatDefaults &defaults = this->server->defaults();
    StringRef base = this->options.baseUrl;
    chat.isPublicServer = base == defaults.publicUrl;
    // "https://host/deployment?api-version=1": what is asked for stands last.
    auto [where, query] = base.split('?');
    url = (where.rtrim('/') + defaults.path).str();
    if (!query.empty())
      url += ("?" + query).str();
    chat.model = this->options.model;
    chat.temperature = this->options.temperature;
    chat.answerTokens = this->options.answerTokens;
    chat.answerTokensField = this->options.answerTokensField;
    chat.structuredOutput = this->options.structuredOutput;
  }

  Expected<Reply> send(const Conversation &conversation) override;

  json::Object settings() const override {
    json::Object object{{"model", json::fixUTF8(chat.model)},
                        {"max_tokens", chat.answerTokens}};
    if (chat.temperature)
      object["temperature"] = *chat.temperature;
    // A hash: it changes the answer, and may hold a credential.
    if (Expected<json::Value> extra = parseJson(options.extraBody))
      object["extra"] = hashText(toText(*extra));
    else
      consumeError(extra.takeError()); // there is none: `set` has checked it
    return object;
  }

private:
  Expected<std::string> key() const;
  std::string encode(const Conversation &conversation) const;
  /// `limit` names the option that `leftMs` comes from.
  Attempted attempt(const HttpRequest &request, int64_t leftMs,
                    StringRef limit);

  std::unique_ptr<ChatServer> server;
  AgentOptions options;
  std::unique_ptr<HttpClient> client;
  Secrets secrets;
  ChatSettings chat;
  std::string url;
};

Expected<std::string> ChatExchange::key() const {
  const ChatDefaults &defaults = server->defaults();
  StringRef variable =
      options.keyVariable.empty() ? defaults.keyVariable : options.keyVariable;
  std::string value =
      StringRef(options.lookUp(variable).value_or("")).trim().str();
  // A server of one's own may want no key; a variable that was named must be
  // there.
  if (value.empty() && (chat.isPublicServer || !options.keyVariable.empty()))
    return makeAgentError(AgentErrorKind::Configuration,
                          "agent '" + server->name() +
                              "' needs a key: set the environment variable " +
                              variable);
  if (any_of(value, [](unsigned char c) { return c < 0x21 || c > 0x7e; }))
    return makeAgentError(AgentErrorKind::Configuration,
                          "the key in the environment variable " + variable +
                              " has a character that no key has");
  return value;
}

std::string ChatExchange::encode(const Conversation &conversation) const {
  json::Object body = server->encode(conversation, chat);
  if (Expected<json::Value> extra = parseJson(options.extraBody)) {
    if (const json::Object *members = extra->getAsObject())
      for (const auto &[name, value] : *members)
        body[name.str()] = value;
  } else {
    consumeError(extra.takeError()); // there is none: `set` has checked it
  }
  return toText(json::Value(std::move(body)), conversation.prompt.schema);
}

Attempted ChatExchange::attempt(const HttpRequest &request, int64_t leftMs,
                                StringRef limit) {
  HttpLimits limits;
  limits.connectTimeoutMs = options.connectTimeoutMs;
  limits.idleTimeoutMs = options.idleTimeoutMs;
  limits.totalTimeoutMs = leftMs;
  limits.totalTimeoutName = limit;
  limits.maxBodyBytes = options.maxBodyBytes;
  limits.cancel = options.cancel;
  Attempted result;
  result.usage.requests = 1;
  HttpResult http = client->post(request, limits);
  if (http.failure) {
    result.kind = http.failure->kind;
    result.message = http.failure->message;
    result.retry = result.kind == AgentErrorKind::Connection ||
                   result.kind == AgentErrorKind::Timeout;
    if (http.failure->sent) {
      // It may have been answered, and charged, all the same.
      result.usage.inputTokens = estimateTokens(request.body);
      result.usage.estimated = true;
    }
    return result;
  }
  std::optional<json::Value> body;
  if (std::optional<ChatFault> fault = judgeReply(http.reply, body)) {
    result.kind = fault->kind;
    result.message = std::move(fault->message);
    result.retry = fault->retry;
    if (result.retry)
      result.waitMs = retryAfterMs(http.reply, *options.clock);
    if (fault->answered) {
      result.usage += fault->usage;
      estimateMissing(result.usage, estimateTokens(request.body),
                      estimateTokens(http.reply.body));
    }
    return result;
  }
  Expected<Reply> reply = server->decode(*body);
  if (!reply) {
    handleAllErrors(reply.takeError(), [&](const AgentError &error) {
      result.kind = error.kind;
      result.message = error.message;
      result.usage = error.usage;
      result.byModel = true;
    });
  } else {
    result.usage = reply->usage;
    result.reply = std::move(*reply);
  }
  estimateMissing(
      result.usage, estimateTokens(request.body),
      estimateTokens(result.reply ? result.reply->text : http.reply.body));
  return result;
}

Expected<Reply> ChatExchange::send(const Conversation &conversation) {
  Expected<std::string> credential = key();
  if (!credential)
    return credential.takeError();
  HttpRequest request;
  request.url = url;
  request.headers = server->headers(*credential);
  request.headers.push_back({"Content-Type", "application/json"});
  request.headers.push_back({"Accept", "application/json"});
  request.body = encode(conversation);

  Usage reserved;
  reserved.inputTokens = estimateTokens(request.body);
  reserved.outputTokens = chat.answerTokens;
  int64_t tokens = reserved.inputTokens + reserved.outputTokens;
  double money = priceOf(reserved, options);

  RetryPolicy policy;
  policy.retries = options.retries;
  policy.seed = options.seed;
  Backoff backoff(policy);
  Clock &clock = *options.clock;
  const int64_t end =
      clock.nowMs() + conversation.answerMs(options.totalTimeoutMs);
  const StringRef limit = conversation.answerLimit(options.totalTimeoutMs);
  Usage usage;
  auto fail = [&](AgentErrorKind kind, const Twine &message,
                  bool byModel = false) {
    std::string who = "agent '" + server->name().str() + "'";
    if (!byModel)
      who += " at " + serverOf(url);
    return makeAgentError(kind, secrets.redact((who + ": " + message).str()),
                          usage);
  };
  for (unsigned attempts = 1;; ++attempts) {
    if (options.cancel && *options.cancel)
      return fail(AgentErrorKind::Cancelled, "cancelled");
    if (Error error = options.ledger->reserve(tokens, money)) {
      AgentErrorKind kind = AgentErrorKind::SpendLimit;
      return fail(kind, toString(std::move(error)));
    }
    Attempted result =
        attempt(request, std::max<int64_t>(end - clock.nowMs(), 1), limit);
    result.usage.money = priceOf(result.usage, options);
    options.ledger->settle(tokens, money, result.usage);
    usage += result.usage;
    if (result.reply) {
      result.reply->usage = usage;
      return std::move(*result.reply);
    }
    std::string message = result.message;
    if (attempts > 1)
      message += " (after " + std::to_string(attempts) + " attempts)";
    if (!result.retry || attempts > policy.retries)
      return fail(result.kind, message, result.byModel);
    int64_t own = backoff.nextMs();
    int64_t wait = result.waitMs.value_or(own);
    int64_t left = end - clock.nowMs();
    if (wait >= left)
      return fail(result.kind,
                  message + "; " +
                      (result.waitMs ? "the server asks to wait "
                                     : "the next attempt would be in ") +
                      Twine(wait).str() + " ms, and " +
                      Twine(std::max<int64_t>(left, 0)).str() +
                      " ms are left (" + limit + ")");
    clock.sleepMs(wait, options.cancel);
  }
}

} // namespace

Expected<std::unique_ptr<Exchange>>
makeChatExchange(std::unique_ptr<ChatServer> server,
                 const AgentOptions &options,
                 std::unique_ptr<HttpClient> client) {
  const ChatDefaults &defaults = server->defaults();
  AgentOptions complete = options;
  auto fromEnvironment = [&](std::string &field, StringRef variable) {
    if (field.empty())
      field = options.lookUp(variable).value_or("");
  };
  fromEnvironment(complete.baseUrl, defaults.urlVariable);
  fromEnvironment(complete.model, defaults.modelVariable);
  if (complete.baseUrl.empty())
    complete.baseUrl = defaults.publicUrl.str();
  complete.baseUrl = StringRef(complete.baseUrl).trim().rtrim('/').str();
  if (!complete.clock)
    complete.clock = makeSystemClock();
  if (!complete.ledger)
    complete.ledger =
        std::make_shared<Ledger>(options.tokenBudget, options.moneyBudget);
  auto fail = [&](const Twine &message) {
    return makeAgentError(AgentErrorKind::Configuration,
                          "agent '" + server->name() + "' " + message);
  };
  if (complete.model.empty())
    return fail("needs to know which model: model=NAME, or the environment "
                "variable " +
                defaults.modelVariable);
  // The URL itself is not repeated: it may hold a password.
  if (std::string wrong = checkUrl(complete.baseUrl); !wrong.empty())
    return fail("cannot use its base URL, which " + wrong);
  if (Error error = checkPrices(server->name(), complete))
    return std::move(error);
  if (!client)
    client = makeHttpClient(complete);
  return std::make_unique<ChatExchange>(std::move(server), std::move(complete),
                                        std::move(client));
}

} // namespace swizzle::agent
