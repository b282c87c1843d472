//===- TunerTest.cpp - The rules of the loop ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rule a test: verdicts, duplicates, noise, patience, turns, failures.
//
//===----------------------------------------------------------------------===//

#include "Scripted.h"

using namespace swizzle;

namespace {

TEST(Tuner, TheBestProposalWins) {
  World world;
  world.cost = [](const Variant &v) {
    return v.formula->print() == Formula::parse(kFlipY)->print() ? 70.0 : 90.0;
  };
  ScriptedAgent agent("a", {say({kFlipX, kFlipY, kFlipBoth})});
  TuningResult result = runLoop(world, {&agent});
  EXPECT_EQ(result.best.attempt, 2u);
  EXPECT_EQ(result.bestMeasurement.timeUs, 70);
  EXPECT_EQ(result.attempts[0].code, "better");
  EXPECT_EQ(result.attempts[1].code, "best");
  EXPECT_EQ(result.attempts[2].code, "better");
  EXPECT_FALSE(result.attempts[0].best);
  EXPECT_TRUE(result.attempts[1].best);
  EXPECT_EQ(result.evaluations, 4u); // with the baseline
  EXPECT_TRUE(result.best.proof.has_value());
}

TEST(Tuner, TheBottleneckMovesWithTheBest) {
  World world;
  world.cost = [](const Variant &v) {
    return v.formula->print() == Formula::parse(kFlipY)->print() ? 70.0 : 90.0;
  };
  world.bound = [](const Variant &v) {
    return readBound(!v.formula ? "dram"
                     : v.formula->print() == Formula::parse(kFlipY)->print()
                         ? "vector"
                         : "l2");
  };
  ScriptedAgent agent("a", {say({kFlipX}), say({kFlipY}), say({kFlipBoth})});
  runLoop(world, {&agent});
  ASSERT_EQ(agent.contexts.size(), 4u);
  const std::string first = "memory-bound: DRAM";
  EXPECT_EQ(agent.contexts[0].bottleneck, first);
  EXPECT_EQ(agent.contexts[1].bottleneck,
            first + "; under the best so far, #1: memory-bound: L2");
  for (size_t round : {2, 3})
    EXPECT_EQ(agent.contexts[round].bottleneck,
              first + "; under the best so far, #2: not memory-bound: vector "
                      "arithmetic");
}

TEST(Tuner, EveryFailureIsFedBack) {
  World world;
  world.building = [](const Variant &v) {
    BuildResult result;
    if (v.formula->print() == Formula::parse(kFlipY)->print()) {
      result.status = AttemptStatus::BuildFailed;
      result.code = "crash";
      result.message = "the compiler crashed";
    }
    return result;
  };
  world.cost = [](const Variant &v) {
    return v.formula->print() == Formula::parse(kFlipBoth)->print() ? -1 : 120;
  };
  TuningOptions options = makeOptions();
  options.proposals = 9;
  ScriptedAgent agent(
      "a", {say({"return x +", "return x // 2, y",
                 "param G in {1, 2}\nrequire G > 5\nreturn G * 0 + x, y",
                 "return x, y", kFlipY, kFlipBoth, kFlipX, kFlipXAgain})});
  TuningResult result = runLoop(world, {&agent}, options);
  ASSERT_EQ(agent.contexts.size(), 2u);
  const std::vector<Attempt> &told = agent.contexts[1].history;
  std::vector<AttemptStatus> expected = {
      AttemptStatus::Unreadable,  AttemptStatus::Illegal,
      AttemptStatus::Infeasible,  AttemptStatus::Duplicate,
      AttemptStatus::BuildFailed, AttemptStatus::RunFailed,
      AttemptStatus::Profiled,    AttemptStatus::Duplicate};
  ASSERT_EQ(told.size(), expected.size());
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].status, expected[i]) << i;
    EXPECT_FALSE(told[i].message.empty()) << i;
  }
  EXPECT_FALSE(told[1].counterexample.empty());
  EXPECT_EQ(told[3].sameAs, 0u);
  EXPECT_EQ(told[4].code, "crash");
  EXPECT_EQ(told[6].code, "slower");
  EXPECT_EQ(told[7].sameAs, 7u);
  EXPECT_NE(told[7].message.find("same permutation as #7"), std::string::npos);
  EXPECT_EQ(result.best.attempt, 0u);
}

TEST(Tuner, DuplicatesCostNothing) {
  World world;
  ScriptedAgent agent("a", {say({kFlipX}), say({kFlipXAgain}),
                            say({"return x, y", "return x % gx, y"})});
  TuningResult result = runLoop(world, {&agent});
  EXPECT_EQ(world.decided, 2u);
  EXPECT_EQ(result.attempts.size(), 4u);
}

TEST(Tuner, DuplicatesOfAnUnknownGridAreFoundByTheirNest) {
  World world;
  AgentContext context = makeContext();
  context.environment.grid = Grid(kUnknownExtent, kUnknownExtent);
  const char *columns = "i = y * gx + x\nreturn i // gy, i % gy";
  const char *same = "n = x + gx * y\nreturn n // gy, n % gy";
  ScriptedAgent agent(
      "a", {say({columns, same, "i = y * gx + x\nreturn i % gx, i // gx"})});
  TuningResult result =
      runLoop(world, {&agent}, makeOptions(), std::move(context));
  ASSERT_EQ(result.attempts.size(), 3u);
  EXPECT_EQ(result.attempts[0].status, AttemptStatus::Profiled)
      << result.attempts[0].message;
  EXPECT_EQ(result.attempts[0].code, "best");
  EXPECT_EQ(result.attempts[1].status, AttemptStatus::Duplicate);
  EXPECT_EQ(result.attempts[1].sameAs, 1u);
  EXPECT_EQ(result.attempts[2].status, AttemptStatus::Duplicate);
  EXPECT_EQ(result.attempts[2].sameAs, 0u);
}

TEST(Tuner, AGainWithinTheNoiseIsNone) {
  World world;
  world.noise = 0.1;
  world.cost = [](const Variant &) { return 90.0; };
  ScriptedAgent agent("a", {say({kFlipX})});
  TuningResult result = runLoop(world, {&agent});
  EXPECT_EQ(result.best.attempt, 0u);
  EXPECT_EQ(result.attempts[0].code, "no-gain");
}

TEST(Tuner, AGainWithinTheMarginIsNone) {
  World world;
  world.cost = [](const Variant &) { return 99.5; };
  ScriptedAgent agent("a", {say({kFlipX})});
  TuningResult result = runLoop(world, {&agent});
  EXPECT_EQ(result.best.attempt, 0u);
}

TEST(Tuner, PatienceEndsTheLoop) {
  World world;
  world.cost = [](const Variant &v) { return v.attempt < 2 ? 90.0 : 95.0; };
  TuningOptions options = makeOptions(9);
  options.patience = 2;
  ScriptedAgent agent("a", {say({kFlipX}), say({kFlipY}), say({kFlipBoth}),
                            say({"return x, y"})});
  TuningResult result = runLoop(world, {&agent}, options);
  EXPECT_EQ(result.end, TuningEnd::Patience);
  EXPECT_EQ(result.rounds, 3u);
}

TEST(Tuner, AgentsTakeTurns) {
  World world;
  ScriptedAgent a("a", {say({kFlipX}), say({kFlipY})});
  ScriptedAgent b("b", {say({kFlipBoth})});
  TuningResult result = runLoop(world, {&a, &b}, makeOptions(3));
  ASSERT_EQ(result.attempts.size(), 3u);
  EXPECT_EQ(result.attempts[0].agent, "a");
  EXPECT_EQ(result.attempts[1].agent, "b");
  EXPECT_EQ(result.attempts[2].agent, "a");
  EXPECT_EQ(result.end, TuningEnd::Rounds);
}

TEST(Tuner, TheNextAgentStandsInForOneThatFails) {
  World world;
  ScriptedAgent a("a", {fail(AgentErrorKind::Timeout), say({kFlipX})});
  ScriptedAgent b("b", {say({kFlipY})});
  TuningResult result = runLoop(world, {&a, &b}, makeOptions(2));
  ASSERT_EQ(result.attempts.size(), 3u);
  EXPECT_EQ(result.attempts[0].status, AttemptStatus::NoAnswer);
  EXPECT_EQ(result.attempts[0].code, "timeout");
  EXPECT_EQ(result.attempts[1].agent, "b");
  EXPECT_EQ(result.attempts[1].round, 1u);
  EXPECT_EQ(result.attempts[2].agent, "a");
}

TEST(Tuner, AnAgentThatCannotBeMendedIsNotAskedAgain) {
  World world;
  ScriptedAgent a("a", {fail(AgentErrorKind::Authentication), say({kFlipX})});
  TuningResult result = runLoop(world, {&a});
  EXPECT_EQ(a.asked, 1u);
  EXPECT_EQ(result.end, TuningEnd::AgentFailed);
  EXPECT_EQ(result.best.attempt, 0u);
}

TEST(Tuner, CtrlCEndsWithTheBestSoFar) {
  World world;
  TuningHooks hooks = world.hooks();
  std::atomic<bool> cancelled = false;
  hooks.cancel = &cancelled;
  hooks.event = [&](const TuningEvent &event) {
    cancelled = cancelled || event.kind == TuningEvent::Tried;
  };
  ScriptedAgent agent("a", {say({kFlipX, kFlipY})});
  std::vector<Agent *> agents{&agent};
  auto result = tune(makeContext(), agents, world.build(), world.measure(),
                     makeOptions(), hooks);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->end, TuningEnd::Cancelled);
  EXPECT_EQ(result->best.attempt, 1u);
  EXPECT_EQ(result->attempts.size(), 1u);
}

/// What runs when Ctrl-C comes is told, and how it ends is no verdict.
TEST(Tuner, CtrlCReachesWhatIsRunning) {
  for (bool whileAsked : {false, true}) {
    World world;
    TuningHooks hooks = world.hooks();
    std::atomic<bool> cancelled = false;
    hooks.cancel = &cancelled;
    world.measuring = [&](const MeasureRequest &request) {
      EXPECT_FALSE(request.deadline.passed());
      cancelled = !whileAsked && request.variant.formula;
      EXPECT_EQ(request.deadline.isCancelled(), cancelled);
    };
    world.cost = [](const Variant &) { return -1; };
    ScriptedAgent agent(
        "a", {[&](const AgentContext &context) -> llvm::Expected<Answer> {
          cancelled = whileAsked;
          EXPECT_EQ(context.allowance.deadline().passed(), whileAsked);
          if (whileAsked)
            return fail(AgentErrorKind::Cancelled)(context);
          return say({kFlipX})(context);
        }});
    std::vector<Agent *> agents{&agent};
    auto result = tune(makeContext(), agents, world.build(), world.measure(),
                       makeOptions(), hooks);
    ASSERT_TRUE(bool(result));
    EXPECT_EQ(result->end, TuningEnd::Cancelled);
    EXPECT_TRUE(result->attempts.empty()) << whileAsked;
  }
}

TEST(Tuner, ATemplateIsSearchedCheaplyFirst) {
  World world;
  world.cost = [](const Variant &v) {
    return 50.0 + std::abs(double(v.params.at("G")) - 4);
  };
  ScriptedAgent agent(
      "a", {say({"param G in {0, 1, 2, 3, 4, 5, 6, 7}\nrequire G != 5\n"
                 "return (x + G) % gx, y"})});
  TuningResult result = runLoop(world, {&agent});
  EXPECT_EQ(result.best.params.at("G"), 4);
  EXPECT_EQ(world.searched, 6u); // G = 0 is the identity, G = 5 infeasible
  EXPECT_EQ(world.decided, 5u);  // as it is, the best three, and the first
  EXPECT_EQ(result.attempts[0].evaluations, 10u);
}

TEST(Tuner, SuggestedSetsComeFirst) {
  World world;
  ScriptedAgent agent("a", {[](const AgentContext &) -> llvm::Expected<Answer> {
                        Answer answer;
                        answer.proposals.resize(1);
                        answer.proposals[0].formula =
                            "param G in {1, 2, 3}\nreturn (x + G) % gx, y";
                        answer.proposals[0].params = {{{"G", 9}}, {{"G", 3}}};
                        return answer;
                      }});
  // All cost the same: the first that was looked at stays.
  TuningResult result = runLoop(world, {&agent});
  EXPECT_EQ(result.best.params.at("G"), 3);
  EXPECT_NE(result.attempts[0].message.find("G=9 is not in its set"),
            std::string::npos);
}

TEST(Tuner, ALargeTemplateIsClimbed) {
  World world;
  world.cost = [](const Variant &v) {
    return 50.0 + std::abs(double(v.params.at("G")) - 700) / 100;
  };
  std::string values;
  for (int i = 1; i < 1000; ++i)
    values += (i > 1 ? ", " : "") + std::to_string(i);
  ScriptedAgent agent(
      "a", {say({"param G in {" + values + "}\nreturn (x + G) % gx, y"})});
  TuningOptions options = makeOptions();
  options.searchPoints = 24;
  TuningResult result =
      runLoop(world, {&agent}, options, makeContext(Grid(1024)));
  EXPECT_LE(world.searched, 24u);
  EXPECT_NEAR(double(result.best.params.at("G")), 700, 40);
}

TEST(Tuner, EnergyNeedsAProfilerThatMeasuresIt) {
  World world;
  TuningOptions options = makeOptions();
  options.objective = Objective::Energy;
  ScriptedAgent agent("a", {});
  std::vector<Agent *> agents{&agent};
  auto result = tune(makeContext(), agents, world.build(), world.measure(),
                     options, world.hooks());
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("energy"),
            std::string::npos);
}

TEST(Tuner, AutoEndsWhereNoOrderCanHelp) {
  World world;
  TuningOptions options = makeOptions();
  options.objective = Objective::Auto;
  ScriptedAgent agent("a", {say({kFlipX})});
  TuningResult result = runLoop(world, {&agent}, options);
  EXPECT_EQ(result.end, TuningEnd::NothingToGain);
  EXPECT_EQ(agent.asked, 0u);
  EXPECT_FALSE(result.objectiveReason.empty());
}

TEST(Tuner, AHistoryIsProvedAndMeasuredAgain) {
  World world;
  AgentContext context = makeContext();
  context.history.resize(2);
  context.history[0].number = 1;
  context.history[0].round = 1;
  context.history[0].formula = kFlipX;
  context.history[0].status = AttemptStatus::Profiled;
  context.history[1] = context.history[0];
  context.history[1].number = 2;
  context.history[1].formula = "return 0, 0"; // claimed, and never legal
  context.best = 2;
  ScriptedAgent agent("a", {say({kFlipXAgain, kFlipY})});
  TuningResult result =
      runLoop(world, {&agent}, makeOptions(1), std::move(context));
  ASSERT_EQ(result.attempts.size(), 4u);
  EXPECT_EQ(result.attempts[2].status, AttemptStatus::Duplicate);
  EXPECT_EQ(result.attempts[2].sameAs, 1u);
  EXPECT_EQ(result.attempts[2].number, 3u);
  EXPECT_EQ(result.attempts[2].round, 2u);
  EXPECT_EQ(result.best.attempt, 4u); // not the illegal one
}

TEST(Tuner, HandsArtifactAndLaunchToTheProfiler) {
  World world;
  world.building = [](const Variant &variant) {
    auto artifact = std::make_shared<Artifact>();
    artifact->bytes = variant.key;
    BuildResult result;
    result.artifact = artifact;
    return result;
  };
  unsigned compiled = 0;
  world.measuring = [&](const MeasureRequest &request) {
    EXPECT_EQ(request.launch.grid, (std::array<int64_t, 3>{8, 6, 1}));
    std::shared_ptr<const Artifact> artifact = request.artifact();
    if (!request.variant.formula) {
      EXPECT_EQ(artifact, nullptr) << "nothing was compiled";
      return;
    }
    ASSERT_TRUE(artifact);
    EXPECT_EQ(artifact->bytes, request.variant.key);
    ++compiled;
  };
  ScriptedAgent agent("a", {say({"return gx - 1 - x, y"})});
  std::vector<Agent *> agents{&agent};
  auto result = tune(makeContext(), agents, world.build(), world.measure(),
                     makeOptions(1), world.hooks());
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_GT(compiled, 0u);
}

} // namespace
