//===- Checkpoint.cpp - A named state to go on from -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One JSON file a checkpoint, schema `swizzle-checkpoint/1`.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/Checkpoint.h"
#include "swizzle/Support/WriteFile.h"

#include "swizzle/Records/HistoryJSON.h"
#include "swizzle/Support/Json.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace swizzle {

static constexpr StringLiteral kSchema("swizzle-checkpoint/1");

Expected<std::string> checkpointPath(StringRef name) {
  if (name.empty())
    return createStringError("a checkpoint needs a name");
  if (name.contains('/'))
    return name.str();
  return (".swizzle/checkpoints/" + name + ".json").str();
}

Error writeCheckpoint(StringRef path, const Checkpoint &checkpoint,
                      const Secrets &secrets) {
  json::Object kernels;
  for (const auto &[name, kernel] : checkpoint.kernels) {
    json::Array attempts;
    for (const Attempt &attempt : kernel.attempts)
      attempts.push_back(toJSON(attempt));
    kernels[name] =
        json::Object{{"best", kernel.best}, {"attempts", std::move(attempts)}};
  }
  json::Object object{{"schema", kSchema},
                      {"tool_version", checkpoint.toolVersion},
                      {"input_hash", checkpoint.inputHash},
                      {"chip", checkpoint.chip},
                      {"chip_hash", checkpoint.chipHash},
                      {"kernels", std::move(kernels)}};
  StringRef folder = sys::path::parent_path(path);
  if (!folder.empty())
    if (std::error_code error = sys::fs::create_directories(folder))
      return createStringError("cannot make the folder " + folder + ": " +
                               error.message());
  return writeFileWhole(
      path,
      formatv("{0:2}\n", json::Value(secrets.redactTexts(std::move(object))))
          .str());
}

/// "; there are a, b": the checkpoints beside `path`.
static std::string listBeside(StringRef path) {
  std::string names;
  std::error_code error;
  for (sys::fs::directory_iterator it(sys::path::parent_path(path), error), end;
       !error && it != end; it.increment(error))
    if (sys::path::extension(it->path()) == ".json")
      names += (names.empty() ? "; there are " : ", ") +
               sys::path::stem(it->path()).str();
  return names;
}

static Expected<KernelCheckpoint> readKernel(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  const json::Array *attempts = object ? object->getArray("attempts") : nullptr;
  std::optional<int64_t> best =
      object ? object->getInteger("best") : std::nullopt;
  if (!attempts || !best)
    return createStringError("a kernel needs best and attempts");
  KernelCheckpoint kernel;
  kernel.best = unsigned(*best);
  for (const json::Value &one : *attempts) {
    Expected<Attempt> attempt = readAttempt(one);
    if (!attempt)
      return attempt.takeError();
    kernel.attempts.push_back(std::move(*attempt));
  }
  return kernel;
}

Expected<Checkpoint> readCheckpoint(StringRef path) {
  auto buffer = readWholeFile(path, kRecordLimit);
  if (!buffer)
    return createStringError("there is no checkpoint " + path + ": " +
                             toString(buffer.takeError()) + listBeside(path));
  auto complain = [&](const Twine &why) {
    return createStringError("the checkpoint " + path + ": " + why);
  };
  Expected<json::Value> value = parseJson((*buffer)->getBuffer());
  if (!value)
    return complain(toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object || object->getString("schema") != StringRef(kSchema))
    return complain("its schema is not " + kSchema);
  const json::Object *kernels = object->getObject("kernels");
  if (!kernels)
    return complain("it has no kernels");
  auto text = [&](StringRef key) {
    return object->getString(key).value_or("").str();
  };
  Checkpoint checkpoint;
  checkpoint.toolVersion = text("tool_version");
  checkpoint.inputHash = text("input_hash");
  checkpoint.chip = text("chip");
  checkpoint.chipHash = text("chip_hash");
  for (const auto &[name, one] : *kernels) {
    Expected<KernelCheckpoint> kernel = readKernel(one);
    if (!kernel)
      return complain(toString(kernel.takeError()));
    checkpoint.kernels[name.str()] = std::move(*kernel);
  }
  return checkpoint;
}

void CheckpointKeeper::note(StringRef kernel, KernelCheckpoint now) {
  if (!failure.empty())
    return;
  state.kernels[kernel.str()] = std::move(now);
  if (Error error = writeCheckpoint(path, state, secrets))
    failure = "cannot write the checkpoint " + path + ": " +
              toString(std::move(error));
}

Error CheckpointKeeper::takeError() {
  return failure.empty() ? Error::success() : createStringError(failure);
}

Error compareCheckpoint(const Checkpoint &checkpoint, const Checkpoint &now) {
  std::string differences;
  auto compare = [&](StringRef what, StringRef before, StringRef after) {
    if (before != after)
      differences += ((differences.empty() ? "" : "; ") + what + " was " +
                      before + ", is " + after)
                         .str();
  };
  compare("the kernel (hash of the input)", checkpoint.inputHash,
          now.inputHash);
  compare("the chip", checkpoint.chip, now.chip);
  compare("the chip's description (hash)", checkpoint.chipHash, now.chipHash);
  if (differences.empty())
    return Error::success();
  return createStringError("the checkpoint is of something else: " +
                           differences);
}

} // namespace swizzle
