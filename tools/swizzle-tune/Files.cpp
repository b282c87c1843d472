//===- Files.cpp - The files of a run of swizzle-tune ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "swizzle/Agent/Prompt/Prompt.h"
#include "swizzle/Records/Checkpoint.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/ReadFile.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace swizzle {

/// The file of a checkpoint; empty without a name.
static Expected<std::string> fileOf(const std::string &checkpoint) {
  if (checkpoint.empty())
    return std::string();
  return checkpointPath(checkpoint);
}

/// The file of the checkpoint to go on from; empty if there is none, or if it
/// goes on under its own name: then it changes as it should.
static Expected<std::string> otherCheckpoint(const TuneOptions &options) {
  Expected<std::string> from = fileOf(options.from);
  Expected<std::string> to = fileOf(options.checkpoint);
  if (!to) {
    consumeError(from.takeError());
    return to.takeError();
  }
  if (from && *from == *to)
    from->clear();
  return from;
}

Error checkFiles(const TuneOptions &options) {
  if (Error error = checkPromptDirectory(options.agent.promptDirectory))
    return error;
  Expected<std::string> checkpoint = fileOf(options.checkpoint);
  if (!checkpoint)
    return checkpoint.takeError();
  Expected<std::string> from = otherCheckpoint(options);
  if (!from)
    return from.takeError();
  return checkDistinct(
      {{"the input", options.file, false},
       {"the chip's description", options.plan.hardwareFile, false},
       {"the file of agents", options.config, false},
       {"the manual", options.manual, false},
       {"the file of launches", options.measuring.launch, false},
       {"the recording that is replayed", options.agent.replayPath, false},
       {"the checkpoint to go on from", *from, false},
       {"the output", options.output, true},
       {"the report", options.report, true},
       {"the journal", options.journal, true},
       {"the checkpoint", *checkpoint, true},
       {"the database", options.agent.database, true},
       {"the recording", options.agent.recordPath, true}});
}

static Error refuse(StringRef path, Error why) {
  return createStringError("cannot write '" + path +
                           "': " + toString(std::move(why)));
}

Error checkOutputs(const TuneOptions &options) {
  for (StringRef path :
       {options.output, options.report, options.agent.database})
    if (!path.empty() && path != "-")
      if (Error error = checkWritable(path))
        return refuse(path, std::move(error));
  return Error::success();
}

Error addContents(const TuneOptions &options,
                  std::map<std::string, std::string> &steering) {
  Expected<std::string> from = otherCheckpoint(options);
  if (!from)
    return from.takeError();
  for (auto [name, path] :
       {std::pair("launch", StringRef(options.measuring.launch)),
        std::pair("context", StringRef(options.manual)),
        std::pair("from", StringRef(*from))}) {
    if (path.empty())
      continue;
    auto buffer = readWholeFile(path, kRecordLimit);
    if (!buffer)
      return createStringError("--" + Twine(name) + ": cannot read " + path +
                               ": " + toString(buffer.takeError()));
    steering[std::string(name) + " (contents)"] =
        hashText((*buffer)->getBuffer());
  }
  return Error::success();
}

Error checkReplaceable(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  if (!folder.empty())
    if (std::error_code error = sys::fs::create_directories(folder))
      return refuse(path, errorCodeToError(error));
  if (Error error = checkWritable(path))
    return refuse(path, std::move(error));
  uint64_t size = 0;
  if (sys::fs::file_size(path, size) || !size)
    return Error::success();
  Expected<Checkpoint> former = readCheckpoint(path);
  if (former)
    return Error::success();
  return createStringError(
      "--checkpoint would replace '" + path + "', which is no checkpoint (" +
      toString(former.takeError()) + "); name another file");
}

} // namespace swizzle
