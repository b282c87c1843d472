//===- WriteFileTest.cpp - Writes files that are never half there ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace swizzle;
namespace fs = llvm::sys::fs;

namespace {
class WriteFile : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(fs::createUniqueDirectory("swizzle-write", path));
    folder = path.str().str();
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string in(const char *name) const { return folder + "/" + name; }
  std::string read(const std::string &path) const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "cannot be read";
  }
  unsigned countFiles() const {
    unsigned count = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error))
      ++count;
    return count;
  }

  std::string folder;
};
} // namespace

static std::string messageOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

TEST_F(WriteFile, ReplacesAndKeepsTheMode) {
  EXPECT_EQ(messageOf(writeFileWhole(in("a"), "first")), "");
  ASSERT_EQ(chmod(in("a").c_str(), 0640), 0);
  EXPECT_EQ(messageOf(writeFileWhole(in("a"), "second", Durability::Disk)), "");
  EXPECT_EQ(read(in("a")), "second");
  struct stat info;
  ASSERT_EQ(stat(in("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(WriteFile, FollowsALink) {
  EXPECT_EQ(messageOf(writeFileWhole(in("a"), "first")), "");
  ASSERT_EQ(symlink("a", in("link").c_str()), 0);
  EXPECT_EQ(messageOf(writeFileWhole(in("link"), "second")), "");
  EXPECT_EQ(read(in("a")), "second");
  EXPECT_TRUE(fs::is_symlink_file(in("link")));
}

TEST_F(WriteFile, WritesIntoAPipe) {
  ASSERT_EQ(mkfifo(in("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read(in("pipe")); });
  EXPECT_EQ(messageOf(writeFileWhole(in("pipe"), "through")), "");
  reader.join();
  EXPECT_EQ(got, "through");
  struct stat info;
  ASSERT_EQ(stat(in("pipe").c_str(), &info), 0);
  EXPECT_TRUE(S_ISFIFO(info.st_mode));
}

TEST_F(WriteFile, LeavesNothingBehindOnFailure) {
  EXPECT_NE(messageOf(writeFileWhole(in("missing/a"), "text")), "");
  ASSERT_FALSE(fs::create_directory(in("folder")));
  EXPECT_NE(messageOf(writeFileWhole(in("folder"), "text")), "");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(WriteFile, SaysThatADeviceIsFull) {
  if (!fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(messageOf(writeFileWhole("/dev/full", "text")),
            "No space left on device");
}
