//===- Context.cpp - Objectives and the names of things -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figure behind each objective, and the words for the enumerations that
// reports, journals and prompts use.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/Context.h"

#include "llvm/Support/ErrorHandling.h"

namespace swizzle {

llvm::StringRef toString(ContextMode mode) {
  switch (mode) {
  case ContextMode::Filtered:
    return "filtered";
  case ContextMode::None:
    return "none";
  case ContextMode::Manual:
    return "manual";
  }
  llvm_unreachable("unknown context mode");
}

} // namespace swizzle
