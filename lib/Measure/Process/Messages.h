//===- Messages.h - From the worker to its supervisor -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker says what it is about to do and how long that may take, before it
// does it: if it dies or hangs, the last such line says which variant did it.
// One JSON object a line over a pipe.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_PROCESS_MESSAGES_H
#define SWIZZLE_LIB_MEASURE_PROCESS_MESSAGES_H

#include <string>
#include <string_view>

namespace swizzle::measuring {

struct Message {
  enum Kind {
    Begin,  ///< `text` is what is done with `variant`, within `seconds`
    Failed, ///< `variant` cannot be measured: `text`
    Fatal,  ///< nothing can be measured: `text`
    Row,    ///< `text` is a line of results.jsonl
    Note,   ///< `text` is for people
  };
  Kind kind = Note;
  std::string variant;
  std::string text;
  double seconds = 0;
};

/// With a newline at the end.
std::string writeMessage(const Message &message);
/// False for a line that is none.
bool readMessage(std::string_view line, Message &message);

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_PROCESS_MESSAGES_H
