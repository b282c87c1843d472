//===- DatabaseAgent.cpp - Proposes what was found before -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lookup by key in the first round. What a miss means is said precisely,
// with the nearest record: a kernel that was tuned for another grid, chip or
// version of the tool is the usual reason.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Agents/DatabaseAgent.h"

#include "swizzle/Agent/Core/ContextRecord.h"
#include "swizzle/Kernel/Signature.h"

using namespace llvm;

namespace swizzle {

namespace {
class DatabaseAgent : public Agent {
public:
  DatabaseAgent(std::string path, OnMiss onMiss, std::unique_ptr<Agent> planner)
      : path(std::move(path)), onMiss(onMiss), planner(std::move(planner)) {}

  std::string name() const override { return "database"; }
  AgentRole role() const override { return AgentRole::Remembers; }
  Expected<Answer> propose(const AgentContext &context) override;

private:
  Expected<Answer> miss(const AgentContext &context, const std::string &why);

  std::string path;
  OnMiss onMiss;
  std::unique_ptr<Agent> planner;
  bool asksPlanner = false;
};
} // namespace

static Answer finish(const std::string &reason) {
  Answer answer;
  answer.finished = true;
  answer.reason = reason;
  return answer;
}

/// A chip of the same name that is not the chip of `key`.
static std::string describeNamesake(const DatabaseKey &key) {
  return key.chipHash.empty()
             ? "chip " + key.chip +
                   " without a hash of its description, as of a built-in chip"
             : "another description of chip " + key.chip;
}

/// How the nearest record differs from what was looked for.
static std::string describeNearest(const TuningDatabase &database,
                                   const AgentContext &context,
                                   const DatabaseKey &key) {
  std::string signature = accessSignature(context.model);
  std::vector<const DatabaseRecord *> near =
      database.nearest(key, signature, 1);
  if (near.empty())
    return "no record has its pattern of accesses";
  const DatabaseKey &other = near[0]->key;
  std::string differs;
  auto add = [&](bool differ, const std::string &what) {
    if (differ)
      differs += (differs.empty() ? "" : ", ") + what;
  };
  add(other.kernelHash != key.kernelHash,
      "another kernel ('" + near[0]->kernel + "')");
  add(other.grid != key.grid, "grid " + other.grid);
  add(other.chip != key.chip, "chip " + other.chip);
  add(other.chip == key.chip && other.chipHash != key.chipHash,
      describeNamesake(other));
  add(other.toolVersion != key.toolVersion, "version " + other.toolVersion);
  return "the nearest is of " + differs;
}

Expected<Answer> DatabaseAgent::miss(const AgentContext &context,
                                     const std::string &why) {
  switch (onMiss) {
  case OnMiss::Keep:
    return finish(why);
  case OnMiss::Planner:
    asksPlanner = true;
    return planner->propose(context);
  case OnMiss::Error:
    break;
  }
  return make_error<AgentError>(AgentErrorKind::DatabaseMiss, why);
}

Expected<Answer> DatabaseAgent::propose(const AgentContext &context) {
  if (asksPlanner)
    return planner->propose(context);
  if (path.empty())
    return make_error<AgentError>(
        AgentErrorKind::Configuration,
        "the agent 'database' needs a file: option 'database'");
  if (context.kernelHash.empty())
    return make_error<AgentError>(AgentErrorKind::Configuration,
                                  "the kernel has no hash to look it up by");
  Expected<TuningDatabase> database = TuningDatabase::read(path);
  if (!database)
    return make_error<AgentError>(AgentErrorKind::Configuration,
                                  toString(database.takeError()));
  DatabaseKey key = databaseKeyOf(context);
  const DatabaseRecord *record = database->find(key);
  if (!record) {
    std::string why = "the database '" + path + "' has no record of kernel " +
                      key.kernelHash + " on grid " + key.grid + ", chip " +
                      key.chip + ", version " + key.toolVersion + "; " +
                      describeNearest(*database, context, key);
    if (!database->problems().empty())
      why += "; " + std::to_string(database->problems().size()) +
             " lines could not be read, the first: " +
             database->problems().front().message;
    return miss(context, why);
  }
  if (context.round > 1)
    return finish("the database has one record of a kernel");
  std::string origin = std::string(toString(record->origin)) +
                       (record->device.empty() ? "" : " on " + record->device);
  Answer answer;
  if (record->formula.empty())
    answer = finish("the database says that nothing beat the order as it is (" +
                    origin + ")");
  answer.reasonCode = "database";
  if (record->formula.empty())
    return answer;
  Proposal proposal;
  proposal.formula = record->formula;
  if (!record->params.empty())
    proposal.params.push_back(record->params);
  proposal.change =
      "as in the database '" + path + "'" +
      (record->agent.empty() ? "" : ", found by " + record->agent);
  if (std::optional<double> gain = record->gain())
    proposal.expectation = describeGain(*gain) + " before (" +
                           toString(record->objective).str() + ", " + origin +
                           ")";
  answer.reason = proposal.change;
  if (!proposal.expectation.empty())
    answer.reason += ": " + proposal.expectation;
  answer.proposals.push_back(std::move(proposal));
  return answer;
}

std::unique_ptr<Agent> makeDatabaseAgent(std::string path, OnMiss onMiss,
                                         std::unique_ptr<Agent> planner) {
  return std::make_unique<DatabaseAgent>(std::move(path), onMiss,
                                         std::move(planner));
}

} // namespace swizzle
