//===- ReadFile.h - Reads files that may have no end ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a user names is read up to a limit: "/dev/zero" and a pipe that is
// never closed have no end, and a program shall not take all memory to find
// out.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_READFILE_H
#define SWIZZLE_SUPPORT_READFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace swizzle {

/// What people write: formulas, chips, configurations, prompts. Also all that
/// is read of a device, whatever it holds.
constexpr uint64_t kTextLimit = uint64_t(16) << 20;
/// What our programs write: databases, journals, reports, recordings.
constexpr uint64_t kRecordLimit = uint64_t(1) << 30;
/// What is as large as its subject: modules, matrices, buffers of kernels.
constexpr uint64_t kDataLimit = uint64_t(4) << 30;

/// All of the file at `path`, if that is at most `limit` bytes. The error is a
/// sentence without the path, and names the limit.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readWholeFile(llvm::StringRef path, uint64_t limit);

/// The same; "-" is standard input.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readWholeInput(llvm::StringRef path, uint64_t limit);

/// The module that a tool is given. The error names the file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readModuleText(llvm::StringRef path);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_READFILE_H
