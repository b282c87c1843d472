//===- ShowPrompt.cpp - Questions that are printed, not sent --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The agents that stand in for the real ones bear their names: a journal's
// answers are found by the name of who gave them.
//
//===----------------------------------------------------------------------===//

#include "ShowPrompt.h"

namespace swizzle {

namespace {
class StandIn : public Agent {
public:
  StandIn(std::string name, PromptDisplay &display)
      : called(std::move(name)), display(display) {}

  std::string name() const override { return called; }
  llvm::Expected<Answer> propose(const AgentContext &context) override {
    display.show(context);
    Answer answer;
    answer.finished = true;
    return answer;
  }

private:
  std::string called;
  PromptDisplay &display;
};
} // namespace

std::vector<std::unique_ptr<Agent>>
PromptDisplay::makeAgents(llvm::ArrayRef<std::string> names) {
  std::vector<std::unique_ptr<Agent>> agents;
  for (const std::string &name : names)
    agents.push_back(std::make_unique<StandIn>(name, *this));
  return agents;
}

void PromptDisplay::begin(llvm::StringRef kernel) {
  shown = false;
  if (named)
    os << "=== kernel " << kernel << " ===\n";
}

void PromptDisplay::show(const AgentContext &context) {
  if (shown)
    return;
  shown = true;
  llvm::Expected<Prompt> prompt = renderPrompt(context, directory);
  if (prompt)
    os << showPrompt(*prompt);
  else if (std::string message = llvm::toString(prompt.takeError());
           failure.empty())
    failure = std::move(message);
}

void PromptDisplay::note(const TuningEvent &event) {
  if (event.kind == TuningEvent::Ended && !shown)
    os << "nothing would be sent: " << event.result.endReason << '\n';
}

void PromptDisplay::note(const KernelTuning &tuning) {
  if (!tuning.reasonCode.empty())
    os << "nothing would be sent about kernel "
       << fullName(tuning.module, tuning.kernel) << ": " << tuning.reason
       << " [" << tuning.reasonCode << "]\n";
}

llvm::Error PromptDisplay::takeError() {
  return failure.empty() ? llvm::Error::success()
                         : llvm::createStringError(failure);
}

} // namespace swizzle
