//===- Interrupt.cpp - Ctrl-C ends with the best so far -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"

#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace swizzle {

static std::atomic<bool> cancelled{false};
static std::atomic<int> interruptedBy{0};

static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// As nohup leaves it.
static bool ignoresHangUp = false;

static bool isCaught(int signal) { return signal != SIGHUP || !ignoresHangUp; }

extern "C" {
/// Only does what a handler of signals may.
static void noteInterrupt(int signal) {
  interruptedBy = signal;
  cancelled = true;
  for (int number : kSignals)
    if (isCaught(number))
      ::signal(number, SIG_DFL);
}
}

void noteNohup() {
  struct sigaction action = {};
  ignoresHangUp =
      !::sigaction(SIGHUP, nullptr, &action) && action.sa_handler == SIG_IGN;
}

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = noteInterrupt;
  for (int number : kSignals)
    if (isCaught(number))
      ::sigaction(number, &action, nullptr);
}

static const char *nameOf(int signal) {
  switch (signal) {
  case SIGINT:
    return "Ctrl-C";
  case SIGHUP:
    return "SIGHUP";
  default:
    return "SIGTERM";
  }
}

const std::atomic<bool> *cancelFlag() { return &cancelled; }

int interruptSignal() { return interruptedBy; }

void explainInterrupt(llvm::StringRef journal) {
  llvm::errs() << "swizzle-tune: note: ended by " << nameOf(interruptedBy)
               << " with the best so far; ";
  if (journal.empty())
    llvm::errs() << "with --journal=FILE, --resume would go on from here\n";
  else
    llvm::errs() << "--resume and the same options go on from " << journal
                 << '\n';
}

} // namespace swizzle
