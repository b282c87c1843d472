//===- WriteLLVM.h - Orders that were found, in LLVM IR -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_WRITELLVM_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_WRITELLVM_H

#include "Options.h"
#include "swizzle/Records/TuningDatabase.h"

namespace swizzle {

/// The module of LLVM IR that was tuned, as text, with the orders of `records`.
/// Fails if one of them cannot be applied.
llvm::Expected<std::string> applyToLLVM(const TuneOptions &options,
                                        llvm::ArrayRef<DatabaseRecord> records);

/// What swizzle-llvm takes for the block of the kernels in `file`, if it can be
/// guessed: the orders that are found are for that one.
std::optional<Grid> guessBlock(const std::string &file);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_WRITELLVM_H
