//===- FindTool.cpp - Where a program of this project is ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tools of one build lie in one folder, whatever the search path says.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/FindTool.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace swizzle {

std::string findTool(StringRef name) {
  static int anchor;
  std::string self = sys::fs::getMainExecutable(nullptr, &anchor);
  SmallString<256> beside(sys::path::parent_path(self));
  sys::path::append(beside, name);
  if (sys::fs::can_execute(beside))
    return beside.str().str();
  ErrorOr<std::string> found = sys::findProgramByName(name);
  return found ? *found : "";
}

} // namespace swizzle
