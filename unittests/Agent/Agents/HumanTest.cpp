//===- HumanTest.cpp - A person at a pipe ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas, mistakes and silence, typed by a test.
//
//===----------------------------------------------------------------------===//

#include "Agent/Core/Contexts.h"
#include "Agent/Core/Helpers.h"

#include "gtest/gtest.h"
#include <sstream>

using namespace swizzle;
using namespace llvm;

namespace {

struct Session {
  std::string output;
  Answer answer;

  explicit Session(const std::string &typed) {
    std::istringstream in(typed);
    raw_string_ostream os(output);
    AgentOptions options;
    options.humanInput = &in;
    options.humanOutput = &os;
    Expected<std::unique_ptr<Agent>> agent = makeAgent("human", options);
    if (!agent) {
      ADD_FAILURE() << toString(agent.takeError());
      return;
    }
    Expected<Answer> given = (*agent)->propose(contexts::tried("mi300x"));
    if (given)
      answer = std::move(*given);
    else
      ADD_FAILURE() << toString(given.takeError());
  }
};

TEST(HumanTest, ShowsTheContextAndReadsAFormula) {
  Session session("n = gx // 8\nreturn x, y\n\nmore\n");
  ASSERT_EQ(session.answer.proposals.size(), 1u);
  EXPECT_EQ(session.answer.proposals[0].formula, "n = gx // 8\nreturn x, y\n");
  EXPECT_NE(session.output.find("Kernel "), std::string::npos);
  EXPECT_NE(session.output.find("num_xcds = 8"), std::string::npos);
  EXPECT_NE(session.output.find("#1 "), std::string::npos);
}

TEST(HumanTest, MistakesAreShownAtOnceAndAskedAgain) {
  Session session("return x +* 2\n\nreturn gx - 1 - x, y\n");
  ASSERT_EQ(session.answer.proposals.size(), 1u);
  EXPECT_EQ(session.answer.proposals[0].formula, "return gx - 1 - x, y\n");
  EXPECT_NE(session.output.find("formula:1:"), std::string::npos)
      << session.output;
  EXPECT_NE(session.output.find('^'), std::string::npos);
}

TEST(HumanTest, NothingLeavesTheKernelAsItIs) {
  for (const char *typed : {"", "\n", "return x +\n"}) {
    Session session(typed);
    EXPECT_TRUE(session.answer.finished);
    EXPECT_TRUE(session.answer.proposals.empty());
  }
}

} // namespace
