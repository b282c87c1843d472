//===- RecordingFileTest.cpp - Questions and answers on disk --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exchanges come back in the order in which they were appended, from a file and
// from a folder.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/RecordingFile.h"
#include "TemporaryFolder.h"
#include "gtest/gtest.h"
#include <csignal>
#include <sys/resource.h>

using namespace swizzle;
using namespace llvm;

namespace {

class RecordingFile : public testing::TestWithParam<const char *> {
protected:
  void append(int question, int answer) {
    Error error = appendExchange(path, {json::Object{{"question", question}},
                                        json::Object{{"answer", answer}}});
    ASSERT_FALSE(bool(error)) << toString(std::move(error));
  }
  TemporaryFolder folder;
  std::string path = folder.file(GetParam());
};

TEST_P(RecordingFile, ComesBackInOrder) {
  EXPECT_FALSE(bool(checkRecording(path)));
  for (int answer = 0; answer < 12; ++answer)
    append(/*question=*/1, answer);
  auto records = readRecording(path);
  ASSERT_TRUE(bool(records)) << toString(records.takeError());
  ASSERT_EQ(records->size(), 12u);
  for (auto [answer, record] : enumerate(*records)) {
    EXPECT_EQ(record.request.getInteger("question"), 1);
    EXPECT_EQ(record.reply.getInteger("answer"), int64_t(answer));
    EXPECT_NE(record.where.find(GetParam()), std::string::npos);
  }
}

// As on a disk that is full: it is said, and the process goes on.
TEST_P(RecordingFile, WhatCannotBeWrittenIsNamed) {
  struct rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = {16, before.rlim_max};
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  Error error = appendExchange(
      path, {json::Object{{"question", 1}}, json::Object{{"answer", 1}}});
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(
      toString(std::move(error)).find("cannot write the recording " + path),
      std::string::npos);
}

TEST_P(RecordingFile, WhatIsMissingIsNamed) {
  auto records = readRecording(path);
  ASSERT_FALSE(bool(records));
  EXPECT_NE(toString(records.takeError()).find("cannot read the recording"),
            std::string::npos);
}

TEST_P(RecordingFile, AFolderThatIsAFileIsNamed) {
  folder.write("taken", "");
  Error error = checkRecording(folder.file("taken/") + GetParam());
  EXPECT_NE(toString(std::move(error)).find("cannot write the recording"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Stores, RecordingFile,
                         testing::Values("folder", "file.jsonl"),
                         [](const auto &test) {
                           return std::string(test.index ? "File" : "Folder");
                         });

TEST(RecordingKey, DoesNotDependOnTheOrderOfMembers) {
  EXPECT_EQ(requestKey(json::Object{{"a", 1}, {"b", 2}}),
            requestKey(json::Object{{"b", 2}, {"a", 1}}));
  EXPECT_NE(requestKey(json::Object{{"a", 1}}),
            requestKey(json::Object{{"a", 2}}));
}

} // namespace
