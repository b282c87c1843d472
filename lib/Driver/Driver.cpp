//===- Driver.cpp - Tune a module from end to end -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are tuned one after the other, each with its share of what is left of
// the budgets.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Driver/Driver.h"

#include "swizzle/Profiling/MeasureBundle.h"

using namespace llvm;

namespace swizzle {

/// An equal share of what is left for each of `kernels`, never so small that it
/// would mean no limit.
static TuningBudget shareOf(const TuningBudget &whole,
                            const TuningBudget &spent, size_t kernels) {
  TuningBudget share;
  double parts = double(kernels);
  if (whole.evaluations) {
    unsigned left =
        whole.evaluations - std::min(whole.evaluations, spent.evaluations);
    share.evaluations = std::max<unsigned>(1, left / unsigned(kernels));
  }
  if (whole.seconds > 0)
    share.seconds = std::max(1e-9, (whole.seconds - spent.seconds) / parts);
  if (whole.tokens)
    share.tokens =
        std::max<int64_t>(1, (whole.tokens - spent.tokens) / int64_t(kernels));
  if (whole.money > 0)
    share.money = std::max(1e-12, (whole.money - spent.money) / parts);
  return share;
}

static bool isSpent(const TuningBudget &whole, const TuningBudget &spent) {
  return (whole.evaluations && spent.evaluations >= whole.evaluations) ||
         (whole.seconds > 0 && spent.seconds >= whole.seconds) ||
         (whole.tokens && spent.tokens >= whole.tokens) ||
         (whole.money > 0 && spent.money >= whole.money);
}

static bool isCancelled(const DriverOptions &options) {
  return options.cancel && *options.cancel;
}

static KernelTuning describe(const PlannedKernel &planned) {
  const auto &[facts, chip, decision, difference] = planned;
  KernelTuning tuning;
  tuning.module = facts.module;
  tuning.kernel = facts.name;
  if (chip.hardware)
    tuning.chip = chip.hardware->name;
  if (chip.hardware)
    tuning.constants = chip.hardware->formulaConstants();
  tuning.grid = facts.gridToProve();
  tuning.block = facts.sizes.block;
  tuning.modelGrid = facts.model.grid;
  tuning.reasonCode = decision.reasonCode;
  tuning.reason = decision.reason;
  tuning.assumptions = decision.assumptions;
  tuning.notes = decision.notes;
  return tuning;
}

/// Has the best few of a kernel measured. What was found so far is written all
/// the same where that fails, but not while it is still to come.
static Error measureBest(const DriverOptions &options, size_t kernel,
                         std::pair<const AgentContext &, const Workbench &> of,
                         TuningResult &result, KernelTuning &tuning) {
  auto measured = options.measure(kernel, of.first, of.second, result);
  if (measured) {
    tuning.measured = std::move(*measured);
    return Error::success();
  }
  if (measured.errorIsA<ResultsMissing>() && !isCancelled(options))
    return measured.takeError();
  std::string why = toString(measured.takeError());
  tuning.notes.push_back("the best few were not measured, so that the best is "
                         "so by simulation alone: " +
                         why);
  if (!isCancelled(options))
    tuning.notMeasured = std::move(why);
  return Error::success();
}

Expected<std::vector<KernelTuning>>
tuneKernels(TuningSession &session,
            function_ref<Expected<std::vector<std::unique_ptr<Agent>>>()> make,
            const DriverOptions &options) {
  std::vector<KernelTuning> tunings;
  TuningBudget spent;
  for (size_t i = 0; i < session.kernels().size(); ++i) {
    tunings.push_back(describe(session.kernels()[i]));
    KernelTuning &tuning = tunings.back();
    if (!tuning.reasonCode.empty())
      continue;
    if (isSpent(options.tuning.budget, spent) || isCancelled(options)) {
      tuning.reasonCode = "not-tuned";
      tuning.reason = "the run ended before its turn";
      continue;
    }
    const PlannedKernel &planned = session.kernels()[i];
    AgentContext context =
        makeContext(planned.facts, *planned.chip.hardware, options.briefing);
    if (options.remember)
      options.remember(context);
    std::string name = fullName(tuning.module, tuning.kernel);
    if (options.begin)
      options.begin(name);
    auto agents = make();
    if (!agents)
      return agents.takeError();
    std::vector<Agent *> asked;
    for (const std::unique_ptr<Agent> &agent : *agents)
      asked.push_back(agent.get());
    TuningOptions tuningOptions = options.tuning;
    // Kernels that are refused leave their share to the others.
    size_t left =
        count_if(session.kernels().drop_front(i), [](const PlannedKernel &one) {
          return one.decision.reasonCode.empty();
        });
    tuningOptions.budget = shareOf(options.tuning.budget, spent, left);
    TuningHooks hooks;
    hooks.cancel = options.cancel;
    hooks.replayed = options.replayed;
    if (options.event)
      hooks.event = [&](const TuningEvent &event) {
        options.event(event, name);
      };
    if (options.journal)
      hooks.journal = &options.journal->kernel(name);
    Workbench bench = options.bench(i, context);
    Expected<TuningResult> result =
        tune(context, asked, bench.build, bench.measure, tuningOptions, hooks);
    if (!result)
      return createStringError("kernel " + name + ": " +
                               toString(result.takeError()));
    if (options.measure) {
      size_t tried = result->attempts.size();
      if (Error error =
              measureBest(options, i, {context, bench}, *result, tuning))
        return std::move(error);
      if (hooks.journal && tuning.measured)
        hooks.journal->keepMeasured(
            toJSON(*tuning.measured), tuning.measured->attempt,
            ArrayRef(result->attempts).drop_front(tried));
    }
    if (Error error = session.decide(i, result->best))
      return createStringError(
          "kernel " + name +
          ": the best variant is refused: " + toString(std::move(error)));
    append_range(tuning.notes, result->notes);
    spent.evaluations += result->evaluations;
    spent.seconds += result->seconds.total;
    spent.tokens += result->usage.inputTokens + result->usage.outputTokens;
    spent.money += result->usage.money;
    if (options.done) {
      context.objective = result->objective;
      context.baseline = result->baseline;
      options.done(context, *result, tuning.measured);
    }
    tuning.result = std::move(*result);
  }
  return tunings;
}

} // namespace swizzle
