//===- NeighbourAgent.cpp - Goes on from what is fastest ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps nothing between two questions, so that a run that goes on with its
// history asks for the same orders.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Agents/NeighbourAgent.h"

#include "swizzle/Planner/NearOrders.h"

using namespace llvm;

namespace swizzle {

namespace {
class NeighbourAgent : public Agent {
public:
  std::string name() const override { return "neighbours"; }
  Expected<Answer> propose(const AgentContext &context) override;
};
} // namespace

Expected<Answer> NeighbourAgent::propose(const AgentContext &context) {
  NearOrdersQuestion question{context.model, context.hardware,
                              context.environment, context.baseline.timeUs};
  question.deadline = context.allowance.deadline();
  for (const Attempt &attempt : context.history) {
    TriedOrder tried{attempt.formula, attempt.params};
    if (attempt.status == AttemptStatus::Profiled && attempt.measurement)
      tried.timeUs = attempt.measurement->timeUs;
    question.tried.push_back(std::move(tried));
  }
  Answer answer;
  for (NearOrder &order :
       proposeNearOrders(question, std::max(1u, context.proposals))) {
    Proposal proposal;
    proposal.formula = std::move(order.formula);
    proposal.change = std::move(order.description);
    answer.proposals.push_back(std::move(proposal));
  }
  if (question.deadline.isCancelled())
    return make_error<AgentError>(AgentErrorKind::Cancelled,
                                  "the search among neighbours was cancelled");
  answer.finished = answer.proposals.empty();
  if (answer.finished)
    answer.reason = "all that is near the fastest orders was tried";
  return answer;
}

std::unique_ptr<Agent> makeNeighbourAgent() {
  return std::make_unique<NeighbourAgent>();
}

} // namespace swizzle
