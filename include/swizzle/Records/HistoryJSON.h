//===- HistoryJSON.h - Attempts and answers as JSON ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One spelling for what agents answer and what became of it, wherever it is
// written: journal, checkpoint, report, events. Text that is not UTF-8 is
// mended on the way out; numbers are read back as they were. Reading judges the
// shape and fails with the field that is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_HISTORYJSON_H
#define SWIZZLE_RECORDS_HISTORYJSON_H

#include "swizzle/Records/Answer.h"
#include "swizzle/Records/History.h"
#include "llvm/Support/JSON.h"

namespace swizzle {

/// A string of JSON, mended if it is not UTF-8.
llvm::json::Value toJSONText(llvm::StringRef text);

llvm::json::Object toJSON(const ParamValues &params);
/// Those that are known.
llvm::json::Object toJSON(const HardwareConstants &constants);
/// Extents, x first; null where one is not known.
llvm::json::Array toJSON(const Grid &grid);
llvm::json::Object toJSON(const Metrics &metrics);
llvm::json::Object toJSON(const Usage &usage);
llvm::json::Object toJSON(const Proposal &proposal);
llvm::json::Object toJSON(const Answer &answer);
llvm::json::Object toJSON(const Attempt &attempt);

llvm::Expected<ParamValues> readParams(const llvm::json::Value &value);
llvm::Expected<Metrics> readMetrics(const llvm::json::Value &value);
llvm::Expected<Usage> readUsage(const llvm::json::Value &value);
/// The inverse of `toJSON`; what a language model writes is read by
/// `readAnswer` (Prompt.h).
llvm::Expected<Answer> readRecordedAnswer(const llvm::json::Value &value);
llvm::Expected<Attempt> readAttempt(const llvm::json::Value &value);

std::optional<AttemptStatus> readAttemptStatus(llvm::StringRef text);
std::optional<AgentErrorKind> readAgentErrorKind(llvm::StringRef text);
std::optional<Objective> readObjective(llvm::StringRef text);

} // namespace swizzle

#endif // SWIZZLE_RECORDS_HISTORYJSON_H
