//===- DatabaseAgentTest.cpp - Tests of the agent `database` --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is recorded is proposed; a miss ends as was asked for.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Agents/DatabaseAgent.h"
#include "Agent/Core/Contexts.h"
#include "Records/DatabaseFile.h"
#include "swizzle/Agent/Core/ContextRecord.h"
#include "swizzle/Kernel/Signature.h"

using namespace swizzle;

namespace {
/// Proposes one thing.
class FixedAgent : public Agent {
public:
  std::string name() const override { return "planner"; }
  llvm::Expected<Answer> propose(const AgentContext &) override {
    Answer answer;
    answer.proposals.emplace_back();
    answer.proposals.back().formula = "return x ^ 1, y";
    return answer;
  }
};
} // namespace

static AgentContext context() {
  AgentContext result = contexts::fresh("mi300x");
  result.kernelHash = std::string(32, 'a');
  return result;
}

TEST_F(DatabaseFile, AHitIsProposed) {
  DatabaseRecord hit = record('a');
  hit.key = databaseKeyOf(context());
  add(hit);
  auto agent = makeDatabaseAgent(path, OnMiss::Error, nullptr);
  AgentContext asked = context();
  llvm::Expected<Answer> answer = agent->propose(asked);
  ASSERT_TRUE(bool(answer)) << llvm::toString(answer.takeError());
  ASSERT_EQ(answer->proposals.size(), 1u);
  EXPECT_EQ(answer->proposals[0].formula, hit.formula);
  EXPECT_EQ(answer->proposals[0].params,
            (std::vector<ParamValues>{{{"G", 8}}}));
  asked.round = 2;
  EXPECT_TRUE(llvm::cantFail(agent->propose(asked)).finished);
}

TEST_F(DatabaseFile, NothingBetterIsAHitToo) {
  DatabaseRecord hit = record('a');
  hit.key = databaseKeyOf(context());
  hit.formula.clear();
  add(hit);
  auto agent = makeDatabaseAgent(path, OnMiss::Error, nullptr);
  Answer answer = llvm::cantFail(agent->propose(context()));
  EXPECT_TRUE(answer.finished);
  EXPECT_NE(answer.reason.find("nothing beat"), std::string::npos);
}

TEST_F(DatabaseFile, ANamesakeIsAMiss) {
  AgentContext builtIn = context(), mine = context(), theirs = context();
  mine.hardware.numDies = 2;
  theirs.hardware.numDies = 3;
  auto agent = makeDatabaseAgent(path, OnMiss::Keep, nullptr);
  auto ask = [&](const AgentContext &asked) {
    return llvm::cantFail(agent->propose(asked));
  };
  auto addFor = [&](const AgentContext &of) {
    DatabaseRecord one = record('a');
    one.key = databaseKeyOf(of);
    one.signature = accessSignature(of.model);
    add(one);
  };
  addFor(mine);
  EXPECT_EQ(ask(mine).proposals.size(), 1u);
  for (const AgentContext &other : {builtIn, theirs}) {
    Answer missed = ask(other);
    EXPECT_TRUE(missed.proposals.empty());
    EXPECT_NE(missed.reason.find(
                  "the nearest is of another description of chip mi300x"),
              std::string::npos)
        << missed.reason;
  }
  addFor(builtIn); // has no hash, as older records
  EXPECT_EQ(ask(builtIn).proposals.size(), 1u);
  EXPECT_NE(
      ask(theirs).reason.find("the nearest is of chip mi300x without a hash"),
      std::string::npos);
  // Agents are told so, too.
  TuningDatabase all = llvm::cantFail(TuningDatabase::read(path));
  DatabaseKey key = databaseKeyOf(mine);
  std::vector<NearRecord> near =
      toNearRecords(all.nearest(key, accessSignature(mine.model), 1), key);
  ASSERT_EQ(near.size(), 1u);
  EXPECT_EQ(near[0].chip, "mi300x of another description");
}

TEST_F(DatabaseFile, AMissFallsBackAsAsked) {
  DatabaseRecord near = record('b', "32x32");
  near.signature = accessSignature(context().model);
  add(near);
  auto keeps = makeDatabaseAgent(path, OnMiss::Keep, nullptr);
  Answer kept = llvm::cantFail(keeps->propose(context()));
  EXPECT_TRUE(kept.finished);
  EXPECT_NE(kept.reason.find("the nearest is of another kernel ('matmul'), "
                             "grid 32x32"),
            std::string::npos)
      << kept.reason;

  auto asks =
      makeDatabaseAgent(path, OnMiss::Planner, std::make_unique<FixedAgent>());
  EXPECT_EQ(llvm::cantFail(asks->propose(context())).proposals.size(), 1u);

  auto fails = makeDatabaseAgent(path, OnMiss::Error, nullptr);
  llvm::Expected<Answer> failed = fails->propose(context());
  ASSERT_FALSE(bool(failed));
  llvm::handleAllErrors(failed.takeError(), [](const AgentError &error) {
    EXPECT_EQ(error.kind, AgentErrorKind::DatabaseMiss);
  });
}

TEST_F(DatabaseFile, AFileThatIsNotThereIsAnError) {
  auto agent = makeDatabaseAgent(path, OnMiss::Keep, nullptr);
  llvm::Expected<Answer> answer = agent->propose(context());
  ASSERT_FALSE(bool(answer));
  llvm::handleAllErrors(answer.takeError(), [&](const AgentError &error) {
    EXPECT_EQ(error.kind, AgentErrorKind::Configuration);
    EXPECT_NE(error.message.find(path), std::string::npos);
  });
}
