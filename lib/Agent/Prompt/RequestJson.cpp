//===- RequestJson.cpp - What a command is told ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context as data, for programs that would rather not read a prompt. It
// says no more than the prompt does: without hardware facts in the one
// (`context=none`) there are none in the other.
//
//===----------------------------------------------------------------------===//

#include "Exchange/Exchange.h"

#include "swizzle/Records/HistoryJSON.h"
#include "llvm/Support/Base64.h"
#include <cmath>

using namespace llvm;

namespace swizzle::agent {

namespace {

std::string utf8(StringRef text) { return json::fixUTF8(text); }

json::Array gridJson(const Grid &grid) {
  json::Array extents;
  for (unsigned axis = 0; axis < 3; ++axis)
    extents.push_back(grid[axis] == kUnknownExtent ? json::Value(nullptr)
                                                   : json::Value(grid[axis]));
  return extents;
}

/// JSON has no infinity.
json::Value orNull(std::optional<double> number) {
  if (!number || !std::isfinite(*number))
    return nullptr;
  return *number;
}

/// As in the prompt: without facts about hardware in whole bytes, as the size
/// of a line is one.
json::Array reuseJson(const AgentContext &context) {
  bool none =
      context.mode == ContextMode::None && !context.reuse.buffers.empty();
  json::Array rows;
  for (const BufferReuse &reuse :
       none ? analyseReuse(context.model, 1).buffers : context.reuse.buffers)
    rows.push_back(utf8(describe(context.model, reuse)));
  return rows;
}

json::Object chipJson(const AgentContext &context) {
  json::Object constants;
  for (const auto &[name, value] : context.environment.hardware)
    constants[name] = value ? json::Value(*value) : json::Value(nullptr);
  return json::Object{{"name", utf8(context.hardware.name)},
                      {"description", utf8(context.hardware.description)},
                      {"constants", std::move(constants)}};
}

json::Object contextJson(const AgentContext &context) {
  bool none = context.mode == ContextMode::None;
  json::Array history, nearest;
  auto anonymous = [&](Metrics measurement) {
    if (none) {
      measurement.from.device.clear();
      // "l2_ways of b200 unknown: 16 assumed".
      measurement.defaults.clear();
    }
    return measurement;
  };
  for (Attempt attempt : context.history) {
    if (attempt.measurement)
      attempt.measurement = anonymous(*attempt.measurement);
    history.push_back(toJSON(attempt));
  }
  for (const NearRecord &record :
       none ? ArrayRef<NearRecord>() : ArrayRef(context.nearest))
    nearest.push_back(json::Object{{"kernel", utf8(record.kernel)},
                                   {"grid", utf8(record.grid)},
                                   {"chip", utf8(record.chip)},
                                   {"formula", utf8(record.formula)},
                                   {"params", toJSON(record.params)},
                                   {"gain", orNull(record.gain)},
                                   {"origin", utf8(record.origin)}});
  json::Object object{{"module", utf8(context.module)},
                      {"kernel", utf8(context.kernel)},
                      {"kernel_text", utf8(context.kernelText)},
                      {"grid", gridJson(context.environment.grid)},
                      {"block", gridJson(context.model.block)},
                      {"reuse", reuseJson(context)},
                      {"objective", toString(context.objective)},
                      {"baseline", toJSON(anonymous(context.baseline))},
                      {"bottleneck", utf8(context.bottleneck)},
                      {"history", std::move(history)},
                      {"nearest", std::move(nearest)},
                      {"best", context.best},
                      {"round", context.round},
                      {"rounds", context.rounds},
                      {"proposals", context.proposals},
                      {"hint", utf8(context.hint)},
                      {"mode", toString(context.mode)}};
  if (context.mode == ContextMode::Filtered)
    object["chip"] = chipJson(context);
  else
    object["chip"] = nullptr;
  if (context.mode == ContextMode::Manual)
    object["manual"] = utf8(context.manual);
  return object;
}

} // namespace

json::Object toRequestJson(const Conversation &conversation) {
  const Prompt &prompt = conversation.prompt;
  json::Object request{{"schema", "swizzle-request/1"},
                       {"prompt", json::Object{{"system", utf8(prompt.system)},
                                               {"user", utf8(prompt.user)}}},
                       {"answer_schema", nullptr},
                       {"context", contextJson(conversation.context)}};
  if (!prompt.picture.empty())
    request["picture"] = encodeBase64(prompt.picture);
  if (conversation.repair)
    request["repair"] =
        json::Object{{"answer", utf8(conversation.repair->answer)},
                     {"error", utf8(conversation.repair->error)},
                     {"text", utf8(conversation.repair->text)}};
  return request;
}

} // namespace swizzle::agent
