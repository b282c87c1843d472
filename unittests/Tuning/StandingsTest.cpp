//===- StandingsTest.cpp - Which attempt is written out -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever is proposed, in whatever order, and however wrong the figures are
// within the error that is stated of them: one attempt is the best, and it is
// not slower than another one.
//
//===----------------------------------------------------------------------===//

#include "Scripted.h"

#include <random>

using namespace swizzle;

namespace {

/// Figures of orders, by the text of their formulas, with errors by fidelity.
struct NoisyWorld {
  struct Figures {
    double time = 0, bytes = 0;
  };
  std::map<std::string, Figures> truth;
  Figures asItIs{100, 1e9};
  std::array<double, 3> noise{0.05, 0.01, 0.002};     ///< by fidelity
  std::function<double()> error = [] { return 0.0; }; ///< -1 to 1
  std::array<unsigned, 3> measured{0, 0, 0};
  unsigned mayConfirm = ~0u;

  void set(const char *formula, double time, double bytes) {
    truth[llvm::cantFail(Formula::parse(formula)).print()] = {time, bytes};
  }
  MeasureFunction measure() {
    return [this](const MeasureRequest &request) -> llvm::Expected<Metrics> {
      size_t level = size_t(request.fidelity);
      if (++measured[level] > mayConfirm &&
          request.fidelity == Fidelity::Confirm)
        return llvm::createStringError("the device is gone");
      const Variant &variant = request.variant;
      Figures figures =
          variant.formula ? truth.at(variant.formula->print()) : asItIs;
      Metrics metrics;
      metrics.timeUs = figures.time * (1 + noise[level] * error());
      metrics.dramReadBytes = figures.bytes;
      metrics.dramWriteBytes = 0;
      metrics.noise = noise[level];
      return metrics;
    };
  }
  TuningResult run(std::vector<ScriptedAgent::Step> steps,
                   TuningOptions options) {
    options.rounds = unsigned(steps.size());
    ScriptedAgent agent("a", std::move(steps));
    std::vector<Agent *> agents{&agent};
    auto result = tune(
        makeContext(), agents, [](const Variant &) { return BuildResult(); },
        measure(), options);
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return {};
    }
    return std::move(*result);
  }
};

/// What must hold of every result.
void check(const TuningResult &result, double margin) {
  unsigned best = 0;
  for (const Attempt &attempt : result.attempts) {
    EXPECT_EQ(attempt.best, attempt.code == "best") << attempt.number;
    best += attempt.best;
    if (attempt.best) {
      EXPECT_EQ(attempt.number, result.best.attempt);
      EXPECT_EQ(attempt.measurement->timeUs, result.bestMeasurement.timeUs);
    }
  }
  EXPECT_EQ(best, result.best.attempt ? 1u : 0u);
  if (!result.best.attempt)
    return;
  const Metrics &chosen = result.bestMeasurement;
  EXPECT_GT(result.baseline.timeUs / chosen.timeUs, 1 + margin);
  for (const Attempt &attempt : result.attempts) {
    if (attempt.status != AttemptStatus::Profiled)
      continue;
    const Metrics &other = *attempt.measurement;
    if (other.timeUs >= chosen.timeUs)
      continue;
    // Faster by less than can be told, and then only with more traffic.
    EXPECT_LE(chosen.timeUs / other.timeUs - 1,
              std::hypot(*chosen.noise, *other.noise))
        << attempt.number;
    EXPECT_LT(chosen.dramBytes(), other.dramBytes()) << attempt.number;
  }
}

TEST(Standings, ARandomHistoryNeverEndsWithASlowerOne) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 dice(seed);
    auto draw = [&](double from, double to) {
      return std::uniform_real_distribution<double>(from, to)(dice);
    };
    NoisyWorld world;
    world.error = [&] { return draw(-1, 1); };
    if (seed % 4 == 1)
      world.noise = {0, 0, 0};
    if (seed % 4 == 2)
      world.noise = {0.1, 0.04, 0.005};
    double spread = seed % 3 ? 30 : 1;
    std::vector<ScriptedAgent::Step> steps;
    for (unsigned round = 0; round < 1 + seed % 6; ++round) {
      std::vector<std::string> formulas;
      for (unsigned i = 0; i < 3; ++i) {
        std::string text = "return (x + " + std::to_string(dice() % 8) +
                           ") % gx, (y + " + std::to_string(dice() % 6) +
                           ") % gy";
        world.set(text.c_str(), draw(95 - spread, 97 + spread / 4),
                  draw(5e8, 6e8));
        formulas.push_back(text);
      }
      steps.push_back(say(formulas));
    }
    if (seed % 5 == 4)
      world.mayConfirm = unsigned(dice() % 4);
    TuningOptions options = makeOptions();
    if (seed % 7 == 6)
      options.budget.evaluations = 2 + unsigned(dice() % 20);
    check(world.run(std::move(steps), options), options.margin);
  }
}

TEST(Standings, BytesBreakTiesWithinTheNoise) {
  NoisyWorld world;
  world.set(kFlipX, 80, 9e8);
  world.set(kFlipY, 80.5, 5e8);
  world.set(kFlipBoth, 82, 1e8); // slower by more than the noise
  world.noise = {0.01, 0.01, 0.01};
  TuningResult result =
      world.run({say({kFlipX, kFlipY, kFlipBoth})}, makeOptions());
  EXPECT_EQ(result.best.attempt, 2u);
  check(result, 0.01);
}

TEST(Standings, SmallStepsBackwardsDoNotAddUp) {
  NoisyWorld world;
  world.set(kFlipX, 80, 9e8);
  world.set(kFlipY, 80.9, 5e8);
  world.set(kFlipBoth, 81.8, 1e8);
  world.noise = {0.01, 0.01, 0.01};
  for (std::vector<std::string> order :
       {std::vector<std::string>{kFlipX, kFlipY, kFlipBoth},
        {kFlipBoth, kFlipY, kFlipX},
        {kFlipY, kFlipBoth, kFlipX}}) {
    TuningResult result = world.run({say(order)}, makeOptions());
    EXPECT_EQ(result.best.formula->print(),
              llvm::cantFail(Formula::parse(kFlipY)).print());
  }
}

TEST(Standings, TheTopFewAreLookedAtOnceMore) {
  NoisyWorld world;
  world.set(kFlipX, 80, 5e8);
  world.set(kFlipY, 81, 5e8);
  world.set(kFlipBoth, 82, 5e8);
  world.noise = {0.05, 0.03, 0};
  // What decides at first is off by as much as is stated.
  double sign = 1;
  world.error = [&] { return sign = -sign; };
  TuningResult result =
      world.run({say({kFlipX, kFlipY, kFlipBoth})}, makeOptions());
  EXPECT_EQ(result.confirmed.size(), 3u);
  EXPECT_EQ(world.measured[size_t(Fidelity::Confirm)], 4u);
  EXPECT_EQ(result.best.attempt, 1u);
  EXPECT_EQ(result.baseline.timeUs, 100);
  EXPECT_EQ(result.bestMeasurement.timeUs, 80);
  EXPECT_TRUE(result.notes.empty());
}

TEST(Standings, WithoutAnErrorThereIsNothingToLookAtOnceMore) {
  NoisyWorld world;
  world.noise = {0.05, 0, 0};
  world.set(kFlipX, 80, 5e8);
  TuningResult result = world.run({say({kFlipX})}, makeOptions());
  EXPECT_EQ(world.measured[size_t(Fidelity::Confirm)], 0u);
  EXPECT_TRUE(result.confirmed.empty());
  EXPECT_EQ(result.best.attempt, 1u);
}

TEST(Standings, WhatCannotBeConfirmedIsDecidedWithoutAndSaid) {
  NoisyWorld world;
  world.set(kFlipX, 80, 5e8);
  world.set(kFlipY, 70, 5e8);
  world.mayConfirm = 2;
  TuningResult result = world.run({say({kFlipX, kFlipY})}, makeOptions());
  EXPECT_TRUE(result.confirmed.empty());
  EXPECT_EQ(result.best.attempt, 2u);
  EXPECT_EQ(*result.baseline.noise, world.noise[1]);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("the device is gone"), std::string::npos);
}

} // namespace
