//===- JournalTest.cpp - Nothing that was paid for is lost ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A journal is refused for another run, while another process writes it, and
// where it is no journal; the message says what differs.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/Journal.h"
#include "TemporaryFolder.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <unistd.h>

using namespace swizzle;

namespace {

JournalHeader makeHeader() {
  JournalHeader header;
  header.toolVersion = "1";
  header.compiler = "off";
  header.inputHash = "blake3:1";
  header.chip = "c";
  header.chipHash = "blake3:2";
  header.options = {{"rounds", "4"}};
  return header;
}

class JournalTest : public testing::Test {
protected:
  std::string read() { return folder.read("j.jsonl"); }
  void write(llvm::StringRef text) { folder.write("j.jsonl", text); }

  std::string resumeError(const JournalHeader &header) {
    auto journal = Journal::resume(path, header);
    return journal ? "" : llvm::toString(journal.takeError());
  }

  TemporaryFolder folder;
  std::string path = folder.file("j.jsonl");
};

TEST_F(JournalTest, HoldsNoSecretAndIsResumed) {
  Secrets secrets;
  secrets.add("sk-sentinel-0123");
  JournalHeader header = makeHeader();
  header.options["hint"] = "use sk-sentinel-0123";
  {
    auto journal = llvm::cantFail(Journal::create(path, header, secrets));
    RecordedAnswer answer;
    answer.round = 1;
    answer.agent = "a";
    answer.answer.emplace();
    answer.answer->reason = "as sk-sentinel-0123 says";
    journal->kernel("k").keep(answer);
    RecordedBuild build;
    build.result.message = "sk-sentinel-0123 is no option";
    journal->kernel("k").keep("key", build);
    journal->kernel("k").keepMeasured(
        llvm::json::Object{{"reason", "sk-sentinel-0123"}}, 1, {});
  }
  EXPECT_EQ(read().find("sentinel"), std::string::npos) << read();
  auto journal = Journal::resume(path, header, secrets);
  ASSERT_TRUE(bool(journal)) << llvm::toString(journal.takeError());
  const RecordedAnswer *answer = (*journal)->kernel("k").takeAnswer(1, "a");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->answer->reason, "as *** says");
}

TEST_F(JournalTest, WhatWasMeasuredIsToldOnceWithItsOrders) {
  Attempt added;
  added.number = 7;
  added.agent = "neighbour";
  added.formula = "y, x";
  auto measured = [] { return llvm::json::Object{{"reason", "faster"}}; };
  {
    auto journal = llvm::cantFail(Journal::create(path, makeHeader()));
    journal->kernel("k").keepMeasured(measured(), 7, added);
    journal->kernel("k").keepMeasured(measured(), 7, added);
  }
  std::string once = read();
  auto count = [&] { return llvm::StringRef(read()).count("\"measured\":{"); };
  EXPECT_EQ(count(), 1u) << once;
  EXPECT_NE(once.find("\"formula\":\"y, x\""), std::string::npos) << once;
  {
    auto journal = llvm::cantFail(Journal::resume(path, makeHeader()));
    journal->kernel("k").keepMeasured(measured(), 7, added);
    EXPECT_EQ(count(), 1u) << read();
    journal->kernel("k").keepMeasured(measured(), 0, {});
  }
  EXPECT_EQ(count(), 2u) << read();
}

TEST_F(JournalTest, AnotherRunIsRefusedAndTheDifferenceNamed) {
  ASSERT_TRUE(bool(Journal::create(path, makeHeader())));
  EXPECT_EQ(resumeError(makeHeader()), "");
  JournalHeader header = makeHeader();
  header.inputHash = "blake3:9";
  EXPECT_NE(resumeError(header).find(
                "the kernel (hash of the input) was blake3:1, is blake3:9"),
            std::string::npos);
  header = makeHeader();
  header.chip = "d";
  EXPECT_NE(resumeError(header).find("the chip was c, is d"),
            std::string::npos);
  header = makeHeader();
  header.compiler = "clang";
  EXPECT_NE(resumeError(header).find("the compiler was off, is clang"),
            std::string::npos);
  header = makeHeader();
  header.options["rounds"] = "5";
  header.options["hint"] = "x";
  std::string error = resumeError(header);
  EXPECT_NE(error.find("option --rounds was 4, is 5"), std::string::npos);
  EXPECT_NE(error.find("option --hint was nothing, is x"), std::string::npos);
}

TEST_F(JournalTest, ASecondWriterIsTurnedAway) {
  auto first = Journal::create(path, makeHeader());
  ASSERT_TRUE(bool(first));
  std::string error = resumeError(makeHeader());
  EXPECT_NE(
      error.find("is being written by process " + std::to_string(::getpid())),
      std::string::npos)
      << error;
}

TEST_F(JournalTest, AnExistingJournalIsNotOverwritten) {
  ASSERT_TRUE(bool(Journal::create(path, makeHeader())));
  auto again = Journal::create(path, makeHeader());
  ASSERT_FALSE(bool(again));
  EXPECT_NE(llvm::toString(again.takeError()).find("--resume"),
            std::string::npos);
}

TEST_F(JournalTest, WhatIsNoJournalIsNamedWithItsLine) {
  write("hello\n");
  EXPECT_NE(resumeError(makeHeader()).find(":1: not JSON"), std::string::npos);
  // A torn last line is cut off only where all before it is a journal's.
  for (std::string text : {"my thesis", "hello\nyou", "{\"a\": 1"}) {
    write(text);
    EXPECT_NE(resumeError(makeHeader()).find(":1: not"), std::string::npos);
    EXPECT_EQ(read(), text);
  }
  write("{\"type\":\"attempt\"}\n");
  EXPECT_NE(resumeError(makeHeader()).find(":1: not a journal"),
            std::string::npos);
  ASSERT_FALSE(llvm::sys::fs::remove(path));
  ASSERT_TRUE(bool(Journal::create(path, makeHeader())));
  write(read() + "{\"type\":\"evaluation\",\"kernel\":\"k\"}\n");
  EXPECT_NE(resumeError(makeHeader()).find(":3: "), std::string::npos);
}

TEST_F(JournalTest, FiguresThatCannotBeAreDamage) {
  ASSERT_TRUE(bool(Journal::create(path, makeHeader())));
  const std::string start = read();
  const std::string build = R"({"type": "build", "kernel": "k", "order": "o",
      "status": "build-failed", )";
  const std::string measured = R"({"type": "evaluation", "kernel": "k",
      "order": "o", "fidelity": "search", "measurement": )";
  for (auto [line, word] :
       {std::pair(build + R"("seconds": -1})", "'seconds'"),
        {build + R"("elapsed": 1e999})", "'elapsed'"},
        {build + R"("check_seconds": -1})", "'check_seconds'"},
        {measured + R"({"origin": "simulated", "time_us": -1}})", "time_us"},
        {measured + R"({"origin": "simulated", "l2_hit_rate": 7}})",
         "l2_hit_rate"}}) {
    std::string one = line;
    llvm::erase(one, '\n');
    write(start + one + "\n");
    std::string error = resumeError(makeHeader());
    EXPECT_NE(error.find(":3: "), std::string::npos) << error;
    EXPECT_NE(error.find(word), std::string::npos) << error;
  }
}

TEST_F(JournalTest, WhatIsNoFileIsRefused) {
  path = "/dev/null";
  EXPECT_NE(resumeError(makeHeader()).find("not a regular file"),
            std::string::npos);
}

} // namespace
