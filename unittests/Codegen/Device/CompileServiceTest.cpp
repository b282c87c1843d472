//===- CompileServiceTest.cpp - Compile, whatever happens -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planted compilers: shell scripts that misbehave. What the real one makes of
// kernels is tested in test/Codegen.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Device/CompileService.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <thread>

using namespace swizzle;
namespace fs = llvm::sys::fs;

namespace {

class CompileServiceTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("swizzle-compile-test", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string pathOf(llvm::StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  /// A service whose compiler is this script.
  CompileServiceOptions plant(llvm::StringRef script) {
    CompileServiceOptions options;
    options.compiler = pathOf("compiler");
    std::error_code error;
    {
      llvm::raw_fd_ostream stream(options.compiler, error);
      stream << "#!/bin/sh\n" << script << '\n';
    }
    fs::setPermissions(options.compiler, fs::all_all);
    options.cacheFolder = pathOf("cache");
    return options;
  }

  CompileFailure failureOf(const CompileServiceOptions &options) {
    CompileOutcome outcome = CompileService(options).compile(request);
    return outcome.failure() ? *outcome.failure() : CompileFailure();
  }

  llvm::SmallString<128> folder;
  CompileRequest request = {"module {}", "sm_90", {}};
};

constexpr const char *kGood =
    "echo run >> \"$0.log\"; printf 'bytes of '; cat; "
    "echo '{\"schema\":\"swizzle-compile/1\",\"kind\":\"ptx\",\"target\":"
    "\"sm_90\",\"memref_arguments\":\"pointer\",\"kernels\":[{\"name\":\"k\","
    "\"block\":[8,4,1],\"resources\":{\"vgprs\":12}}]}' > /dev/fd/3";

} // namespace

TEST_F(CompileServiceTest, GivesTheArtifact) {
  CompileService service(plant(kGood));
  CompileOutcome outcome = service.compile(request);
  ASSERT_TRUE(outcome.artifact()) << outcome.failure()->message;
  EXPECT_FALSE(outcome.cached);
  EXPECT_EQ(outcome.artifact()->bytes, "bytes of module {}");
  ASSERT_EQ(outcome.artifact()->kernels.size(), 1u);
  const CompiledKernel &kernel = outcome.artifact()->kernels.front();
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.block, (std::array<int64_t, 3>{8, 4, 1}));
  EXPECT_EQ(kernel.resources.vgprs, 12);
  EXPECT_EQ(kernel.resources.sgprs, std::nullopt);
}

TEST_F(CompileServiceTest, CompilesTheSameOnlyOnce) {
  CompileServiceOptions options = plant(kGood);
  CompileService(options).compile(request);
  CompileService service(options);
  request.ir = "module {} loc(unknown) // the same\n";
  CompileOutcome outcome = service.compile(request);
  ASSERT_TRUE(outcome.artifact());
  EXPECT_TRUE(outcome.cached);
  EXPECT_EQ(outcome.artifact()->bytes, "bytes of module {}");
  EXPECT_EQ(outcome.artifact()->kernels.front().resources.vgprs, 12);
  EXPECT_EQ(service.cacheStatistics().hits, 1u);
  // Whatever decides the bytes is part of the key.
  for (auto change :
       {+[](CompileRequest &r) { r.ir = "module @other {}"; },
        +[](CompileRequest &r) { r.target = "sm_80"; },
        +[](CompileRequest &r) { r.options.optimisation = 0; },
        +[](CompileRequest &r) { r.options.alignedVectors = true; },
        +[](CompileRequest &r) { r.options.pointerAlignment = 1; },
        +[](CompileRequest &r) { r.options.kernel = "k"; },
        +[](CompileRequest &r) { r.options.features = "+ptx80"; },
        +[](CompileRequest &r) { r.options.emit = ArtifactKind::LLVM; }}) {
    CompileRequest other = request;
    change(other);
    EXPECT_FALSE(service.compile(other).cached);
  }
}

TEST_F(CompileServiceTest, DeviceLibrariesCountByContent) {
  CompileServiceOptions options = plant(kGood);
  std::string library = pathOf("library.ll");
  auto writeLibrary = [&](llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(library, error) << text;
  };
  request.options.deviceLibraries = {library};
  writeLibrary("one");
  EXPECT_FALSE(CompileService(options).compile(request).cached);
  EXPECT_TRUE(CompileService(options).compile(request).cached);
  writeLibrary("two");
  EXPECT_FALSE(CompileService(options).compile(request).cached);
}

TEST_F(CompileServiceTest, NamesEveryFailure) {
  CompileFailure failure =
      failureOf(plant("echo 'swizzle-compile: no such op' >&2; exit 1"));
  EXPECT_EQ(failure.kind, CompileFailure::Error);
  EXPECT_EQ(failure.message, "no such op");

  failure = failureOf(plant("echo stack dump >&2; kill -ABRT $$"));
  EXPECT_EQ(failure.kind, CompileFailure::Crash);
  EXPECT_NE(failure.message.find("signal 6 (Aborted)"), std::string::npos);
  EXPECT_EQ(failure.stderrTail, "stack dump\n");

  CompileServiceOptions hangs = plant("exec sleep 1000");
  hangs.timeout = std::chrono::milliseconds(100);
  failure = failureOf(hangs);
  EXPECT_EQ(failure.kind, CompileFailure::Timeout);
  EXPECT_EQ(failure.message, "the compiler was killed after 0.1 s");

  failure = failureOf(plant("echo 'ld.lld is needed' >&2; exit 3"));
  EXPECT_EQ(failure.kind, CompileFailure::ToolMissing);

  CompileServiceOptions missing;
  missing.compiler = pathOf("nothing");
  missing.cacheFolder = "";
  EXPECT_EQ(failureOf(missing).kind, CompileFailure::ToolMissing);

  failure = failureOf(plant("echo bytes; echo nonsense > /dev/fd/3"));
  EXPECT_EQ(failure.kind, CompileFailure::Error);

  failure = failureOf(plant("exit 1"));
  EXPECT_EQ(failure.kind, CompileFailure::Error);
  EXPECT_NE(failure.message.find("says nothing"), std::string::npos);

  std::atomic<bool> cancel(true);
  CompileServiceOptions cancelled = plant("exec sleep 1000");
  cancelled.cancel = &cancel;
  EXPECT_EQ(failureOf(cancelled).kind, CompileFailure::Cancelled);
}

TEST_F(CompileServiceTest, FailuresAreNotKept) {
  CompileServiceOptions options =
      plant("if [ -e \"$0.log\" ]; then " + std::string(kGood) +
            "; else echo > \"$0.log\"; kill -SEGV $$; fi");
  CompileService service(options);
  EXPECT_EQ(service.compile(request).failure()->kind, CompileFailure::Crash);
  EXPECT_TRUE(service.compile(request).artifact());
}

TEST_F(CompileServiceTest, AnyNumberOfThreads) {
  CompileService service(plant(kGood));
  std::atomic<int> right(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      CompileRequest mine = request;
      mine.ir = "module @m" + std::to_string(i % 4) + " {}";
      CompileOutcome outcome = service.compile(mine);
      right += outcome.artifact() &&
               outcome.artifact()->bytes == "bytes of " + mine.ir;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 8);
}
