//===- Recording.cpp - Exchanges that were recorded -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical request, the store, and what to say when a question is not in
// it.
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "swizzle/Support/Json.h"
#include "Secrets.h"

#include "swizzle/Records/HistoryJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace swizzle {

namespace {

constexpr StringLiteral kSchema = "swizzle-exchange/1";

std::string sha256(StringRef text) {
  return toHex(SHA256::hash(arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

bool isFile(StringRef path) { return path.ends_with(".jsonl"); }

/// One recorded exchange.
struct Record {
  json::Object request, reply;
  std::string where; ///< file, or file and line, for messages
};

/// \name Reading the store
/// @{
Error readRecord(StringRef text, const std::string &where,
                 std::vector<Record> &records) {
  auto fail = [&](const Twine &what) {
    return makeAgentError(AgentErrorKind::Configuration, where + ": " + what);
  };
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return fail(toString(value.takeError()));
  json::Object *object = value->getAsObject();
  if (!object || object->getString("schema") != StringRef(kSchema))
    return fail("no recorded exchange of schema " + kSchema);
  json::Object *request = object->getObject("request");
  json::Object *reply = object->getObject("reply");
  if (!request || !reply)
    return fail("an exchange without request or reply");
  records.push_back({std::move(*request), std::move(*reply), where});
  return Error::success();
}

Expected<std::string> readFile(const Twine &path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return makeAgentError(AgentErrorKind::Configuration,
                          "cannot read the recording " + path + ": " +
                              buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Expected<std::vector<Record>> readLines(StringRef path) {
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  std::vector<Record> records;
  SmallVector<StringRef> lines;
  StringRef(*text).split(lines, '\n');
  for (auto [index, line] : enumerate(lines)) {
    if (line.trim().empty())
      continue;
    Error error =
        readRecord(line, (path + ":" + Twine(index + 1)).str(), records);
    // The last line is torn if the recorder was killed while it wrote.
    bool torn = index + 1 == lines.size();
    if (error && !torn)
      return std::move(error);
    consumeError(std::move(error));
  }
  return records;
}

Expected<std::vector<Record>> readFolder(StringRef path) {
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::directory_iterator it(path, code), end; it != end && !code;
       it.increment(code))
    if (StringRef(it->path()).ends_with(".json"))
      files.push_back(it->path());
  if (code)
    return makeAgentError(AgentErrorKind::Configuration,
                          "cannot read the recording " + path + ": " +
                              code.message());
  // "KEY.json", "KEY-2.json", ..., "KEY-10.json": shorter names come first.
  llvm::sort(files, [](const std::string &a, const std::string &b) {
    return std::make_pair(a.size(), StringRef(a)) <
           std::make_pair(b.size(), StringRef(b));
  });
  std::vector<Record> records;
  for (const std::string &file : files) {
    Expected<std::string> text = readFile(file);
    if (!text)
      return text.takeError();
    if (Error error = readRecord(*text, file, records))
      return std::move(error);
  }
  return records;
}
/// @}

/// \name Writing the store
/// @{
Error writeError(const Twine &path, const Twine &why) {
  return makeAgentError(AgentErrorKind::Configuration,
                        "cannot write the recording " + path + ": " + why);
}

/// Fails if no recording can be written to `path`, as far as that can be told
/// before anybody is asked.
Error checkStore(StringRef path) {
  // A file is appended to, or made in its folder; a folder is made, with those
  // above it.
  StringRef where = path;
  bool append = isFile(path) && sys::fs::exists(path);
  if (isFile(path) && !append)
    where = sys::path::parent_path(path);
  while (!isFile(path) && !where.empty() && !sys::fs::exists(where))
    where = sys::path::parent_path(where);
  if (where.empty())
    where = ".";
  std::error_code code = sys::fs::access(where, sys::fs::AccessMode::Write);
  if (!code && append && sys::fs::is_directory(where))
    code = make_error_code(std::errc::is_a_directory);
  if (!code && !append && !sys::fs::is_directory(where))
    code = make_error_code(std::errc::not_a_directory);
  return code ? writeError(path, code.message()) : Error::success();
}

/// Appends one line with one write, under a lock.
Error appendLine(const std::string &path, const std::string &line) {
  int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return writeError(path, llvm::sys::StrError());
  ::flock(fd, LOCK_EX);
  off_t end = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  std::string text = line + "\n";
  // A torn line of a recorder that was killed stays a line of its own.
  if (end > 0 && ::pread(fd, &last, 1, end - 1) == 1 && last != '\n')
    text = "\n" + text;
  bool written = ::write(fd, text.data(), text.size()) == ssize_t(text.size());
  std::string why = llvm::sys::StrError();
  written &= ::close(fd) == 0;
  return written ? Error::success() : writeError(path, why);
}

/// Writes to a new file, the first of KEY.json, KEY-2.json, ... that is free.
Error writeNewFile(StringRef folder, StringRef key, const std::string &text) {
  if (std::error_code code = sys::fs::create_directories(folder))
    return writeError(folder, code.message());
  for (unsigned number = 1; number < 100000; ++number) {
    SmallString<256> path(folder);
    sys::path::append(path, key.take_front(16) +
                                (number == 1 ? "" : "-" + Twine(number).str()) +
                                ".json");
    SmallString<256> temporary(folder);
    sys::path::append(temporary, ".swizzle-%%%%%%%%");
    Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(temporary);
    if (!file)
      return writeError(path, toString(file.takeError()));
    {
      raw_fd_ostream os(file->FD, /*shouldClose=*/false);
      os << text;
    }
    // A link does not replace a file that another process wrote meanwhile.
    bool linked = ::link(file->TmpName.c_str(), path.c_str()) == 0;
    int reason = errno;
    // The link is what counts; a file that is left over has a name of its own.
    consumeError(file->discard());
    if (linked)
      return Error::success();
    if (reason != EEXIST)
      return writeError(path, llvm::sys::StrError(reason));
  }
  return writeError(folder, "too many recordings of one question");
}
/// @}

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
      : agent(agent.str()), path(options.recordPath), secrets(options),
        inner(std::move(inner)) {}

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
    std::string key = requestKey(request);
    json::Value entry = json::Object{{"schema", kSchema},
                                     {"key", key},
                                     {"request", std::move(request)},
                                     {"reply", std::move(reply)}};
    if (isFile(path))
      return appendLine(path, toText(entry));
    return writeNewFile(path, key, formatv("{0:2}\n", entry));
  }

  std::string agent, path;
  Secrets secrets;
  std::unique_ptr<Exchange> inner;
};

/// What of a request has to agree for a replay.
json::Object comparable(const json::Object &request, bool textsOnly) {
  json::Object result = request;
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
                 std::vector<Record> records)
      : agent(agent.str()), ownSettings(std::move(settings)),
        path(std::move(path)), records(std::move(records)) {}

  json::Object settings() const override { return ownSettings; }

  Expected<Reply> send(const Conversation &conversation) override {
    bool textsOnly = agent.empty();
    json::Object asked = comparable(
        canonicalRequest(agent, ownSettings, conversation), textsOnly);
    std::string key = requestKey(asked);
    std::vector<const Record *> found;
    for (const Record &record : records)
      if (comparable(record.request, textsOnly) == asked)
        found.push_back(&record);
    if (found.empty())
      return miss(asked, textsOnly);
    return read(*found[served[key]++ % found.size()]);
  }

  std::string author() const override {
    std::string name;
    for (const Record &record : records) {
      StringRef other = record.request.getString("agent").value_or("");
      if (!name.empty() && other != name)
        return {};
      name = other.str();
    }
    return name;
  }

private:
  Expected<Reply> read(const Record &record) const {
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
    const Record *nearest = nullptr;
    size_t least = 0;
    for (const Record &record : records) {
      json::Object other = comparable(record.request, textsOnly);
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
            firstDifference(asked, comparable(nearest->request, textsOnly)));
  }

  std::string agent;
  json::Object ownSettings;
  std::string path;
  std::vector<Record> records;
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
    request["picture"] = "sha256:" + sha256(prompt.picture);
  if (conversation.repair)
    request["repair"] =
        json::Object{{"answer", splitLines(conversation.repair->answer)},
                     {"text", splitLines(conversation.repair->text)}};
  return request;
}

std::string requestKey(const json::Object &request) {
  return sha256(toText(json::Value(json::Object(request))));
}

Expected<std::unique_ptr<Exchange>>
recordExchange(StringRef agent, const AgentOptions &options,
               std::unique_ptr<Exchange> inner) {
  if (Error error = checkStore(options.recordPath))
    return std::move(error);
  return std::make_unique<RecordingExchange>(agent, options, std::move(inner));
}

Expected<std::unique_ptr<Exchange>>
replayExchange(StringRef agent, json::Object settings,
               const AgentOptions &options) {
  const std::string &path = options.replayPath;
  Expected<std::vector<Record>> records =
      isFile(path) ? readLines(path) : readFolder(path);
  if (!records)
    return records.takeError();
  return std::make_unique<ReplayExchange>(agent, std::move(settings), path,
                                          std::move(*records));
}

} // namespace swizzle
