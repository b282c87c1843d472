//===- ChildProcess.h - A program that may crash or hang ------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program within limits of time, memory and output, and returns however
// the program ends: it may crash, hang, or flood its standard error. Processes
// that it leaves running are killed.
// Nothing is written to disk: input and output are files in memory. Linux.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_CHILDPROCESS_H
#define SWIZZLE_SUPPORT_CHILDPROCESS_H

#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace swizzle {

struct ChildOptions {
  std::string program; ///< a path; the search path is not looked at
  std::vector<std::string> arguments; ///< without the program's name
  llvm::StringRef input;              ///< its standard input, a seekable file
  /// None: wait for ever.
  std::chrono::milliseconds timeout = std::chrono::milliseconds::max();
  uint64_t memoryBytes = 0; ///< private memory it may write; 0: unlimited
  /// Of each output file; looked at every few milliseconds, so a program may
  /// get a little further before it is killed.
  uint64_t outputBytes = uint64_t(1) << 30;
  uint64_t errorBytes = 16 << 10; ///< kept of standard error: its end
  const std::atomic<bool> *cancel = nullptr; ///< true: kill it and come back
};

struct ChildResult {
  enum Status {
    Exited,        ///< `code` is its exit status
    Signalled,     ///< `code` is the signal that ended it
    TimedOut,      ///< killed
    Cancelled,     ///< killed
    TooMuchOutput, ///< killed, or ended with more than `outputBytes`
    NotStarted,    ///< `error` says why
  };
  Status status = NotStarted;
  int code = 0;
  bool missing = false; ///< NotStarted: there is no such program
  std::string error;
  std::string output;     ///< standard output
  std::string sideOutput; ///< what it wrote to /dev/fd/3
  std::string errorTail;  ///< the end of standard error
  bool errorTruncated = false;

  /// "exit status 1", "signal 11 (Segmentation fault)", "killed after 2.5 s".
  std::string describe() const;
};

/// Runs the program in a process group of its own. Whatever of that group is
/// left when the program ends is killed. The program is killed as well if the
/// calling thread dies, and the whole group if the calling process does, by
/// whatever signal.
ChildResult runChild(const ChildOptions &options);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_CHILDPROCESS_H
