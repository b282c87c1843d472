//===- ChildProcess.cpp - A program that may crash or hang ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input is an anonymous memory file, so that a program that does not read it
// blocks no one, and nothing is left on disk whichever process ends first.
// Standard output and error are pipes that are drained all the time; of the
// latter only the end is kept. What a program describes on descriptor 3 is a
// memory file again.
//
// Between fork and exec only async-signal-safe calls are made: the caller may
// have threads. One pidfd and the pipes are polled together, without a busy
// loop.
//
// A caller that is killed ends its program by the signal that the kernel sends
// when a parent dies; what that program started gets none. So a second child,
// the watcher, waits for the end of a pipe that nobody but the caller can write
// to, and then kills the program's whole group.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/ChildProcess.h"

#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace swizzle;
using Clock = std::chrono::steady_clock;

namespace {

/// A file descriptor that is closed; always above the standard ones, so that
/// moving it to one of those in the child clobbers no other.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int low) {
    if (low < 0)
      return;
    fd = fcntl(low, F_DUPFD_CLOEXEC, 16);
    ::close(low);
  }
  Descriptor(Descriptor &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (fd >= 0)
      ::close(std::exchange(fd, -1));
  }
  explicit operator bool() const { return fd >= 0; }
  int get() const { return fd; }

private:
  int fd = -1;
};

/// What parent and child share.
struct Channels {
  Descriptor input, side;
  Descriptor outputRead, outputWrite;
  Descriptor errorRead, errorWrite;
  Descriptor statusRead, statusWrite; ///< errno of a failed exec

  bool complete() const {
    return input && side && outputRead && outputWrite && errorRead &&
           errorWrite && statusRead && statusWrite;
  }
};

} // namespace

static Descriptor memoryFile(const char *name) {
  return Descriptor(memfd_create(name, MFD_CLOEXEC));
}

static void openPipe(Descriptor &readEnd, Descriptor &writeEnd) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return;
  readEnd = Descriptor(ends[0]);
  writeEnd = Descriptor(ends[1]);
}

static bool writeAll(int fd, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    text = text.drop_front(count);
  }
  return lseek(fd, 0, SEEK_SET) == 0;
}

static uint64_t sizeOf(const Descriptor &file) {
  struct stat info;
  return fstat(file.get(), &info) == 0 ? uint64_t(info.st_size) : 0;
}

static std::string readAll(const Descriptor &file) {
  std::string text(sizeOf(file), '\0');
  int fd = file.get();
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = pread(fd, text.data() + done, text.size() - done, done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    done += count;
  }
  text.resize(done);
  return text;
}

static void limit(int resource, rlim_t bytes) {
  struct rlimit value = {bytes, bytes};
  setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

static void reap(pid_t pid, int *status = nullptr) {
  while (waitpid(pid, status, 0) < 0 && errno == EINTR)
    ;
}

namespace {

/// A process that kills the program's group when this one ends, however that
/// happens. It is there before the program is, and is told the group by the
/// program itself before that becomes what may start others: at no moment can
/// the caller be killed and something go on.
class Watcher {
public:
  /// Without pipes or processes there is none, and PR_SET_PDEATHSIG is left.
  Watcher() {
    Descriptor end;
    openPipe(end, alive);
    if (!end || !alive)
      return;
    pid = fork();
    if (pid == 0)
      watch(end);
    // Not of the caller's group, which may be killed as a whole; whoever comes
    // first.
    if (pid > 0)
      setpgid(pid, pid);
    else
      alive.close();
  }
  Watcher(const Watcher &) = delete;
  Watcher &operator=(const Watcher &) = delete;
  ~Watcher() { end(); }

  /// In the program, before exec: names its group, which has its own number.
  void watchThis() const {
    pid_t group = getpid();
    (void)!write(alive.get(), &group, sizeof group);
  }

  /// Kills the group, if there still is one. Only while the program is not
  /// reaped is its number that of its group.
  void end() {
    alive.close();
    if (pid > 0)
      reap(std::exchange(pid, -1));
  }

private:
  [[noreturn]] static void watch(const Descriptor &end) {
    setpgid(0, 0);
    for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT})
      signal(number, SIG_IGN);
    // Whoever waits for the end of one of the caller's pipes shall not wait for
    // this process.
    dup2(end.get(), 0);
    syscall(SYS_close_range, 1U, ~0U, 0U);
    // One number at most, then the end of the caller and of the program's copy.
    pid_t group = 0, told;
    ssize_t count;
    while ((count = read(0, &told, sizeof told)) != 0)
      if (count == sizeof told)
        group = told;
      else if (errno != EINTR)
        break;
    if (group > 0)
      kill(-group, SIGKILL);
    _exit(0);
  }

  Descriptor alive;
  pid_t pid = -1;
};

} // namespace

/// The child, from fork to exec; tells errno and ends if it cannot.
[[noreturn]] static void becomeProgram(const ChildOptions &options,
                                       const Channels &channels,
                                       const Watcher &watcher,
                                       char *const *arguments, pid_t parent) {
  setpgid(0, 0);
  watcher.watchThis();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT, SIGXFSZ})
    signal(number, SIG_DFL);
  // No core files, and a bound on what it may take.
  limit(RLIMIT_CORE, 0);
  if (options.memoryBytes)
    limit(RLIMIT_DATA, options.memoryBytes);
  bool moved = dup2(channels.input.get(), 0) == 0 &&
               dup2(channels.outputWrite.get(), 1) == 1 &&
               dup2(channels.errorWrite.get(), 2) == 2 &&
               dup2(channels.side.get(), 3) == 3;
  // What other threads of the caller have open is none of the program's.
  syscall(SYS_close_range, 4U, ~0U, 1U << 2 /* CLOSE_RANGE_CLOEXEC */);
  if (moved && getppid() == parent)
    execv(arguments[0], arguments);
  int error = errno;
  (void)!write(channels.statusWrite.get(), &error, sizeof error);
  _exit(127);
}

/// Appends what `fd` has to `text`; false at its end. A few reads at
/// most, so that much output does not keep the time limit from being checked.
static bool drain(int fd, std::string &text) {
  std::array<char, 1 << 16> buffer;
  for (int reads = 0; reads < 16; ++reads) {
    ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0)
      text.append(buffer.data(), count);
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
      return false;
    else if (errno == EAGAIN)
      return true;
  }
  return true;
}

/// Keeps at least the last `limit` bytes of standard error, and not much more.
static void forgetBeginning(ChildResult &result, uint64_t limit) {
  if (result.errorTail.size() <= limit)
    return;
  result.errorTail.erase(0, result.errorTail.size() - limit);
  result.errorTruncated = true;
}

/// Waits until `pid` ends or a limit is reached; does not reap.
static ChildResult::Status waitFor(pid_t pid, const ChildOptions &options,
                                   const Channels &channels,
                                   ChildResult &result) {
  int output = channels.outputRead.get(), errors = channels.errorRead.get();
  Descriptor process(int(syscall(SYS_pidfd_open, pid, 0)));
  fcntl(output, F_SETFL, O_NONBLOCK);
  fcntl(errors, F_SETFL, O_NONBLOCK);
  bool outputOpen = true, errorsOpen = true;
  auto start = Clock::now();
  for (;;) {
    siginfo_t info = {};
    bool ended = waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                 info.si_pid == pid;
    if (std::max(uint64_t(result.output.size()), sizeOf(channels.side)) >
        options.outputBytes)
      return ChildResult::TooMuchOutput;
    if (ended)
      return ChildResult::Exited;
    if (options.cancel && options.cancel->load(std::memory_order_relaxed))
      return ChildResult::Cancelled;
    auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(
        Clock::now() - start);
    if (passed >= options.timeout)
      return ChildResult::TimedOut;
    // Wake up to look at the flag and at sizes; often where the kernel has no
    // pidfd.
    auto pause = std::min<std::chrono::milliseconds>(
        options.timeout - passed, std::chrono::milliseconds(process ? 50 : 5));
    std::array<pollfd, 3> events = {pollfd{outputOpen ? output : -1, POLLIN, 0},
                                    pollfd{errorsOpen ? errors : -1, POLLIN, 0},
                                    pollfd{process.get(), POLLIN, 0}};
    poll(events.data(), events.size(), int(pause.count()));
    if (outputOpen && events[0].revents)
      outputOpen = drain(output, result.output);
    if (errorsOpen && events[1].revents) {
      errorsOpen = drain(errors, result.errorTail);
      if (result.errorTail.size() > 2 * options.errorBytes)
        forgetBeginning(result, options.errorBytes);
    }
  }
}

/// Who ignores SIGCHLD lets the kernel reap, and never learns how a child
/// ended; the setting is inherited from whoever started this process.
static void heedChildren() {
  struct sigaction action;
  if (sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
    signal(SIGCHLD, SIG_DFL);
}

ChildResult swizzle::runChild(const ChildOptions &options) {
  ChildResult result;
  heedChildren();
  // Before there are pipes that it could hold open.
  Watcher watcher;
  Channels channels;
  channels.input = memoryFile("input");
  channels.side = memoryFile("side");
  openPipe(channels.outputRead, channels.outputWrite);
  openPipe(channels.errorRead, channels.errorWrite);
  openPipe(channels.statusRead, channels.statusWrite);
  if (!channels.complete() || !writeAll(channels.input.get(), options.input)) {
    result.error = std::string("no memory files or pipes: ") + strerror(errno);
    return result;
  }
  std::vector<char *> arguments;
  arguments.push_back(const_cast<char *>(options.program.c_str()));
  for (const std::string &argument : options.arguments)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);

  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0)
    becomeProgram(options, channels, watcher, arguments.data(), parent);
  if (pid < 0) {
    result.error = std::string("no new process: ") + strerror(errno);
    return result;
  }
  setpgid(pid, pid); // whoever comes first
  channels.outputWrite.close();
  channels.errorWrite.close();
  channels.statusWrite.close();
  int error = 0;
  ssize_t count;
  do
    count = read(channels.statusRead.get(), &error, sizeof error);
  while (count < 0 && errno == EINTR);
  if (count == sizeof error) {
    watcher.end();
    reap(pid);
    result.missing = error == ENOENT || error == ENOTDIR;
    result.error = options.program + " cannot be run: " + strerror(error);
    return result;
  }

  result.status = waitFor(pid, options, channels, result);
  // The process is not reaped yet, so its number is still that of the group.
  kill(-pid, SIGKILL);
  watcher.end();
  int status = 0;
  reap(pid, &status);
  drain(channels.outputRead.get(), result.output);
  drain(channels.errorRead.get(), result.errorTail);
  forgetBeginning(result, options.errorBytes);
  if (result.status == ChildResult::Exited &&
      result.output.size() > options.outputBytes)
    result.status = ChildResult::TooMuchOutput;
  if (result.status != ChildResult::Exited || WIFSIGNALED(status))
    result.output.clear();
  if (result.status == ChildResult::TimedOut)
    result.code = int(std::min<int64_t>(options.timeout.count(), INT32_MAX));
  if (result.status != ChildResult::Exited)
    return result;
  if (WIFSIGNALED(status)) {
    result.status = ChildResult::Signalled;
    result.code = WTERMSIG(status);
    return result;
  }
  result.code = WEXITSTATUS(status);
  result.sideOutput = readAll(channels.side);
  return result;
}

std::string ChildResult::describe() const {
  switch (status) {
  case Exited:
    return llvm::formatv("exit status {0}", code);
  case Signalled:
    return llvm::formatv("signal {0} ({1})", code, strsignal(code));
  case TimedOut:
    return llvm::formatv("killed after {0:f1} s", code / 1000.0);
  case Cancelled:
    return "cancelled";
  case TooMuchOutput:
    return "killed because it wrote too much";
  case NotStarted:
    return error;
  }
  return {};
}
