//===- Asking.h - One question to one agent ------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An answer may have cost money: it stands in the journal before anybody acts
// on it, and is taken from there when a run is resumed.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_ASKING_H
#define SWIZZLE_LIB_TUNING_ASKING_H

#include "Search/Budget.h"
#include "swizzle/Records/Journal.h"

namespace swizzle::tuning {

/// What a question needs beside the agent.
struct AskSetting {
  AgentContext &context; ///< gets what may be spent, and the picture
  Budget &budget;
  const TuningHooks &hooks;
  bool attachPicture;
};

/// The agent's answer or error, from the journal or from the agent itself. What
/// could not be done on the way is added to `notes`.
RecordedAnswer askAgent(Agent &agent, const AskSetting &setting,
                        std::vector<std::string> &notes);

/// True for errors that asking again cannot mend.
bool isPermanent(AgentErrorKind kind);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_ASKING_H
