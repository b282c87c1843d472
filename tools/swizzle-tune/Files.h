//===- Files.h - The files of a run of swizzle-tune -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search takes minutes: what cannot be read or written is refused before it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_FILES_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_FILES_H

#include "Options.h"

namespace swizzle {

/// Fails if two of the run's files are one, of which one is written, or if the
/// folder of prompts is none.
llvm::Error checkFiles(const TuneOptions &options);

/// Fails if the output, the report or the database cannot be written.
llvm::Error checkOutputs(const TuneOptions &options);

/// Adds hashes of what the files hold that steer the loop and stay as they are:
/// with another content, it is another run.
llvm::Error addContents(const TuneOptions &options,
                        std::map<std::string, std::string> &steering);

/// Makes the folder of a checkpoint; fails if it cannot be written to `path`,
/// or would replace a file that is none.
llvm::Error checkReplaceable(llvm::StringRef path);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_FILES_H
