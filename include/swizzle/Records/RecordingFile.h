//===- RecordingFile.h - Questions and answers on disk ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording is a file with one JSON object a line (`*.jsonl`), or a folder
// with one file for each exchange, which a diff shows well. What a request or a
// reply holds is the agents' matter (lib/Agent/Exchange/Recording.h); here they
// are objects.
//
//   appendExchange("a.jsonl", {request, reply}); // or "folder"
//   readRecording("a.jsonl"); // {request, reply, "a.jsonl:1"}
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_RECORDINGFILE_H
#define SWIZZLE_RECORDS_RECORDINGFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace swizzle {

struct RecordedExchange {
  llvm::json::Object request, reply;
  std::string where = {}; ///< file, or file and line, for messages
};

/// SHA-256 of the canonical text of `request`, in hexadecimal.
std::string requestKey(const llvm::json::Object &request);

/// All exchanges in the recording at `path`, in the order in which they were
/// appended. Fails if it cannot be read, naming file and line.
llvm::Expected<std::vector<RecordedExchange>>
readRecording(llvm::StringRef path);

/// Fails if nothing can be appended at `path`, as far as that can be told
/// before anybody is asked.
llvm::Error checkRecording(llvm::StringRef path);

/// Appends one exchange. Several processes may append to one recording.
llvm::Error appendExchange(const std::string &path, RecordedExchange exchange);

} // namespace swizzle

#endif // SWIZZLE_RECORDS_RECORDINGFILE_H
