//===- ResultsFile.cpp - What a bundle's results are kept in --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is never rewritten: a process that is killed in the middle of that
// would lose what others measured for an hour.
//
//===----------------------------------------------------------------------===//

#include "ResultsFile.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>

namespace swizzle::measuring {

std::string ResultsFile::fail(const char *what) const {
  return path + " cannot be " + what + ": " + std::strerror(errno);
}

std::string ResultsFile::open(const std::string &name, bool fresh,
                              std::string &text) {
  path = name;
  file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return fail("written");
  if (::flock(file, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK
               ? path + " is being written by another swizzle-run: wait for it"
               : fail("locked");
  text.clear();
  char buffer[1 << 16];
  ssize_t count = 0;
  while (!fresh && (count = ::read(file, buffer, sizeof(buffer))) != 0) {
    if (count > 0)
      text.append(buffer, size_t(count));
    else if (errno != EINTR)
      return fail("read");
  }
  size_t end = text.rfind('\n');
  size_t whole = end == text.npos ? 0 : end + 1;
  bool isTorn = whole != text.size();
  text.resize(whole);
  if ((fresh || isTorn) && ::ftruncate(file, off_t(whole)) != 0)
    return fail("cut");
  return "";
}

std::string ResultsFile::append(const std::string &line) {
  for (size_t done = 0; done < line.size();) {
    ssize_t count = ::write(file, line.data() + done, line.size() - done);
    if (count < 0 && errno != EINTR)
      return fail("written");
    done += count > 0 ? size_t(count) : 0;
  }
  return "";
}

void ResultsFile::close() {
  if (file >= 0)
    ::close(file);
  file = -1;
}

double readSeconds(const std::string &path) {
  std::ifstream file(path);
  double seconds = 0;
  bool isFine = bool(file >> seconds) && std::isfinite(seconds) && seconds >= 0;
  return isFine ? seconds : 0;
}

std::string writeSeconds(const std::string &path, double seconds) {
  // Beside and renamed: who reads it meanwhile finds a whole number.
  std::string beside = path + ".new";
  char text[64];
  std::snprintf(text, sizeof(text), "%.3f\n", seconds);
  std::ofstream file(beside);
  file << text << std::flush;
  if (file && std::rename(beside.c_str(), path.c_str()) == 0)
    return "";
  return path + " cannot be written: " + std::strerror(errno);
}

} // namespace swizzle::measuring
