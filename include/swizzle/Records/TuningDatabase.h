//===- TuningDatabase.h - What was found, for later ----------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text file with one record a line, sorted, so that version control can show
// and merge it. A record says which formula was best for one kernel on one grid
// and chip, and how that was found out. Nothing in it is trusted: a formula
// from a database is proved again before it is used.
//
//   Expected<TuningDatabase> db = TuningDatabase::read("tuning.db");
//   db->find({hash, "64x64", "mi300x", version});  // a record, or nullptr
//   db->add(record);                               // true: it is the better
//   db->print();                                   // one record a line, sorted
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_TUNINGDATABASE_H
#define SWIZZLE_RECORDS_TUNINGDATABASE_H

#include "swizzle/Records/History.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace swizzle {

inline constexpr llvm::StringLiteral kDatabaseSchema = "swizzle-database/1";

/// What a record is found by.
struct DatabaseKey {
  std::string kernelHash;  ///< `hashKernel`
  std::string grid;        ///< "64x64"; "?" for an extent that is not known
  std::string chip;        ///< name of its description
  std::string toolVersion; ///< formulas may be judged differently by others
  /// `hashUnlessBuiltIn` of the description: of chips that are not built in,
  /// several have one name. Empty: the built-in chip.
  std::string chipHash = {};

  bool operator==(const DatabaseKey &other) const {
    return kernelHash == other.kernelHash && grid == other.grid &&
           chip == other.chip && toolVersion == other.toolVersion &&
           chipHash == other.chipHash;
  }
};

/// Some figures of a run; what the profiler could not tell is left open.
struct RecordFigures {
  std::optional<double> timeUs, l2HitRate, dramBytes, energyJoules;
};

RecordFigures figuresOf(const Metrics &metrics);

struct DatabaseRecord {
  DatabaseKey key;
  std::string kernel;    ///< its name when it was tuned, for people
  std::string signature; ///< `accessSignature`
  /// Text; empty: nothing beat the order as it is.
  std::string formula;
  ParamValues params;

  std::string agent; ///< who proposed it
  Objective objective = Objective::Time;
  Origin origin = Origin::Simulated;
  std::string device; ///< chip that was simulated, device that was measured
  RecordFigures baseline, best;

  /// Baseline over best of the objective's figure (of the miss rate, for a hit
  /// rate): infinite where the best has nothing left of it, 1 without a
  /// formula, nullopt if a figure is missing.
  std::optional<double> gain() const;
};

/// "1.25 times as good as", for people.
std::string describeGain(double gain);

/// A line that could not be read. It is kept as it is when the file is written.
struct DatabaseProblem {
  unsigned line = 0;
  std::string message; ///< "tuning.db:12: ..."
  std::string text;
};

class TuningDatabase {
public:
  /// Reads `text`. Lines that cannot be read become `problems`, the others
  /// stand. Of several records with one key the better stays.
  static TuningDatabase parse(llvm::StringRef text, llvm::StringRef fileName);
  /// Fails if the file cannot be read.
  static llvm::Expected<TuningDatabase> read(llvm::StringRef path);

  /// Sorted by key.
  llvm::ArrayRef<DatabaseRecord> records() const { return sorted; }
  llvm::ArrayRef<DatabaseProblem> problems() const { return unreadable; }

  const DatabaseRecord *find(const DatabaseKey &key) const;

  /// Takes `record` unless there is a better one with its key: measured beats
  /// simulated, then the larger gain counts (one that is not known is least),
  /// then the text, so that the outcome
  /// does not depend on who comes first. True if it was taken.
  bool add(DatabaseRecord record);
  /// Drops the records that `unwanted` is true for; returns how many.
  size_t remove(llvm::function_ref<bool(const DatabaseRecord &)> unwanted);
  /// Drops the lines that could not be read; returns how many.
  size_t dropProblems();

  /// Records with the access signature `signature` under another key: first
  /// the same kernel, then the same chip, then the grid nearest in size, then
  /// the same description of the chip.
  std::vector<const DatabaseRecord *> nearest(const DatabaseKey &key,
                                              llvm::StringRef signature,
                                              size_t limit) const;

  /// The text of the file: records, then the lines that could not be read.
  std::string print() const;

private:
  std::vector<DatabaseRecord> sorted;
  std::vector<DatabaseProblem> unreadable;
};

/// One line, without its end; the same record gives the same bytes.
std::string printRecord(const DatabaseRecord &record);
llvm::Expected<DatabaseRecord> parseRecord(llvm::StringRef line);

/// Reads the database at `path` (an empty one if there is no file), lets
/// `change` alter it, and writes it if it did: all under a lock (`path` +
/// ".lock") that other processes and threads respect, and so that a reader sees
/// either the old file or the new one.
llvm::Error
updateDatabase(llvm::StringRef path,
               llvm::function_ref<llvm::Error(TuningDatabase &)> change);

/// Adds `records` as above.
llvm::Error addToDatabase(llvm::StringRef path,
                          llvm::ArrayRef<DatabaseRecord> records);

} // namespace swizzle

#endif // SWIZZLE_RECORDS_TUNINGDATABASE_H
