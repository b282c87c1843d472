//===- KernelJournal.cpp - The records about one kernel -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers are replayed in the order in which they came; builds and measurements
// by the key of the order that they are about. A loop that asks for something
// that the journal does not have has left it behind, and goes on for real.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/Journal.h"

#include "swizzle/Records/HistoryJSON.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace swizzle {

bool KernelJournal::broken() const { return !journal.failure.empty(); }

//===----------------------------------------------------------------------===//
// Replay
//===----------------------------------------------------------------------===//

/// True of failures that are not the model's: what is wrong may be mended when
/// the run goes on, be it the network, a key or a program.
static bool mayBeMended(const RecordedAnswer &answer) {
  // What comes of this question, whenever it is asked.
  constexpr AgentErrorKind ofQuestion[] = {
      AgentErrorKind::BadRequest, AgentErrorKind::ContextTooLong,
      AgentErrorKind::Protocol,   AgentErrorKind::Truncated,
      AgentErrorKind::Filtered,   AgentErrorKind::Refused,
      AgentErrorKind::Schema,     AgentErrorKind::TooLarge,
      AgentErrorKind::Planner,    AgentErrorKind::Cancelled};
  return !answer.answer && !llvm::is_contained(ofQuestion, answer.errorKind);
}

/// Forgets the failures that the recorded answers end with.
bool KernelJournal::forgetFailures() {
  bool any = false;
  for (; !answers.empty() && mayBeMended(answers.back()); any = true)
    answers.pop_back();
  return any;
}

const RecordedAnswer *KernelJournal::takeAnswer(unsigned round,
                                                StringRef agent) {
  // A run that was cut off goes on as it would have; one that ended so does not
  // have to end so again.
  if (ended && llvm::all_of(answers, mayBeMended) && forgetFailures()) {
    // From here on attempts are others than those that were recorded.
    again = true;
    attempts = told;
  }
  if (!answers.empty() && answers.front().round == round &&
      answers.front().agent == agent) {
    current = std::move(answers.front());
    answers.pop_front();
    replayed(current->elapsed);
    return &*current;
  }
  stopReplaying();
  return nullptr;
}

const RecordedBuild *KernelJournal::takeBuild(const std::string &key) {
  auto it = builds.find(key);
  if (it == builds.end()) {
    stopReplaying();
    return nullptr;
  }
  replayed(it->second.elapsed);
  return &it->second;
}

const RecordedMeasurement *
KernelJournal::takeMeasurement(const std::string &key, Fidelity fidelity) {
  auto it = measurements.find({key, fidelity});
  if (it == measurements.end()) {
    stopReplaying();
    return nullptr;
  }
  replayed(it->second.elapsed);
  return &it->second;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void KernelJournal::keep(const RecordedAnswer &answer) {
  json::Object record{
      {"type", "answer"},          {"kernel", toJSONText(kernel)},
      {"round", answer.round},     {"agent", answer.agent},
      {"seconds", answer.seconds}, {"elapsed", answer.elapsed},
      {"answer", nullptr},         {"error", nullptr}};
  if (std::exchange(again, false))
    record["again"] = true;
  if (answer.answer)
    record["answer"] = toJSON(*answer.answer);
  else
    record["error"] = json::Object{{"kind", toString(answer.errorKind)},
                                   {"message", toJSONText(answer.errorMessage)},
                                   {"usage", toJSON(answer.usage)}};
  journal.append(std::move(record), /*force=*/true);
}

void KernelJournal::keep(const std::string &key, const RecordedBuild &build) {
  const BuildVerdict &result = build.result;
  journal.append(json::Object{{"type", "build"},
                              {"kernel", toJSONText(kernel)},
                              {"order", toJSONText(key)},
                              {"status", toString(result.status)},
                              {"code", toJSONText(result.code)},
                              {"message", toJSONText(result.message)},
                              {"unchecked", result.unchecked},
                              {"check_seconds", result.checkSeconds},
                              {"seconds", build.seconds},
                              {"elapsed", build.elapsed}},
                 /*force=*/false);
}

void KernelJournal::keep(const std::string &key, Fidelity fidelity,
                         const RecordedMeasurement &measurement) {
  json::Object record{{"type", "evaluation"},
                      {"kernel", toJSONText(kernel)},
                      {"order", toJSONText(key)},
                      {"fidelity", toString(fidelity)},
                      {"measurement", nullptr},
                      {"error", toJSONText(measurement.error)},
                      {"seconds", measurement.seconds},
                      {"elapsed", measurement.elapsed}};
  bool force = false;
  if (measurement.measurement) {
    record["measurement"] = toJSON(*measurement.measurement);
    // A simulation is cheaper than waiting for the disk.
    force = measurement.measurement->from.origin == Origin::Measured;
  }
  journal.append(std::move(record), force);
}

void KernelJournal::keep(const RecordedKernel &kernel) {
  if (described)
    return;
  described = true;
  const DatabaseRecord &about = kernel.about;
  journal.append(
      json::Object{{"type", "kernel"},
                   {"kernel", toJSONText(this->kernel)},
                   {"about", cantFail(json::parse(printRecord(about)))},
                   {"objective", toString(about.objective)},
                   {"objective_reason", toJSONText(kernel.objectiveReason)},
                   {"baseline", toJSON(kernel.baseline)},
                   {"grid", toJSON(kernel.grid)},
                   {"model_grid", toJSON(kernel.modelGrid)},
                   {"constants", toJSON(kernel.constants)}},
      /*force=*/false);
}

void KernelJournal::keep(const Attempt &attempt) {
  told = attempt.number;
  if (attempt.number <= attempts)
    return;
  attempts = attempt.number;
  journal.append(json::Object{{"type", "attempt"},
                              {"kernel", toJSONText(kernel)},
                              {"attempt", toJSON(attempt)}},
                 /*force=*/false);
}

void KernelJournal::keep(const RecordedEnd &end) {
  json::Object record{{"type", "end"},
                      {"kernel", toJSONText(kernel)},
                      {"end", end.end},
                      {"reason", toJSONText(end.reason)},
                      {"best", end.best},
                      {"rounds", end.rounds},
                      {"evaluations", end.evaluations},
                      {"usage", toJSON(end.usage)},
                      {"elapsed", end.elapsed}};
  journal.append(std::move(record), /*force=*/true);
}

/// Of a record of what was measured, all but when it was written.
static std::string textOfMeasured(const json::Object &record) {
  json::Object told;
  for (StringRef key : {"best", "measured", "attempts"})
    if (const json::Value *value = record.get(key))
      told[key] = *value;
  return formatv("{0}", json::Value(std::move(told)));
}

void KernelJournal::keepMeasured(json::Object measured, unsigned best,
                                 ArrayRef<Attempt> added) {
  json::Array attempts;
  for (const Attempt &attempt : added)
    attempts.push_back(toJSON(attempt));
  json::Object record{{"type", "measured"},
                      {"kernel", toJSONText(kernel)},
                      {"best", best},
                      {"measured", std::move(measured)},
                      {"attempts", std::move(attempts)}};
  std::string text = textOfMeasured(record);
  if (text == this->measured)
    return;
  this->measured = std::move(text);
  journal.append(std::move(record), /*force=*/true);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error missing(StringRef what) {
  return createStringError("the record has no valid '" + what + "'");
}

/// A duration, 0 if there is none.
static Error readSeconds(const json::Object &record, StringRef key,
                         double &into) {
  constexpr double most = 1e18; // sums of such are finite
  into = record.getNumber(key).value_or(0);
  return into >= 0 && into <= most ? Error::success() : missing(key);
}

static Error readAnswerRecord(const json::Object &record,
                              RecordedAnswer &answer) {
  std::optional<int64_t> round = record.getInteger("round");
  std::optional<StringRef> agent = record.getString("agent");
  if (!round || !agent)
    return missing(round ? "agent" : "round");
  answer.round = unsigned(*round);
  answer.agent = agent->str();
  if (const json::Object *error = record.getObject("error")) {
    std::optional<AgentErrorKind> kind =
        readAgentErrorKind(error->getString("kind").value_or(""));
    const json::Value *usage = error->get("usage");
    if (!kind || !usage)
      return missing("error");
    Expected<Usage> spent = readUsage(*usage);
    if (!spent)
      return spent.takeError();
    answer.errorKind = *kind;
    answer.errorMessage = error->getString("message").value_or("").str();
    answer.usage = *spent;
    return Error::success();
  }
  const json::Value *value = record.get("answer");
  if (!value)
    return missing("answer");
  Expected<Answer> read = readRecordedAnswer(*value);
  if (!read)
    return read.takeError();
  answer.usage = read->usage;
  answer.answer = std::move(*read);
  return Error::success();
}

static Error readBuildRecord(const json::Object &record, RecordedBuild &build) {
  std::optional<AttemptStatus> status =
      readAttemptStatus(record.getString("status").value_or(""));
  if (!status)
    return missing("status");
  build.result.status = *status;
  build.result.code = record.getString("code").value_or("").str();
  build.result.message = record.getString("message").value_or("").str();
  build.result.unchecked = record.getBoolean("unchecked").value_or(false);
  return readSeconds(record, "check_seconds", build.result.checkSeconds);
}

static Error readMeasurementRecord(const json::Object &record,
                                   RecordedMeasurement &result) {
  result.error = record.getString("error").value_or("").str();
  const json::Value *value = record.get("measurement");
  if (!value)
    return missing("measurement");
  if (value->kind() == json::Value::Null)
    return Error::success();
  Expected<Metrics> measurement = readMetrics(*value);
  if (!measurement)
    return measurement.takeError();
  result.measurement = std::move(*measurement);
  return Error::success();
}

Error KernelJournal::read(StringRef type, const json::Object &record) {
  auto readTimes = [&](auto &into) -> Error {
    if (Error error = readSeconds(record, "seconds", into.seconds))
      return error;
    return readSeconds(record, "elapsed", into.elapsed);
  };
  if (type == "kernel") {
    described = true;
    return Error::success();
  }
  if (type == "attempt") {
    const json::Object *attempt = record.getObject("attempt");
    if (!attempt)
      return missing("attempt");
    // The last one: those of questions that were asked again are told again.
    attempts = attempt->getInteger("number").value_or(0);
    return Error::success();
  }
  if (type == "measured") {
    measured = textOfMeasured(record);
    return Error::success();
  }
  if (type == "end")
    ended = true;
  if (type == "answer") {
    ended = false;
    RecordedAnswer answer;
    if (Error error = readAnswerRecord(record, answer))
      return error;
    if (Error error = readTimes(answer))
      return error;
    if (record.getBoolean("again").value_or(false))
      forgetFailures();
    answers.push_back(std::move(answer));
    ++pending;
    return Error::success();
  }
  if (type != "build" && type != "evaluation")
    return Error::success();
  std::optional<StringRef> key = record.getString("order");
  if (!key)
    return missing("order");
  ++pending;
  if (type == "build") {
    RecordedBuild build;
    if (Error error = readBuildRecord(record, build))
      return error;
    if (Error error = readTimes(build))
      return error;
    builds[key->str()] = std::move(build);
    return Error::success();
  }
  std::optional<Fidelity> fidelity =
      readFidelity(record.getString("fidelity").value_or(""));
  if (!fidelity)
    return missing("fidelity");
  RecordedMeasurement measurement;
  if (Error error = readMeasurementRecord(record, measurement))
    return error;
  if (Error error = readTimes(measurement))
    return error;
  measurements[{key->str(), *fidelity}] = std::move(measurement);
  return Error::success();
}

} // namespace swizzle
