//===- CompileCacheTest.cpp - Compiled kernels by content -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, damage, pruning, and many processes in one folder.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Device/CompileCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <sys/wait.h>
#include <unistd.h>

using namespace swizzle;
namespace fs = llvm::sys::fs;

namespace {

class CompileCacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("swizzle-cache-test", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  /// The files of the folder with this ending.
  std::vector<std::string> files(llvm::StringRef ending) {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end;
         it != end && !error; it.increment(error))
      if (llvm::StringRef(it->path()).ends_with(ending))
        found.push_back(it->path());
    return found;
  }

  void overwrite(llvm::StringRef path, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
  }

  std::string keyOf(int number) {
    return CompileCache::key({std::to_string(number)});
  }

  llvm::SmallString<128> folder;
};

} // namespace

TEST_F(CompileCacheTest, FindsWhatWasStored) {
  std::string content("bytes\0 with\n anything", 21), key = keyOf(1);
  {
    CompileCache cache(folder.str().str());
    EXPECT_FALSE(cache.lookup(key));
    cache.store(key, content);
    EXPECT_EQ(cache.lookup(key), content);
  }
  CompileCache later(folder.str().str());
  EXPECT_EQ(later.lookup(key), content);
  EXPECT_FALSE(later.lookup(keyOf(2)));
  EXPECT_EQ(later.statistics().hits, 1u);
  EXPECT_EQ(later.statistics().misses, 1u);
}

TEST_F(CompileCacheTest, KeysDependOnEveryPartAndItsBounds) {
  EXPECT_NE(CompileCache::key({"ab", "c"}), CompileCache::key({"a", "bc"}));
  EXPECT_NE(CompileCache::key({"a"}), CompileCache::key({"a", ""}));
  EXPECT_EQ(CompileCache::key({"a", "b"}), CompileCache::key({"a", "b"}));
}

TEST_F(CompileCacheTest, DamageIsAMiss) {
  std::string key = keyOf(1);
  for (llvm::StringRef damaged :
       {"", "garbage", "swizzle-cache/2 00 5\nhello"}) {
    CompileCache cache(folder.str().str());
    cache.store(key, "hello");
    ASSERT_EQ(files(".kernel").size(), 1u);
    overwrite(files(".kernel").front(), damaged);
    EXPECT_FALSE(cache.lookup(key));
    EXPECT_EQ(cache.statistics().damaged, 1u);
    cache.store(key, "hello");
    EXPECT_EQ(cache.lookup(key), "hello");
  }
}

TEST_F(CompileCacheTest, ATruncatedEntryIsAMiss) {
  CompileCache cache(folder.str().str());
  cache.store(keyOf(1), std::string(1000, 'x'));
  ASSERT_EQ(truncate(files(".kernel").front().c_str(), 500), 0);
  EXPECT_FALSE(cache.lookup(keyOf(1)));
}

TEST_F(CompileCacheTest, AFolderThatCannotBeMadeIsNoError) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "file");
  overwrite(path, "not a folder");
  CompileCache cache(path.str().str());
  cache.store(keyOf(1), "hello");
  EXPECT_FALSE(cache.lookup(keyOf(1)));
  EXPECT_EQ(cache.statistics().notStored, 1u);
  EXPECT_NE(cache.statistics().whyNotStored.find("file"), std::string::npos);
  CompileCache none("");
  none.store(keyOf(1), "hello");
  EXPECT_FALSE(none.lookup(keyOf(1)));
}

TEST_F(CompileCacheTest, PrunesWhatWasUnusedForLongest) {
  std::string content(1000, 'x');
  {
    CompileCache large(folder.str().str());
    for (int i = 0; i < 10; ++i)
      large.store(keyOf(i), content);
  }
  // All were used at the same, early time, but number 3.
  for (const std::string &path : files(".kernel")) {
    int fd;
    ASSERT_FALSE(
        fs::openFileForReadWrite(path, fd, fs::CD_OpenExisting, fs::OF_None));
    fs::setLastAccessAndModificationTime(fd, std::chrono::system_clock::now() -
                                                 std::chrono::hours(1));
    close(fd);
  }
  CompileCache small(folder.str().str(), 5000);
  EXPECT_TRUE(small.lookup(keyOf(3)));
  small.store(keyOf(10), content);
  EXPECT_LE(files(".kernel").size(), 4u);
  EXPECT_GE(small.statistics().pruned, 7u);
  EXPECT_TRUE(small.lookup(keyOf(3)));
  EXPECT_TRUE(small.lookup(keyOf(10)));
}

// Whole entries or none, whoever writes, prunes and damages at the same time.
TEST_F(CompileCacheTest, ManyProcesses) {
  auto contentOf = [](int i) {
    return std::string(100 + i * 997, char('a' + i));
  };
  std::vector<pid_t> children;
  for (int process = 0; process < 6; ++process) {
    pid_t pid = fork();
    if (pid == 0) {
      CompileCache cache(folder.str().str(), 20000);
      bool right = true;
      for (int i = 0; i < 200; ++i) {
        int number = (i * 7 + process) % 16;
        if (auto found = cache.lookup(keyOf(number)))
          right &= *found == contentOf(number);
        else
          cache.store(keyOf(number), contentOf(number));
      }
      _exit(right && !cache.statistics().damaged ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = 1;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_TRUE(files(".tmp").empty());
}

TEST(WithoutLocations, DropsLocationsCommentsAndLineEnds) {
  EXPECT_EQ(withoutLocations("a loc(\"f(.mlir\":1:2) // why\n  b  \r\n\n"),
            "a\n  b\n");
  EXPECT_EQ(withoutLocations("#loc1 = loc(\"x\":1:2)\n#loc2 = loc(#loc1)\n"
                             "m {\n} loc(#loc2)\n"),
            "m {\n}\n");
  EXPECT_EQ(withoutLocations("x loc(callsite(\"a\"(\"b\" at \"c\") at #l)) y"),
            "x  y\n");
}

TEST(WithoutLocations, KeepsEverythingElse) {
  for (llvm::StringRef text :
       {"func.func @loc(%loc: i32)\n", "\"a // b loc(c)\"\n",
        "x.loc(1) #local = loco(2)\n", "#loc_attr = 3\n",
        "\"unfinished \\\" string\n"})
    EXPECT_EQ(withoutLocations(text), text);
}
