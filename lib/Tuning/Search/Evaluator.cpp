//===- Evaluator.cpp - Build and measure, each order once -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of things matters: a budget is looked at before the step, and the
// journal has the step's result before anything depends on it.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "swizzle/Simulation/Simulator.h"

#include "swizzle/Records/Journal.h"
#include "swizzle/Tuning/ProveVariant.h"

using namespace llvm;

namespace swizzle::tuning {

char BudgetError::ID = 0;

Evaluator::Evaluator(const BuildFunction &build, const MeasureFunction &measure,
                     LaunchDescription launch, Budget &budget,
                     KernelJournal *journal)
    : buildVariant(build), measureVariant(measure), launch(std::move(launch)),
      budget(budget), journal(journal) {
  asItIs.key = kIdentityKey.str();
}

BuildResult Evaluator::build(const Variant &variant) {
  if (!buildVariant)
    return {};
  auto known = builds.find(variant.key);
  if (known != builds.end())
    return known->second;
  BuildResult result;
  RecordedBuild record;
  const RecordedBuild *replayed =
      journal ? journal->takeBuild(variant.key) : nullptr;
  if (replayed && replayed->result.code != kBudgetCode) {
    record = *replayed;
    static_cast<BuildVerdict &>(result) = record.result;
    rememberedBuilds.insert(variant.key);
  } else {
    if (std::optional<TuningEnd> end = budget.beforeEvaluating()) {
      result.status = AttemptStatus::RunFailed;
      result.code = kBudgetCode;
      result.message = "not built: " + describeEnd(*end, budget.limits);
      return result;
    }
    double start = budget.elapsed();
    record.result = result = buildVariant(variant);
    record.elapsed = budget.elapsed();
    record.seconds = record.elapsed - start;
    // Cut off from outside: whoever goes on builds it again.
    if (result.code == kBudgetCode)
      return result;
    if (journal)
      journal->keep(variant.key, record);
  }
  budget.seconds.check += result.checkSeconds;
  budget.seconds.build += record.seconds - result.checkSeconds;
  return builds[variant.key] = std::move(result);
}

std::shared_ptr<const Artifact> Evaluator::artifactOf(const Variant &variant) {
  auto known = builds.find(variant.key);
  if (known == builds.end())
    return nullptr;
  if (rememberedBuilds.erase(variant.key))
    known->second.artifact = buildVariant(variant).artifact;
  return known->second.artifact;
}

const Metrics *Evaluator::known(const std::string &key,
                                Fidelity fidelity) const {
  auto it = measurements.find({key, fidelity});
  bool measured = it != measurements.end() && it->second.first;
  return measured ? &*it->second.first : nullptr;
}

Expected<Metrics> Evaluator::measure(const Variant &variant,
                                     Fidelity fidelity) {
  auto key = std::make_pair(variant.key, fidelity);
  auto known = measurements.find(key);
  if (known == measurements.end()) {
    RecordedMeasurement record;
    const RecordedMeasurement *replayed =
        journal ? journal->takeMeasurement(variant.key, fidelity) : nullptr;
    if (replayed) {
      record = *replayed;
    } else {
      if (std::optional<TuningEnd> end = budget.beforeEvaluating())
        return make_error<BudgetError>(*end);
      double start = budget.elapsed();
      auto artifact = [&] { return artifactOf(variant); };
      auto original = [&] { return artifactOf(asItIs); };
      Expected<Metrics> result = measureVariant(
          {variant, artifact, launch, fidelity, budget.deadline(), original,
           this->known(asItIs.key, Fidelity::Decide), carefulSeconds});
      // Not a verdict on the variant, nor is how what was cut off ends.
      if (result.errorIsA<Interrupted>() || (!result && budget.isCancelled())) {
        consumeError(result.takeError());
        return make_error<BudgetError>(
            budget.beforeEvaluating().value_or(TuningEnd::Seconds));
      }
      if (result.errorIsA<DeviceSpent>()) {
        consumeError(result.takeError()); // the end says the same
        budget.deviceSpent = true;
        return make_error<BudgetError>(TuningEnd::DeviceSeconds);
      }
      record.elapsed = budget.elapsed();
      record.seconds = record.elapsed - start;
      if (result)
        record.measurement = std::move(*result);
      else
        record.error = toString(result.takeError());
      if (journal)
        journal->keep(variant.key, fidelity, record);
    }
    ++budget.evaluations;
    budget.seconds.measure += record.seconds;
    if (fidelity != Fidelity::Search)
      carefulSeconds += record.seconds;
    known = measurements
                .emplace(key, std::make_pair(std::move(record.measurement),
                                             std::move(record.error)))
                .first;
  }
  if (known->second.first)
    return *known->second.first;
  return createStringError(known->second.second);
}

} // namespace swizzle::tuning
