//===- Limits.cpp - What ends a check without a verdict -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers only write what was prepared and leave: they run when nothing else
// can be relied on, on a stack of their own.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/time.h>
#include <unistd.h>

namespace swizzle {

static LimitText said;
static char handlerStack[65536];

/// Only calls what a signal handler may.
[[noreturn]] static void leaveUnchecked(const char *why) {
  auto print = [](const char *text, size_t size) {
    while (size) {
      ssize_t done = write(STDOUT_FILENO, text, size);
      if (done <= 0)
        return;
      text += done;
      size -= done;
    }
  };
  print(said.before.data(), said.before.size());
  print(why, std::strlen(why));
  print(said.after.data(), said.after.size());
  _exit(3);
}

static void onSignal(int signal) {
  leaveUnchecked(signal == SIGALRM ? "time limit"
                 : signal == SIGBUS
                     ? "memory limit: a page could not be had (SIGBUS)"
                     : "the compiled kernel crashed (SIGSEGV)");
}

void installLimits(LimitText text, double seconds) {
  said = std::move(text);
  auto outOfMemory = [] { leaveUnchecked("memory limit: out of memory"); };
  std::set_new_handler(outOfMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) {
    leaveUnchecked("memory limit: out of memory");
  });
  stack_t stack = {};
  stack.ss_sp = handlerStack;
  stack.ss_size = sizeof(handlerStack);
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGALRM, SIGBUS, SIGSEGV})
    sigaction(signal, &action, nullptr);
  if (seconds <= 0)
    return;
  double whole;
  double part = std::modf(seconds, &whole);
  itimerval timer = {};
  timer.it_value.tv_sec = time_t(whole);
  timer.it_value.tv_usec = std::max<suseconds_t>(suseconds_t(part * 1e6), 1);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

} // namespace swizzle
