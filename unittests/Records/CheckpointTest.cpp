//===- CheckpointTest.cpp - Going on from a named state -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint comes back as it was, and is refused for anything else.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/Checkpoint.h"
#include "TemporaryFolder.h"
#include "gtest/gtest.h"

using namespace swizzle;

namespace {

Checkpoint makeCheckpoint() {
  Checkpoint checkpoint;
  checkpoint.toolVersion = "1";
  checkpoint.inputHash = "blake3:1";
  checkpoint.chip = "c";
  checkpoint.chipHash = "blake3:2";
  KernelCheckpoint &kernel = checkpoint.kernels["m::k"];
  kernel.attempts.resize(2);
  kernel.attempts[1].number = 2;
  kernel.attempts[1].formula = "return gx - 1 - x, y";
  kernel.attempts[1].params = {{"G", 4}};
  kernel.attempts[1].status = AttemptStatus::Profiled;
  kernel.best = 2;
  return checkpoint;
}

TEST(Checkpoint, ComesBackAsItWas) {
  TemporaryFolder folder;
  std::string path = folder.file("new/a.json");
  llvm::Error error = writeCheckpoint(path, makeCheckpoint());
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  auto back = readCheckpoint(path);
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(back->inputHash, "blake3:1");
  EXPECT_EQ(back->kernels["m::k"].best, 2u);
  ASSERT_EQ(back->kernels["m::k"].attempts.size(), 2u);
  EXPECT_EQ(back->kernels["m::k"].attempts[1].params.at("G"), 4);

  auto none = readCheckpoint(folder.file("new/b.json"));
  ASSERT_FALSE(bool(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("there are a"),
            std::string::npos);
}

TEST(Checkpoint, HoldsNoSecret) {
  TemporaryFolder folder;
  std::string path = folder.file("a.json");
  Checkpoint checkpoint = makeCheckpoint();
  checkpoint.kernels["m::k"].attempts[1].change = "by sk-sentinel-0123";
  checkpoint.kernels["m::k"].attempts[1].message = "said sk-sentinel-0123";
  Secrets secrets;
  secrets.add("sk-sentinel-0123");
  CheckpointKeeper keeper(path, checkpoint, secrets);
  keeper.note("m::k", checkpoint.kernels["m::k"]);
  EXPECT_FALSE(bool(keeper.takeError()));
  EXPECT_EQ(folder.read("a.json").find("sentinel"), std::string::npos);
  EXPECT_EQ(cantFail(readCheckpoint(path)).kernels["m::k"].attempts[1].change,
            "by ***");
}

TEST(Checkpoint, IsRefusedForAnythingElse) {
  Checkpoint other = makeCheckpoint();
  EXPECT_FALSE(bool(compareCheckpoint(makeCheckpoint(), other)));
  other.chip = "d";
  llvm::Error error = compareCheckpoint(makeCheckpoint(), other);
  EXPECT_NE(llvm::toString(std::move(error)).find("the chip was c, is d"),
            std::string::npos);
}

TEST(Checkpoint, NamesAreFilesOrPaths) {
  EXPECT_EQ(*checkpointPath("a"), ".swizzle/checkpoints/a.json");
  EXPECT_EQ(*checkpointPath("./a.json"), "./a.json");
  auto none = checkpointPath("");
  EXPECT_FALSE(bool(none));
  llvm::consumeError(none.takeError());
}

} // namespace
