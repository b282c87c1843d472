//===- SetsTest.cpp - The parameter sets of a template --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of them are looked at, which reach the decision, and what is told of
// each; and the planner, which opens a round.
//
//===----------------------------------------------------------------------===//

#include "Scripted.h"

#include <set>

using namespace swizzle;

namespace {

constexpr const char *kShift =
    "param G in {1, 2, 3, 4, 5, 6, 7}\nreturn (x + G) % gx, y";

/// An answer with one template and the sets that its author lists.
ScriptedAgent::Step sayTemplate(std::string formula,
                                std::vector<ParamValues> sets) {
  return [=](const AgentContext &) -> llvm::Expected<Answer> {
    Answer answer;
    answer.proposals.resize(1);
    answer.proposals[0].formula = formula;
    answer.proposals[0].params = sets;
    return answer;
  };
}

const TriedSet *findSet(const Attempt &attempt, int64_t value) {
  for (const TriedSet &set : attempt.sets)
    if (set.params == ParamValues{{"G", value}})
      return &set;
  return nullptr;
}

TEST(Sets, TheFirstOneAndThreeFinalistsReachTheDecision) {
  World world;
  world.cost = [](const Variant &v) { // 7 is what the author believes in
    return 50.0 + double(v.params.at("G"));
  };
  std::set<int64_t> decided;
  world.measuring = [&](const MeasureRequest &request) {
    if (request.fidelity == Fidelity::Decide && request.variant.formula)
      decided.insert(request.variant.params.at("G"));
  };
  ScriptedAgent agent("a", {sayTemplate(kShift, {{{"G", 7}}})});
  TuningResult result = runLoop(world, {&agent});
  EXPECT_EQ(decided, (std::set<int64_t>{1, 2, 3, 7}));
  EXPECT_EQ(result.best.params.at("G"), 1);
}

TEST(Sets, AllThatAreListedAreTriedBeforeAnyIsDropped) {
  std::string values;
  std::vector<ParamValues> listed;
  for (int i = 1; i < 64; ++i)
    values += (i > 1 ? ", " : "") + std::to_string(i);
  for (int i = 1; i < 64; i += 2)
    listed.push_back({{"G", i}});
  std::set<int64_t> looked;
  World world;
  // The last that is listed is the one.
  world.cost = [](const Variant &v) {
    return v.params.at("G") == 63 ? 40.0 : 90.0;
  };
  world.measuring = [&](const MeasureRequest &request) {
    if (request.fidelity == Fidelity::Search)
      looked.insert(request.variant.params.at("G"));
  };
  TuningOptions options = makeOptions();
  options.searchPoints = 4;
  ScriptedAgent agent(
      "a", {sayTemplate("param G in {" + values + "}\nreturn (x + G) % gx, y",
                        listed)});
  TuningResult result =
      runLoop(world, {&agent}, options, makeContext(Grid(64)));
  for (const ParamValues &set : listed)
    EXPECT_TRUE(looked.count(set.at("G"))) << set.at("G");
  EXPECT_EQ(result.best.params.at("G"), 63);
}

TEST(Sets, EachIsToldWithItsFiguresOrItsError) {
  World world;
  world.noise = 0.005;
  world.cost = [](const Variant &v) {
    int64_t g = v.params.at("G");
    return g == 5 ? -1.0 : 50.0 + double(g);
  };
  ScriptedAgent agent(
      "a", {sayTemplate("param G in {1, 2, 3, 4, 5, 6, 7}\n"
                        "require G != 6\nreturn (x + G) % gx, y",
                        {{{"G", 5}}, {{"G", 6}}, {{"G", 9}}, {{"G", 4}}})});
  TuningResult result = runLoop(world, {&agent});
  ASSERT_EQ(agent.contexts.size(), 2u);
  ASSERT_EQ(agent.contexts[1].history.size(), 1u);
  const Attempt &told = agent.contexts[1].history[0];
  ASSERT_EQ(told.status, AttemptStatus::Profiled) << told.message;
  for (int64_t good : {1, 2, 3, 4, 7}) {
    const TriedSet *set = findSet(told, good);
    ASSERT_TRUE(set) << good;
    EXPECT_TRUE(set->measured());
    EXPECT_EQ(set->timeUs, 50.0 + double(good));
    EXPECT_EQ(set->noise, 0.005);
    EXPECT_EQ(set->fidelity, good <= 3 ? Fidelity::Decide : Fidelity::Search);
  }
  for (int64_t bad : {5, 6, 9}) {
    const TriedSet *set = findSet(told, bad);
    ASSERT_TRUE(set) << bad;
    EXPECT_FALSE(set->measured()) << bad;
  }
}

TEST(Sets, ADuplicateHasTheFiguresOfExactlyTheSetThatItRepeats) {
  World world;
  world.cost = [](const Variant &v) {
    auto it = v.params.find("G");
    return it == v.params.end() ? 99.0 : 50.0 + double(it->second);
  };
  // G = 2 reaches the decision; the attempt's own figures are those of G = 1.
  ScriptedAgent agent("a", {sayTemplate(kShift, {}),
                            say({"return (x + 2) % gx, y", "return x, y"})});
  TuningResult result = runLoop(world, {&agent});
  ASSERT_EQ(result.attempts.size(), 3u);
  EXPECT_EQ(result.attempts[0].measurement->timeUs, 51);
  const Attempt &again = result.attempts[1];
  ASSERT_EQ(again.status, AttemptStatus::Duplicate);
  EXPECT_EQ(again.sameAs, 1u);
  EXPECT_NE(again.message.find("#1 with G=2"), std::string::npos)
      << again.message;
  ASSERT_TRUE(again.measurement.has_value());
  EXPECT_EQ(again.measurement->timeUs, 52);
  // The kernel as it is has figures, too.
  ASSERT_TRUE(result.attempts[2].measurement.has_value());
  EXPECT_EQ(result.attempts[2].measurement->timeUs, 100);
}

/// A search of its own, as the planner is.
class ScriptedSearch : public ScriptedAgent {
public:
  using ScriptedAgent::ScriptedAgent;
  AgentRole role() const override { return AgentRole::Searches; }
  llvm::Expected<Answer> propose(const AgentContext &context) override {
    llvm::Expected<Answer> answer = ScriptedAgent::propose(context);
    if (answer)
      answer->finished = true;
    return answer;
  }
};

TEST(Opening, WhatTheSearchFoundIsInTheFirstQuestion) {
  World world;
  ScriptedSearch search("planner", {say({kFlipX})});
  ScriptedAgent agent("a", {say({kFlipY}), say({kFlipBoth})});
  TuningResult result = runLoop(world, {&search, &agent}, makeOptions(2));
  ASSERT_EQ(agent.contexts.size(), 2u);
  EXPECT_EQ(agent.contexts[0].round, 1u);
  ASSERT_EQ(agent.contexts[0].history.size(), 1u);
  EXPECT_EQ(agent.contexts[0].history[0].agent, "planner");
  EXPECT_EQ(agent.contexts[0].best, 1u);
  EXPECT_EQ(result.rounds, 2u);
  EXPECT_TRUE(result.searched);
}

TEST(Opening, AnAgentThatFailsTakesNothingFromTheSearch) {
  World world;
  ScriptedSearch search("planner", {say({kFlipX})});
  ScriptedAgent agent("a", {fail(AgentErrorKind::Authentication)});
  TuningResult result = runLoop(world, {&search, &agent});
  EXPECT_EQ(result.best.attempt, 1u);
  EXPECT_EQ(result.end, TuningEnd::AgentsDone);
}

TEST(Opening, WhyTheSearchWouldKeepTheKernelIsKnown) {
  World world;
  ScriptedSearch search("planner", {});
  ScriptedAgent agent("a", {fail(AgentErrorKind::Authentication)});
  TuningResult result = runLoop(world, {&search, &agent});
  EXPECT_EQ(result.best.attempt, 0u);
  EXPECT_EQ(result.searchReason, "the script ends");
  ASSERT_EQ(agent.contexts.size(), 1u);
  EXPECT_EQ(agent.contexts[0].searchReason, "the script ends");
}

} // namespace
