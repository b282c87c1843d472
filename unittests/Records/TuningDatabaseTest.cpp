//===- TuningDatabaseTest.cpp - Tests of the tuning database --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines survive a round trip; the order of writers does not matter; nothing is
// lost when many processes write at once; what cannot be read is named and
// kept.
//
//===----------------------------------------------------------------------===//

#include "DatabaseFile.h"
#include "Simulation/Models.h"
#include "swizzle/Kernel/Signature.h"

#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace swizzle;
using llvm::StringRef;

// --- Lines ----------------------------------------------------------------

TEST(DatabaseRecords, ALineIsReadAsItWasWritten) {
  DatabaseRecord one = record('a');
  one.kernel = "odd \"name\"\n\t\xc3\xa9";
  one.baseline.dramBytes = 123456789;
  std::string line = printRecord(one);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  llvm::Expected<DatabaseRecord> again = parseRecord(line);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(printRecord(*again), line);
  EXPECT_EQ(again->kernel, one.kernel);
  EXPECT_EQ(again->params, one.params);
  EXPECT_DOUBLE_EQ(*again->gain(), 1.25);
  one.formula.clear();
  EXPECT_NE(printRecord(one).find("\"formula\":null"), std::string::npos);
  EXPECT_DOUBLE_EQ(*parseRecord(printRecord(one))->gain(), 1);
}

TEST(DatabaseRecords, ADescriptionThatIsNotBuiltInIsTold) {
  DatabaseRecord one = record('a');
  EXPECT_EQ(printRecord(one).find("chip_hash"), std::string::npos);
  one.key.chipHash = "blake3:" + std::string(32, '1');
  std::string line = printRecord(one);
  EXPECT_NE(line.find("\"chip\":\"mi300x\",\"chip_hash\":\"blake3:1"),
            std::string::npos)
      << line;
  llvm::Expected<DatabaseRecord> again = parseRecord(line);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->key, one.key);
  line.replace(line.find("blake3:1"), 8, "blake3:X");
  EXPECT_EQ(llvm::toString(parseRecord(line).takeError()),
            "'chip_hash' is not blake3: and 32 hexadecimal digits");
}

TEST(DatabaseRecords, NothingLeftIsMoreThanAnyGain) {
  DatabaseRecord perfect = record('a');
  perfect.objective = Objective::L2HitRate;
  perfect.baseline.l2HitRate = 0.5;
  perfect.best.l2HitRate = 1;
  EXPECT_EQ(perfect.gain(), HUGE_VAL);
  EXPECT_EQ(describeGain(*perfect.gain()), "infinitely many times as good as");
  DatabaseRecord little = perfect;
  little.best.l2HitRate = 0.51;
  EXPECT_NEAR(*little.gain(), 1.02, 0.001);
  EXPECT_EQ(describeGain(*little.gain()), "1.02 times as good as");
  DatabaseRecord untold = perfect;
  untold.best.l2HitRate = std::nullopt;
  EXPECT_EQ(untold.gain(), std::nullopt);
  for (auto [first, second, better] : {std::tuple(&perfect, &little, &perfect),
                                       std::tuple(&little, &perfect, &perfect),
                                       std::tuple(&untold, &little, &little)}) {
    TuningDatabase database;
    database.add(*first);
    database.add(*second);
    EXPECT_EQ(database.print(), printRecord(*better) + "\n");
  }
  // Nothing that became nothing, and something out of nothing.
  perfect.baseline.l2HitRate = 1;
  EXPECT_EQ(perfect.gain(), 1);
  little.baseline.l2HitRate = 1;
  EXPECT_EQ(little.gain(), 0);
}

TEST(DatabaseRecords, BytesThatNobodyCountedAreNoFigure) {
  Metrics metrics;
  metrics.from.origin = Origin::Measured;
  metrics.timeUs = 5;
  EXPECT_EQ(figuresOf(metrics).dramBytes, std::nullopt);
  metrics.dramReadBytes = metrics.dramWriteBytes = 0;
  EXPECT_EQ(figuresOf(metrics).dramBytes, 0);
}

TEST(DatabaseRecords, WhatIsWrongIsNamed) {
  std::string good = printRecord(record('a'));
  struct {
    const char *from, *to, *message;
  } cases[] = {
      {"\"schema\":\"swizzle-database/1\"", "\"schema\":\"swizzle-database/9\"",
       "schema 'swizzle-database/9' is not 'swizzle-database/1'"},
      {"\"kernel_hash\":\"aaaa", "\"kernel_hash\":\"XYZ\",\"more\":\"",
       "the field 'more' is unknown"},
      {"\"kernel_hash\":\"aaaa", "\"kernel_hash\":\"AAAA",
       "'kernel_hash' is not 32 hexadecimal digits"},
      {"64x64", "64x-3", "'grid'"},
      {"64x64", "64x64x1", "which is written '64x64'"},
      {"\"mi300x\",\"tool", "\"\",\"tool", "'chip' or 'tool_version' is empty"},
      {"\"G\":8", "\"G\":8.5", "a parameter is not an integer"},
      {"\"time_us\":100", "\"time_us\":-1", "'time_us' is not a number"},
      {"\"l2_hit_rate\":0.7", "\"l2_hit_rate\":7", "more than 1"},
      {"\"simulated\"", "\"guessed\"", "'origin' is 'guessed'"},
      {"\"objective\":\"time\"", "\"objective\":\"fun\"",
       "'objective' is 'fun'"},
      {"\"agent\":\"openai\",", "", "there is no 'agent'"},
      {"{", "", "not a JSON object"},
      {"{\"kernel", "<<<<<<< {\"kernel", "a merge that was not finished"},
  };
  for (const auto &one : cases) {
    std::string line = good;
    size_t at = line.find(one.from);
    ASSERT_NE(at, std::string::npos) << one.from;
    line.replace(at, StringRef(one.from).size(), one.to);
    llvm::Expected<DatabaseRecord> read = parseRecord(line);
    ASSERT_FALSE(bool(read)) << line;
    std::string message = llvm::toString(read.takeError());
    EXPECT_NE(message.find(one.message), std::string::npos) << line << "\n"
                                                            << message;
  }
  llvm::Expected<DatabaseRecord> deep = parseRecord(std::string(100000, '['));
  ASSERT_FALSE(bool(deep));
  llvm::consumeError(deep.takeError());
}

// --- The records of one file ------------------------------------------------

TEST(TuningDatabase, IsSortedByKey) {
  TuningDatabase database;
  database.add(record('b'));
  database.add(record('a', "128x64"));
  database.add(record('a', "64x64"));
  ASSERT_EQ(database.records().size(), 3u);
  // By extents, not by digits.
  EXPECT_EQ(database.records()[0].key.grid, "64x64");
  EXPECT_EQ(database.records()[1].key.grid, "128x64");
  EXPECT_EQ(database.records()[2].key.kernelHash[0], 'b');
  EXPECT_TRUE(database.find(record('b').key));
  EXPECT_FALSE(database.find(record('c').key));
}

TEST(TuningDatabase, TheBetterRecordStaysWhoeverComesFirst) {
  DatabaseRecord slow = record('a', "64x64", 90), fast = record('a');
  DatabaseRecord measured = record('a', "64x64", 95);
  measured.origin = Origin::Measured;
  DatabaseRecord other = record('a', "64x64", 95);
  other.origin = Origin::Measured;
  other.formula = "return x, y ^ 1";
  std::vector<DatabaseRecord> all = {slow, fast, measured, other};
  std::string expected;
  std::vector<int> order = {0, 1, 2, 3};
  do {
    TuningDatabase database;
    for (int index : order)
      database.add(all[index]);
    ASSERT_EQ(database.records().size(), 1u);
    EXPECT_EQ(database.records()[0].origin, Origin::Measured);
    if (expected.empty())
      expected = database.print();
    EXPECT_EQ(database.print(), expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(TuningDatabase, ABadLineIsNamedAndKept) {
  std::string bad = "{\"kernel_hash\": 7}";
  std::string text = printRecord(record('b')) + "\n" + bad + "\n\n" +
                     printRecord(record('a')) + "\n";
  TuningDatabase database = TuningDatabase::parse(text, "tuning.db");
  EXPECT_EQ(database.records().size(), 2u);
  ASSERT_EQ(database.problems().size(), 1u);
  EXPECT_EQ(database.problems()[0].line, 2u);
  EXPECT_NE(database.problems()[0].message.find("tuning.db:2: "),
            std::string::npos);
  EXPECT_NE(database.print().find(bad + "\n"), std::string::npos);
  // Reading what was printed finds the same.
  EXPECT_EQ(TuningDatabase::parse(database.print(), "again").print(),
            database.print());
  EXPECT_EQ(database.dropProblems(), 1u);
  EXPECT_EQ(database.print().find(bad), std::string::npos);
}

TEST(TuningDatabase, DescriptionsOfOneNameStandSideBySide) {
  DatabaseRecord builtIn = record('a'), mine = record('a', "64x64", 50),
                 theirs = record('a', "64x64", 90);
  mine.key.chipHash = "blake3:" + std::string(32, '2');
  theirs.key.chipHash = "blake3:" + std::string(32, '1');
  TuningDatabase database;
  for (const DatabaseRecord &one : {mine, builtIn, theirs})
    EXPECT_TRUE(database.add(one));
  EXPECT_EQ(database.print(), printRecord(builtIn) + "\n" +
                                  printRecord(theirs) + "\n" +
                                  printRecord(mine) + "\n");
  EXPECT_EQ(database.find(builtIn.key)->best.timeUs, 80);
  EXPECT_EQ(database.find(mine.key)->best.timeUs, 50);
  mine.key.chipHash.back() = '3';
  EXPECT_EQ(database.find(mine.key), nullptr);
}

TEST(TuningDatabase, TheNearestShareThePattern) {
  TuningDatabase database;
  auto add = [&](char hash, const char *grid, const char *chip,
                 const char *signature) {
    DatabaseRecord one = record(hash, grid);
    one.key.chip = chip;
    one.signature = signature;
    database.add(one);
  };
  add('a', "64x64", "mi300x", "S");   // the kernel itself
  add('a', "128x128", "h100", "S");   // same kernel, other chip
  add('b', "60x64", "mi300x", "S");   // nearest in size
  add('c', "512x512", "mi300x", "S"); // far in size
  add('d', "64x64", "mi300x", "T");   // another pattern
  std::vector<const DatabaseRecord *> near =
      database.nearest(record('a').key, "S", 10);
  ASSERT_EQ(near.size(), 3u);
  EXPECT_EQ(near[0]->key.chip, "h100");
  EXPECT_EQ(near[1]->key.grid, "60x64");
  EXPECT_EQ(near[2]->key.grid, "512x512");
  EXPECT_EQ(database.nearest(record('a').key, "S", 2).size(), 2u);
}

TEST(AccessSignature, SizesDoNotMatterPatternsDo) {
  std::string gemm = accessSignature(models::gemmFp16(2048, 2048, 1024));
  EXPECT_EQ(accessSignature(models::gemmFp16(8192, 4096, 512)), gemm);
  EXPECT_NE(accessSignature(models::transposeNaive(1024, 32, 8)), gemm);
  EXPECT_EQ(accessSignature(models::star2d(1024, 1024, 1, 64, 4)),
            accessSignature(models::star2d(4096, 2048, 1, 64, 4)));
  EXPECT_EQ(accessSignature(KernelModel::create(Grid(4), Grid(64))), "n/a");
}

// --- The file -------------------------------------------------------------

TEST_F(DatabaseFile, IsMadeByTheFirstRecord) {
  add(record('a'));
  EXPECT_EQ(text(), printRecord(record('a')) + "\n");
}

TEST_F(DatabaseFile, IsNotTouchedIfNothingChanges) {
  add(record('a'));
  struct stat before, after;
  ::stat(path.c_str(), &before);
  add(record('a'));
  ::stat(path.c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(DatabaseFile, KeepsItsModeAndItsLink) {
  add(record('a'));
  ::chmod(path.c_str(), 0640);
  std::string link = path + ".link";
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
  llvm::Error error = addToDatabase(link, record('b'));
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  struct stat info;
  ASSERT_EQ(::lstat(link.c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ::stat(path.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  EXPECT_EQ(StringRef(text()).count('\n'), 2u);
}

TEST_F(DatabaseFile, AFolderThatIsNotThereIsNamed) {
  llvm::Error error = addToDatabase("/nowhere/at/all/tuning.db", record('a'));
  ASSERT_TRUE(bool(error));
  EXPECT_NE(llvm::toString(std::move(error)).find("/nowhere/at/all"),
            std::string::npos);
}

/// Every writer adds keys of its own and one that all of them share.
static void writeRecords(const std::string &path, int writer, int count) {
  for (int i = 0; i < count; ++i) {
    DatabaseRecord own = record('a', std::to_string(1000 * writer + i + 1));
    DatabaseRecord shared = record('f', "64x64", 90 - writer);
    if (llvm::Error error = addToDatabase(path, {own, shared})) {
      llvm::consumeError(std::move(error));
      ::_exit(1);
    }
  }
}

TEST_F(DatabaseFile, ManyProcessesLoseNothing) {
  constexpr int writers = 12, count = 10;
  std::vector<pid_t> children;
  for (int writer = 1; writer <= writers; ++writer) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      writeRecords(path, writer, count);
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  llvm::Expected<TuningDatabase> database = TuningDatabase::read(path);
  ASSERT_TRUE(bool(database)) << llvm::toString(database.takeError());
  EXPECT_TRUE(database->problems().empty());
  EXPECT_EQ(database->records().size(), size_t(writers * count + 1));
  const DatabaseRecord *shared = database->find(record('f').key);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->best.timeUs, 90 - writers);
  EXPECT_EQ(text(), database->print());
  // Nothing is left behind but the lock.
  std::error_code failure;
  size_t files = 0;
  for (llvm::sys::fs::directory_iterator it(folder.path, failure), end;
       !failure && it != end; it.increment(failure))
    ++files;
  EXPECT_EQ(files, 2u);
}

TEST_F(DatabaseFile, ManyThreadsLoseNothing) {
  std::vector<std::thread> threads;
  for (int writer = 1; writer <= 8; ++writer)
    threads.emplace_back([&, writer] { writeRecords(path, writer, 5); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(StringRef(text()).count('\n'), 41u);
}

TEST_F(DatabaseFile, AWriterThatIsKilledHarmsNobody) {
  add(record('b'));
  for (int round = 0; round < 20; ++round) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      writeRecords(path, round + 1, 1000);
      ::_exit(0);
    }
    ::usleep(500 * useconds_t(round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    llvm::Expected<TuningDatabase> database = TuningDatabase::read(path);
    ASSERT_TRUE(bool(database)) << llvm::toString(database.takeError());
    EXPECT_TRUE(database->problems().empty());
    EXPECT_TRUE(database->find(record('b').key));
    add(record('c')); // the lock is free again
  }
}
