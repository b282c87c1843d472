//===- Output.h - What swizzle-db prints ---------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables for people, records as they are stored for programs, and rows for
// those who train models.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_DB_OUTPUT_H
#define SWIZZLE_TOOLS_SWIZZLE_DB_OUTPUT_H

#include "swizzle/Records/JournalRows.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle {

/// "mi300x", "mine#1a2b3c4d": of those that are not built in, several may have
/// one name.
std::string wordChip(const DatabaseKey &key);

/// A table, or one stored line a record.
void printRecords(llvm::ArrayRef<const DatabaseRecord *> records, bool json,
                  llvm::raw_ostream &os);

/// Records that only one side has ("-", "+") and those that differ ("~"); true
/// if there is any.
bool printDifferences(const TuningDatabase &before, const TuningDatabase &after,
                      llvm::raw_ostream &os);

/// One JSONL row: what was known, what was proposed, what came of it.
void exportRecord(const DatabaseRecord &record, llvm::raw_ostream &os);

/// The same for an attempt of a journal, whatever became of it. Writes
/// nothing if there is no formula: the agent had no answer.
void exportAttempt(const JournalRow &row, llvm::raw_ostream &os);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_DB_OUTPUT_H
