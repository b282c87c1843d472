//===- HistoryJSONTest.cpp - Attempts and answers as JSON -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written is read back as it was, and what does not fit is named.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/HistoryJSON.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace swizzle;

namespace {

std::string print(llvm::json::Object object) {
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}

Metrics sample() {
  Metrics m;
  m.from = {Origin::Measured, "device 0"};
  m.noise = 0.1;
  m.energyJoules = 1.0 / 3;
  m.level("l2").hitRate = 2.0 / 3;
  m.lineAccesses = 1e15 + 1;
  m.timeUs = 0.1 + 0.2;
  m.roofline = {{readBound("dram"), 7.25}, {readBound("llc"), 1e-300}};
  m.sensitivity = Sensitivity{1, 2, 0.25, 0.5, true};
  m.defaults = {"l2.ways unknown: 16 assumed"};
  return m;
}

TEST(HistoryJSON, AttemptsComeBackAsTheyWere) {
  Attempt attempt;
  attempt.number = 3;
  attempt.round = 2;
  attempt.agent = "command";
  attempt.formula = "param G in {1, 2}\nreturn x, y";
  attempt.params = {{"G", 2}, {"H", -7}};
  attempt.status = AttemptStatus::CheckFailed;
  attempt.code = "differs";
  attempt.message = "line one\nline \"two\"";
  attempt.sameAs = 1;
  attempt.measurement = sample();
  attempt.unchecked = true;
  attempt.critique = "c";
  attempt.sets = {describeSet({{"G", 1}}, sample(), Fidelity::Search),
                  describeSet({{"G", 2}}, Metrics(), Fidelity::Decide)};
  attempt.sets.emplace_back();
  attempt.sets.back().params = {{"G", 3}};
  attempt.sets.back().error = "infeasible";
  std::string text = print(toJSON(attempt));
  auto value = llvm::json::parse(text);
  ASSERT_TRUE(bool(value));
  llvm::Expected<Attempt> back = readAttempt(*value);
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(print(toJSON(*back)), text);
  EXPECT_EQ(back->measurement->timeUs, 0.1 + 0.2);
  ASSERT_EQ(back->sets.size(), 3u);
  EXPECT_EQ(back->sets[0].bound, "dram");
  EXPECT_EQ(back->sets[0].noise, 0.1);
  EXPECT_EQ(back->sets[1].fidelity, Fidelity::Decide);
  EXPECT_FALSE(back->sets[1].noise.has_value());
  EXPECT_FALSE(back->sets[2].measured());
}

TEST(HistoryJSON, AnswersComeBackAsTheyWere) {
  Answer answer;
  answer.finished = true;
  answer.reason = "none";
  answer.usage = {1, 1234567890123, 5, 0.1, true};
  answer.proposals.resize(2);
  answer.proposals[1].formula = "return y, x";
  answer.proposals[1].params = {{{"G", 4}}, {}};
  std::string text = print(toJSON(answer));
  auto value = llvm::json::parse(text);
  ASSERT_TRUE(bool(value));
  llvm::Expected<Answer> back = readRecordedAnswer(*value);
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(print(toJSON(*back)), text);
}

TEST(HistoryJSON, BrokenTextIsMended) {
  Attempt attempt;
  attempt.message = "\xff\xfe";
  EXPECT_TRUE(llvm::json::isUTF8(print(toJSON(attempt))));
}

TEST(HistoryJSON, WhatDoesNotFitIsNamed) {
  llvm::json::Object object = toJSON(sample());
  object["noise"] = "much";
  llvm::Expected<Metrics> back = readMetrics(std::move(object));
  ASSERT_FALSE(bool(back));
  EXPECT_NE(llvm::toString(back.takeError()).find("noise"), std::string::npos);
}

TEST(HistoryJSON, FiguresThatCannotBe) {
  auto refusal = [](llvm::StringRef text, auto read) {
    return llvm::toString(
        read(llvm::cantFail(llvm::json::parse(text))).takeError());
  };
  const std::string usage = R"({"requests": 1, "input_tokens": IN,
      "output_tokens": 0, "money": MONEY, "estimated": false})";
  auto usageOf = [&](std::string input, std::string money) {
    std::string text = usage;
    text.replace(text.find("IN"), 2, input);
    text.replace(text.find("MONEY"), 5, money);
    return refusal(text, readUsage);
  };
  EXPECT_EQ(usageOf("5", "0.5"), "");
  EXPECT_EQ(usageOf("-5", "0.5"), "'input_tokens' cannot be -5.00");
  EXPECT_EQ(usageOf("5", "1e999"), "'money' cannot be INF");
  Attempt attempt;
  attempt.sets.resize(1);
  for (auto [key, value] :
       {std::pair("time_us", -1.0), {"noise", -0.5}, {"l2_hit_rate", 1.5}}) {
    llvm::json::Object object = toJSON(attempt);
    (*(*object.getArray("sets"))[0].getAsObject())[key] = value;
    llvm::Expected<Attempt> back = readAttempt(std::move(object));
    EXPECT_NE(llvm::toString(back.takeError()).find(key), std::string::npos);
  }
}

TEST(HistoryJSON, NamesOfEnumerationsAreReadBack) {
  for (unsigned i = 0; i <= unsigned(AttemptStatus::Profiled); ++i)
    EXPECT_EQ(readAttemptStatus(toString(AttemptStatus(i))), AttemptStatus(i));
  for (unsigned i = 0; i <= unsigned(AgentErrorKind::Configuration); ++i)
    EXPECT_EQ(readAgentErrorKind(toString(AgentErrorKind(i))),
              AgentErrorKind(i));
  EXPECT_EQ(readObjective("time"), Objective::Time);
  EXPECT_EQ(readObjective("speed"), std::nullopt);
}

} // namespace
