//===- StandardOutput.h - What a tool printed was written -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's streams end the program with status 1 if what they hold cannot be
// written, and 1 is an answer of some tools; its handler of SIGPIPE ends it at
// once, without the files that it should write.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_COMMON_STANDARDOUTPUT_H
#define SWIZZLE_TOOLS_COMMON_STANDARDOUTPUT_H

#include "llvm/Support/InitLLVM.h"
#include <csignal>

namespace swizzle {

/// From here on the program goes on if a standard stream is closed, and however
/// it ends, says if something of its standard output is lost, and has `status`
/// then. Lost messages are no failure.
void watchStandardOutput(const char *tool, int status = 2);

/// In place of llvm::InitLLVM, the first thing in `main`.
class InitTool {
public:
  InitTool(int &argc, char **&argv, const char *tool, int status = 2)
      : watch(tool, status),
        init(argc, argv, /*InstallPipeSignalExitHandler=*/false) {
    // A file that may not grow is an error of whoever writes it, not a crash.
    std::signal(SIGXFSZ, SIG_IGN);
  }

private:
  struct Watch {
    Watch(const char *tool, int status) { watchStandardOutput(tool, status); }
  } watch;
  llvm::InitLLVM init;
};

} // namespace swizzle

#endif // SWIZZLE_TOOLS_COMMON_STANDARDOUTPUT_H
