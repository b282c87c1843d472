//===- Messages.cpp - From the worker to its supervisor -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker that corrupts its memory may write anything: what is no message is
// dropped, and never crashes the supervisor.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include "swizzle/Support/PlainJson.h"

#include <nlohmann/json.hpp>

namespace swizzle::measuring {

std::string writeMessage(const Message &message) {
  nlohmann::ordered_json tree = {{"kind", int(message.kind)},
                                 {"variant", message.variant},
                                 {"text", message.text},
                                 {"seconds", message.seconds}};
  return plain::printLine(tree) + "\n";
}

bool readMessage(std::string_view line, Message &message) {
  nlohmann::json tree;
  if (!plain::parse(line, tree).empty() || !tree.is_object())
    return false;
  try {
    int kind = tree.at("kind").get<int>();
    if (kind < Message::Begin || kind > Message::Note)
      return false;
    message.kind = Message::Kind(kind);
    message.variant = tree.at("variant").get<std::string>();
    message.text = tree.at("text").get<std::string>();
    message.seconds = tree.at("seconds").get<double>();
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

} // namespace swizzle::measuring
