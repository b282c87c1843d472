//===- Journal.h - Nothing that was paid for is lost ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An append-only file, one JSON object a line. The first line says what is
// being tuned, with what and how; then each answer of an agent and each build
// and measurement stands there before the next step is taken. A run that is
// resumed goes through the same loop again and finds in the journal what it
// would have to ask, build or measure, until the journal ends and the rest is
// done for real.
//
// A torn last line is cut off. The file is locked while it is open, so that two
// runs cannot write one journal.
//
//   auto journal = Journal::resume("run.jsonl", header);
//   KernelJournal &kernel = (*journal)->kernel("module::kernel");
//   kernel.takeAnswer(1, "openai");    // what was answered, or nullptr
//   kernel.keep(answer);               // one more line
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_JOURNAL_H
#define SWIZZLE_RECORDS_JOURNAL_H

#include "swizzle/Records/Answer.h"
#include "swizzle/Records/JournalRows.h"
#include "swizzle/Support/Secrets.h"
#include "llvm/Support/JSON.h"
#include <deque>

namespace swizzle {

/// What must not change between a run and the one that resumes it.
struct JournalHeader {
  std::string toolVersion;
  std::string compiler;  ///< name and version, "off" if nothing is compiled
  std::string inputHash; ///< of the module
  std::string chip, chipHash;
  std::map<std::string, std::string> options; ///< all that steer the loop
};

/// An answer, or the error that came instead, as it was recorded.
struct RecordedAnswer {
  unsigned round = 0;
  std::string agent;
  std::optional<Answer> answer;
  AgentErrorKind errorKind = AgentErrorKind::Program; ///< without an answer
  std::string errorMessage;
  Usage usage;
  double seconds = 0, elapsed = 0;
};

struct RecordedBuild {
  BuildVerdict result;
  double seconds = 0, elapsed = 0;
};

struct RecordedMeasurement {
  std::optional<Metrics> measurement;
  std::string error; ///< without a measurement
  double seconds = 0, elapsed = 0;
};

/// The kernel before anything was tried.
struct RecordedKernel {
  DatabaseRecord about; ///< as of a run that found nothing
  std::string objectiveReason;
  Metrics baseline;
  Grid grid, modelGrid; ///< as it is known, and as it is simulated
  HardwareConstants constants;
};

/// How the loop ended on one kernel.
struct RecordedEnd {
  std::string end, reason; ///< a stable word, and one sentence
  unsigned best = 0;       ///< number of the best attempt
  unsigned rounds = 0, evaluations = 0;
  Usage usage;
  double elapsed = 0;
};

class Journal;

/// The part of a journal that is about one kernel.
class KernelJournal {
public:
  KernelJournal(Journal &journal, std::string kernel)
      : journal(journal), kernel(std::move(kernel)) {}

  /// True while there are records that the loop has not come to yet.
  bool replaying() const { return pending > 0; }
  /// Seconds since the loop began, at the last record that was replayed.
  double replayedSeconds() const { return lastElapsed; }
  /// True once a line could not be written.
  bool broken() const;

  /// What an earlier run was answered by `agent` in `round`, in turn; what was
  /// built and measured for `key`. Null: nothing is recorded, or only that the
  /// network, a key or a program failed until the run ended.
  const RecordedAnswer *takeAnswer(unsigned round, llvm::StringRef agent);
  const RecordedBuild *takeBuild(const std::string &key);
  const RecordedMeasurement *takeMeasurement(const std::string &key,
                                             Fidelity fidelity);

  /// Appends, and returns when the line is out of this process's hands. What
  /// costs money or a careful measurement is also forced to the disk.
  void keep(const RecordedAnswer &answer);
  void keep(const std::string &key, const RecordedBuild &build);
  void keep(const std::string &key, Fidelity fidelity,
            const RecordedMeasurement &measurement);
  /// For people and programs that read the journal; not replayed. What an
  /// earlier run wrote is not written again.
  void keep(const RecordedKernel &kernel);
  void keep(const Attempt &attempt);
  void keep(const RecordedEnd &end);
  /// What a GPU said of the best few (as in the report), which of them it
  /// chose, and the attempts that it was asked about beside the loop's: after
  /// the end, because the loop knows nothing of it. What the journal has
  /// already is not written again.
  void keepMeasured(llvm::json::Object measured, unsigned best,
                    llvm::ArrayRef<Attempt> added);

private:
  friend class Journal;
  llvm::Error read(llvm::StringRef type, const llvm::json::Object &record);
  /// The loop goes its own way: what is left of the journal does not apply.
  void stopReplaying() { pending = 0; }
  bool forgetFailures();
  void replayed(double elapsed) {
    lastElapsed = std::max(lastElapsed, elapsed);
    if (pending)
      --pending;
  }

  Journal &journal;
  std::string kernel;
  std::deque<RecordedAnswer> answers;
  std::optional<RecordedAnswer> current;
  std::map<std::string, RecordedBuild> builds;
  std::map<std::pair<std::string, Fidelity>, RecordedMeasurement> measurements;
  bool described = false; ///< the kernel, by its context
  unsigned attempts = 0;  ///< recorded
  unsigned told = 0;      ///< attempts of this run
  bool ended = false;     ///< the run that is recorded, after its answers
  bool again = false;     ///< the next answer is to what failed before
  std::string measured;   ///< the last such record
  size_t pending = 0;
  double lastElapsed = 0;
};

class Journal {
public:
  /// Starts a journal. Fails if `path` holds one already, if another process
  /// has it open (the message names that process), or if it cannot be written.
  /// `secrets` are in no line of it.
  static llvm::Expected<std::unique_ptr<Journal>>
  create(llvm::StringRef path, const JournalHeader &header,
         Secrets secrets = {});

  /// Opens a journal to go on from it. Fails as `create`, and if it was written
  /// for another kernel, chip, compiler or option set; the message names what
  /// differs. A journal that is missing or empty is started.
  static llvm::Expected<std::unique_ptr<Journal>>
  resume(llvm::StringRef path, const JournalHeader &header,
         Secrets secrets = {});

  /// Reads a journal as `resume` does, but leaves the file as it is: nothing is
  /// locked, cut or appended. Fails if there is none.
  static llvm::Expected<std::unique_ptr<Journal>>
  view(llvm::StringRef path, const JournalHeader &header, Secrets secrets = {});

  ~Journal();
  Journal(const Journal &) = delete;
  Journal &operator=(const Journal &) = delete;

  /// The part about the kernel of this name, empty if it is new.
  KernelJournal &kernel(llvm::StringRef name);

  /// The first error of writing, success if there was none.
  llvm::Error takeError();

private:
  friend class KernelJournal;
  Journal(std::string path, Secrets secrets)
      : path(std::move(path)), secrets(std::move(secrets)) {}
  llvm::Error open();
  llvm::Error openAsItIs();
  llvm::Error load(const JournalHeader &header);
  llvm::Error start(const JournalHeader &header);
  void append(llvm::json::Object record, bool force);

  std::string path;
  Secrets secrets;
  int descriptor = -1;
  bool readOnly = false;
  std::string failure; ///< of writing
  std::map<std::string, std::unique_ptr<KernelJournal>> kernels;
};

} // namespace swizzle

#endif // SWIZZLE_RECORDS_JOURNAL_H
