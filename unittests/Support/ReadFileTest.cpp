//===- ReadFileTest.cpp - Reads files that may have no end ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/ReadFile.h"
#include "../TemporaryFolder.h"

#include "gtest/gtest.h"
#include <csignal>
#include <sys/stat.h>
#include <thread>

using namespace swizzle;

/// What is read, or why nothing is.
static std::string read(const std::string &path, uint64_t limit) {
  auto buffer = readWholeFile(path, limit);
  return buffer ? (*buffer)->getBuffer().str()
                : llvm::toString(buffer.takeError());
}

TEST(ReadFile, ReadsUpToTheLimit) {
  TemporaryFolder folder;
  folder.write("a", "12345678");
  folder.write("empty", "");
  EXPECT_EQ(read(folder.file("a"), 8), "12345678");
  EXPECT_EQ(read(folder.file("a"), 7),
            "it has more than 7 bytes, the most that is read");
  EXPECT_EQ(read(folder.file("empty"), 8), "");
  EXPECT_EQ(read("/dev/null", 8), "");
}

TEST(ReadFile, SaysWhyItCannot) {
  TemporaryFolder folder;
  EXPECT_EQ(read(folder.file("none"), 8), "No such file or directory");
  EXPECT_EQ(read(folder.path, 8), "Is a directory");
}

// What the limit is made for; a device has a lower one.
TEST(ReadFile, EndsWhereADeviceDoesNot) {
  EXPECT_EQ(read("/dev/zero", 1 << 20),
            "it is a device that gives more than 1 MiB, the most that is read");
  EXPECT_EQ(
      read("/dev/zero", kDataLimit),
      "it is a device that gives more than 16 MiB, the most that is read");
}

TEST(ReadFile, ReadsAPipeToItsEnd) {
  TemporaryFolder folder;
  std::string path = folder.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string sent(200000, 'a');
  auto writeAndRead = [&](uint64_t limit) {
    std::thread writer([&] { folder.write("pipe", sent); });
    std::string got = read(path, limit);
    writer.join();
    return got;
  };
  EXPECT_EQ(writeAndRead(sent.size()), sent);
  signal(SIGPIPE, SIG_IGN); // the reader leaves first
  EXPECT_EQ(writeAndRead(1000),
            "it gives more than 1000 bytes, the most that is read");
}

// The kernel says that its files have no bytes.
TEST(ReadFile, ReadsFilesOfTheKernel) {
  EXPECT_NE(read("/proc/self/status", 1 << 20).find("Name:"),
            std::string::npos);
}

TEST(ReadFile, EndsWithAZero) {
  TemporaryFolder folder;
  folder.write("page", std::string(4096, 'a'));
  auto buffer = readWholeFile(folder.file("page"), 4096);
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ(*(*buffer)->getBufferEnd(), '\0');
}
