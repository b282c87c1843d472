//===- BudgetTest.cpp - Every budget is hard ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A limit is never exceeded by what the loop itself decides to spend.
//
//===----------------------------------------------------------------------===//

#include "Scripted.h"

using namespace swizzle;

namespace {

const char *kTemplate = "param G in {1, 2, 3, 4, 5, 6, 7}\n"
                        "return (x + G) % gx, y";

TEST(Budget, EvaluationsAreNeverExceeded) {
  for (unsigned limit = 1; limit <= 12; ++limit) {
    World world;
    TuningOptions options = makeOptions();
    options.budget.evaluations = limit;
    ScriptedAgent agent("a", {say({kTemplate, kFlipY}), say({kFlipBoth})});
    TuningResult result = runLoop(world, {&agent}, options);
    EXPECT_LE(world.searched + world.decided, limit);
    EXPECT_EQ(result.evaluations, world.searched + world.decided);
    // A template's search leaves one for the measurement that decides.
    if (limit >= 2) {
      EXPECT_NE(result.best.attempt, 0u) << limit;
    }
    if (limit <= 10) {
      EXPECT_EQ(result.end, TuningEnd::Evaluations) << limit;
    }
  }
}

TEST(Budget, SecondsEndTheLoopBeforeTheNextStep) {
  World world;
  world.secondsPerEvaluation = 10;
  TuningOptions options = makeOptions();
  options.budget.seconds = 25;
  ScriptedAgent agent("a", {say({kFlipX, kFlipY, kFlipBoth})});
  TuningResult result = runLoop(world, {&agent}, options);
  EXPECT_EQ(result.end, TuningEnd::Seconds);
  EXPECT_EQ(world.decided, 3u); // at 0, 10 and 20 seconds
  EXPECT_EQ(result.seconds.measure, 30);
  EXPECT_EQ(result.seconds.total, 30);
  EXPECT_EQ(result.seconds.loop(), 0);
}

/// A profiler whose device has no time left ends the loop with the best so far.
TEST(Budget, ADeviceThatIsSpentEndsTheLoop) {
  World world;
  MeasureFunction measure = world.measure();
  unsigned left = 3;
  ScriptedAgent agent("a", {say({kFlipX, kFlipY}), say({kFlipBoth})});
  auto measureThrice =
      [&](const MeasureRequest &request) -> llvm::Expected<Metrics> {
    if (left == 0)
      return llvm::make_error<DeviceSpent>();
    --left;
    return measure(request);
  };
  std::vector<Agent *> agents = {&agent};
  TuningResult result =
      llvm::cantFail(tune(makeContext(), agents, world.build(), measureThrice,
                          makeOptions(), world.hooks()));
  EXPECT_EQ(result.end, TuningEnd::DeviceSeconds);
  EXPECT_EQ(result.endReason, "the budget of the device's seconds is spent");
  EXPECT_EQ(result.best.attempt, 1u);
  EXPECT_EQ(agent.asked, 2u);
}

TEST(Budget, TokensAndMoneyAreCheckedBeforeAsking) {
  Usage usage;
  usage.inputTokens = 60;
  usage.outputTokens = 40;
  usage.money = 0.5;
  for (bool money : {false, true}) {
    World world;
    TuningOptions options = makeOptions();
    if (money)
      options.budget.money = 1;
    else
      options.budget.tokens = 200;
    ScriptedAgent agent("a", {say({kFlipX}, usage), say({kFlipY}, usage),
                              say({kFlipBoth}, usage)});
    TuningResult result = runLoop(world, {&agent}, options);
    EXPECT_EQ(agent.asked, 2u);
    EXPECT_EQ(result.end, money ? TuningEnd::Money : TuningEnd::Tokens);
    // What was paid for is tried all the same.
    EXPECT_EQ(result.attempts.size(), 2u);
  }
}

TEST(Budget, FailedAnswersCostToo) {
  World world;
  Usage usage;
  usage.inputTokens = 100;
  TuningOptions options = makeOptions();
  options.budget.tokens = 100;
  ScriptedAgent a("a", {fail(AgentErrorKind::Schema, usage)});
  ScriptedAgent b("b", {say({kFlipX})});
  TuningResult result = runLoop(world, {&a, &b}, options);
  EXPECT_EQ(b.asked, 0u);
  EXPECT_EQ(result.end, TuningEnd::Tokens);
}

TEST(Budget, AgentsAreToldWhatIsLeft) {
  World world;
  world.secondsPerEvaluation = 1;
  Usage usage;
  usage.inputTokens = 30;
  usage.money = 0.25;
  TuningOptions options = makeOptions(2);
  options.budget.tokens = 100;
  options.budget.money = 1;
  options.budget.seconds = 100;
  ScriptedAgent agent("a", {say({kFlipX}, usage), say({kFlipY}, usage)});
  runLoop(world, {&agent}, options);
  ASSERT_EQ(agent.contexts.size(), 2u);
  EXPECT_EQ(agent.contexts[1].allowance.tokens, 70);
  EXPECT_EQ(agent.contexts[1].allowance.money, 0.75);
  EXPECT_EQ(agent.contexts[1].allowance.seconds, 98);
}

} // namespace
