//===- Recording.cpp - Exchanges that were recorded -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical request, and what to say when a question is not in a recording.
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

#include "swizzle/Records/HistoryJSON.h"
#include "swizzle/Records/RecordingFile.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace swizzle::agent {

namespace {

/// What is wrong with a recording, as an error of an agent.
Error ofRecording(Error error) {
  return makeAgentError(AgentErrorKind::Configuration,
                        toString(std::move(error)));
}

/// \name A failure as a reply
/// @{
bool isOfTheModel(AgentErrorKind kind) {
  return kind == AgentErrorKind::Truncated ||
         kind == AgentErrorKind::Filtered || kind == AgentErrorKind::Refused;
}

Expected<Usage> usageOf(const json::Object &reply) {
  if (const json::Value *value = reply.get("usage"))
    return readUsage(*value);
  return Usage();
}
/// @}

class RecordingExchange : public Exchange {
public:
  RecordingExchange(StringRef agent, const AgentOptions &options,
                    std::unique_ptr<Exchange> inner)
      : agent(agent.str()), path(options.recordPath),
        secrets(findSecrets(options)), inner(std::move(inner)) {}

  json::Object settings() const override { return inner->settings(); }

  Expected<Reply> send(const Conversation &conversation) override {
    Expected<Reply> reply = inner->send(conversation);
    json::Object entry;
    if (reply) {
      reply->text = secrets.redact(reply->text);
      entry["text"] = splitLines(reply->text);
      entry["usage"] = toJSON(reply->usage);
    } else {
      bool keep = false;
      Error error = handleErrors(
          reply.takeError(), [&](std::unique_ptr<AgentError> failure) -> Error {
            keep = isOfTheModel(failure->kind);
            entry["error"] = json::Object{
                {"kind", toString(failure->kind)},
                {"message", json::fixUTF8(secrets.redact(failure->message))}};
            entry["usage"] = toJSON(failure->usage);
            return Error(std::move(failure));
          });
      if (!keep)
        return std::move(error);
      reply = std::move(error);
    }
    Error error = write(conversation, std::move(entry));
    if (!error)
      return reply;
    // The answer was paid for all the same.
    Usage usage;
    std::string message = toString(std::move(error));
    if (reply)
      usage = reply->usage;
    else
      handleAllErrors(reply.takeError(), [&](const AgentError &failure) {
        usage = failure.usage;
        message +=
            "; what could not be recorded: " + secrets.redact(failure.message);
      });
    return makeAgentError(AgentErrorKind::Configuration, message, usage);
  }

private:
  Error write(const Conversation &conversation, json::Object reply) {
    json::Object request =
        canonicalRequest(agent, inner->settings(), conversation);
    return appendExchange(path, {secrets.redactTexts(std::move(request)),
                                 secrets.redactTexts(std::move(reply))});
  }

  std::string agent, path;
  Secrets secrets;
  std::unique_ptr<Exchange> inner;
};

/// What of a request has to agree for a replay.
json::Object comparable(const json::Object &request, bool textsOnly,
                        const Secrets &secrets) {
  json::Object result = secrets.redactTexts(request);
  // Earlier versions wrote all of it.
  if (json::Object *settings = result.getObject("settings"))
    if (const json::Value *extra = settings->get("extra");
        extra && extra->getAsObject())
      (*settings)["extra"] = hashText(toText(*extra));
  if (textsOnly) {
    result.erase("agent");
    result.erase("settings");
  }
  return result;
}

/// \name What differs
/// @{
std::vector<StringRef> linesOf(const json::Object &request, StringRef field) {
  std::vector<StringRef> lines;
  if (const json::Array *array = request.getArray(field))
    for (const json::Value &line : *array)
      lines.push_back(line.getAsString().value_or(""));
  return lines;
}

/// Number of lines of `field` that do not agree position by position.
size_t lineDistance(const json::Object &a, const json::Object &b,
                    StringRef field) {
  std::vector<StringRef> left = linesOf(a, field), right = linesOf(b, field);
  size_t common = std::min(left.size(), right.size());
  size_t distance = std::max(left.size(), right.size()) - common;
  for (size_t i = 0; i < common; ++i)
    distance += left[i] != right[i];
  return distance;
}

/// "line 12 of `user`: asked '...', recorded '...'", or the field that differs.
std::string firstDifference(const json::Object &asked,
                            const json::Object &recorded) {
  for (StringRef field : {"agent", "settings", "picture", "answer_schema"}) {
    const json::Value *a = asked.get(field), *b = recorded.get(field);
    if ((!a && !b) || (a && b && *a == *b))
      continue;
    return formatv("`{0}`: asked {1}, recorded {2}", field,
                   a ? excerpt(toText(*a), 80) : "nothing",
                   b ? excerpt(toText(*b), 80) : "nothing");
  }
  for (StringRef field : {"system", "user"}) {
    std::vector<StringRef> a = linesOf(asked, field),
                           b = linesOf(recorded, field);
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      auto show = [&](const std::vector<StringRef> &lines) {
        return i < lines.size() ? "'" + excerpt(lines[i], 100) + "'"
                                : std::string("no such line");
      };
      if (i >= a.size() || i >= b.size() || a[i] != b[i])
        return formatv("line {0} of `{1}`: asked {2}, recorded {3}", i + 1,
                       field, show(a), show(b));
    }
  }
  return "the repair turn";
}
/// @}

class ReplayExchange : public Exchange {
public:
  ReplayExchange(StringRef agent, json::Object settings, std::string path,
                 std::vector<RecordedExchange> records, Secrets secrets)
      : agent(agent.str()), ownSettings(std::move(settings)),
        path(std::move(path)), records(std::move(records)),
        secrets(std::move(secrets)) {}

  json::Object settings() const override { return ownSettings; }

  Expected<Reply> send(const Conversation &conversation) override {
    bool textsOnly = agent.empty();
    json::Object asked = comparable(
        canonicalRequest(agent, ownSettings, conversation), textsOnly, secrets);
    std::string key = requestKey(asked);
    std::vector<const RecordedExchange *> found;
    for (const RecordedExchange &record : records)
      if (comparable(record.request, textsOnly, secrets) == asked)
        found.push_back(&record);
    if (found.empty())
      return miss(asked, textsOnly);
    return read(*found[served[key]++ % found.size()]);
  }

  std::string author() const override {
    std::string name;
    for (const RecordedExchange &record : records) {
      StringRef other = record.request.getString("agent").value_or("");
      if (!name.empty() && other != name)
        return {};
      name = other.str();
    }
    return name;
  }

private:
  Expected<Reply> read(const RecordedExchange &record) const {
    Expected<Usage> spent = usageOf(record.reply);
    if (!spent)
      return makeAgentError(AgentErrorKind::Configuration,
                            record.where + ": " + toString(spent.takeError()));
    const Usage &usage = *spent;
    if (const json::Object *error = record.reply.getObject("error"))
      return makeAgentError(
          readAgentErrorKind(error->getString("kind").value_or(""))
              .value_or(AgentErrorKind::Protocol),
          error->getString("message").value_or("a recorded failure"), usage);
    std::optional<std::string> text = joinLines(record.reply.get("text"));
    if (!text)
      return makeAgentError(AgentErrorKind::Configuration,
                            record.where + ": the reply has no text");
    return Reply{std::move(*text), usage};
  }

  Error miss(const json::Object &asked, bool textsOnly) const {
    std::string message = "nothing in " + path + " answers this question; ";
    if (records.empty())
      return makeAgentError(AgentErrorKind::ReplayMiss,
                            message + "it holds no exchange at all");
    const RecordedExchange *nearest = nullptr;
    size_t least = 0;
    for (const RecordedExchange &record : records) {
      json::Object other = comparable(record.request, textsOnly, secrets);
      size_t distance = lineDistance(asked, other, "user") +
                        lineDistance(asked, other, "system");
      bool sameRepair =
          (asked.get("repair") != nullptr) == (other.get("repair") != nullptr);
      distance = 2 * distance + !sameRepair;
      if (!nearest || distance < least) {
        nearest = &record;
        least = distance;
      }
    }
    return makeAgentError(
        AgentErrorKind::ReplayMiss,
        message + "the nearest of " + Twine(records.size()) + " recorded (" +
            sys::path::filename(nearest->where) + ") differs in " +
            firstDifference(asked,
                            comparable(nearest->request, textsOnly, secrets)));
  }

  std::string agent;
  json::Object ownSettings;
  std::string path;
  std::vector<RecordedExchange> records;
  Secrets secrets;
  std::map<std::string, size_t> served;
};

} // namespace

json::Object canonicalRequest(StringRef agent, const json::Object &settings,
                              const Conversation &conversation) {
  const Prompt &prompt = conversation.prompt;
  json::Object request{{"agent", agent},
                       {"settings", json::Object(settings)},
                       {"system", splitLines(prompt.system)},
                       {"user", splitLines(prompt.user)}};
  if (Expected<json::Value> schema = parseJson(prompt.schema)) {
    request["answer_schema"] = std::move(*schema);
  } else {
    // Somebody's own text, which need not be JSON, is kept as text.
    consumeError(schema.takeError());
    request["answer_schema"] = splitLines(prompt.schema);
  }
  if (!prompt.picture.empty())
    request["picture"] =
        "sha256:" + toHex(SHA256::hash(arrayRefFromStringRef(prompt.picture)),
                          /*LowerCase=*/true);
  if (conversation.repair)
    request["repair"] =
        json::Object{{"answer", splitLines(conversation.repair->answer)},
                     {"text", splitLines(conversation.repair->text)}};
  return request;
}

Expected<std::unique_ptr<Exchange>>
recordExchange(StringRef agent, const AgentOptions &options,
               std::unique_ptr<Exchange> inner) {
  if (Error error = checkRecording(options.recordPath))
    return ofRecording(std::move(error));
  return std::make_unique<RecordingExchange>(agent, options, std::move(inner));
}

Expected<std::unique_ptr<Exchange>>
replayExchange(StringRef agent, json::Object settings,
               const AgentOptions &options) {
  const std::string &path = options.replayPath;
  Expected<std::vector<RecordedExchange>> records = readRecording(path);
  if (!records)
    return ofRecording(records.takeError());
  return std::make_unique<ReplayExchange>(agent, std::move(settings), path,
                                          std::move(*records),
                                          findSecrets(options));
}

} // namespace swizzle::agent
