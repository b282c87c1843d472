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

#include "swizzle/Support/NewFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace swizzle {

std::optional<int> descriptorOf(StringRef path) {
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

bool isStandardOutput(StringRef path) {
  return path == "-" || descriptorOf(path) == STDOUT_FILENO;
}

static bool isNoFile(const sys::fs::file_status &status) {
  return sys::fs::exists(status) && !sys::fs::is_regular_file(status) &&
         !sys::fs::is_directory(status);
}

SmallString<256> followLinks(StringRef path) {
  SmallString<256> target;
  if (!sys::fs::real_path(path, target))
    return target;
  target = path;
  constexpr int most = 40; // links of links, as in Linux
  for (int link = 0; link < most; ++link) {
    std::array<char, 4096> next;
    ssize_t size = ::readlink(target.c_str(), next.data(), next.size());
    if (size <= 0 || size_t(size) == next.size())
      break;
    StringRef named(next.data(), size_t(size));
    if (sys::path::is_absolute(named))
      target.clear();
    else
      sys::path::remove_filename(target);
    sys::path::append(target, named);
  }
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

/// True if `path` is no place for a new file: it is written to.
static bool isWrittenThrough(StringRef path) {
  sys::fs::file_status status;
  return descriptorOf(path) ||
         (!sys::fs::status(path, status) && isNoFile(status));
}

static Expected<NewFile> createBeside(StringRef target) {
  return NewFile::create((target + ".").str(), ".tmp");
}

/// A file beside `target` that holds `text` and can take its place.
static Expected<NewFile> fillBeside(StringRef target, StringRef text,
                                    Durability durability) {
  sys::fs::file_status status;
  (void)sys::fs::status(target, status);
  Expected<NewFile> file = createBeside(target);
  if (!file)
    return file.takeError();
  if (std::error_code error =
          fill(file->descriptor(), text, status, durability))
    return errorCodeToError(error);
  return std::move(*file);
}

Error writeFileWhole(StringRef path, StringRef text, Durability durability) {
  if (std::optional<int> descriptor = descriptorOf(path))
    return errorCodeToError(writeThrough(*descriptor, text));
  if (isWrittenThrough(path))
    return errorCodeToError(writeInto(path, text));
  SmallString<256> target = followLinks(path);
  Expected<NewFile> file = fillBeside(target, text, durability);
  return file ? file->keep(target) : file.takeError();
}

Error writeFilesWhole(ArrayRef<WholeFile> files) {
  auto explain = [](const WholeFile &file, Error error) {
    return createStringError("cannot write " + file.role +
                             (file.role.empty() ? "'" : " '") + file.path +
                             "': " + toString(std::move(error)));
  };
  auto placeOf = [](const WholeFile &file) {
    return file.path == "-" ? StringRef("/dev/stdout") : StringRef(file.path);
  };
  for (const WholeFile &file : files)
    if (Error error = checkWritable(placeOf(file)))
      return explain(file, std::move(error));
  // What takes room on a disk comes first, and what cannot be undone after it.
  SmallVector<std::pair<const WholeFile *, NewFile>> ready;
  for (const WholeFile &file : files) {
    if (isWrittenThrough(placeOf(file)))
      continue;
    Expected<NewFile> beside =
        fillBeside(followLinks(file.path), file.text, Durability::Process);
    if (!beside)
      return explain(file, beside.takeError());
    ready.emplace_back(&file, std::move(*beside));
  }
  for (const WholeFile &file : files)
    if (isWrittenThrough(placeOf(file)))
      if (Error error = writeFileWhole(placeOf(file), file.text))
        return explain(file, std::move(error));
  Error result = Error::success();
  for (auto &[file, beside] : ready)
    if (Error error = beside.keep(followLinks(file->path)))
      result = joinErrors(std::move(result), explain(*file, std::move(error)));
  return result;
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
  // Tried, not asked: root may do everything, but no system does it all.
  Expected<NewFile> file = createBeside(target);
  return file ? Error::success() : file.takeError();
}

} // namespace swizzle
