//===- StandardOutput.cpp - What a tool printed was written ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler of the program's end, as `--help` and `--version` end it as well.
//
//===----------------------------------------------------------------------===//

#include "StandardOutput.h"

#include "swizzle/Support/StandardStreams.h"

#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace swizzle {

namespace {
struct Watched {
  const char *tool;
  int status;
};
} // namespace

static Watched watched;

static void finish() {
  outs().flush();
  std::error_code error = outs().error();
  outs().clear_error();
  if (error)
    errs() << watched.tool << ": cannot write '-': " << error.message() << '\n';
  errs().clear_error(); // who closed it does not want to know
  if (error)
    std::_Exit(watched.status);
}

void watchStandardOutput(const char *tool, int status) {
  holdStandardStreams();
  watched = {tool, status};
  // What is made before the handler goes after it.
  outs();
  errs();
  (void)std::atexit(finish);
}

} // namespace swizzle
