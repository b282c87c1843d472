//===- HiddenIds.h - Ids that a kernel reads in what it calls --- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang's own code for blockIdx, before any pass, calls a function; the body of
// a large kernel often is one that is too large to be inlined. Where the kernel
// gets another order, functions by which it reads ids become a part of it. What
// cannot be inlined is refused.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LLVMPASS_HIDDENIDS_H
#define SWIZZLE_LIB_LLVMPASS_HIDDENIDS_H

#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace swizzle::llvmpass {

/// Code and reason of a refusal if `kernel` reads ids where these are not
/// rewritten: in functions that cannot be inlined. Else both are empty.
std::pair<std::string, std::string> findHiddenId(llvm::Function &kernel);

/// Inlines what reads ids, so that `kernel` reads its ids itself. Does not fail
/// where `findHiddenId` finds nothing.
llvm::Error inlineReaders(llvm::Function &kernel);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_HIDDENIDS_H
