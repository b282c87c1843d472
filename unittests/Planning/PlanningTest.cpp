//===- PlanningTest.cpp - From facts to decisions -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning by facts made by hand: no IR anywhere.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planning/Planning.h"
#include "../Planner/Kernels.h"
#include "swizzle/Agent/Agents/PlannerAgent.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planning/Remarks.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Planning/Summary.h"
#include "gtest/gtest.h"

using namespace swizzle;
using namespace llvm;

namespace {

/// An agent that gives one formula, or an error.
class Scripted : public Agent {
public:
  Scripted(std::string formula, AgentRole is = AgentRole::Proposes)
      : formula(std::move(formula)), is(is) {}

  std::string name() const override { return "scripted"; }
  AgentRole role() const override { return is; }
  Expected<Answer> propose(const AgentContext &context) override {
    ++asked;
    told = context;
    if (formula.empty())
      return make_error<AgentError>(AgentErrorKind::DatabaseMiss, "no record");
    Answer answer;
    answer.proposals.emplace_back();
    answer.proposals.back().formula = formula;
    answer.reasonCode = "scripted";
    answer.reason = "as the script says";
    return answer;
  }

  std::string formula;
  AgentRole is;
  unsigned asked = 0;
  AgentContext told;
};

KernelFacts makeFacts() {
  KernelFacts facts;
  facts.module = "m";
  facts.name = "k";
  facts.location = "k.mlir:1:1";
  facts.model = models::splitRows(8, 64, 1024);
  facts.model.gridKnown = {true, true, true};
  facts.sizes.grid = facts.model.grid;
  facts.sizes.gridSource = SizeSource::KernelAttribute;
  facts.text = "the text";
  facts.hash = "0123";
  return facts;
}

TargetChip mi300x() { return {cantFail(findChip("mi300x")), "option", ""}; }

PlanningOptions asking(std::shared_ptr<Agent> agent) {
  PlanningOptions options;
  options.agent = agent->name();
  options.advisers = {askingOnce(std::move(agent))};
  return options;
}

bool contains(ArrayRef<std::string> texts, StringRef part) {
  return any_of(texts, [&](const std::string &one) {
    return StringRef(one).contains(part);
  });
}

TEST(Planning, PlannerAnswersWithAProofAndAPrediction) {
  Decision decision = plan(makeFacts(), mi300x(), asking(makePlannerAgent()));
  ASSERT_EQ(decision.outcome, Outcome::Remapped) << decision.reason;
  EXPECT_EQ(decision.reasonCode, "improved");
  ASSERT_TRUE(decision.remap && decision.prediction);
  EXPECT_EQ(decision.remap->proof.kind, ProofKind::Enumerated);
  EXPECT_EQ(decision.remap->proof.ids, 8 * 64);
  EXPECT_TRUE(decision.remap->lowered && decision.remap->scalarCost);
  EXPECT_LT(decision.prediction->after.timeUs,
            decision.prediction->before.timeUs);
  EXPECT_FALSE(decision.reuse.buffers.empty());
}

TEST(Planning, NobodyIsAskedAboutAKernelThatIsRefused) {
  KernelFacts facts = makeFacts();
  facts.verdict.code = "volatile";
  facts.verdict.message = "the load is volatile";
  auto agent = std::make_shared<Scripted>("return x, y");
  // A chip that is missing does not matter then.
  Decision decision = plan(facts, {}, asking(agent));
  EXPECT_EQ(decision.outcome, Outcome::Refused);
  EXPECT_EQ(decision.reasonCode, "volatile");
  EXPECT_EQ(agent->asked, 0u);
  EXPECT_FALSE(decision.remap);
}

TEST(Planning, NobodyIsAskedWithoutAChip) {
  auto agent = std::make_shared<Scripted>("return x, y");
  EXPECT_EQ(plan(makeFacts(), {}, asking(agent)).reasonCode, "no-chip");
  Decision bad =
      plan(makeFacts(), {std::nullopt, "", "no such chip"}, asking(agent));
  EXPECT_EQ(bad.reasonCode, "bad-chip");
  EXPECT_EQ(bad.outcome, Outcome::Failed);
  EXPECT_EQ(agent->asked, 0u);
}

TEST(Planning, AMissPassesOnToTheNext) {
  auto first = std::make_shared<Scripted>("", AgentRole::Remembers);
  auto second = std::make_shared<Scripted>("return gx - 1 - x, y");
  PlanningOptions options;
  options.advisers = {askingOnce(first), askingOnce(second)};
  Decision decision = plan(makeFacts(), mi300x(), options);
  EXPECT_EQ(decision.outcome, Outcome::Remapped);
  EXPECT_EQ(decision.reasonCode, "scripted");
  EXPECT_TRUE(contains(decision.notes, "no record"));
  // Nobody simulated it, so it was simulated here.
  EXPECT_TRUE(decision.prediction.has_value());

  options.advisers.pop_back();
  decision = plan(makeFacts(), mi300x(), options);
  EXPECT_EQ(decision.outcome, Outcome::Kept);
  EXPECT_EQ(decision.reasonCode, "database-miss");
}

TEST(Planning, WhatIsIllegalIsRefusedWhoeverSaysIt) {
  auto agent = std::make_shared<Scripted>("return x // 2, y");
  PlanningOptions options = asking(agent);
  Decision decision = plan(makeFacts(), mi300x(), options);
  EXPECT_EQ(decision.outcome, Outcome::Kept);
  EXPECT_EQ(decision.reasonCode, "duplicate");
  EXPECT_NE(decision.counterexample, "");
  EXPECT_FALSE(decision.remap);

  options.onFailure = OnFailure::Error;
  EXPECT_EQ(plan(makeFacts(), mi300x(), options).outcome, Outcome::Failed);

  options.onFailure = OnFailure::Planner;
  decision = plan(makeFacts(), mi300x(), options);
  EXPECT_EQ(decision.outcome, Outcome::Remapped);
  EXPECT_TRUE(contains(decision.notes, "the planner was asked instead"));
}

TEST(Planning, AnExplicitFormulaNeedsNoChipAndNoGain) {
  PlanningOptions options;
  options.formula = cantFail(Formula::parse("return gx - 1 - x, y"));
  Decision decision = plan(makeFacts(), {}, options);
  EXPECT_EQ(decision.outcome, Outcome::Remapped);
  EXPECT_EQ(decision.reasonCode, "explicit");
  EXPECT_FALSE(decision.prediction);

  options.formula = cantFail(Formula::parse("return x // 2, y"));
  decision = plan(makeFacts(), {}, options);
  EXPECT_EQ(decision.outcome, Outcome::Failed);
  EXPECT_EQ(decision.reasonCode, "duplicate");

  options.formula =
      cantFail(Formula::parse("param k in {3, 4}\nrequire gx % k == 0\n"
                              "return x // k + x % k * (gx // k), y"));
  decision = plan(makeFacts(), mi300x(), options);
  ASSERT_EQ(decision.outcome, Outcome::Remapped) << decision.reason;
  EXPECT_EQ(decision.remap->environment.params.at("k"), 4);
}

TEST(Planning, WhatCannotBeSimulatedIsNoted) {
  KernelFacts facts = makeFacts();
  facts.model.body.clear();
  PlanningOptions options;
  options.formula = cantFail(Formula::parse("return gx - 1 - x, y"));
  options.simulate = SimulationLevel::Fast;
  Decision decision = plan(facts, mi300x(), options);
  EXPECT_EQ(decision.outcome, Outcome::Remapped);
  EXPECT_FALSE(decision.prediction);
  EXPECT_TRUE(contains(decision.notes, "the order cannot be simulated: "));
}

TEST(Planning, AClaimedGridIsGuardedAndHalfAClaimIsNoGrid) {
  KernelFacts facts = makeFacts();
  facts.sizes.gridSource = SizeSource::Option;
  PlanningOptions options;
  options.formula = cantFail(Formula::parse("return gx - 1 - x, y"));
  Decision decision = plan(facts, mi300x(), options);
  ASSERT_TRUE(decision.remap);
  EXPECT_EQ(decision.remap->proof.kind, ProofKind::Guarded);

  facts.sizes.grid[1] = kUnknownExtent;
  EXPECT_FALSE(facts.gridIsGuarded());
  EXPECT_EQ(facts.gridToProve()[0], kUnknownExtent);
}

TEST(Planning, AgentsAreToldAllThatIsKnown) {
  auto agent = std::make_shared<Scripted>("return gx - 1 - x, y");
  PlanningOptions options = asking(agent);
  options.briefing.hint = "rows are large";
  options.briefing.mode = ContextMode::Manual;
  options.briefing.manual = "the manual";
  (void)plan(makeFacts(), mi300x(), options);
  const AgentContext &told = agent->told;
  EXPECT_EQ(told.module, "m");
  EXPECT_EQ(told.kernel, "k");
  EXPECT_EQ(told.kernelText, "the text");
  EXPECT_EQ(told.kernelHash, "0123");
  EXPECT_EQ(told.hint, "rows are large");
  EXPECT_EQ(told.manual, "the manual");
  EXPECT_EQ(told.mode, ContextMode::Manual);
  EXPECT_EQ(told.environment.chip, "mi300x");
  EXPECT_EQ(told.environment.grid, makeFacts().model.grid);
  EXPECT_FALSE(told.reuse.buffers.empty());
}

TEST(Planning, SummariesAreShortAndPlain) {
  PlannedKernel planned{makeFacts(), mi300x(), {}};
  planned.decision =
      plan(planned.facts, planned.chip, asking(makePlannerAgent()));
  std::string text = summarise(planned);
  EXPECT_TRUE(StringRef(text).starts_with("remapped for mi300x, simulated "))
      << text;
  EXPECT_TRUE(StringRef(text).contains(" % faster")) << text;
  EXPECT_LE(text.size(), kSummaryLength);
  EXPECT_EQ(describeInRemarks(planned).back().message, text);

  // The speed-up is the ratio of the times.
  Decision &decision = planned.decision;
  decision.prediction->before.timeUs = 150;
  decision.prediction->after.timeUs = 100;
  EXPECT_EQ(describeSpeed(decision), "simulated 50.0 % faster");
  std::swap(decision.prediction->before.timeUs,
            decision.prediction->after.timeUs);
  EXPECT_EQ(describeSpeed(decision), "simulated 50.0 % slower");

  decision.assumptions = {"a and b do not overlap in memory",
                          "a and c do not overlap in memory",
                          std::string(300, 'z')};
  EXPECT_TRUE(StringRef(summarise(planned))
                  .contains("; assumes that its buffers do not overlap, and 1 "
                            "more"))
      << summarise(planned);
  decision.outcome = Outcome::Refused;
  decision.reasonCode = "atomic-result-used";
  decision.reason = std::string(300, 'w');
  text = summarise(planned);
  EXPECT_TRUE(StringRef(text).starts_with(
      "may not be remapped (atomic-result-used): www"));
  EXPECT_LE(text.size(), kSummaryLength);
}

TEST(Planning, TargetsThatNobodyDescribedKeepTheKernel) {
  TargetChip chip;
  chip.unknownTarget = "sm_75";
  Decision decision = plan(makeFacts(), chip, asking(makePlannerAgent()));
  EXPECT_EQ(decision.outcome, Outcome::Kept);
  EXPECT_EQ(decision.reasonCode, "unknown-target");
  EXPECT_TRUE(StringRef(decision.reason).contains("'sm_75'"));
}

TEST(Planning, RemarksAndReportTellTheSame) {
  PlannedKernel planned{makeFacts(), mi300x(), {}};
  planned.decision =
      plan(planned.facts, planned.chip, asking(makePlannerAgent()));
  std::vector<RemarkText> remarks = describeInRemarks(planned);
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks.back().kind, RemarkText::Passed);
  EXPECT_EQ(remarks.back().name, "WorkgroupRemap");
  std::string report = printReport(planned, "blake3:0");
  for (const auto &[key, text] : remarks.back().values)
    if (key == "Reason")
      EXPECT_TRUE(StringRef(report).contains(text)) << text;

  planned.decision = plan(planned.facts, {}, asking(makePlannerAgent()));
  remarks = describeInRemarks(planned);
  EXPECT_EQ(remarks.back().kind, RemarkText::Missed);
  EXPECT_EQ(remarks.back().values.front().second, "no-chip");
}

} // namespace
