//===- Process.cpp - Runs a program that may misbehave --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input lies in an unlinked file, which the child reads at its own pace or
// not at all: with a pipe, a child that does not read would block us, and one
// that ends early would raise SIGPIPE.
//
//===----------------------------------------------------------------------===//

#include "Process.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace llvm;

namespace swizzle {

namespace {

/// How often the clock, the flag and the child are looked at.
constexpr int kTickMs = 20;

Error systemError(const Twine &what) {
  return createStringError(what + ": " + sys::StrError(errno));
}

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int fd = -1) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }
  void set(int newFd) { fd = newFd; }
  int get() const { return fd; }
  bool isOpen() const { return fd >= 0; }
  void close() {
    if (fd >= 0)
      ::close(fd);
    fd = -1;
  }

private:
  int fd;
};

struct Pipe {
  Descriptor read, write;

  Error open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC))
      return systemError("cannot make a pipe");
    read.set(ends[0]);
    write.set(ends[1]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return Error::success();
  }
};

/// Starts the shell in a new process group; returns its id.
Expected<pid_t> spawnShell(const std::string &command, int input, int output,
                           int error) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  scope_exit release([&] {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  });
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, error, 2);
  // Neither our blocked nor our ignored signals are the child's.
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (int signal : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT})
    sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
  const char *arguments[] = {"/bin/sh", "-c", command.c_str(), nullptr};
  pid_t child = 0;
  errno = posix_spawn(&child, arguments[0], &actions, &attributes,
                      const_cast<char **>(arguments), environ);
  if (errno)
    return systemError("cannot start /bin/sh");
  return child;
}

/// Appends what can be read now; closes `from` at its end.
void drain(Descriptor &from, std::string &to) {
  char buffer[16 * 1024];
  while (from.isOpen()) {
    ssize_t count = ::read(from.get(), buffer, sizeof buffer);
    if (count > 0)
      to.append(buffer, count);
    else if (count < 0 && errno == EINTR)
      continue;
    else if (count < 0 && errno == EAGAIN)
      return;
    else
      from.close();
    if (to.size() > (size_t(64) << 20))
      return; // the caller's own, lower limit is checked between calls
  }
}

void keepTail(std::string &text, size_t bytes) {
  if (text.size() > 2 * bytes)
    text.erase(0, text.size() - bytes);
}

} // namespace

Expected<ProcessResult> runCommand(StringRef command, StringRef input,
                                   const ProcessOptions &options) {
  std::FILE *file = std::tmpfile();
  if (!file)
    return systemError("cannot make a temporary file");
  scope_exit closeFile([&] { std::fclose(file); });
  if (std::fwrite(input.data(), 1, input.size(), file) != input.size() ||
      std::fflush(file))
    return systemError("cannot write the request to a temporary file");
  std::rewind(file);

  Pipe output, error;
  if (Error failure = output.open())
    return std::move(failure);
  if (Error failure = error.open())
    return std::move(failure);
  Expected<pid_t> child = spawnShell(command.str(), ::fileno(file),
                                     output.write.get(), error.write.get());
  if (!child)
    return child.takeError();
  output.write.close();
  error.write.close();

  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  ProcessResult result;
  int status = 0;
  bool ended = false, killed = false;
  auto killGroup = [&](ProcessResult::End why) {
    killed = true;
    result.end = why;
    ::kill(-*child, SIGKILL);
  };
  // Once the shell itself has ended, what it left running no longer counts.
  while (!ended && !killed) {
    pollfd polled[] = {{output.read.get(), POLLIN, 0},
                       {error.read.get(), POLLIN, 0}};
    ::poll(polled, 2, kTickMs);
    drain(output.read, result.output);
    drain(error.read, result.errorTail);
    keepTail(result.errorTail, options.errorTailBytes);
    auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
        Clock::now() - start);
    ended = ::waitpid(*child, &status, WNOHANG) == *child;
    if (result.output.size() > options.maxOutputBytes)
      killGroup(ProcessResult::End::TooMuchOutput);
    else if (!ended && options.cancel && *options.cancel)
      killGroup(ProcessResult::End::Cancelled);
    else if (!ended && options.timeoutMs &&
             elapsed.count() >= options.timeoutMs)
      killGroup(ProcessResult::End::TimedOut);
    if (!ended && !output.read.isOpen() && !error.read.isOpen())
      ::usleep(1000);
  }
  if (!ended)
    while (::waitpid(*child, &status, 0) < 0 && errno == EINTR)
      ;
  drain(output.read, result.output);
  drain(error.read, result.errorTail);
  ::kill(-*child, SIGKILL);
  if (result.errorTail.size() > options.errorTailBytes)
    result.errorTail.erase(0, result.errorTail.size() - options.errorTailBytes);
  if (!killed) {
    result.end = WIFSIGNALED(status) ? ProcessResult::End::Signalled
                                     : ProcessResult::End::Exited;
    result.status =
        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (result.output.size() > options.maxOutputBytes)
      result.end = ProcessResult::End::TooMuchOutput;
  }
  return result;
}

} // namespace swizzle
