//===- MeasureBundle.cpp - Compiled variants to a GPU and back ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file is written only if its content is another: results that are there stay
// those of what is there.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Profiling/MeasureBundle.h"

#include "swizzle/Support/ChildProcess.h"
#include "swizzle/Support/Json.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace swizzle {

char ResultsMissing::ID = 0;

static constexpr StringLiteral kJobFile = "job.json";

void ResultsMissing::log(raw_ostream &os) const {
  os << "the bundle in '" << folder
     << "' is not measured yet: run swizzle-run on it, on the machine with the "
        "GPU, and then this command again";
}

StringRef formatOf(ArtifactKind kind) {
  switch (kind) {
  case ArtifactKind::PTX:
    return "ptx";
  case ArtifactKind::HSACO:
    return "hsaco";
  case ArtifactKind::LLVM:
  case ArtifactKind::Assembly:
    break;
  }
  return "";
}

static std::string join(StringRef folder, StringRef name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

static Error writeIfNew(const std::string &path, StringRef text) {
  auto buffer = MemoryBuffer::getFile(path);
  if (buffer && (*buffer)->getBuffer() == text)
    return Error::success();
  if (Error error = writeFileWhole(path, text))
    return createStringError("cannot write " + path + ": " +
                             toString(std::move(error)));
  return Error::success();
}

Error checkBundle(StringRef folder) {
  std::string path = join(folder, kJobFile);
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer || (*buffer)->getBuffer().empty())
    return Error::success();
  StringRef schema;
  Expected<json::Value> job = parseJson((*buffer)->getBuffer());
  if (!job)
    consumeError(job.takeError()); // no job at all
  else if (const json::Object *object = job->getAsObject())
    schema = object->getString("schema").value_or("");
  // Of another version it is a bundle all the same.
  if (schema.starts_with(StringRef(kJobSchema).rsplit('/').first))
    return Error::success();
  return createStringError("the bundle would replace '" + path +
                           "', which is no job of schema " +
                           StringRef(kJobSchema) + "; name another folder");
}

static Error writeBundle(Job &job,
                         ArrayRef<std::shared_ptr<const Artifact>> artifacts,
                         StringRef folder) {
  if (std::error_code error = sys::fs::create_directories(folder))
    return createStringError("cannot make the folder '" + folder +
                             "': " + error.message());
  if (Error error = checkBundle(folder))
    return error;
  for (auto [index, variant, artifact] : enumerate(job.variants, artifacts)) {
    if (!artifact)
      return createStringError("variant '" + variant.name +
                               "' was not compiled, so that it cannot be "
                               "measured");
    StringRef format = formatOf(artifact->kind);
    if (format.empty())
      return createStringError("variant '" + variant.name +
                               "' is not compiled to what a driver loads");
    variant.artifact = {"variant" + std::to_string(index) + "." + format.str(),
                        format.str(), artifact->target};
    if (Error error =
            writeIfNew(join(folder, variant.artifact.file), artifact->bytes))
      return error;
  }
  return writeIfNew(join(folder, kJobFile), writeJob(job));
}

namespace {
/// The results that are there.
struct FoundResults {
  std::vector<JobResult> rows; ///< about this job, by variant
  bool others = false;         ///< some of its variants have other rows, too
};
} // namespace

/// What keeps `row` from deciding about `job`; "" if nothing does. `first` is
/// one that is taken already, or none.
static std::string judgeRow(const Job &job, const JobResult &row,
                            const JobResult *first) {
  if (!row.failure.empty())
    return "";
  bool isOriginal = row.variant == job.variants.front().name;
  if (job.check.compare && !isOriginal &&
      row.measurement->outputs == kNotCompared)
    return "measurement.outputs: \"not compared\" is not allowed; the job "
           "asks for comparing them";
  const std::string &device = row.metrics.from.device;
  if (!first || first->metrics.from.device == device)
    return "";
  return "metrics.device: variant '" + row.variant + "' was measured on '" +
         device + "' and '" + first->variant + "' on '" +
         first->metrics.from.device +
         "', which cannot be compared: measure all of the bundle on one of "
         "them (swizzle-run --fresh)";
}

static Expected<FoundResults>
readResults(const Job &job, ArrayRef<std::shared_ptr<const Artifact>> artifacts,
            StringRef folder) {
  FoundResults found;
  found.rows.resize(job.variants.size());
  std::string path = join(folder, "results.jsonl");
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return found;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  // A last line without an end is one that is being written.
  lines.pop_back();
  std::optional<JobResult> first; // that has figures
  for (auto [number, line] : enumerate(lines)) {
    auto complain = [&, number = number + 1](const std::string &wrong) {
      return createStringError(path + ":" + Twine(number) + ": " + wrong);
    };
    JobResult row;
    if (std::string wrong = readResult(line, row); !wrong.empty())
      return complain(wrong);
    for (auto [variant, artifact, place] :
         zip_equal(job.variants, artifacts, found.rows)) {
      if (variant.name != row.variant)
        continue;
      if (row.of !=
          fingerprint(job, artifacts.front()->bytes, artifact->bytes)) {
        found.others = true;
        continue;
      }
      if (std::string wrong = judgeRow(job, row, first ? &*first : nullptr);
          !wrong.empty())
        return complain(wrong);
      if (!first && row.failure.empty())
        first = row;
      place = row;
    }
  }
  return found;
}

/// Has the bundle measured. What the program says on standard error becomes
/// part of the error; else it is in `said`.
static Error callProgram(const Place &place, std::string &said) {
  ChildOptions child;
  child.cancel = place.cancel;
  if (place.how == Place::Shell) {
    child.program = "/bin/sh";
    child.arguments = {"-c", place.command.front() + " \"$1\"", "sh",
                       place.folder};
  } else {
    child.program = place.command.front();
    child.arguments.assign(place.command.begin() + 1, place.command.end());
    child.arguments.push_back(place.folder);
  }
  ChildResult ended = runChild(child);
  said = StringRef(ended.errorTail).trim().str();
  // 1: some variant failed; its line says why.
  bool measured = ended.status == ChildResult::Exited &&
                  (ended.code == 0 || ended.code == 1);
  if (measured)
    return Error::success();
  std::string what =
      ended.status == ChildResult::NotStarted
          ? ended.error
          : "the program that measures ended with " + ended.describe();
  return createStringError(what + (said.empty() ? "" : ": " + said));
}

Expected<std::vector<JobResult>>
measureBundle(Job job, ArrayRef<std::shared_ptr<const Artifact>> artifacts,
              const Place &place) {
  job.measure.maxSeconds = std::min(job.measure.maxSeconds, kMostSeconds);
  if (Error error = writeBundle(job, artifacts, place.folder))
    return std::move(error);
  auto isMissing = [](const JobResult &row) { return row.variant.empty(); };
  std::string said; // by a program of the user's, which may end with 0
  for (bool called = place.how == Place::Wait;; called = true) {
    auto found = readResults(job, artifacts, place.folder);
    if (!found)
      return found.takeError();
    std::vector<JobResult> &rows = found->rows;
    // What keeps the original from being measured may be over.
    if (!called && !rows.front().failure.empty())
      rows.front() = JobResult();
    auto missing = find_if(rows, isMissing);
    if (missing == rows.end())
      return std::move(rows);
    if (!called) {
      // Rows of other code, which this folder held before, keep swizzle-run
      // from going on.
      if (found->others)
        for (const char *old : {"results.jsonl", "seconds"})
          (void)sys::fs::remove(join(place.folder, old));
      if (Error error = callProgram(place, said))
        return std::move(error);
      continue;
    }
    if (place.how == Place::Wait)
      return make_error<ResultsMissing>(place.folder);
    return createStringError(
        "the program that measures left no result for variant '" +
        job.variants[missing - rows.begin()].name + "' in " + place.folder +
        (said.empty() ? "" : "; it said: " + said));
  }
}

} // namespace swizzle
