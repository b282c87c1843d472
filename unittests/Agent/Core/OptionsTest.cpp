//===- OptionsTest.cpp - Options of agents as text ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Good and bad values, and that a key typed in the wrong place is not repeated.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace llvm;

namespace {

std::string messageOf(StringRef name, StringRef value) {
  AgentOptions options;
  Error error = setAgentOption(options, name, value);
  return error ? takeAgentError(std::move(error)).message : "";
}

TEST(OptionsTest, EveryOptionTakesAValueThatSuitsIt) {
  std::map<StringRef, StringRef> values = {
      {"key-variable", "MY_KEY"},
      {"temperature", "0.5"},
      {"answer-tokens-field", "max_tokens"},
      {"structured-output", "json"},
      {"extra-body", "{\"a\": 1}"},
      {"attach-picture", "true"},
      {"on-failure", "error"}};
  for (const AgentOptionInfo &info : agentOptionInfos()) {
    auto it = values.find(info.name);
    EXPECT_EQ(messageOf(info.name, it == values.end() ? "7" : it->second), "")
        << info.name.str();
    EXPECT_FALSE(info.help.empty());
  }
}

TEST(OptionsTest, FieldsAreTheRightOnes) {
  AgentOptions options;
  auto set = [&](StringRef name, StringRef value) {
    EXPECT_FALSE(bool(setAgentOption(options, name, value))) << name.str();
  };
  set("base-url", "u");
  set("model", "m");
  set("temperature", "0");
  set("retries", "2");
  set("input-price", "1.5");
  set("output-price", "3");
  set("max-tokens", "9");
  set("record", "r");
  set("command", "c");
  set("database", "d");
  EXPECT_EQ(options.baseUrl, "u");
  EXPECT_EQ(options.model, "m");
  EXPECT_EQ(options.temperature, 0.0);
  EXPECT_EQ(options.retries, 2u);
  EXPECT_EQ(options.inputPrice, 1.5);
  EXPECT_EQ(options.outputPrice, 3);
  EXPECT_EQ(options.tokenBudget, 9);
  EXPECT_EQ(options.recordPath, "r");
  EXPECT_EQ(options.command, "c");
  EXPECT_EQ(options.database, "d");
}

TEST(OptionsTest, ErrorsSayWhatWouldBeRight) {
  EXPECT_EQ(messageOf("answer-tokens", "many"),
            "answer-tokens must be an integer from 1, not 'many'");
  EXPECT_EQ(messageOf("temperature", "nan"),
            "temperature must be a number from 0 to 2, not 'nan'");
  EXPECT_EQ(messageOf("extra-body", "[1]"),
            "extra-body must be a JSON object, not '[1]'");
  EXPECT_NE(messageOf("modle", "x").find("they have: base-url, model"),
            std::string::npos);
}

TEST(OptionsTest, AKeyInPlaceOfItsVariableIsNotRepeated) {
  std::string message = messageOf("key-variable", "sk-sentinel-0123456789");
  EXPECT_NE(message, "");
  EXPECT_EQ(message.find("sentinel"), std::string::npos) << message;
}

} // namespace
