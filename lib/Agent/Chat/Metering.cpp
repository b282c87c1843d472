//===- Metering.cpp - What a question costs, whoever answers --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates are of what a model would be told: the texts of the prompt, not the
// same facts as data that a program gets beside them.
//
//===----------------------------------------------------------------------===//

#include "Metering.h"
#include "ChatServer.h"
#include "Prompt/AnswerText.h"

#include "swizzle/Agent/Core/Ledger.h"
#include <cmath>

using namespace llvm;

namespace swizzle::agent {

double priceOf(const Usage &usage, const AgentOptions &options) {
  return (usage.inputTokens * options.inputPrice +
          usage.outputTokens * options.outputPrice) /
         1e6;
}

void estimateMissing(Usage &usage, int64_t inputTokens, int64_t outputTokens) {
  auto fill = [&](int64_t &count, int64_t estimate) {
    if (count)
      return;
    count = estimate;
    usage.estimated = true;
  };
  fill(usage.inputTokens, inputTokens);
  fill(usage.outputTokens, outputTokens);
}

Error checkPrices(StringRef name, const AgentOptions &options) {
  if (options.moneyBudget <= 0 ||
      (options.inputPrice > 0 && options.outputPrice > 0))
    return Error::success();
  return makeAgentError(AgentErrorKind::Configuration,
                        "agent '" + name +
                            "' cannot keep a money budget without prices: "
                            "input-price and output-price, per million tokens");
}

std::optional<Usage> readReportedUsage(StringRef text) {
  // A program cannot exhaust every budget by a slip, or give money back.
  constexpr double most = 1e9;
  if (text.size() > kMaxAnswerBytes)
    return std::nullopt;
  std::optional<Usage> found;
  for (const json::Value &value : findValues(text).values) {
    const json::Object *object = value.getAsObject();
    const json::Object *usage = object ? object->getObject("usage") : nullptr;
    if (!usage)
      continue;
    Usage read = readTokens(*usage);
    double money = usage->getNumber("money").value_or(0);
    if (std::isfinite(money) && money > 0 && money <= most)
      read.money = money;
    if (read.inputTokens || read.outputTokens || read.money > 0)
      found = read;
  }
  return found;
}

/// Tokens that the question of `conversation` may come to.
static int64_t estimateQuestion(const Conversation &conversation) {
  const Prompt &prompt = conversation.prompt;
  int64_t tokens = estimateTokens(prompt.system) + estimateTokens(prompt.user) +
                   estimateTokens(prompt.schema) +
                   estimateTokens(prompt.picture);
  if (const auto &repair = conversation.repair)
    tokens += estimateTokens(repair->answer) + estimateTokens(repair->text);
  return tokens;
}

namespace {

class MeteredExchange : public Exchange {
public:
  MeteredExchange(const AgentOptions &options, std::unique_ptr<Exchange> inner)
      : options(options), inner(std::move(inner)) {
    if (!this->options.ledger)
      this->options.ledger =
          std::make_shared<Ledger>(options.tokenBudget, options.moneyBudget);
  }

  json::Object settings() const override { return inner->settings(); }
  std::string author() const override { return inner->author(); }

  Expected<Reply> send(const Conversation &conversation) override {
    Usage dearest;
    dearest.inputTokens = estimateQuestion(conversation);
    dearest.outputTokens = options.answerTokens;
    int64_t tokens = dearest.inputTokens + dearest.outputTokens;
    double money = priceOf(dearest, options);
    Ledger &ledger = *options.ledger;
    if (Error error = ledger.reserve(tokens, money))
      return std::move(error);
    auto settle = [&](Usage &usage, int64_t outputTokens) {
      // Without a request nobody was asked, and nothing is to be paid.
      if (usage.requests)
        estimateMissing(usage, dearest.inputTokens, outputTokens);
      if (usage.money == 0)
        usage.money = priceOf(usage, options);
      ledger.settle(tokens, money, usage);
    };
    Expected<Reply> reply = inner->send(conversation);
    if (!reply)
      return handleErrors(reply.takeError(),
                          [&](std::unique_ptr<AgentError> error) -> Error {
                            // Killed or failed before it could say: it may
                            // have used all that it might.
                            settle(error->usage, dearest.outputTokens);
                            return Error(std::move(error));
                          });
    if (!reply->usage.inputTokens && !reply->usage.outputTokens)
      if (std::optional<Usage> reported = readReportedUsage(reply->text)) {
        reported->requests = reply->usage.requests;
        reply->usage = *reported;
      }
    settle(reply->usage, estimateTokens(reply->text));
    return reply;
  }

private:
  AgentOptions options;
  std::unique_ptr<Exchange> inner;
};

} // namespace

std::unique_ptr<Exchange> meterExchange(const AgentOptions &options,
                                        std::unique_ptr<Exchange> inner) {
  return std::make_unique<MeteredExchange>(options, std::move(inner));
}

} // namespace swizzle::agent
