//===- WriteFileTest.cpp - Writes files that are never half there ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/WriteFile.h"
#include "../TemporaryFolder.h"
#include "swizzle/Support/NewFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace swizzle;
namespace fs = llvm::sys::fs;

namespace {
class WriteFile : public ::testing::Test {
protected:
  std::string in(const char *name) const { return folder.file(name); }
  std::string read(const std::string &path) const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "cannot be read";
  }
  unsigned countFiles() const {
    unsigned count = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder.path, error), end;
         it != end && !error; it.increment(error))
      ++count;
    return count;
  }

  TemporaryFolder folder;
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

TEST_F(WriteFile, TakesAnyCharacterForItself) {
  std::string place = in("100%");
  ASSERT_FALSE(fs::create_directory(place));
  for (const char *text : {"first", "second"}) {
    EXPECT_EQ(messageOf(checkWritable(place + "/%%%")), "");
    EXPECT_EQ(messageOf(writeFileWhole(place + "/%%%", text)), "");
    EXPECT_EQ(read(place + "/%%%"), text);
  }
}

TEST_F(WriteFile, ANewFileGoesUnlessItIsKept) {
  std::string path;
  {
    llvm::Expected<NewFile> file = NewFile::create(in("a%b."), ".tmp");
    ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
    path = file->path();
    EXPECT_EQ(path.find(in("a%b.")), 0u) << path;
    EXPECT_EQ(messageOf(file->write("text")), "");
    EXPECT_EQ(read(path), "text");
    NewFile moved = std::move(*file);
    EXPECT_EQ(read(path), "text");
    NewFile other = llvm::cantFail(NewFile::create(in("a%b."), ".tmp"));
    EXPECT_NE(other.path(), path);
    EXPECT_EQ(messageOf(other.keep(in("kept"))), "");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(read(in("kept")), "");
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_NE(messageOf(NewFile::create(in("none/a"), "").takeError()), "");
}

TEST_F(WriteFile, FollowsALink) {
  EXPECT_EQ(messageOf(writeFileWhole(in("a"), "first")), "");
  // A link to what is not there yet names it all the same.
  ASSERT_EQ(symlink("later", in("dangling").c_str()), 0);
  EXPECT_EQ(messageOf(writeFileWhole(in("dangling"), "new")), "");
  EXPECT_TRUE(fs::is_symlink_file(in("dangling")));
  EXPECT_TRUE(fs::exists(in("later")));
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

// A name for an open file goes on where that is.
TEST_F(WriteFile, WritesThroughADescriptor) {
  int descriptor = ::open(in("a").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::write(descriptor, "first ", 6), 6);
  std::string name = "/dev/fd/" + std::to_string(descriptor);
  EXPECT_EQ(messageOf(checkWritable(name)), "");
  EXPECT_EQ(messageOf(writeFileWhole(name, "second")), "");
  ::close(descriptor);
  EXPECT_EQ(read(in("a")), "first second");
  EXPECT_NE(messageOf(checkWritable(name)), "");
}

// Files in memory are files.
TEST_F(WriteFile, ReplacesFilesBelowDev) {
  if (!fs::is_directory("/dev/shm") ||
      fs::access("/dev/shm", fs::AccessMode::Write))
    GTEST_SKIP() << "no /dev/shm";
  std::string path = "/dev/shm/swizzle-test-" + std::to_string(getpid());
  EXPECT_EQ(messageOf(writeFileWhole(path, "a long text")), "");
  EXPECT_EQ(messageOf(writeFileWhole(path, "short")), "");
  EXPECT_EQ(read(path), "short");
  fs::remove(path);
}

TEST_F(WriteFile, TellsBeforehand) {
  EXPECT_EQ(messageOf(checkWritable(in("a"))), "");
  EXPECT_EQ(messageOf(checkWritable(in("missing/a"))),
            "No such file or directory");
  EXPECT_EQ(messageOf(checkWritable(folder.path)), "Is a directory");
  EXPECT_EQ(messageOf(writeFileWhole(in("a"), "text")), "");
  EXPECT_EQ(messageOf(checkWritable(in("a/b"))), "Not a directory");
  EXPECT_EQ(messageOf(checkWritable(in("a"))), "");
  EXPECT_EQ(countFiles(), 1u);
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

TEST_F(WriteFile, WritesSeveralOrNone) {
  ASSERT_EQ(messageOf(writeFileWhole(in("a"), "before")), "");
  EXPECT_EQ(messageOf(writeFilesWhole({{"the output", in("a"), "after"},
                                       {"the report", "/dev/full", "text"}})),
            "cannot write the report '/dev/full': No space left on device");
  EXPECT_EQ(messageOf(writeFilesWhole(
                {{"", in("a"), "after"}, {"", folder.path, "text"}})),
            "cannot write '" + folder.path + "': Is a directory");
  EXPECT_EQ(read(in("a")), "before");
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_EQ(
      messageOf(writeFilesWhole({{"", in("a"), "1"}, {"", in("b"), "2"}})), "");
  EXPECT_EQ(read(in("a")) + read(in("b")), "12");
  EXPECT_EQ(countFiles(), 2u);
}
