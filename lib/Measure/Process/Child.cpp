//===- Child.cpp - A process that may crash or hang -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fork without exec: the parent has not opened a driver, and the child needs
// what is in memory. The child is killed if its parent dies.
//
//===----------------------------------------------------------------------===//

#include "Child.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace swizzle::measuring {

namespace {

using Clock = std::chrono::steady_clock;

/// Until the first message says otherwise.
constexpr double kFirstSeconds = 120;

void writeWhole(int file, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t count = ::write(file, text.data() + at, text.size() - at);
    if (count < 0 && errno != EINTR)
      _exit(1); // nobody listens any more
    at += count > 0 ? size_t(count) : 0;
  }
}

[[noreturn]] void
runBody(int file, const std::function<bool(const Tell &)> &body, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  body(
      [&](const Message &message) { writeWhole(file, writeMessage(message)); });
  // No destructors of what the parent owns, nor of a driver that may hang.
  _exit(0);
}

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

/// What poll waits at most; who has more time asks again.
int milliseconds(double seconds) {
  return int(std::min(seconds, 3600.0) * 1000) + 1;
}

std::string showSeconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g s", seconds);
  return text;
}

/// Ends what a program left behind that was killed, which is this process's
/// (`PR_SET_CHILD_SUBREAPER`): it may hold the device.
void killOrphans() {
  for (bool any = true; any;) {
    any = false;
    std::ifstream file("/proc/thread-self/children");
    for (pid_t orphan; file >> orphan; any = true) {
      kill(orphan, SIGKILL);
      waitpid(orphan, nullptr, 0);
    }
  }
}

} // namespace

ChildEnd superviseChild(const std::function<bool(const Tell &)> &body,
                        const std::function<double(const Message &)> &hear) {
  int ends[2];
  if (pipe(ends) != 0)
    return {false, std::string("cannot be started: ") + std::strerror(errno)};
  pid_t parent = getpid(), child = fork();
  if (child < 0)
    return {false, std::string("cannot be started: ") + std::strerror(errno)};
  if (child == 0) {
    close(ends[0]);
    runBody(ends[1], body, parent);
  }
  close(ends[1]);
  double limit = kFirstSeconds;
  auto since = Clock::now();
  std::string heard;
  bool late = false;
  while (true) {
    std::chrono::duration<double> passed = Clock::now() - since;
    double left = limit - passed.count();
    if (left <= 0) {
      late = true;
      kill(child, SIGKILL);
      break;
    }
    pollfd waiting{ends[0], POLLIN, 0};
    int ready = poll(&waiting, 1, milliseconds(left));
    if (ready == 0 || (ready < 0 && errno == EINTR))
      continue;
    char buffer[1 << 16];
    ssize_t count = read(ends[0], buffer, sizeof(buffer));
    if (count <= 0)
      break;
    heard.append(buffer, size_t(count));
    for (size_t end; (end = heard.find('\n')) != heard.npos;) {
      Message message;
      if (readMessage(std::string_view(heard).substr(0, end), message))
        if (double seconds = hear(message); seconds >= 0)
          limit = seconds;
      heard.erase(0, end + 1);
      since = Clock::now();
    }
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (late)
    return {false, "took more than " + showSeconds(limit)};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return {false, describe(status)};
  return {true, ""};
}

std::string runProgram(const std::vector<std::string> &command, double seconds,
                       std::string &output) {
  int ends[2];
  if (pipe(ends) != 0)
    return std::string("cannot be started: ") + std::strerror(errno);
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL); // what is ignored stays so in a program
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  auto start = Clock::now();
  bool late = child < 0;
  output.clear();
  while (!late) {
    std::chrono::duration<double> passed = Clock::now() - start;
    double left = seconds - passed.count();
    late = left <= 0;
    if (late)
      break;
    pollfd waiting{ends[0], POLLIN, 0};
    int ready = poll(&waiting, 1, milliseconds(left));
    if (ready == 0 || (ready < 0 && errno == EINTR))
      continue;
    char buffer[1 << 16];
    ssize_t count = read(ends[0], buffer, sizeof(buffer));
    if (count <= 0)
      break;
    output.append(buffer, size_t(count));
  }
  close(ends[0]);
  if (child < 0)
    return std::string("cannot be started: ") + std::strerror(errno);
  if (late)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (late)
    killOrphans();
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  if (late)
    return "took more than " + showSeconds(seconds);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return "there is no program '" + command.front() + "'";
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return describe(status);
  return "";
}

} // namespace swizzle::measuring
