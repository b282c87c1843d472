//===- JournalRows.h - A journal for those who only read it -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was tried in a run, whatever became of it, together with what was known
// when it was tried. A tuning database keeps the winners; who wants to learn
// from the failures finds them in the journals.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_JOURNALROWS_H
#define SWIZZLE_RECORDS_JOURNALROWS_H

#include "swizzle/Records/TuningDatabase.h"

namespace swizzle {

inline constexpr llvm::StringLiteral kJournalSchema = "swizzle-journal/1";

struct JournalRow {
  /// The kernel as it is: key, signature, objective, baseline; no formula.
  DatabaseRecord about;
  Attempt attempt;
};

struct JournalRows {
  std::vector<JournalRow> rows;      ///< kernel by kernel, in order
  std::vector<std::string> problems; ///< lines that could not be used
};

/// All attempts in the journal at `path`, which may be of a run that goes on.
/// Fails if the file cannot be read or is no journal.
llvm::Expected<JournalRows> readJournalRows(llvm::StringRef path);

} // namespace swizzle

#endif // SWIZZLE_RECORDS_JOURNALROWS_H
