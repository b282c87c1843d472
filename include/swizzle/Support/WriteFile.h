//===- WriteFile.h - Writes files that are never half there -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports, rewritten kernels, databases and cache entries: whoever reads one
// while it is written, or after the writer was killed, sees the old file or the
// new one.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_WRITEFILE_H
#define SWIZZLE_SUPPORT_WRITEFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace swizzle {

/// True of "-" and of every name of the descriptor that it stands for.
bool isStandardOutput(llvm::StringRef path);

/// The descriptor that `path` is a name for ("/dev/stdout", "/dev/fd/3").
std::optional<int> descriptorOf(llvm::StringRef path);

/// The file that a link names, whether it is there or not; a path that is no
/// link, or leads in a circle, as it is.
llvm::SmallString<256> followLinks(llvm::StringRef path);

/// Whether a written file must survive a power failure as well.
enum class Durability : uint8_t { Process, Disk };

/// Writes `text` beside `path` and renames it. A file that was there keeps its
/// mode, a link to one is followed, and a device, a pipe or a name of an open
/// descriptor ("/dev/stdout", "/dev/fd/3") is written to. The error is a
/// sentence without the path.
llvm::Error writeFileWhole(llvm::StringRef path, llvm::StringRef text,
                           Durability durability = Durability::Process);

struct WholeFile {
  std::string role; ///< "the report", or empty: for messages
  std::string path; ///< "-": standard output
  std::string text;
};

/// Writes all of `files` as `writeFileWhole` does, or none: what a full disk or
/// a folder keeps from being written leaves the others as they were. The error
/// names the file.
llvm::Error writeFilesWhole(llvm::ArrayRef<WholeFile> files);

/// Fails, with that same sentence, if `writeFileWhole` is bound to: for those
/// who want to know before there is anything to write.
llvm::Error checkWritable(llvm::StringRef path);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_WRITEFILE_H
