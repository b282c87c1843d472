//===- StandardStreams.h - Standard streams that are closed -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader that goes away ends a program by SIGPIPE, before it has written its
// files; a standard stream that is closed from the start gives its number to
// the next file that is opened, which then gets what is printed:
//
//   swizzle-tune k.mlir -o best.mlir | head -1
//   swizzle-sim k.mlir --draw=k.svg >&-
//
// Here both are errors of writing like others. Without LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_STANDARDSTREAMS_H
#define SWIZZLE_SUPPORT_STANDARDSTREAMS_H

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace swizzle {

/// To be called before anything is opened.
inline void holdStandardStreams() {
  ::signal(SIGPIPE, SIG_IGN);
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0)
      continue;
    // Open the wrong way round, so that using it fails as if it were closed.
    // The lowest number that is free is this one.
    (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_STANDARDSTREAMS_H
