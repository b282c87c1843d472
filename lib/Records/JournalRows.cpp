//===- JournalRows.cpp - A journal for those who only read it -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No options have to agree and nothing is replayed: attempts are taken as they
// were written, with what was known about their kernel. A line that cannot be
// read is left out, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/JournalRows.h"

#include "swizzle/Records/HistoryJSON.h"
#include "swizzle/Support/Json.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

namespace {
/// Gathers what the lines of one journal say about each kernel.
class RowReader {
public:
  explicit RowReader(StringRef path) : path(path) {}

  Error read(StringRef line, unsigned number);
  JournalRows finish();
  void complain(unsigned number, const Twine &why) {
    rows.problems.push_back((path + ":" + Twine(number) + ": " + why).str());
  }

private:
  struct Kernel {
    std::string name;
    std::optional<DatabaseRecord> about;
    std::vector<Attempt> attempts;
    std::vector<Attempt> added; ///< by the search that measures
    std::optional<unsigned> best, bestMeasured;
  };
  Kernel &kernel(StringRef name);
  static Error readAdded(const json::Array &attempts, Kernel &of);

  StringRef path;
  std::vector<Kernel> kernels; ///< in the order of the journal
  JournalRows rows;
};
} // namespace

/// Makes the attempt of this number the only one that is the best: what a
/// journal says of each was so when it was written.
static void crown(std::vector<Attempt> &attempts, unsigned number) {
  for (Attempt &attempt : attempts) {
    attempt.best = number && attempt.number == number;
    if (attempt.best)
      attempt.code = "best";
    else if (attempt.code == "best")
      attempt.code = "better";
  }
}

RowReader::Kernel &RowReader::kernel(StringRef name) {
  for (Kernel &one : kernels)
    if (one.name == name)
      return one;
  kernels.push_back({name.str(), {}, {}, {}, {}, {}});
  return kernels.back();
}

Error RowReader::readAdded(const json::Array &attempts, Kernel &of) {
  of.added.clear(); // a search that went on tells all of them again
  for (const json::Value &value : attempts) {
    const json::Object *attempt = value.getAsObject();
    if (!attempt)
      return createStringError("an attempt that is no object");
    Expected<Attempt> read = readAttempt(json::Object(*attempt));
    if (!read)
      return read.takeError();
    of.added.push_back(std::move(*read));
  }
  return Error::success();
}

Error RowReader::read(StringRef line, unsigned number) {
  Expected<json::Value> value = parseJson(line);
  std::string problem;
  if (!value) {
    problem = "not JSON: " + toString(value.takeError());
    if (number != 1)
      return createStringError(problem);
  }
  const json::Object *record = problem.empty() ? value->getAsObject() : nullptr;
  StringRef type = record ? record->getString("type").value_or("") : "";
  if (number == 1) {
    if (type == "header" && record->getString("schema") == kJournalSchema)
      return Error::success();
    return createStringError("not a journal of schema " + kJournalSchema);
  }
  if (type != "kernel" && type != "attempt" && type != "end" &&
      type != "measured")
    return Error::success();
  std::optional<StringRef> name = record->getString("kernel");
  const json::Object *about = record->getObject("about");
  const json::Object *attempt = record->getObject("attempt");
  std::optional<int64_t> best = record->getInteger("best");
  if (type == "end" && name && best)
    kernel(*name).best = unsigned(*best);
  if (type == "measured" && name) {
    Kernel &of = kernel(*name);
    if (const json::Array *added = record->getArray("attempts"))
      if (Error error = readAdded(*added, of))
        return error;
    if (best)
      of.bestMeasured = unsigned(*best);
  }
  if (type == "end" || type == "measured")
    return Error::success();
  if (!name || !(type == "kernel" ? about : attempt))
    return createStringError("a record of type " + type +
                             " without its contents");
  if (type == "kernel") {
    // Written as a line of a database, and read as one.
    json::Value copy = json::Object(*about);
    Expected<DatabaseRecord> read = parseRecord(formatv("{0}", copy).str());
    if (!read)
      return read.takeError();
    kernel(*name).about = std::move(*read);
    return Error::success();
  }
  Expected<Attempt> read = readAttempt(json::Object(*attempt));
  if (!read)
    return read.takeError();
  Kernel &of = kernel(*name);
  // What failed was asked again.
  llvm::erase_if(of.attempts, [&](const Attempt &before) {
    return before.number >= read->number;
  });
  of.attempts.push_back(std::move(*read));
  if (of.attempts.back().best) {
    of.best = of.attempts.back().number;
    of.bestMeasured.reset(); // that was before
  }
  return Error::success();
}

JournalRows RowReader::finish() {
  for (Kernel &one : kernels) {
    if (!one.about) {
      rows.problems.push_back(
          (path + ": nothing is known about kernel " + one.name + ", its " +
           Twine(one.attempts.size()) + " attempts are left out")
              .str());
      continue;
    }
    // A GPU has the last word about which one was the best.
    std::optional<unsigned> best =
        one.bestMeasured ? one.bestMeasured : one.best;
    for (std::vector<Attempt> *all : {&one.attempts, &one.added}) {
      if (best)
        crown(*all, *best);
      for (Attempt &attempt : *all)
        rows.rows.push_back({*one.about, std::move(attempt)});
    }
  }
  return std::move(rows);
}

Expected<JournalRows> readJournalRows(StringRef path) {
  auto buffer = readWholeFile(path, kRecordLimit);
  if (!buffer)
    return createStringError("cannot read the journal " + path + ": " +
                             toString(buffer.takeError()));
  StringRef text = (*buffer)->getBuffer();
  RowReader reader(path);
  // What follows the last line end is torn, or being written; but the first
  // line has to say that this is a journal.
  for (unsigned number = 1; number == 1 || text.contains('\n'); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    Error error = reader.read(line, number);
    if (!error)
      continue;
    if (number == 1)
      return createStringError(path + ": " + toString(std::move(error)));
    reader.complain(number, toString(std::move(error)));
  }
  return reader.finish();
}

} // namespace swizzle
