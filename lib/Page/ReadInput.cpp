//===- ReadInput.cpp - Reports and journals for the page ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A journal becomes what the report of its run says, or would say if the run
// ended now: kernels with `tuning`. A report is taken as it stands.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Page/Page.h"
#include "swizzle/Support/Json.h"
#include "swizzle/Support/ReadFile.h"

using namespace llvm;

namespace swizzle {

static constexpr StringLiteral kWanted =
    "expected a report (of swizzle-opt or swizzle-tune) or a journal";

//===----------------------------------------------------------------------===//
// Journals
//===----------------------------------------------------------------------===//

namespace {
/// Gathers the lines of a journal, kernel by kernel in their order.
class JournalReader {
public:
  explicit JournalReader(const json::Object &header)
      : chip(header.getString("chip").value_or("")) {}

  /// Takes one line; false if it is no record of a journal.
  bool take(const json::Object &record);
  json::Array finish();

private:
  struct Kernel {
    std::string name;
    json::Object about; ///< the record of type `kernel`
    json::Array attempts;
    json::Object end;
    json::Object measured; ///< the record of that type
  };
  Kernel &kernel(StringRef name);
  json::Object finish(Kernel &kernel) const;

  std::string chip;
  std::vector<Kernel> kernels;
};
} // namespace

JournalReader::Kernel &JournalReader::kernel(StringRef name) {
  for (Kernel &one : kernels)
    if (one.name == name)
      return one;
  kernels.push_back({name.str(), {}, {}, {}, {}});
  return kernels.back();
}

bool JournalReader::take(const json::Object &record) {
  std::optional<StringRef> type = record.getString("type");
  if (!type)
    return false;
  std::optional<StringRef> name = record.getString("kernel");
  if (!name)
    return true;
  if (*type == "kernel")
    kernel(*name).about = record;
  if (*type == "end")
    kernel(*name).end = record;
  if (*type == "measured")
    kernel(*name).measured = record;
  if (*type == "attempt")
    if (const json::Object *attempt = record.getObject("attempt")) {
      json::Array &attempts = kernel(*name).attempts;
      auto number = [](const json::Object &one) {
        return one.getInteger("number").value_or(0);
      };
      // What failed was asked again.
      while (!attempts.empty() &&
             number(*attempts.back().getAsObject()) >= number(*attempt))
        attempts.pop_back();
      attempts.push_back(json::Object(*attempt));
    }
  return true;
}

static json::Value valueOrNull(const json::Object &object, StringRef key) {
  const json::Value *value = object.get(key);
  return value ? *value : json::Value(nullptr);
}

/// The attempt that was the best when the journal ended.
static const json::Object *findBest(const json::Array &attempts,
                                    const json::Object &end) {
  const json::Object *best = nullptr;
  std::optional<int64_t> number = end.getInteger("best");
  for (const json::Value &value : attempts) {
    const json::Object *attempt = value.getAsObject();
    if (number ? attempt->getInteger("number") == number
               : attempt->getBoolean("best").value_or(false))
      best = attempt;
  }
  return best;
}

json::Object JournalReader::finish(Kernel &one) const {
  // The search that measures has orders of its own.
  if (const json::Array *added = one.measured.getArray("attempts"))
    for (const json::Value &attempt : *added)
      if (attempt.getAsObject())
        one.attempts.push_back(attempt);
  // A GPU has the last word.
  const json::Object *best =
      findBest(one.attempts, one.measured.empty() ? one.end : one.measured);
  json::Object chosen{{"attempt", 0},
                      {"formula", nullptr},
                      {"params", json::Object()},
                      {"proof", nullptr},
                      {"measurement", valueOrNull(one.about, "baseline")}};
  int64_t rounds = 0;
  for (const json::Value &value : one.attempts)
    rounds =
        std::max(rounds, value.getAsObject()->getInteger("round").value_or(0));
  if (best)
    chosen = json::Object{{"attempt", valueOrNull(*best, "number")},
                          {"formula", valueOrNull(*best, "formula")},
                          {"params", valueOrNull(*best, "params")},
                          {"proof", nullptr},
                          {"measurement", valueOrNull(*best, "measurement")}};
  json::Object tuning{
      {"objective", valueOrNull(one.about, "objective")},
      {"objective_reason", valueOrNull(one.about, "objective_reason")},
      {"baseline", valueOrNull(one.about, "baseline")},
      {"best", std::move(chosen)},
      {"attempts", std::move(one.attempts)},
      {"rounds", rounds},
      {"end", valueOrNull(one.end, "end")},
      {"end_reason", valueOrNull(one.end, "reason")}};
  return json::Object{{"module", ""},
                      {"name", one.name},
                      {"chip", chip},
                      {"grid", valueOrNull(one.about, "grid")},
                      {"block", nullptr},
                      {"model_grid", valueOrNull(one.about, "model_grid")},
                      {"constants", valueOrNull(one.about, "constants")},
                      {"outcome", best ? "remapped" : "kept"},
                      {"running", one.end.empty()},
                      {"reason_code", nullptr},
                      {"reason", nullptr},
                      {"measured", valueOrNull(one.measured, "measured")},
                      {"tuning", std::move(tuning)}};
}

json::Array JournalReader::finish() {
  json::Array array;
  for (Kernel &one : kernels)
    array.push_back(finish(one));
  return array;
}

static PageInput readJournal(const json::Object &header, StringRef rest,
                             StringRef name) {
  PageInput input;
  input.source = (name + " (journal, version " +
                  header.getString("tool_version").value_or("unknown") + ")")
                     .str();
  JournalReader reader(header);
  // What follows the last line end is torn, or being written.
  for (unsigned number = 2; rest.contains('\n'); ++number) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    Expected<json::Value> value = parseJson(line);
    std::string why = value ? "" : toString(value.takeError());
    const json::Object *record = why.empty() ? value->getAsObject() : nullptr;
    if (record && reader.take(*record))
      continue;
    input.problems.push_back((name + ":" + Twine(number) + ": " +
                              (why.empty() ? "not a record of a journal" : why))
                                 .str());
  }
  input.kernels = reader.finish();
  return input;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static Error complain(StringRef name, const Twine &why) {
  return createStringError(name + ": " + why + "; " + kWanted);
}

static Expected<PageInput> readReport(const json::Object &report,
                                      StringRef name) {
  StringRef schema = report.getString("schema").value_or("");
  StringRef what = schema == "swizzle-report/1"   ? "report"
                   : schema == "swizzle-tuning/1" ? "report of a tuning run"
                                                  : "";
  if (what.empty())
    return complain(name, schema.empty() ? Twine("JSON without a schema")
                                         : "its schema is " + schema);
  const json::Array *kernels = report.getArray("kernels");
  if (!kernels)
    return complain(name, "it has no list of kernels");
  for (const json::Value &kernel : *kernels)
    if (!kernel.getAsObject())
      return complain(name, "one of its kernels is no object");
  PageInput input;
  input.source = (name + " (" + what + ", version " +
                  report.getString("tool_version").value_or("unknown") + ")")
                     .str();
  input.kernels = *kernels;
  return input;
}

Expected<PageInput> parsePageInput(StringRef text, StringRef name) {
  // A journal is recognised by its first line.
  auto [line, rest] = text.split('\n');
  if (Expected<json::Value> first = parseJson(line)) {
    const json::Object *header = first->getAsObject();
    if (header && header->getString("schema") == StringRef("swizzle-journal/1"))
      return readJournal(*header, rest, name);
  } else {
    consumeError(first.takeError()); // not a line of its own: a report, maybe
  }
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return complain(name, "not JSON: " + toString(value.takeError()));
  const json::Object *report = value->getAsObject();
  if (!report)
    return complain(name, "not a JSON object");
  return readReport(*report, name);
}

Expected<PageInput> readPageInput(StringRef path) {
  auto buffer = readWholeInput(path, kRecordLimit);
  if (!buffer)
    return createStringError("cannot read " + path + ": " +
                             toString(buffer.takeError()));
  return parsePageInput((*buffer)->getBuffer(),
                        path == "-" ? StringRef("standard input") : path);
}

} // namespace swizzle
