//===- HistoryJSON.cpp - Attempts and answers as JSON ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts of a measurement keep the names that `swizzle-sim --json` gives them.
// Reading goes through llvm::json's ObjectMapper, which reports the path of the
// first field that does not fit.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/HistoryJSON.h"

#include "swizzle/Metrics/MetricsJSON.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

json::Value toJSONText(StringRef text) {
  return json::isUTF8(text) ? json::Value(text.str())
                            : json::Value(json::fixUTF8(text));
}

json::Object toJSON(const ParamValues &params) {
  json::Object object;
  for (const auto &[name, value] : params)
    object[name] = value;
  return object;
}

json::Object toJSON(const Metrics &metrics) {
  // What the writer prints is JSON; text that is not UTF-8 is mended by it.
  json::Value value = cantFail(json::parse(writeMetrics(metrics)));
  json::Object object = std::move(*value.getAsObject());
  json::Array defaults;
  for (const std::string &line : metrics.defaults)
    defaults.push_back(toJSONText(line));
  object["defaults"] = std::move(defaults);
  return object;
}

json::Object toJSON(const HardwareConstants &constants) {
  json::Object object;
  for (const auto &[name, value] : constants)
    if (value)
      object[name] = *value;
  return object;
}

json::Array toJSON(const Grid &grid) {
  json::Array array;
  for (int64_t extent : grid.extent)
    array.push_back(extent == kUnknownExtent ? json::Value(nullptr)
                                             : json::Value(extent));
  return array;
}

json::Object toJSON(const Usage &usage) {
  return json::Object{{"requests", usage.requests},
                      {"input_tokens", usage.inputTokens},
                      {"output_tokens", usage.outputTokens},
                      {"money", usage.money},
                      {"estimated", usage.estimated}};
}

json::Object toJSON(const Proposal &proposal) {
  json::Array params;
  for (const ParamValues &set : proposal.params)
    params.push_back(toJSON(set));
  return json::Object{{"formula", toJSONText(proposal.formula)},
                      {"params", std::move(params)},
                      {"critique", toJSONText(proposal.critique)},
                      {"limits", toJSONText(proposal.limits)},
                      {"change", toJSONText(proposal.change)},
                      {"expectation", toJSONText(proposal.expectation)}};
}

json::Object toJSON(const Answer &answer) {
  json::Array proposals;
  for (const Proposal &proposal : answer.proposals)
    proposals.push_back(toJSON(proposal));
  return json::Object{{"proposals", std::move(proposals)},
                      {"finished", answer.finished},
                      {"reason", toJSONText(answer.reason)},
                      {"usage", toJSON(answer.usage)}};
}

/// Figures that nobody told are left out.
static json::Object toJSON(const TriedSet &set) {
  json::Object object{{"params", toJSON(set.params)}};
  if (!set.measured()) {
    object["error"] = toJSONText(set.error);
    return object;
  }
  object["fidelity"] = toString(set.fidelity);
  object["time_us"] = set.timeUs;
  if (set.dramBytes)
    object["dram_bytes"] = *set.dramBytes;
  if (set.l2HitRate)
    object["l2_hit_rate"] = *set.l2HitRate;
  if (set.noise)
    object["noise"] = *set.noise;
  if (!set.bound.empty())
    object["bound"] = toJSONText(set.bound);
  return object;
}

json::Object toJSON(const Attempt &attempt) {
  json::Array sets;
  for (const TriedSet &set : attempt.sets)
    sets.push_back(toJSON(set));
  json::Object object{{"number", attempt.number},
                      {"round", attempt.round},
                      {"agent", toJSONText(attempt.agent)},
                      {"formula", toJSONText(attempt.formula)},
                      {"params", toJSON(attempt.params)},
                      {"status", toString(attempt.status)},
                      {"code", toJSONText(attempt.code)},
                      {"message", toJSONText(attempt.message)},
                      {"counterexample", toJSONText(attempt.counterexample)},
                      {"same_as", attempt.sameAs},
                      {"measurement", nullptr},
                      {"best", attempt.best},
                      {"sets", std::move(sets)},
                      {"evaluations", attempt.evaluations},
                      {"unchecked", attempt.unchecked},
                      {"critique", toJSONText(attempt.critique)},
                      {"limits", toJSONText(attempt.limits)},
                      {"change", toJSONText(attempt.change)},
                      {"expectation", toJSONText(attempt.expectation)}};
  if (attempt.measurement)
    object["measurement"] = toJSON(*attempt.measurement);
  return object;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Runs `read(mapper)` on an object and turns its complaint into an error.
template <typename T, typename Function>
Expected<T> readObject(const json::Value &value, StringRef what,
                       Function read) {
  json::Path::Root root(what);
  json::ObjectMapper mapper(value, root);
  T result;
  if (mapper && read(mapper, result))
    return result;
  return root.getError();
}

/// More than any count, price or time can be; sums of such are finite.
constexpr double kMostFigure = 1e18;

/// Refuses figures, each with its name, that are no number from 0 to `most`.
Error checkFigures(
    std::initializer_list<std::pair<StringRef, std::optional<double>>> figures,
    double most = kMostFigure) {
  for (auto [name, figure] : figures)
    if (figure && !(*figure >= 0 && *figure <= most))
      return createStringError("'" + name + "' cannot be " +
                               formatv("{0}", *figure).str());
  return Error::success();
}

/// The enumerator, counted from 0, that `toString` calls `text`.
template <typename Enum>
std::optional<Enum> findByName(StringRef text, Enum last) {
  for (unsigned i = 0; i <= unsigned(last); ++i)
    if (toString(Enum(i)) == text)
      return Enum(i);
  return std::nullopt;
}
} // namespace

std::optional<AttemptStatus> readAttemptStatus(StringRef text) {
  if (text == "measured") // what older journals say, also of simulations
    return AttemptStatus::Profiled;
  return findByName(text, AttemptStatus::Profiled);
}

std::optional<AgentErrorKind> readAgentErrorKind(StringRef text) {
  return findByName(text, AgentErrorKind::Configuration);
}

std::optional<Objective> readObjective(StringRef text) {
  return findByName(text, Objective::Energy);
}

Expected<ParamValues> readParams(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError("params: expected an object of integers");
  ParamValues params;
  for (const auto &[name, number] : *object) {
    std::optional<int64_t> integer = number.getAsInteger();
    if (!integer)
      return createStringError("params." + Twine(name.str()) +
                               ": expected an integer");
    params[name.str()] = *integer;
  }
  return params;
}

Expected<Metrics> readMetrics(const json::Value &value) {
  Metrics metrics;
  std::string wrong = readMetrics(std::string(formatv("{0}", value)), metrics);
  if (!wrong.empty())
    return createStringError("measurement." + wrong);
  return metrics;
}

Expected<Usage> readUsage(const json::Value &value) {
  Expected<Usage> usage = readObject<Usage>(
      value, "usage", [](json::ObjectMapper &mapper, Usage &usage) {
        return mapper.map("requests", usage.requests) &&
               mapper.map("input_tokens", usage.inputTokens) &&
               mapper.map("output_tokens", usage.outputTokens) &&
               mapper.map("money", usage.money) &&
               mapper.map("estimated", usage.estimated);
      });
  if (usage)
    if (Error error =
            checkFigures({{"input_tokens", double(usage->inputTokens)},
                          {"output_tokens", double(usage->outputTokens)},
                          {"money", usage->money}}))
      return std::move(error);
  return usage;
}

static Expected<Proposal> readProposal(const json::Value &value) {
  Expected<Proposal> result = readObject<Proposal>(
      value, "proposal", [](json::ObjectMapper &mapper, Proposal &proposal) {
        return mapper.map("formula", proposal.formula) &&
               mapper.map("critique", proposal.critique) &&
               mapper.map("limits", proposal.limits) &&
               mapper.map("change", proposal.change) &&
               mapper.map("expectation", proposal.expectation);
      });
  if (!result)
    return result;
  const json::Array *sets = value.getAsObject()->getArray("params");
  if (!sets)
    return createStringError("proposal.params: expected an array");
  for (const json::Value &set : *sets) {
    Expected<ParamValues> params = readParams(set);
    if (!params)
      return params.takeError();
    result->params.push_back(std::move(*params));
  }
  return result;
}

Expected<Answer> readRecordedAnswer(const json::Value &value) {
  Expected<Answer> result = readObject<Answer>(
      value, "answer", [](json::ObjectMapper &mapper, Answer &answer) {
        return mapper.map("finished", answer.finished) &&
               mapper.map("reason", answer.reason);
      });
  if (!result)
    return result;
  const json::Object &object = *value.getAsObject();
  const json::Array *proposals = object.getArray("proposals");
  const json::Value *usage = object.get("usage");
  if (!proposals || !usage)
    return createStringError("answer: expected proposals and usage");
  for (const json::Value &one : *proposals) {
    Expected<Proposal> proposal = readProposal(one);
    if (!proposal)
      return proposal.takeError();
    result->proposals.push_back(std::move(*proposal));
  }
  Expected<Usage> spent = readUsage(*usage);
  if (!spent)
    return spent.takeError();
  result->usage = *spent;
  return result;
}

static Expected<TriedSet> readSet(const json::Value &value) {
  std::string fidelity = "search";
  Expected<TriedSet> set = readObject<TriedSet>(
      value, "set", [&](json::ObjectMapper &mapper, TriedSet &set) {
        return mapper.mapOptional("fidelity", fidelity) &&
               mapper.mapOptional("time_us", set.timeUs) &&
               mapper.map("dram_bytes", set.dramBytes) &&
               mapper.map("l2_hit_rate", set.l2HitRate) &&
               mapper.map("noise", set.noise) &&
               mapper.mapOptional("bound", set.bound) &&
               mapper.mapOptional("error", set.error);
      });
  if (!set)
    return set;
  if (Error error = checkFigures({{"time_us", set->timeUs},
                                  {"dram_bytes", set->dramBytes},
                                  {"noise", set->noise}}))
    return std::move(error);
  if (Error error = checkFigures({{"l2_hit_rate", set->l2HitRate}}, 1))
    return std::move(error);
  const json::Value *params = value.getAsObject()->get("params");
  std::optional<Fidelity> read = readFidelity(fidelity);
  if (!params || !read)
    return createStringError("set: expected params, and a known fidelity");
  set->fidelity = *read;
  Expected<ParamValues> values = readParams(*params);
  if (!values)
    return values.takeError();
  set->params = std::move(*values);
  return set;
}

Expected<Attempt> readAttempt(const json::Value &value) {
  Expected<Attempt> result = readObject<Attempt>(
      value, "attempt", [](json::ObjectMapper &mapper, Attempt &attempt) {
        return mapper.map("number", attempt.number) &&
               mapper.map("round", attempt.round) &&
               mapper.map("agent", attempt.agent) &&
               mapper.map("formula", attempt.formula) &&
               mapper.map("code", attempt.code) &&
               mapper.map("message", attempt.message) &&
               mapper.map("counterexample", attempt.counterexample) &&
               mapper.map("same_as", attempt.sameAs) &&
               mapper.map("best", attempt.best) &&
               mapper.map("evaluations", attempt.evaluations) &&
               mapper.map("unchecked", attempt.unchecked) &&
               mapper.map("critique", attempt.critique) &&
               mapper.map("limits", attempt.limits) &&
               mapper.map("change", attempt.change) &&
               mapper.map("expectation", attempt.expectation);
      });
  if (!result)
    return result;
  const json::Object &object = *value.getAsObject();
  std::optional<AttemptStatus> status =
      readAttemptStatus(object.getString("status").value_or(""));
  const json::Value *params = object.get("params");
  const json::Value *measurement = object.get("measurement");
  if (!status || !params || !measurement)
    return createStringError("attempt: expected status, params, measurement");
  result->status = *status;
  Expected<ParamValues> values = readParams(*params);
  if (!values)
    return values.takeError();
  result->params = std::move(*values);
  // Files of earlier versions have none.
  if (const json::Array *sets = object.getArray("sets"))
    for (const json::Value &one : *sets) {
      Expected<TriedSet> set = readSet(one);
      if (!set)
        return set.takeError();
      result->sets.push_back(std::move(*set));
    }
  if (measurement->kind() != json::Value::Null) {
    Expected<Metrics> measured = readMetrics(*measurement);
    if (!measured)
      return measured.takeError();
    result->measurement = std::move(*measured);
  }
  return result;
}

} // namespace swizzle
