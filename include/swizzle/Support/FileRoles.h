//===- FileRoles.h - No file is read and written at once --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run reads some files and writes others. If two of them are one, something
// is lost: the input that the output replaces, the report that the output
// replaces. Names do not tell: one file has many, by links and by folders.
//
//   checkDistinct({{"the input", "k.mlir", false},
//                  {"the output", "./link-to-k.mlir", true}})
//     error: the input and the output are one file ('k.mlir' and
//     './link-to-k.mlir'); name another one for the output
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_FILEROLES_H
#define SWIZZLE_SUPPORT_FILEROLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace swizzle {

struct FileRole {
  std::string role; ///< "the report"
  std::string path; ///< empty or "-": no file
  bool written = false;
};

/// Fails if two of `files` are one file of which one is written. Links of
/// either kind are followed; devices, pipes and descriptors are no files.
llvm::Error checkDistinct(llvm::ArrayRef<FileRole> files);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_FILEROLES_H
