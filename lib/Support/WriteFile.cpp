//===- WriteFile.cpp - Writes files that are never half there -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace swizzle {

static std::error_code write(raw_fd_ostream &os, StringRef text) {
  os << text;
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
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
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status);
  // /dev/fd/3 is whatever is open there, a regular file without a name maybe.
  if (path.starts_with("/dev/") ||
      (exists && !sys::fs::is_regular_file(status) &&
       !sys::fs::is_directory(status)))
    return errorCodeToError(writeInto(path, text));
  // A rename would replace a link, not the file that it names.
  SmallString<256> target;
  if (sys::fs::real_path(path, target))
    target = path;
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!file)
    return file.takeError();
  if (std::error_code error = fill(file->FD, text, status, durability)) {
    consumeError(file->discard());
    return errorCodeToError(error);
  }
  return file->keep(target);
}

} // namespace swizzle
