//===- Child.h - A process that may crash or hang ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function in a child of this process and listens to what it says. Each
// message may set how long the next one may take to come.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_PROCESS_CHILD_H
#define SWIZZLE_LIB_MEASURE_PROCESS_CHILD_H

#include "Messages.h"

#include <functional>
#include <vector>

namespace swizzle::measuring {

struct ChildEnd {
  bool ended = false; ///< by itself, with all said
  std::string why;    ///< else: "ended by signal 11", "took more than 10 s"
};

/// Runs a program and takes what it prints. Returns what is wrong, "" if it
/// ended with status 0 in time.
std::string runProgram(const std::vector<std::string> &command, double seconds,
                       std::string &output);

using Tell = std::function<void(const Message &)>;

/// `body` runs in the child; false says that the child has to go, which is no
/// failure. `hear` gets each message and returns the seconds until the next one
/// must be there; negative: as before.
ChildEnd superviseChild(const std::function<bool(const Tell &)> &body,
                        const std::function<double(const Message &)> &hear);

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_PROCESS_CHILD_H
