//===- WriteFile.cpp - Writes files that are never half there -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path is one of three things: a name for a descriptor of this process, which
// is written through, so that what was written there before stays; something
// that is no file, which is opened; or a file, whose place a new one takes.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace swizzle {

/// The descriptor that `path` is a name for.
static std::optional<int> descriptorOf(StringRef path) {
  if (path == "/dev/stdout")
    return 1;
  if (path == "/dev/stderr")
    return 2;
  int descriptor;
  if ((path.consume_front("/dev/fd/") ||
       path.consume_front("/proc/self/fd/")) &&
      !path.getAsInteger(10, descriptor) && descriptor >= 0)
    return descriptor;
  return std::nullopt;
}

static bool isNoFile(const sys::fs::file_status &status) {
  return sys::fs::exists(status) && !sys::fs::is_regular_file(status) &&
         !sys::fs::is_directory(status);
}

/// The file that a link names: a rename would replace the link itself.
static SmallString<256> followLinks(StringRef path) {
  SmallString<256> target;
  if (sys::fs::real_path(path, target))
    target = path;
  return target;
}

static std::error_code write(raw_fd_ostream &os, StringRef text) {
  os << text;
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

static std::error_code writeThrough(int descriptor, StringRef text) {
  if (descriptor == 1)
    outs().flush();
  raw_fd_ostream os(descriptor, /*shouldClose=*/false, /*unbuffered=*/true);
  return write(os, text);
}

static std::error_code writeInto(StringRef path, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(path, error, sys::fs::CD_OpenExisting, sys::fs::FA_Write,
                    sys::fs::OF_None);
  return error ? error : write(os, text);
}

/// Fills the file that will take the place of one with `status`.
static std::error_code fill(int descriptor, StringRef text,
                            const sys::fs::file_status &status,
                            Durability durability) {
  raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  if (std::error_code error = write(os, text))
    return error;
  if (sys::fs::exists(status) &&
      ::fchmod(descriptor, mode_t(status.permissions())) != 0)
    return errnoAsErrorCode();
  if (durability == Durability::Disk && ::fsync(descriptor) != 0)
    return errnoAsErrorCode();
  return {};
}

Error writeFileWhole(StringRef path, StringRef text, Durability durability) {
  if (std::optional<int> descriptor = descriptorOf(path))
    return errorCodeToError(writeThrough(*descriptor, text));
  sys::fs::file_status status;
  (void)sys::fs::status(path, status);
  if (isNoFile(status))
    return errorCodeToError(writeInto(path, text));
  SmallString<256> target = followLinks(path);
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!file)
    return file.takeError();
  if (std::error_code error = fill(file->FD, text, status, durability)) {
    // Why it could not be filled is the error that matters.
    consumeError(file->discard());
    return errorCodeToError(error);
  }
  return file->keep(target);
}

Error checkWritable(StringRef path) {
  if (std::optional<int> descriptor = descriptorOf(path)) {
    int flags = ::fcntl(*descriptor, F_GETFL);
    if (flags < 0)
      return errorCodeToError(errnoAsErrorCode());
    if ((flags & O_ACCMODE) == O_RDONLY)
      return errorCodeToError(make_error_code(std::errc::bad_file_descriptor));
    return Error::success();
  }
  sys::fs::file_status status;
  (void)sys::fs::status(path, status);
  if (isNoFile(status))
    return errorCodeToError(sys::fs::access(path, sys::fs::AccessMode::Write));
  if (sys::fs::is_directory(status))
    return errorCodeToError(make_error_code(std::errc::is_a_directory));
  SmallString<256> target = followLinks(path);
  StringRef folder = sys::path::parent_path(target);
  if (folder.empty())
    folder = ".";
  if (std::error_code error = sys::fs::status(folder, status))
    return errorCodeToError(error);
  if (!sys::fs::is_directory(status))
    return errorCodeToError(make_error_code(std::errc::not_a_directory));
  return errorCodeToError(sys::fs::access(folder, sys::fs::AccessMode::Write));
}

} // namespace swizzle
