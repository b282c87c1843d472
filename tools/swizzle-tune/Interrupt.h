//===- Interrupt.h - Ctrl-C ends with the best so far -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first Ctrl-C, SIGTERM as batch systems send it, or SIGHUP of a terminal
// that is gone, sets a flag that all long work looks at; the second one ends
// the process.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_INTERRUPT_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_INTERRUPT_H

#include "llvm/ADT/StringRef.h"
#include <atomic>

namespace swizzle {

/// To be called before LLVM sets handlers of its own: a SIGHUP that is ignored
/// then, because of nohup, stays ignored.
void noteNohup();

/// From here on a signal sets the flag that `cancelFlag` names. Before, it ends
/// the process: there is nothing to write yet.
void catchInterrupts();

const std::atomic<bool> *cancelFlag();

/// The signal that came, 0 if none did.
int interruptSignal();

/// Says how to go on after an interrupt; `journal` may be empty.
void explainInterrupt(llvm::StringRef journal);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_INTERRUPT_H
