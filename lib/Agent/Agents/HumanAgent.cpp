//===- HumanAgent.cpp - A person at the terminal --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `agent=human`: shows what a language model would be told, in short, and reads
// a formula. What does not parse is shown with its caret at once and asked for
// again. An empty answer, or the end of the input, leaves the kernel as it is.
//
//===----------------------------------------------------------------------===//

#include "Agents.h"
#include "Exchange/Exchange.h"

#include "llvm/Support/FormatVariadic.h"
#include <iostream>

using namespace llvm;

namespace swizzle::agent {

namespace {

/// "12.3 us, L2 hit 49.0 %", as far as it is known.
std::string describe(const Metrics &measurement) {
  std::string text;
  raw_string_ostream os(text);
  os << toString(measurement.from.origin);
  if (measurement.timeUs > 0)
    os << formatv(" {0:f1} us", measurement.timeUs);
  if (std::optional<double> rate = measurement.hitRate("l2"))
    os << formatv(", L2 hit {0:f1} %", *rate * 100);
  if (Count bytes = measurement.dramBytes(); bytes.isCounted())
    os << formatv(", DRAM {0:f1} MB", bytes / 1e6);
  return text;
}

void describe(const AgentContext &context, raw_ostream &os) {
  os << "\nKernel " << context.kernel;
  if (!context.module.empty())
    os << " of " << context.module;
  os << ", grid " << toString(context.environment.grid);
  if (!context.hardware.name.empty())
    os << ", on " << context.hardware.name;
  os << formatv(" (round {0} of {1})\n", context.round, context.rounds);
  for (const BufferReuse &reuse : context.reuse.buffers)
    os << "  " << describe(context.model, reuse) << '\n';
  if (context.mode == ContextMode::Filtered)
    for (const auto &[name, value] : context.environment.hardware)
      if (value)
        os << "  " << name << " = " << *value << '\n';
  os << "  as it is: " << describe(context.baseline) << '\n';
  if (!context.bottleneck.empty())
    os << "  " << context.bottleneck << '\n';
  os << "  objective: " << toString(context.objective) << '\n';
  if (!context.hint.empty())
    os << "  hint: " << context.hint << '\n';
  for (const Attempt &attempt : context.history) {
    os << formatv("  #{0} {1}", attempt.number, toString(attempt.status));
    if (attempt.measurement)
      os << ": " << describe(*attempt.measurement);
    if (!attempt.message.empty())
      os << ": " << attempt.message;
    os << (attempt.number == context.best ? " (best)\n" : "\n");
  }
}

class HumanAgent : public Agent {
public:
  explicit HumanAgent(const AgentOptions &options)
      : in(options.humanInput ? *options.humanInput : std::cin),
        os(options.humanOutput ? *options.humanOutput : errs()),
        cancel(options.cancel) {}

  std::string name() const override { return "human"; }

  Expected<Answer> propose(const AgentContext &context) override {
    describe(context, os);
    Answer answer;
    for (;;) {
      os << "Formula (lines of it, then an empty line; nothing leaves the "
            "kernel as it is):\n";
      os.flush();
      std::string text = readLines();
      if (cancel && *cancel)
        return makeAgentError(AgentErrorKind::Cancelled,
                              "cancelled at the terminal");
      if (text.empty()) {
        answer.finished = true;
        answer.reason = "no formula was entered";
        return answer;
      }
      Expected<Formula> formula = Formula::parse(text);
      if (!formula) {
        os << toString(formula.takeError()) << '\n';
        continue;
      }
      Proposal proposal;
      proposal.formula = std::move(text);
      answer.proposals.push_back(std::move(proposal));
      return answer;
    }
  }

private:
  /// Up to an empty line or the end of the input.
  std::string readLines() {
    std::string text, line;
    while (std::getline(in, line)) {
      StringRef content = StringRef(line).rtrim();
      if (content.empty())
        break;
      // A text too long to be a formula is cut, and the parser says so.
      if (text.size() <= Formula::maxTextBytes)
        text += (content + "\n").str();
    }
    return text;
  }

  std::istream &in;
  raw_ostream &os;
  const std::atomic<bool> *cancel;
};

} // namespace

Expected<std::unique_ptr<Agent>> makeHumanAgent(const AgentOptions &options) {
  return std::make_unique<HumanAgent>(options);
}

} // namespace swizzle::agent
