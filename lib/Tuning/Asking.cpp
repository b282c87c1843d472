//===- Asking.cpp - One question to one agent -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Asking.h.
//
//===----------------------------------------------------------------------===//

#include "Asking.h"

#include "swizzle/Agent/Prompt/Prompt.h"

using namespace llvm;

namespace swizzle::tuning {

bool isPermanent(AgentErrorKind kind) {
  switch (kind) {
  case AgentErrorKind::Authentication:
  case AgentErrorKind::NotFound:
  case AgentErrorKind::SpendLimit:
  case AgentErrorKind::Redirect:
  case AgentErrorKind::Tls:
  case AgentErrorKind::ReplayMiss:
  case AgentErrorKind::DatabaseMiss:
  case AgentErrorKind::Configuration:
    return true;
  case AgentErrorKind::Connection:
  case AgentErrorKind::Timeout:
  case AgentErrorKind::RateLimit:
  case AgentErrorKind::Overloaded:
  case AgentErrorKind::BadRequest:
  case AgentErrorKind::ContextTooLong:
  case AgentErrorKind::Protocol:
  case AgentErrorKind::Truncated:
  case AgentErrorKind::Filtered:
  case AgentErrorKind::Refused:
  case AgentErrorKind::Schema:
  case AgentErrorKind::TooLarge:
  case AgentErrorKind::Program:
  case AgentErrorKind::Planner:
  case AgentErrorKind::Cancelled:
    return false;
  }
  return false;
}

RecordedAnswer askAgent(Agent &agent, const AskSetting &setting,
                        std::vector<std::string> &notes) {
  const auto &[context, budget, hooks, attachPicture] = setting;
  std::string name = agent.name();
  if (hooks.journal)
    if (const RecordedAnswer *recorded =
            hooks.journal->takeAnswer(context.round, name)) {
      if (hooks.replayed)
        hooks.replayed(recorded->usage);
      return *recorded;
    }
  RecordedAnswer record;
  record.round = context.round;
  record.agent = name;
  context.allowance = budget.allowance();
  context.picture.clear();
  if (attachPicture) {
    // A grid too large to be drawn is no reason not to ask.
    Expected<std::string> picture = renderPicture(context);
    if (picture)
      context.picture = std::move(*picture);
    else
      notes.push_back("no picture is attached: " +
                      toString(picture.takeError()));
  }
  double start = budget.elapsed();
  Expected<Answer> answer = agent.propose(context);
  record.elapsed = budget.elapsed();
  record.seconds = record.elapsed - start;
  if (answer) {
    record.usage = answer->usage;
    record.answer = std::move(*answer);
  } else {
    handleAllErrors(
        answer.takeError(),
        [&](const AgentError &error) {
          record.errorKind = error.kind;
          record.errorMessage = error.message;
          record.usage = error.usage;
        },
        [&](const ErrorInfoBase &error) {
          record.errorMessage = error.message();
        });
  }
  // A cancelled question was not answered: it is asked again on resuming.
  bool cancelled =
      !record.answer && record.errorKind == AgentErrorKind::Cancelled;
  if (hooks.journal && !cancelled)
    hooks.journal->keep(record);
  return record;
}

} // namespace swizzle::tuning
