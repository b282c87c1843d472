//===- RecordingFile.cpp - Questions and answers on disk ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is appended with one write under a lock; a file of a folder is written
// beside and linked, so that no reader sees half of it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/RecordingFile.h"

#include "swizzle/Support/Json.h"
#include "swizzle/Support/NewFile.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace swizzle {

static constexpr StringLiteral kSchema("swizzle-exchange/1");

static bool isFile(StringRef path) { return path.ends_with(".jsonl"); }

std::string requestKey(const json::Object &request) {
  std::string text = toText(json::Value(json::Object(request)));
  return toHex(SHA256::hash(arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error readRecord(StringRef text, const std::string &where,
                        std::vector<RecordedExchange> &records) {
  auto fail = [&](const Twine &what) {
    return createStringError(where + ": " + what);
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

static Expected<std::string> readFile(StringRef path) {
  auto buffer = readWholeFile(path, kRecordLimit);
  if (!buffer)
    return createStringError("cannot read the recording " + path + ": " +
                             toString(buffer.takeError()));
  return (*buffer)->getBuffer().str();
}

static Expected<std::vector<RecordedExchange>> readLines(StringRef path) {
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  std::vector<RecordedExchange> records;
  SmallVector<StringRef> lines;
  StringRef(*text).split(lines, '\n');
  for (auto [index, line] : enumerate(lines)) {
    if (line.trim().empty())
      continue;
    Error error =
        readRecord(line, (path + ":" + Twine(index + 1)).str(), records);
    if (!error)
      continue;
    // A recorder that was killed while it wrote leaves half a line without an
    // end; whoever appends next starts a line of its own.
    bool isHalf = line.starts_with("{") && !line.rtrim().ends_with("}");
    if (index + 1 < lines.size() && !isHalf)
      return error;
    consumeError(std::move(error));
  }
  return records;
}

static Expected<std::vector<RecordedExchange>> readFolder(StringRef path) {
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::directory_iterator it(path, code), end; it != end && !code;
       it.increment(code))
    if (StringRef(it->path()).ends_with(".json"))
      files.push_back(it->path());
  if (code)
    return createStringError("cannot read the recording " + path + ": " +
                             code.message());
  // "KEY.json", "KEY-2.json", ..., "KEY-10.json": shorter names come first.
  llvm::sort(files, [](const std::string &a, const std::string &b) {
    return std::make_pair(a.size(), StringRef(a)) <
           std::make_pair(b.size(), StringRef(b));
  });
  std::vector<RecordedExchange> records;
  for (const std::string &file : files) {
    Expected<std::string> text = readFile(file);
    if (!text)
      return text.takeError();
    if (Error error = readRecord(*text, file, records))
      return std::move(error);
  }
  return records;
}

Expected<std::vector<RecordedExchange>> readRecording(StringRef path) {
  return isFile(path) ? readLines(path) : readFolder(path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Error writeError(const Twine &path, const Twine &why) {
  return createStringError("cannot write the recording " + path + ": " + why);
}

Error checkRecording(StringRef path) {
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
static Error appendLine(const std::string &path, const std::string &line) {
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
static Error writeNewFile(StringRef folder, StringRef key,
                          const std::string &text) {
  if (std::error_code code = sys::fs::create_directories(folder))
    return writeError(folder, code.message());
  for (unsigned number = 1; number < 100000; ++number) {
    SmallString<256> path(folder);
    sys::path::append(path, key.take_front(16) +
                                (number == 1 ? "" : "-" + Twine(number).str()) +
                                ".json");
    SmallString<256> temporary(folder);
    sys::path::append(temporary, ".swizzle-");
    Expected<NewFile> file = NewFile::create(temporary, "");
    if (!file)
      return writeError(path, toString(file.takeError()));
    if (Error error = file->write(text))
      return writeError(path, toString(std::move(error)));
    // A link does not replace a file that another process wrote meanwhile.
    bool linked = ::link(file->path().c_str(), path.c_str()) == 0;
    int reason = errno;
    if (linked)
      return Error::success();
    if (reason != EEXIST)
      return writeError(path, llvm::sys::StrError(reason));
  }
  return writeError(folder, "too many recordings of one question");
}

Error appendExchange(const std::string &path, RecordedExchange exchange) {
  std::string key = requestKey(exchange.request);
  json::Value entry = json::Object{{"schema", kSchema},
                                   {"key", key},
                                   {"request", std::move(exchange.request)},
                                   {"reply", std::move(exchange.reply)}};
  if (isFile(path))
    return appendLine(path, toText(entry));
  return writeNewFile(path, key, formatv("{0:2}\n", entry));
}

} // namespace swizzle
