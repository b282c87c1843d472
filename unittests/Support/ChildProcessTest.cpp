//===- ChildProcessTest.cpp - A program that may crash or hang ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shells that misbehave in every way that a compiler or an agent might.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/ChildProcess.h"

#include "gtest/gtest.h"
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace swizzle;

static ChildOptions shell(const std::string &script) {
  ChildOptions options;
  options.program = "/bin/sh";
  options.arguments = {"-c", script};
  return options;
}

TEST(ChildProcess, CarriesInputAndOutput) {
  ChildOptions options =
      shell("cat; echo described >&3; echo said >&2; exit 7");
  std::string input(1 << 20, 'x');
  options.input = input;
  ChildResult result = runChild(options);
  EXPECT_EQ(result.status, ChildResult::Exited);
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.output, input);
  EXPECT_EQ(result.sideOutput, "described\n");
  EXPECT_EQ(result.errorTail, "said\n");
  EXPECT_FALSE(result.errorTruncated);
  EXPECT_EQ(result.describe(), "exit status 7");
}

TEST(ChildProcess, NamesTheSignal) {
  ChildResult result = runChild(shell("echo first >&2; kill -SEGV $$"));
  EXPECT_EQ(result.status, ChildResult::Signalled);
  EXPECT_EQ(result.code, SIGSEGV);
  EXPECT_NE(result.describe().find("Segmentation fault"), std::string::npos);
  EXPECT_EQ(result.errorTail, "first\n");
}

/// 'Z' (waits to be reaped), 'X' (gone), or another state of a process.
static char stateOf(int process) {
  std::string path = "/proc/" + std::to_string(process) + "/stat";
  char state = 'X';
  if (FILE *file = fopen(path.c_str(), "r")) {
    if (fscanf(file, "%*d %*s %c", &state) != 1)
      state = 'X';
    fclose(file);
  }
  return state;
}

/// True as soon as `process` no longer runs, whoever reaps it.
static bool ends(int process) {
  for (int i = 0; i < 60000; ++i, usleep(1000))
    if (char state = stateOf(process); state == 'Z' || state == 'X')
      return true;
  return false;
}

TEST(ChildProcess, KillsWhatHangsAndItsChildren) {
  ChildOptions options = shell("sleep 1000 & echo $! >&2; wait");
  // On a busy machine the shell may need longer to come to its child.
  int child = 0;
  for (int ms = 300; !child && ms < 100000; ms *= 2) {
    options.timeout = std::chrono::milliseconds(ms);
    ChildResult result = runChild(options);
    EXPECT_EQ(result.status, ChildResult::TimedOut);
    EXPECT_EQ(result.code, ms);
    if (ms == 300)
      EXPECT_EQ(result.describe(), "killed after 0.3 s");
    child = atoi(result.errorTail.c_str());
  }
  ASSERT_GT(child, 1);
  // It was sent SIGKILL; whoever inherited it may not have reaped it yet.
  EXPECT_TRUE(ends(child)) << child;
}

/// Runs `script` in a process of its own, which is killed when the script does
/// so or has told two numbers: its own and that of a child. Neither goes on.
static void expectNothingLeft(const std::string &script) {
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  pid_t caller = fork();
  if (caller == 0) {
    runChild(shell("exec 9>/proc/" + std::to_string(getpid()) + "/fd/" +
                   std::to_string(told[1]) + "; " + script));
    _exit(0);
  }
  ASSERT_GT(caller, 0);
  close(told[1]);
  FILE *numbers = fdopen(told[0], "r");
  int program = 0, child = 0;
  EXPECT_EQ(fscanf(numbers, "%d %d", &program, &child), 2);
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  fclose(numbers);
  EXPECT_TRUE(ends(program)) << program;
  EXPECT_TRUE(ends(child)) << child;
}

TEST(ChildProcess, NothingOutlivesACallerThatIsKilled) {
  expectNothingLeft("sleep 1000 & echo $$ $! >&9; wait");
}

// Killed by the program itself, before the caller knows that there is one.
TEST(ChildProcess, NothingOutlivesACallerThatIsKilledAtOnce) {
  for (int i = 0; i < 20; ++i)
    expectNothingLeft("sleep 1000 & echo $$ $! >&9; kill -KILL $PPID; wait");
}

// A grandchild that holds standard error open delays nothing.
TEST(ChildProcess, DoesNotWaitForWhatIsLeftBehind) {
  ChildOptions options = shell("sleep 1000 & exit 0");
  ChildResult result = runChild(options);
  EXPECT_EQ(result.status, ChildResult::Exited);
  EXPECT_EQ(result.code, 0);
}

TEST(ChildProcess, KeepsTheEndOfAFlood) {
  ChildOptions options =
      shell("dd if=/dev/zero bs=65536 count=200 2>/dev/null | tr '\\0' e >&2; "
            "echo the end >&2");
  options.errorBytes = 1000;
  ChildResult result = runChild(options);
  EXPECT_EQ(result.status, ChildResult::Exited);
  EXPECT_TRUE(result.errorTruncated);
  EXPECT_EQ(result.errorTail.size(), 1000u);
  EXPECT_EQ(result.errorTail.substr(993), "he end\n");
}

TEST(ChildProcess, BoundsOutput) {
  ChildOptions options = shell("exec dd if=/dev/zero bs=65536 2>/dev/null");
  options.outputBytes = 1 << 20;
  EXPECT_EQ(runChild(options).status, ChildResult::TooMuchOutput);
  // One that ends before anybody looks is judged alike.
  options = shell("head -c 1001 /dev/zero");
  options.outputBytes = 1000;
  EXPECT_EQ(runChild(options).status, ChildResult::TooMuchOutput);
  options.outputBytes = 1001;
  EXPECT_EQ(runChild(options).status, ChildResult::Exited);
}

// Whoever started us may have let SIGCHLD be ignored.
TEST(ChildProcess, LearnsTheEndWhereChildrenWereIgnored) {
  signal(SIGCHLD, SIG_IGN);
  ChildResult result = runChild(shell("exit 3"));
  EXPECT_EQ(result.status, ChildResult::Exited);
  EXPECT_EQ(result.code, 3);
}

// As with any pipe.
TEST(ChildProcess, OutputCanBeOpenedAgain) {
  ChildResult result = runChild(shell("echo first; echo second > /dev/stdout"));
  EXPECT_EQ(result.output, "first\nsecond\n");
}

TEST(ChildProcess, CanBeCancelled) {
  ChildOptions options = shell("sleep 1000");
  std::atomic<bool> cancel(false);
  options.cancel = &cancel;
  std::thread other([&] { cancel = true; });
  ChildResult result = runChild(options);
  other.join();
  EXPECT_EQ(result.status, ChildResult::Cancelled);
}

TEST(ChildProcess, SaysWhatIsMissing) {
  ChildOptions options;
  options.program = "/no/such/program";
  ChildResult result = runChild(options);
  EXPECT_EQ(result.status, ChildResult::NotStarted);
  EXPECT_TRUE(result.missing);
  EXPECT_EQ(result.describe(),
            "/no/such/program cannot be run: No such file or directory");
  options.program = "/";
  result = runChild(options);
  EXPECT_EQ(result.status, ChildResult::NotStarted);
  EXPECT_FALSE(result.missing);
}

TEST(ChildProcess, LeaksNoDescriptor) {
  int before = dup(0);
  close(before);
  for (int i = 0; i < 20; ++i)
    runChild(shell("true"));
  int after = dup(0);
  close(after);
  EXPECT_EQ(before, after);
}
