//===- Journal.cpp - Nothing that was paid for is lost --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are written with one `write` each on a descriptor opened for appending,
// so that a process that is killed leaves whole lines and at most one torn one.
// The lock is the kernel's, and goes with the process; which process holds it
// is told by the last line of type `run`.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/Journal.h"

#include "swizzle/Records/HistoryJSON.h"
#include "swizzle/Support/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace swizzle {

static std::string lastSystemError() { return std::strerror(errno); }

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// All of the file behind `descriptor`.
static Expected<std::string> readAll(int descriptor, StringRef path) {
  auto file = MemoryBuffer::getOpenFile(descriptor, path, /*FileSize=*/-1,
                                        /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError("cannot read the journal " + path + ": " +
                             file.getError().message());
  return (*file)->getBuffer().str();
}

/// The process that wrote the last line of type `run`; 0 if there is none.
static int64_t findWriter(StringRef text) {
  int64_t writer = 0;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    Expected<json::Value> value = parseJson(line);
    if (!value) {
      consumeError(value.takeError()); // being written by the other process
      continue;
    }
    if (const json::Object *object = value->getAsObject())
      if (object->getString("type") == StringRef("run"))
        writer = object->getInteger("pid").value_or(0);
  }
  return writer;
}

/// A descriptor of the regular file `path`.
static Expected<int> openRegular(const std::string &path, int flags) {
  int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return createStringError("cannot open the journal " + path + ": " +
                             lastSystemError());
  struct stat status;
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
    return descriptor;
  ::close(descriptor);
  return createStringError("the journal " + path + " is not a regular file");
}

Error Journal::openAsItIs() {
  Expected<int> opened = openRegular(path, O_RDONLY);
  if (!opened)
    return opened.takeError();
  descriptor = *opened;
  readOnly = true;
  return Error::success();
}

Error Journal::open() {
  Expected<int> opened = openRegular(path, O_RDWR | O_APPEND | O_CREAT);
  if (!opened)
    return opened.takeError();
  descriptor = *opened;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return Error::success();
  if (errno != EWOULDBLOCK)
    return createStringError("cannot lock the journal " + path + ": " +
                             lastSystemError());
  Expected<std::string> text = readAll(descriptor, path);
  int64_t writer = 0;
  if (text)
    writer = findWriter(*text);
  else
    consumeError(text.takeError()); // who it is need not be known
  std::string who =
      writer ? "process " + std::to_string(writer) : "another process";
  return createStringError("the journal " + path + " is being written by " +
                           who +
                           ": wait for it, end it, or give another --journal");
}

Journal::~Journal() {
  if (descriptor >= 0)
    ::close(descriptor);
}

void Journal::append(json::Object record, bool force) {
  if (readOnly || !failure.empty())
    return;
  std::string line =
      formatv("{0}\n", json::Value(secrets.redactTexts(std::move(record))));
  size_t done = 0;
  while (done < line.size()) {
    ssize_t count = ::write(descriptor, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      failure = "cannot write the journal " + path + ": " + lastSystemError();
      return;
    }
    done += size_t(count);
  }
  // Not every file can be forced to a disk: a pipe has none.
  if (force && ::fdatasync(descriptor) != 0 && errno != EINVAL)
    failure = "cannot write the journal " + path + ": " + lastSystemError();
}

Error Journal::takeError() {
  return failure.empty() ? Error::success() : createStringError(failure);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

static json::Object toJSON(const JournalHeader &header) {
  json::Object options;
  for (const auto &[name, value] : header.options)
    options[name] = toJSONText(value);
  return json::Object{{"type", "header"},
                      {"schema", kJournalSchema},
                      {"tool_version", header.toolVersion},
                      {"compiler", toJSONText(header.compiler)},
                      {"input_hash", header.inputHash},
                      {"chip", header.chip},
                      {"chip_hash", header.chipHash},
                      {"options", std::move(options)}};
}

/// What differs between a header as read and the one that is asked for, in
/// words; empty if nothing does.
static std::string compareHeaders(const json::Object &old,
                                  const json::Object &now) {
  std::vector<std::string> differences;
  auto print = [](const json::Value *value) -> std::string {
    if (!value)
      return "nothing";
    if (std::optional<StringRef> text = value->getAsString())
      return text->empty() ? "nothing" : text->str();
    return formatv("{0}", *value);
  };
  auto compare = [&](const json::Object &a, const json::Object &b,
                     StringRef key, StringRef what) {
    const json::Value *before = a.get(key), *after = b.get(key);
    if (before && after && *before == *after)
      return;
    differences.push_back(
        formatv("{0} was {1}, is {2}", what, print(before), print(after)));
  };
  compare(old, now, "schema", "the schema");
  compare(old, now, "tool_version", "the tool's version");
  compare(old, now, "input_hash", "the kernel (hash of the input)");
  compare(old, now, "chip", "the chip");
  compare(old, now, "chip_hash", "the chip's description (hash)");
  compare(old, now, "compiler", "the compiler");
  json::Object none;
  const json::Object *before = old.getObject("options");
  const json::Object *after = now.getObject("options");
  if (!before)
    before = &none;
  std::set<std::string> names;
  for (const auto &[name, value] : *before)
    names.insert(name.str());
  for (const auto &[name, value] : *after)
    names.insert(name.str());
  for (const std::string &name : names)
    compare(*before, *after, name, "option --" + name);
  return join(differences, "; ");
}

Error Journal::start(const JournalHeader &header) {
  append(toJSON(header), /*force=*/false);
  append(json::Object{{"type", "run"}, {"pid", int64_t(::getpid())}},
         /*force=*/true);
  return takeError();
}

/// Reads what is there, cuts off a torn last line, and goes on from it.
Error Journal::load(const JournalHeader &header) {
  Expected<std::string> text = readAll(descriptor, path);
  if (!text)
    return text.takeError();
  size_t whole = text->rfind('\n');
  whole = whole == std::string::npos ? 0 : whole + 1;
  bool isTorn = whole != text->size();
  auto cutTornLine = [&]() -> Error {
    if (!isTorn || readOnly || ::ftruncate(descriptor, off_t(whole)) == 0)
      return Error::success();
    return createStringError("cannot cut the torn last line of " + path + ": " +
                             lastSystemError());
  };
  // Of a run that ended at its first word; another text is somebody else's.
  std::string first = formatv("{0}", json::Value(toJSON(header)));
  if (whole == 0 && isTorn &&
      !StringRef(*text).starts_with(StringRef(first).take_front(
          std::min<size_t>(text->size(), StringRef("{\"chip\":\"").size()))))
    return createStringError(path + ":1: not a journal: it has no header");
  StringRef complete = StringRef(*text).take_front(whole);
  SmallVector<StringRef> lines;
  complete.split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty()) {
    if (Error error = cutTornLine())
      return error;
    return start(header);
  }
  for (auto [index, line] : enumerate(lines)) {
    auto complain = [&, number = index + 1](const Twine &why) {
      return createStringError(path + ":" + Twine(number) + ": " + why);
    };
    Expected<json::Value> value = parseJson(line);
    if (!value)
      return complain("not JSON: " + toString(value.takeError()));
    const json::Object *record = value->getAsObject();
    std::optional<StringRef> type =
        record ? record->getString("type") : std::nullopt;
    if (!type)
      return complain("not a record of a journal");
    if (index == 0) {
      if (*type != "header")
        return complain("not a journal: it has no header");
      std::string differences =
          compareHeaders(*record, secrets.redactTexts(toJSON(header)));
      if (!differences.empty())
        return createStringError(
            "the journal " + path +
            " cannot be resumed, it is of another run: " + differences);
      continue;
    }
    std::optional<StringRef> name = record->getString("kernel");
    if (!name)
      continue;
    if (Error error = kernel(*name).read(*type, *record))
      return complain(toString(std::move(error)));
  }
  if (Error error = cutTornLine())
    return error;
  append(json::Object{{"type", "run"}, {"pid", int64_t(::getpid())}},
         /*force=*/true);
  return takeError();
}

Expected<std::unique_ptr<Journal>>
Journal::create(StringRef path, const JournalHeader &header, Secrets secrets) {
  std::unique_ptr<Journal> journal(new Journal(path.str(), std::move(secrets)));
  if (Error error = journal->open())
    return std::move(error);
  Expected<std::string> text = readAll(journal->descriptor, path);
  if (!text)
    return text.takeError();
  if (!text->empty())
    return createStringError("the journal " + path +
                             " exists already: give --resume to go on from "
                             "it, or another name");
  if (Error error = journal->start(header))
    return std::move(error);
  return journal;
}

Expected<std::unique_ptr<Journal>>
Journal::resume(StringRef path, const JournalHeader &header, Secrets secrets) {
  std::unique_ptr<Journal> journal(new Journal(path.str(), std::move(secrets)));
  if (Error error = journal->open())
    return std::move(error);
  if (Error error = journal->load(header))
    return std::move(error);
  return journal;
}

Expected<std::unique_ptr<Journal>>
Journal::view(StringRef path, const JournalHeader &header, Secrets secrets) {
  std::unique_ptr<Journal> journal(new Journal(path.str(), std::move(secrets)));
  if (Error error = journal->openAsItIs())
    return std::move(error);
  if (Error error = journal->load(header))
    return std::move(error);
  return journal;
}

KernelJournal &Journal::kernel(StringRef name) {
  std::unique_ptr<KernelJournal> &entry = kernels[name.str()];
  if (!entry)
    entry = std::make_unique<KernelJournal>(*this, name.str());
  return *entry;
}

} // namespace swizzle
