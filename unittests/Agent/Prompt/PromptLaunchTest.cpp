//===- PromptLaunchTest.cpp - Tests of what figures are told --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where workgroups run, what the time is made of, and what is told of each
// parameter set.
//
//===----------------------------------------------------------------------===//

#include "Agent/Core/Contexts.h"
#include "swizzle/Agent/Prompt/Prompt.h"

#include "gtest/gtest.h"

using namespace swizzle;

/// What the prompt says about the kernel and what was tried.
static std::string user(const AgentContext &context) {
  llvm::Expected<Prompt> prompt = renderPrompt(context);
  EXPECT_TRUE(bool(prompt)) << llvm::toString(prompt.takeError());
  return prompt->user;
}

TEST(Prompt, HasTheBestDozenParameterSetsOfARound) {
  AgentContext context = contexts::tried("mi300x");
  Attempt &won = context.history[2];
  for (int g = 1; g <= 20; ++g) {
    TriedSet set;
    set.params = {{"G", g}};
    set.timeUs = 700 + 10 * ((g * 7) % 20);
    set.noise = 0.005;
    set.bound = "dram";
    set.dramBytes = 1 << 20;
    set.fidelity = g == 8 ? Fidelity::Decide : Fidelity::Search;
    won.sets.push_back(set);
  }
  won.sets.emplace_back();
  won.sets.back().params = {{"G", 21}};
  won.sets.back().error = "G=21 is not in its set";
  std::string text = user(context);
  size_t shown = 0;
  for (const TriedSet &set : won.sets) {
    std::string line = "\"G = " + std::to_string(set.params.at("G")) + "\": ";
    bool told = text.find("\n" + line) != std::string::npos;
    shown += told;
    EXPECT_EQ(told, set.measured() && set.timeUs < 700 + 10 * 12) << line;
  }
  EXPECT_EQ(shown, 12u);
  EXPECT_NE(text.find("\"G = 3\": time 710.0 us, DRAM 1 MiB, bound by DRAM, "
                      "error 0.5 % (a first look)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("and 9 more, none of them better\n"), std::string::npos)
      << text;
  // With fewer, those that failed are told with the reason.
  won.sets.erase(won.sets.begin(), won.sets.begin() + 15);
  text = user(context);
  EXPECT_NE(text.find("\"G = 21\": \"G=21 is not in its set\"\n"),
            std::string::npos)
      << text;
}

TEST(Prompt, TellsWhereWorkgroupsRunAndWhatTheTimeIsMadeOf) {
  AgentContext context = contexts::fresh("mi300x");
  context.baseline.roofline = {{readBound("dram"), 800, 4e9, 5e12},
                               {readBound("l2"), 600, 0, 0}};
  context.searchReason = "none of 9 simulated orders is faster";
  std::string text = user(context);
  for (const char *part :
       {"Each die starts its workgroups in the order of their ids, one on each "
        "of its 38 compute units, then a second one on each",
        " on the chip at a time; the grid is ",
        "No order moves less than about",
        "DRAM: 800.0 us (3.7 GiB at 5.0 TB/s)\nL2: 600.0 us\n"
        "The time is the root of the sum of their squares.\n",
        "| none of 9 simulated orders is faster"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  // Phases that do not overlap.
  context.baseline.timeUs = 1100;
  EXPECT_NE(
      user(context).find("the root of the sum of their squares, and 10.0% "
                         "more: phases of the launch ask"),
      std::string::npos);
  context.baseline.scatterUs = 100;
  EXPECT_NE(user(context).find(
                "squares, and 100.0 us that memory spends on opening rows for "
                "data that lie apart.\n"),
            std::string::npos)
      << user(context);
  // One die: its units are the chip's.
  EXPECT_NE(
      user(contexts::fresh("h100"))
          .find(
              "Workgroups start in the order of their ids, one on each of the"),
      std::string::npos);
}

/// Of a grid in which only the workgroups of the first column work.
TEST(Prompt, TellsWhichShareOfWorkgroupsDoesNothing) {
  AgentContext context = contexts::fresh("mi300x");
  KernelModel model = KernelModel::create(Grid(4, 8), Grid(64));
  model.buffers.push_back({"a", 1 << 20, 4, 0});
  Access access;
  access.address = makeVariable(kThreadIdX, 4);
  Guard guard;
  guard.conditions.push_back({makeVariable(kWorkgroupIdX), /*equality=*/true});
  guard.body.push_back({access});
  model.body.push_back({guard});
  ASSERT_EQ(verify(model), "");
  context.model = model;
  context.environment.grid = model.grid;
  EXPECT_NE(
      user(context).find("75 % of the workgroups touch no memory at all."),
      std::string::npos)
      << user(context);
  EXPECT_EQ(user(contexts::fresh("mi300x")).find("touch no memory"),
            std::string::npos);
}
