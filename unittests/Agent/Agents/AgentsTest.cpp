//===- AgentsTest.cpp - Agents by name, from end to end -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names in a list, and whole agents from prompt to answer, recorded and
// replayed.
//
//===----------------------------------------------------------------------===//

#include "Agent/Core/Contexts.h"
#include "Agent/Core/Helpers.h"
#include "TemporaryFolder.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace llvm;

namespace {

TEST(AgentsTest, UnknownNamesListTheKnownOnes) {
  Expected<std::vector<std::unique_ptr<Agent>>> agents =
      makeAgents("human,oracle", {});
  ASSERT_FALSE(bool(agents));
  AgentError error = takeAgentError(agents.takeError());
  EXPECT_EQ(error.kind, AgentErrorKind::Configuration);
  EXPECT_NE(error.message.find("there is no agent 'oracle'"),
            std::string::npos);
  for (const AgentInfo &info : agentInfos())
    EXPECT_NE(error.message.find(info.name.str()), std::string::npos);
}

TEST(AgentsTest, NamesAreKeptInOrder) {
  AgentOptions options;
  options.command = "true";
  Expected<std::vector<std::unique_ptr<Agent>>> agents =
      makeAgents("human, planner,command", options);
  ASSERT_TRUE(bool(agents)) << toString(agents.takeError());
  ASSERT_EQ(agents->size(), 3u);
  EXPECT_EQ((*agents)[0]->name(), "human");
  EXPECT_EQ((*agents)[1]->name(), "planner");
  EXPECT_EQ((*agents)[2]->name(), "command");
}

TEST(AgentsTest, WhatTheEnvironmentSaysIsKnown) {
  AgentOptions options;
  options.environment =
      makeEnvironment({{"OPENAI_MODEL", "m"},
                       {"OPENAI_BASE_URL", "http://me:secret@host/v1"},
                       {"ANTHROPIC_MODEL", "n"}});
  EXPECT_TRUE(environmentOf("planner", options).empty());
  std::map<std::string, std::string> found =
      environmentOf("planner, openai", options);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found["model (OPENAI_MODEL)"], "m");
  EXPECT_EQ(StringRef(found["base-url (OPENAI_BASE_URL)"]).find("secret"),
            StringRef::npos);
  // What is given counts.
  options.model = "other";
  options.baseUrl = "http://localhost/v1";
  EXPECT_TRUE(environmentOf("openai,anthropic", options).empty());
}

TEST(AgentsTest, AFolderOfPromptsIsThere) {
  AgentOptions options;
  options.promptDirectory = "/nope";
  AgentError error = takeAgentError(makeAgents("planner", options).takeError());
  EXPECT_EQ(error.kind, AgentErrorKind::Configuration);
  EXPECT_NE(error.message.find("cannot read the prompt folder '/nope'"),
            std::string::npos);
}

TEST(AgentsTest, NothingIsRecordedOfWhoAsksNobody) {
  auto messageOf = [](StringRef names, const AgentOptions &options) {
    return toString(makeAgents(names, options).takeError());
  };
  AgentOptions options;
  options.command = "true";
  options.recordPath = "a.jsonl";
  EXPECT_EQ(messageOf("human, planner", options),
            "record: no agent of 'human,planner' asks anybody anything; it is "
            "for command, openai, anthropic");
  EXPECT_EQ(messageOf("planner,command", options), "");
  std::swap(options.recordPath, options.replayPath);
  EXPECT_EQ(messageOf("planner", options),
            "replay: no agent of 'planner' asks anybody anything; it is for "
            "command, openai, anthropic, replay");
}

/// Counts how often it is run, and answers badly the first time.
constexpr const char *kProgram = R"(
  cat > "$DIR/request"; echo >> "$DIR/runs"
  if [ $(wc -l < "$DIR/runs") = 1 ]; then echo "let me think"; else
  echo 'Sure: {"critique": "", "finished": "", "proposals": [{"limits": "",
    "change": "", "expect": "", "formula": "return x, gy - 1 - y",
    "params": []}]}'; fi)";

class RecordedAgentTest : public testing::Test {
protected:
  void SetUp() override { options.environment = makeEnvironment({}); }

  std::string ask(StringRef name) {
    Expected<std::unique_ptr<Agent>> agent = makeAgent(name, options);
    if (!agent)
      return takeAgentError(agent.takeError()).message;
    Expected<Answer> answer = (*agent)->propose(context);
    if (!answer)
      return takeAgentError(answer.takeError()).message;
    EXPECT_EQ(answer->proposals.size(), 1u);
    return answer->proposals.front().formula + " after " +
           std::to_string(answer->usage.requests);
  }

  TemporaryFolder temporary;
  std::string folder = temporary.path;
  AgentOptions options;
  AgentContext context = contexts::fresh("mi300x");
};

/// What was found until then is no answer to keep: the whole one may be
/// another.
TEST(SearchingAgentsTest, WhoIsCancelledHasNoAnswer) {
  std::atomic<bool> cancel = true;
  AgentContext context = contexts::fresh("mi300x");
  context.allowance.cancel = &cancel;
  for (StringRef name : {"planner", "neighbours"}) {
    std::unique_ptr<Agent> agent = cantFail(makeAgent(name, {}));
    Expected<Answer> answer = agent->propose(context);
    ASSERT_FALSE(bool(answer)) << name.str();
    AgentError error = takeAgentError(answer.takeError());
    EXPECT_EQ(error.kind, AgentErrorKind::Cancelled);
    EXPECT_NE(error.message.find("was cancelled"), std::string::npos);
  }
}

TEST(NeighbourAgentTest, GoesOnFromTheFastestAttempt) {
  std::unique_ptr<Agent> agent = cantFail(makeAgent("neighbours", {}));
  EXPECT_EQ(agent->role(), AgentRole::Proposes);
  AgentContext context = contexts::fresh("mi300x");
  context.proposals = 40;
  Answer answer = cantFail(agent->propose(context));
  ASSERT_FALSE(answer.proposals.empty());
  EXPECT_FALSE(answer.finished);
  // What was tried, however it ended, is not proposed again.
  for (const Proposal &proposal : answer.proposals) {
    Attempt &attempt = context.history.emplace_back();
    attempt.formula = proposal.formula;
    attempt.status = AttemptStatus::RunFailed;
  }
  context.history.front().status = AttemptStatus::Profiled;
  context.history.front().measurement = context.baseline;
  for (const Proposal &proposal : cantFail(agent->propose(context)).proposals)
    for (const Attempt &attempt : context.history)
      EXPECT_NE(proposal.formula, attempt.formula);
}

TEST_F(RecordedAgentTest, ACommandIsRepairedRecordedAndReplayed) {
  options.command = "DIR='" + folder + "'" + kProgram;
  options.recordPath = folder + "/recording";
  const std::string expected = "return x, gy - 1 - y after 2";
  EXPECT_EQ(ask("command"), expected);

  // Neither program, model, server nor key is needed any more.
  options.command = "";
  options.replayPath = options.recordPath;
  options.recordPath = "";
  EXPECT_EQ(ask("command"), expected);
  EXPECT_EQ(ask("replay"), expected);
  options.model = "m";
  std::string miss = ask("openai");
  EXPECT_NE(miss.find("`agent`: asked \"openai\", recorded \"command\""),
            std::string::npos)
      << miss;
  context.hint = "walk backwards";
  miss = ask("replay");
  EXPECT_NE(miss.find("of `user`"), std::string::npos) << miss;
}

TEST_F(RecordedAgentTest, WhatExcludesEachOther) {
  options.command = "true";
  options.recordPath = options.replayPath = folder;
  EXPECT_EQ(ask("command"), "record and replay exclude each other");
  options = {};
  EXPECT_NE(ask("replay").find("replay=PATH"), std::string::npos);
}

} // namespace
