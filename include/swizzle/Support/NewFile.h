//===- NewFile.h - Files and folders with names of their own ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file that nobody else has, until it takes the place of another one. LLVM's
// TempFile does the same, but takes each `%` of a path, a folder's as well, for
// a digit to be chosen.
//
//   auto file = NewFile::create("100%/out.mlir.", ".tmp");
//   file->path()             "100%/out.mlir.1f3c9a0258e7d641.tmp"
//   file->keep("100%/out.mlir")
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_NEWFILE_H
#define SWIZZLE_SUPPORT_NEWFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace swizzle {

/// Open for writing; goes away with the object, or by a signal that ends the
/// process, unless it is kept.
class NewFile {
public:
  static llvm::Expected<NewFile> create(llvm::StringRef prefix,
                                        llvm::StringRef suffix);
  /// In the system's folder for temporary files.
  static llvm::Expected<NewFile> createTemporary(llvm::StringRef name,
                                                 llvm::StringRef suffix);
  NewFile(NewFile &&other);
  NewFile &operator=(NewFile &&other);
  ~NewFile() { discard(); }

  int descriptor() const { return fd; }
  const std::string &path() const { return name; }

  llvm::Error write(llvm::StringRef text);
  /// Takes the place of `target`.
  llvm::Error keep(llvm::StringRef target);
  /// Removes the file, if it was not kept.
  void discard();

private:
  NewFile(std::string name, int fd) : name(std::move(name)), fd(fd) {}
  std::string name; ///< empty: there is none any more
  int fd = -1;
};

/// A new folder below the system's one for temporary files; whoever asks for it
/// removes it.
llvm::Expected<std::string> makeTemporaryFolder(llvm::StringRef name);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_NEWFILE_H
