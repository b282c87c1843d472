//===- DatabaseFile.h - A tuning database for one test ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record that tests vary, and a database in a folder of its own.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_RECORDS_DATABASEFILE_H
#define SWIZZLE_UNITTESTS_RECORDS_DATABASEFILE_H

#include "TemporaryFolder.h"
#include "swizzle/Records/TuningDatabase.h"

#include "gtest/gtest.h"

namespace swizzle {

inline DatabaseRecord record(char digit, const std::string &grid = "64x64",
                             double best = 80) {
  DatabaseRecord result;
  result.key = {std::string(32, digit), grid, "mi300x", "0.1.0"};
  result.kernel = "matmul";
  result.signature = "r2[t+x] w2[x+y]";
  result.formula = "param G in {4, 8}\nreturn y, x";
  result.params = {{"G", 8}};
  result.agent = "openai";
  result.device = "mi300x";
  result.baseline.timeUs = 100;
  result.best.timeUs = best;
  result.best.l2HitRate = 0.7;
  return result;
}

class DatabaseFile : public testing::Test {
protected:
  std::string text() { return folder.read("tuning.db"); }
  /// Fails the test on an error.
  void add(const DatabaseRecord &one) {
    llvm::Error error = addToDatabase(path, one);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
  TemporaryFolder folder;
  std::string path = folder.file("tuning.db");
};

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_RECORDS_DATABASEFILE_H
