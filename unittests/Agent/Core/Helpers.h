//===- Helpers.h - Shared by the tests of agents ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors taken apart, a clock that does not tick, an environment of one's own.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_AGENT_HELPERS_H
#define SWIZZLE_UNITTESTS_AGENT_HELPERS_H

#include "Exchange/Exchange.h"
#include <map>

namespace swizzle {

using namespace agent;

/// The `AgentError` in `error`; one of kind Cancelled with an odd message if it
/// is no such thing.
inline AgentError takeAgentError(llvm::Error error) {
  AgentError result(AgentErrorKind::Cancelled, "there was no agent error");
  llvm::handleAllErrors(
      std::move(error), [&](const AgentError &failure) { result = failure; },
      [](const llvm::ErrorInfoBase &) {});
  return result;
}

/// Sleeping moves it on at once; what was slept is remembered.
class FakeClock : public Clock {
public:
  int64_t nowMs() override { return now; }
  int64_t unixSeconds() override { return 1700000000 + now / 1000; }
  void sleepMs(int64_t duration, const std::atomic<bool> *) override {
    slept.push_back(duration);
    now += duration;
  }

  int64_t now = 1000;
  std::vector<int64_t> slept;
};

inline EnvironmentFunction
makeEnvironment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](
             llvm::StringRef name) -> std::optional<std::string> {
    auto it = variables.find(name.str());
    if (it == variables.end())
      return std::nullopt;
    return it->second;
  };
}

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_AGENT_HELPERS_H
