//===- HiddenIds.h - Ids that a kernel reads in what it calls --- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang's own code for blockIdx, before any pass, calls a function that is
// marked always_inline: it is as good as a part of the kernel, and becomes one
// where the kernel gets another order. What may stay a function is refused.
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
/// rewritten: in functions that are not inlined in any case. Else both are
/// empty.
std::pair<std::string, std::string> findHiddenId(llvm::Function &kernel);

/// Inlines what reads ids and is inlined in any case, so that `kernel` reads
/// its ids itself. Does not fail where `findHiddenId` finds nothing.
llvm::Error inlineMarked(llvm::Function &kernel);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_HIDDENIDS_H
