//===- Advice.cpp - What is advised about one kernel ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An agent's answer is text; here it becomes a formula, or a reason why it is
// none.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planning/Advice.h"

#include "swizzle/Hardware/Completion.h"

using namespace llvm;

namespace swizzle {

Advice Advice::fail(StringRef code, const Twine &reason) {
  Advice advice;
  advice.code = code.str();
  advice.reason = reason.str();
  return advice;
}

Advice Advice::fail(Error error) {
  std::string code = "agent-failed", message;
  handleAllErrors(
      std::move(error),
      [&](const AgentError &one) {
        code = toString(one.kind).str();
        message = one.message;
      },
      [&](const ErrorInfoBase &one) { message = one.message(); });
  return fail(code, message);
}

/// The first proposal of `answer`.
static Advice readProposal(const Answer &answer, StringRef source) {
  const Proposal &proposal = answer.proposals.front();
  Expected<Formula> formula = Formula::parse(proposal.formula);
  if (!formula)
    return Advice::fail("unreadable", source + " cannot be read: " +
                                          toString(formula.takeError()));
  Advice advice;
  advice.kind = Advice::Found;
  advice.formula = std::move(*formula);
  if (!proposal.params.empty())
    advice.params = proposal.params.front();
  return advice;
}

static Advice askOnce(Agent &agent, const AgentContext &context) {
  Expected<Answer> answer = agent.propose(context);
  if (!answer) {
    bool missed = false;
    Error rest = handleErrors(
        answer.takeError(), [&](std::unique_ptr<AgentError> error) -> Error {
          missed = error->kind == AgentErrorKind::DatabaseMiss;
          return Error(std::move(error));
        });
    Advice advice = Advice::fail(std::move(rest));
    if (missed)
      advice.kind = Advice::Missed;
    return advice;
  }
  std::string source = "the formula of the " + agent.name();
  Advice advice;
  advice.kind = Advice::Keep;
  if (!answer->proposals.empty())
    advice = readProposal(*answer, source);
  if (advice.kind == Advice::Failed)
    return advice;
  advice.isKnown = agent.role() == AgentRole::Remembers;
  advice.source = std::move(source);
  advice.code = answer->reasonCode.empty() ? "agent" : answer->reasonCode;
  advice.reason = std::move(answer->reason);
  advice.prediction = std::move(answer->prediction);
  return advice;
}

Adviser askingOnce(std::shared_ptr<Agent> agent) {
  return
      [agent](const AgentContext &context) { return askOnce(*agent, context); };
}

Environment makeEnvironment(const KernelFacts &facts,
                            const HardwareSpec *hardware) {
  Environment environment;
  environment.grid = facts.gridToProve();
  if (hardware) {
    environment.hardware = hardware->formulaConstants();
    environment.chip = hardware->name;
  }
  return environment;
}

AgentContext makeContext(const KernelFacts &facts, const HardwareSpec &hardware,
                         const Briefing &briefing) {
  AgentContext context;
  context.module = facts.module;
  context.kernel = facts.name;
  context.kernelText = facts.text;
  context.kernelHash = facts.hash;
  context.model = facts.model;
  context.hardware = hardware;
  context.environment = makeEnvironment(facts, &hardware);
  if (!facts.model.body.empty())
    context.reuse =
        analyseReuse(facts.model, *completeSharedLevel(hardware).lineBytes);
  context.hint = briefing.hint;
  context.mode = briefing.mode;
  context.manual = briefing.manual;
  return context;
}

} // namespace swizzle
