//===- ResumeTest.cpp - Nothing that was paid for is lost ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run is cut off after every single line of its journal, and in the middle of
// lines, and must end as if nothing had happened.
//
//===----------------------------------------------------------------------===//

#include "Scripted.h"
#include "TemporaryFolder.h"

#include <fstream>
#include <set>
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

class ResumeTest : public testing::Test {
protected:
  std::string read() { return folder.read("j.jsonl"); }
  void write(llvm::StringRef text) { folder.write("j.jsonl", text); }

  TemporaryFolder folder;
  std::string path = folder.file("j.jsonl");
};

struct Outcome {
  TuningResult result;
  unsigned asked = 0, evaluated = 0;
};

/// One run of a loop that has a bit of everything.
Outcome runOnce(Journal *journal) {
  World world;
  world.secondsPerEvaluation = 1;
  world.cost = [](const Variant &v) {
    auto it = v.params.find("G");
    return it == v.params.end() ? 80.0 : 60.0 + double(it->second);
  };
  Usage usage;
  usage.inputTokens = 10;
  ScriptedAgent a("a", {});
  // Not a script: what it says follows from what it is told.
  a.steps.assign(9, [&](const AgentContext &context) {
    switch (context.round) {
    case 1:
      return say({kFlipX, "return x +"}, usage)(context);
    case 3:
      return say({"param G in {3, 2, 1}\nreturn (x + G) % gx, y", kFlipXAgain},
                 usage)(context);
    default:
      return say({kFlipBoth}, usage)(context);
    }
  });
  ScriptedAgent b("b", {});
  b.steps.assign(9, fail(AgentErrorKind::Overloaded, usage));
  TuningOptions options = makeOptions(4);
  TuningHooks hooks = world.hooks();
  if (journal)
    hooks.journal = &journal->kernel("m::k");
  std::vector<Agent *> agents{&a, &b};
  auto result = tune(makeContext(), agents, world.build(), world.measure(),
                     options, hooks);
  Outcome outcome;
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return outcome;
  }
  outcome.result = std::move(*result);
  outcome.asked = unsigned(a.contexts.size() + b.contexts.size());
  outcome.evaluated = world.searched + world.decided;
  return outcome;
}

unsigned countType(llvm::StringRef text, llvm::StringRef type) {
  return unsigned(text.count(("\"type\":\"" + type + "\"").str()));
}

TEST_F(ResumeTest, ARunCutOffAnywhereEndsTheSame) {
  std::string whole;
  Outcome reference;
  {
    auto journal = Journal::create(path, makeHeader());
    ASSERT_TRUE(bool(journal)) << llvm::toString(journal.takeError());
    reference = runOnce(journal->get());
    whole = read();
  }
  EXPECT_EQ(countType(whole, "evaluation"), reference.evaluated);
  std::set<size_t> cuts;
  for (size_t i = 0; i < whole.size(); ++i)
    if (whole[i] == '\n' || i % 997 == 0) {
      cuts.insert(i);
      cuts.insert(i + 1);
    }
  for (size_t cut : cuts) {
    llvm::StringRef kept = llvm::StringRef(whole).take_front(cut);
    write(kept);
    unsigned answers = 0, evaluations = 0;
    {
      // A torn line does not count.
      llvm::StringRef lines = kept.take_front(kept.rfind('\n') + 1);
      answers = countType(lines, "answer");
      evaluations = countType(lines, "evaluation");
    }
    auto journal = Journal::resume(path, makeHeader());
    ASSERT_TRUE(bool(journal)) << llvm::toString(journal.takeError());
    Outcome resumed = runOnce(journal->get());
    EXPECT_EQ(resumed.result.best.key, reference.result.best.key);
    EXPECT_EQ(resumed.result.attempts.size(), reference.result.attempts.size());
    EXPECT_EQ(resumed.result.evaluations, reference.result.evaluations);
    EXPECT_EQ(resumed.result.usage.inputTokens,
              reference.result.usage.inputTokens);
    EXPECT_EQ(resumed.result.seconds.total, reference.result.seconds.total);
    // Nothing is asked or evaluated twice.
    EXPECT_EQ(resumed.asked, reference.asked - answers) << cut;
    EXPECT_EQ(resumed.evaluated, reference.evaluated - evaluations) << cut;
    std::string after = read();
    EXPECT_EQ(countType(after, "evaluation"), reference.evaluated);
    EXPECT_EQ(countType(after, "answer"), countType(whole, "answer"));
    EXPECT_EQ(countType(after, "attempt"), countType(whole, "attempt"));
  }
}

/// A build that is cut off is no verdict: who goes on builds it again.
TEST_F(ResumeTest, ABuildThatWasCancelledIsNotKept) {
  auto run = [&](bool cancels) {
    auto journal = Journal::resume(path, makeHeader());
    EXPECT_TRUE(bool(journal)) << llvm::toString(journal.takeError());
    World world;
    std::atomic<bool> cancelled = false;
    world.building = [&](const Variant &) {
      BuildResult result;
      if ((cancelled = cancels)) {
        result.status = AttemptStatus::RunFailed;
        result.code = kBudgetCode;
        result.message = "not checked: cancelled";
      }
      return result;
    };
    ScriptedAgent agent("a", {say({kFlipX})});
    std::vector<Agent *> agents{&agent};
    TuningHooks hooks = world.hooks();
    hooks.journal = &(*journal)->kernel("m::k");
    hooks.cancel = &cancelled;
    auto result = tune(makeContext(), agents, world.build(), world.measure(),
                       makeOptions(1), hooks);
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    return std::move(*result);
  };
  EXPECT_EQ(run(true).end, TuningEnd::Cancelled);
  EXPECT_EQ(countType(read(), "build"), 1u) << "of the kernel as it is";
  TuningResult resumed = run(false);
  ASSERT_EQ(resumed.attempts.size(), 1u);
  EXPECT_EQ(resumed.attempts[0].status, AttemptStatus::Profiled);
}

/// A journal has verdicts, no artifacts: what was built in an earlier run is
/// built again when a profiler asks for it, and only then.
TEST_F(ResumeTest, AnArtifactIsBuiltAgainWhenItIsAskedFor) {
  auto run = [&](bool asks, unsigned &builds) {
    auto journal = Journal::resume(path, makeHeader());
    ASSERT_TRUE(bool(journal)) << llvm::toString(journal.takeError());
    World world;
    world.secondsPerEvaluation = 1;
    world.building = [](const Variant &variant) {
      auto artifact = std::make_shared<Artifact>();
      artifact->bytes = variant.key;
      BuildResult result;
      result.artifact = std::move(artifact);
      return result;
    };
    unsigned asked = 0;
    world.measuring = [&](const MeasureRequest &request) {
      if (!asks || !request.variant.formula)
        return;
      std::shared_ptr<const Artifact> artifact = request.artifact();
      ASSERT_TRUE(artifact);
      EXPECT_EQ(artifact->bytes, request.variant.key);
      // What the order is measured beside, which a journal remembers, too.
      ASSERT_TRUE(request.baseline);
      EXPECT_EQ(request.baseline->timeUs, 100);
      EXPECT_EQ(request.seconds, 1);
      EXPECT_FALSE(request.original()) << "nobody compiles it here";
      EXPECT_EQ(request.artifact(), artifact) << "once is enough";
      ++asked;
    };
    ScriptedAgent agent("a", {say({kFlipX})});
    std::vector<Agent *> agents{&agent};
    TuningHooks hooks = world.hooks();
    hooks.journal = &(*journal)->kernel("m::k");
    auto result = tune(makeContext(), agents, world.build(), world.measure(),
                       makeOptions(1), hooks);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_EQ(asked > 0, asks && world.decided + world.searched > 0);
    builds = world.builds;
  };
  unsigned first = 0, again = 0, quiet = 0;
  run(/*asks=*/true, first);
  EXPECT_EQ(first, 2u) << "the kernel as it is, and the variant";
  // Cut off between the build of the variant and its measurement.
  std::string whole = read();
  size_t build = whole.rfind("\"type\":\"build\"");
  ASSERT_NE(build, std::string::npos);
  std::string kept = whole.substr(0, whole.find('\n', build) + 1);
  write(kept);
  run(/*asks=*/true, again);
  EXPECT_EQ(again, 2u) << "the variant's artifact and the original's";
  write(kept);
  run(/*asks=*/false, quiet);
  EXPECT_EQ(quiet, 0u) << "nobody asked";
}

} // namespace
