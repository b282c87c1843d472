//===- ChildProcess.cpp - A program that may crash or hang ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input and output are anonymous memory files, so that neither side can block
// the other and nothing is left on disk, whoever dies when. Standard error is a
// pipe that is drained all the time and of which only the end is kept.
//
// Between fork and exec only async-signal-safe calls are made: the caller may
// have threads. One pidfd and the pipe are polled together, without a busy
// loop; the sizes of the output files are looked at in between (a limit that
// the kernel enforces would bound every file that the program writes).
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
  Descriptor input, output, side;
  Descriptor errorRead, errorWrite;   ///< standard error
  Descriptor statusRead, statusWrite; ///< errno of a failed exec

  bool complete() const {
    return input && output && side && errorRead && errorWrite && statusRead &&
           statusWrite;
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

/// The child, from fork to exec; tells errno and ends if it cannot.
[[noreturn]] static void becomeProgram(const ChildOptions &options,
                                       const Channels &channels,
                                       char *const *arguments, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT})
    signal(number, SIG_DFL);
  // No core files, and a bound on what it may take.
  limit(RLIMIT_CORE, 0);
  if (options.memoryBytes)
    limit(RLIMIT_DATA, options.memoryBytes);
  bool moved = dup2(channels.input.get(), 0) == 0 &&
               dup2(channels.output.get(), 1) == 1 &&
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

/// Keeps the last `limit` bytes of what was appended.
static void append(ChildResult &result, llvm::StringRef text, uint64_t limit) {
  result.errorTail += text;
  if (result.errorTail.size() <= 2 * limit)
    return;
  result.errorTail.erase(0, result.errorTail.size() - limit);
  result.errorTruncated = true;
}

/// Reads what standard error has; false at its end.
static bool drain(int fd, ChildResult &result, uint64_t limit) {
  std::array<char, 1 << 14> buffer;
  for (;;) {
    ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0)
      append(result, llvm::StringRef(buffer.data(), count), limit);
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
      return false;
    else if (errno == EAGAIN)
      return true;
  }
}

/// Waits for the end of `pid` or of the program's patience; does not reap.
static ChildResult::Status waitFor(pid_t pid, const ChildOptions &options,
                                   const Channels &channels,
                                   ChildResult &result) {
  int errors = channels.errorRead.get();
  Descriptor process(int(syscall(SYS_pidfd_open, pid, 0)));
  fcntl(errors, F_SETFL, O_NONBLOCK);
  bool open = true;
  auto start = Clock::now();
  for (;;) {
    siginfo_t info = {};
    bool ended = waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                 info.si_pid == pid;
    if (std::max(sizeOf(channels.output), sizeOf(channels.side)) >
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
    // Wake up to look at the flag and at the sizes; often where the kernel has
    // no pidfd.
    auto pause = std::min<std::chrono::milliseconds>(
        options.timeout - passed, std::chrono::milliseconds(process ? 50 : 5));
    std::array<pollfd, 2> events = {pollfd{open ? errors : -1, POLLIN, 0},
                                    pollfd{process.get(), POLLIN, 0}};
    poll(events.data(), events.size(), int(pause.count()));
    if (open && events[0].revents)
      open = drain(errors, result, options.errorBytes);
  }
}

ChildResult swizzle::runChild(const ChildOptions &options) {
  ChildResult result;
  Channels channels;
  channels.input = memoryFile("input");
  channels.output = memoryFile("output");
  channels.side = memoryFile("side");
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
    becomeProgram(options, channels, arguments.data(), parent);
  if (pid < 0) {
    result.error = std::string("no new process: ") + strerror(errno);
    return result;
  }
  setpgid(pid, pid); // whoever comes first
  channels.errorWrite.close();
  channels.statusWrite.close();
  int error = 0;
  ssize_t count;
  do
    count = read(channels.statusRead.get(), &error, sizeof error);
  while (count < 0 && errno == EINTR);
  if (count == sizeof error) {
    waitpid(pid, nullptr, 0);
    result.missing = error == ENOENT || error == ENOTDIR;
    result.error = options.program + " cannot be run: " + strerror(error);
    return result;
  }

  result.status = waitFor(pid, options, channels, result);
  // The process is not reaped yet, so its number is still that of the group.
  kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  drain(channels.errorRead.get(), result, options.errorBytes);
  if (result.errorTail.size() > options.errorBytes) {
    result.errorTail.erase(0, result.errorTail.size() - options.errorBytes);
    result.errorTruncated = true;
  }
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
  result.output = readAll(channels.output);
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
