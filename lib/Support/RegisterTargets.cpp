//===- RegisterTargets.cpp - LLVM's back ends, once -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RegisterTargets.h.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/RegisterTargets.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>

void swizzle::registerTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
  });
}
