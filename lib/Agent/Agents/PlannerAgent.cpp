//===- PlannerAgent.cpp - The planner as an agent -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner has one answer to a kernel, so it is asked once. Of its
// candidates the chosen one comes first, whatever its rank: among orders that
// simulation cannot tell apart it is the one with the cheapest arithmetic.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Agents/PlannerAgent.h"

#include "swizzle/Planner/OrderSimulator.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace swizzle {

namespace {
class PlannerAgent : public Agent {
public:
  explicit PlannerAgent(PlannerOptions options) : options(options) {}

  std::string name() const override { return "planner"; }
  AgentRole role() const override { return AgentRole::Searches; }
  Expected<Answer> propose(const AgentContext &context) override;

private:
  PlannerOptions options;
};
} // namespace

static Proposal describe(std::string formula, const ParamValues &params,
                         StringRef order, StringRef expectation) {
  Proposal proposal;
  proposal.formula = std::move(formula);
  if (!params.empty())
    proposal.params.push_back(params);
  proposal.change = order.str();
  proposal.expectation = expectation.str();
  return proposal;
}

Expected<Answer> PlannerAgent::propose(const AgentContext &context) {
  Answer answer;
  answer.finished = true;
  PlannerOptions limited = options;
  limited.full |= context.fullDetail;
  limited.figuresOfKept &= context.figuresOfKept;
  limited.reuse = &context.reuse;
  limited.deadline = earlier(limited.deadline, context.allowance.deadline());
  Expected<Plan> plan = swizzle::plan(context.model, context.hardware, limited);
  // What it had so far is no answer to keep: the whole one may be another.
  if (limited.deadline.isCancelled()) {
    consumeError(plan.takeError());
    return make_error<AgentError>(AgentErrorKind::Cancelled,
                                  "the planner was cancelled");
  }
  if (!plan)
    return make_error<AgentError>(AgentErrorKind::Planner,
                                  "the planner cannot plan: " +
                                      toString(plan.takeError()));
  answer.reason = plan->reason;
  answer.reasonCode = plan->reasonCode;
  if (plan->before.lineAccesses > 0)
    answer.prediction =
        Prediction{describeDetail(plan->simulation), plan->before, plan->after};
  if (!plan->formula)
    return answer;
  std::string chosen = plan->formula->print();
  answer.proposals.push_back(
      describe(chosen, plan->params, plan->description, plan->reason));
  for (const Candidate &candidate : plan->candidates) {
    if (answer.proposals.size() >= std::max(1u, context.proposals))
      break;
    bool known = any_of(answer.proposals, [&](const Proposal &proposal) {
      return proposal.formula == candidate.formula;
    });
    if (!known)
      answer.proposals.push_back(describe(candidate.formula, candidate.params,
                                          candidate.description, ""));
  }
  return answer;
}

std::unique_ptr<Agent> makePlannerAgent(PlannerOptions options) {
  return std::make_unique<PlannerAgent>(options);
}

} // namespace swizzle
