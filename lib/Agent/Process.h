//===- Process.h - Runs a program that may misbehave ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child process with input, output limits and a time-out. It leads a process
// group of its own, and the whole group is killed when it must go, so that
// nothing that it started outlives it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_PROCESS_H
#define SWIZZLE_LIB_AGENT_PROCESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <string>

namespace swizzle {

struct ProcessOptions {
  int64_t timeoutMs = 0; ///< 0: none
  size_t maxOutputBytes = 8 << 20;
  size_t errorTailBytes = 2000; ///< how much of the end of stderr is kept
  const std::atomic<bool> *cancel = nullptr;
};

struct ProcessResult {
  enum class End : uint8_t {
    Exited,
    Signalled,
    TimedOut,
    TooMuchOutput,
    Cancelled
  };
  End end = End::Exited;
  int status = 0; ///< exit status, or the number of the signal
  std::string output, errorTail;
};

/// Runs `/bin/sh -c COMMAND` with `input` on its standard input. Fails only if
/// it cannot be started.
llvm::Expected<ProcessResult> runCommand(llvm::StringRef command,
                                         llvm::StringRef input,
                                         const ProcessOptions &options);

} // namespace swizzle

#endif // SWIZZLE_LIB_AGENT_PROCESS_H
