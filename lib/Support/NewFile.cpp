//===- NewFile.cpp - Files and folders with names of their own ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names are drawn until one is free: the system says so when it makes the file.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/NewFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace swizzle {

/// Draws names between `prefix` and `suffix` until `make` finds no file of it.
static Expected<std::string>
drawName(StringRef prefix, StringRef suffix,
         function_ref<std::error_code(const std::string &)> make) {
  constexpr unsigned most = 128;
  std::error_code error;
  for (unsigned i = 0; i < most; ++i) {
    uint64_t number = uint64_t(sys::Process::GetRandomNumber()) << 32 |
                      uint64_t(sys::Process::GetRandomNumber());
    std::string name =
        (prefix + formatv("{0:x-16}", number).str() + suffix).str();
    error = make(name);
    if (error != std::errc::file_exists)
      return error ? Expected<std::string>(errorCodeToError(error)) : name;
  }
  return errorCodeToError(error);
}

static std::string temporaryPrefix(StringRef name) {
  SmallString<128> path;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  sys::path::append(path, name + "-");
  return path.str().str();
}

Expected<NewFile> NewFile::create(StringRef prefix, StringRef suffix) {
  int fd = -1;
  Expected<std::string> name =
      drawName(prefix, suffix, [&fd](const std::string &path) {
        return sys::fs::openFileForWrite(path, fd, sys::fs::CD_CreateNew);
      });
  if (!name)
    return name.takeError();
  sys::RemoveFileOnSignal(*name);
  return NewFile(std::move(*name), fd);
}

Expected<NewFile> NewFile::createTemporary(StringRef name, StringRef suffix) {
  return create(temporaryPrefix(name), suffix);
}

NewFile::NewFile(NewFile &&other)
    : name(std::exchange(other.name, {})), fd(std::exchange(other.fd, -1)) {}

NewFile &NewFile::operator=(NewFile &&other) {
  discard();
  name = std::exchange(other.name, {});
  fd = std::exchange(other.fd, -1);
  return *this;
}

Error NewFile::write(StringRef text) {
  raw_fd_ostream os(fd, /*shouldClose=*/false);
  os << text;
  os.flush();
  std::error_code error = os.error();
  os.clear_error(); // or the stream ends the process
  return errorCodeToError(error);
}

Error NewFile::keep(StringRef target) {
  std::error_code error = sys::fs::rename(name, target);
  if (!error) {
    sys::DontRemoveFileOnSignal(name);
    name.clear();
    ::close(std::exchange(fd, -1));
  }
  return errorCodeToError(error);
}

void NewFile::discard() {
  if (name.empty())
    return;
  ::close(std::exchange(fd, -1));
  (void)sys::fs::remove(name);
  sys::DontRemoveFileOnSignal(name);
  name.clear();
}

Expected<std::string> makeTemporaryFolder(StringRef name) {
  return drawName(temporaryPrefix(name), "", [](const std::string &path) {
    return sys::fs::create_directory(path, /*IgnoreExisting=*/false,
                                     sys::fs::owner_all);
  });
}

} // namespace swizzle
