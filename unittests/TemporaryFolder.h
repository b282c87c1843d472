//===- TemporaryFolder.h - A folder that is gone at the end -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests that write files: each gets a folder of its own, so that they can
// run at the same time, and leaves nothing behind.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_TEMPORARYFOLDER_H
#define SWIZZLE_UNITTESTS_TEMPORARYFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"
#include <fstream>
#include <string>

namespace swizzle {

class TemporaryFolder {
public:
  TemporaryFolder() {
    llvm::SmallString<128> made;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("swizzle-test", made));
    path = made.str().str();
  }
  ~TemporaryFolder() { (void)llvm::sys::fs::remove_directories(path); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// Where a file of this name lies in it.
  std::string file(llvm::StringRef name) const {
    return path + "/" + name.str();
  }
  /// Contents of a file; empty if there is none.
  std::string read(llvm::StringRef name) const {
    auto buffer = llvm::MemoryBuffer::getFile(file(name));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  void write(llvm::StringRef name, llvm::StringRef text) const {
    std::ofstream(file(name), std::ios::binary) << text.str();
  }

  std::string path;
};

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_TEMPORARYFOLDER_H
