//===- ContextRecord.h - A context in a tuning database ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between what an agent is told and what a tuning database holds: the key of a
// kernel's context, the record of what came of it, and the records of similar
// kernels as an agent is told about them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_CORE_CONTEXTRECORD_H
#define SWIZZLE_AGENT_CORE_CONTEXTRECORD_H

#include "swizzle/Agent/Core/Context.h"
#include "swizzle/Records/TuningDatabase.h"

namespace swizzle {

/// The key of the kernel that `context` is about, for this version of the tool.
DatabaseKey databaseKeyOf(const AgentContext &context);

/// The record of a tuning run that ended with `best`; null: the kernel as it is
/// was best. `key` and `signature` come from `context`.
DatabaseRecord makeDatabaseRecord(const AgentContext &context,
                                  const Attempt *best);

/// `records` as an agent is told about them that looks for `key`.
std::vector<NearRecord>
toNearRecords(llvm::ArrayRef<const DatabaseRecord *> records,
              const DatabaseKey &key);

} // namespace swizzle

#endif // SWIZZLE_AGENT_CORE_CONTEXTRECORD_H
