//===- swizzle-db.cpp - Look after a tuning database ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main over TuningDatabase: one subcommand for each thing that people do
// with such a file. Records are added by swizzle-tune.
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/Range.h"
#include "../common/StandardOutput.h"
#include "Output.h"
#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>
#include <set>

using namespace swizzle;
namespace cl = llvm::cl;

static cl::OptionCategory category("swizzle-db options");

static cl::SubCommand listCommand("list", "prints the records of a database");
static cl::SubCommand mergeCommand("merge",
                                   "takes the records of other databases in");
static cl::SubCommand pruneCommand("prune", "drops records");
static cl::SubCommand diffCommand("diff", "says how two databases differ");
static cl::SubCommand
    nearestCommand("nearest",
                   "finds records of kernels with the same accesses");
static cl::SubCommand
    exportCommand("export", "writes (context, formula, outcome) rows as JSONL");

static cl::list<std::string> files(cl::Positional, cl::desc("FILE..."),
                                   cl::cat(category), cl::sub(listCommand),
                                   cl::sub(mergeCommand), cl::sub(pruneCommand),
                                   cl::sub(diffCommand),
                                   cl::sub(nearestCommand),
                                   cl::sub(exportCommand));
static cl::opt<bool> json("json", cl::desc("prints records as they are stored"),
                          cl::cat(category), cl::sub(listCommand),
                          cl::sub(nearestCommand));
static cl::opt<std::string> kernel(
    "kernel", cl::value_desc("name | hash"),
    cl::desc("only records of this kernel (`k`, or `module::k`, though "
             "records name no module); a hash may be shortened, to eight "
             "digits"),
    cl::cat(category), cl::sub(listCommand), cl::sub(pruneCommand),
    cl::sub(nearestCommand), cl::sub(exportCommand));
static cl::opt<std::string> chip("chip", cl::value_desc("name[#digits]"),
                                 cl::desc("only records of this chip"),
                                 cl::cat(category), cl::sub(listCommand),
                                 cl::sub(pruneCommand), cl::sub(exportCommand));
static cl::opt<std::string>
    forVersion("tool-version", cl::value_desc("version"),
               cl::desc("only records of this version of the tool"),
               cl::cat(category), cl::sub(listCommand), cl::sub(pruneCommand),
               cl::sub(exportCommand));
static cl::opt<bool>
    outdated("outdated", cl::desc("drops records of any version but this one"),
             cl::cat(category), cl::sub(pruneCommand));
static cl::opt<bool> unreadable("unreadable",
                                cl::desc("drops lines that cannot be read"),
                                cl::cat(category), cl::sub(pruneCommand));
static cl::opt<double>
    gainBelow("gain-below", cl::value_desc("factor"),
              cl::desc("drops formulas whose gain is known to be less: 1.02"),
              cl::cat(category), cl::sub(pruneCommand));
static cl::opt<bool>
    dryRun("dry-run", cl::desc("says what would be dropped, drops nothing"),
           cl::cat(category), cl::sub(pruneCommand));
static cl::opt<std::string>
    nearGrid("grid", cl::value_desc("XxYxZ"),
             cl::desc("the grid to be near to; default: that of the kernel's "
                      "record"),
             cl::cat(category), cl::sub(nearestCommand));
static cl::opt<std::string>
    nearChip("near-chip", cl::value_desc("name"),
             cl::desc("the chip to be near to; default: that of the kernel's "
                      "record"),
             cl::cat(category), cl::sub(nearestCommand));
static cl::opt<std::string>
    signature("signature", cl::value_desc("text"),
              cl::desc("the access signature, instead of a kernel"),
              cl::cat(category), cl::sub(nearestCommand));
static cl::opt<unsigned> limit("limit", cl::value_desc("n"),
                               cl::desc("at most this many records (5)"),
                               cl::init(5), cl::cat(category),
                               cl::sub(nearestCommand));
static cl::opt<std::string>
    output("o", cl::value_desc("path"), cl::init("-"),
           cl::desc("where the rows go; default: standard output"),
           cl::cat(category), cl::sub(exportCommand));

static cl::list<std::string>
    journals("journal", cl::value_desc("path"),
             cl::desc("writes the attempts of this journal of swizzle-tune "
                      "too, failed ones among them; may be repeated"),
             cl::cat(category), cl::sub(exportCommand));

static constexpr const char *kOverview =
    "looks after tuning databases: text files with one record a line, "
    "sorted\n\n"
    "  swizzle-db list tuned.db [--chip=mi300x] [--kernel=NAME|HASH] [--json]\n"
    "  swizzle-db merge tuned.db other.db...     (into the first file)\n"
    "  swizzle-db prune tuned.db --outdated [--dry-run]\n"
    "  swizzle-db diff old.db new.db\n"
    "  swizzle-db nearest tuned.db --kernel=NAME|HASH [--grid=64x64]\n"
    "  swizzle-db export tuned.db [--journal=run.jsonl] -o rows.jsonl\n\n"
    "  `swizzle-db COMMAND --help` lists the options of one command.\n"
    "  swizzle-tune --database=tuned.db adds records; swizzle-opt with\n"
    "  --hw-aware-swizzle=\"agent=database database=tuned.db\" applies "
    "them.\n\n"
    "  Exit status: 0 done, 1 for `diff` if the databases differ and for\n"
    "  `nearest` if nothing is near, 2 if something cannot be read or used.\n"
    "  Lines that cannot be read are named and kept; the others are used.\n";

/// True once something could not be read: the work is done all the same.
static bool incomplete = false;

/// Says what is wrong in `path`; of much, the first few.
static void nameProblems(llvm::StringRef path,
                         llvm::ArrayRef<std::string> problems) {
  constexpr size_t most = 10;
  for (const std::string &problem : problems.take_front(most))
    llvm::errs() << "swizzle-db: " << problem << "\n";
  if (problems.size() > most)
    llvm::errs() << "swizzle-db: " << path << ": " << problems.size() - most
                 << " more problems\n";
  incomplete |= !problems.empty();
}

static void nameProblems(llvm::StringRef path, const TuningDatabase &database) {
  std::vector<std::string> messages;
  for (const DatabaseProblem &problem : database.problems())
    messages.push_back(problem.message);
  nameProblems(path, messages);
}

static llvm::Expected<TuningDatabase> readNamed(llvm::StringRef path) {
  llvm::Expected<TuningDatabase> database = TuningDatabase::read(path);
  if (database)
    nameProblems(path, *database);
  return database;
}

/// True if `record` is one that --kernel names.
static bool isOfKernel(const DatabaseRecord &record) {
  // A record does not say which module its kernel is of.
  auto [module, name] = llvm::StringRef(kernel).rsplit("::");
  // A name of a few letters may be the first digits of any hash.
  constexpr size_t fewestDigits = 8;
  return kernel.empty() || record.kernel == kernel ||
         (!name.empty() && record.kernel == name) ||
         (kernel.size() >= fewestDigits &&
          llvm::StringRef(record.key.kernelHash).starts_with(kernel));
}

/// True if `record` is one that --chip names: by the name of the chip, or as
/// `list` tells those that are not built in, with the first digits of the hash.
static bool isOfChip(const DatabaseRecord &record) {
  auto [name, digits] = llvm::StringRef(chip).split('#');
  auto hash = llvm::StringRef(record.key.chipHash).split(':').second;
  return chip.empty() || (record.key.chip == name && hash.starts_with(digits));
}

/// True if `record` is one that --kernel, --chip and --tool-version name.
static bool isWanted(const DatabaseRecord &record) {
  return isOfKernel(record) && isOfChip(record) &&
         (forVersion.empty() || record.key.toolVersion == forVersion);
}

/// Fails if `records` have no `what` of this name; `names` are those that they
/// have.
static llvm::Error refuseName(const char *what, const std::string &name,
                              std::set<std::string> names) {
  std::vector<std::string> known(names.begin(), names.end());
  // The nearest spelling opens the list.
  auto near = llvm::find(known, nearestSpelling(name, known));
  if (near != known.end())
    std::rotate(known.begin(), near, near + 1);
  return llvm::createStringError(
      "no record is of the " + llvm::Twine(what) + " '" + name + "'" +
      (known.empty() ? "; there are no records"
                     : "; there are " + llvm::join(known, ", ")));
}

/// Fails if nothing is of the kernel that was named, or of a chip that nobody
/// has described.
static llvm::Error checkNames(llvm::ArrayRef<const DatabaseRecord *> records) {
  std::set<std::string> kernels, chips;
  for (const DatabaseRecord *record : records) {
    kernels.insert(record->kernel);
    chips.insert(wordChip(record->key));
  }
  auto none = [&](auto fits) {
    return llvm::none_of(
        records, [&](const DatabaseRecord *record) { return fits(*record); });
  };
  if (!kernel.empty() && none(isOfKernel))
    return refuseName("kernel", kernel, std::move(kernels));
  if (!chip.empty() && none(isOfChip) && !llvm::is_contained(listChips(), chip))
    return refuseName("chip", chip, std::move(chips));
  return llvm::Error::success();
}

static std::vector<const DatabaseRecord *>
allOf(const TuningDatabase &database) {
  std::vector<const DatabaseRecord *> records;
  for (const DatabaseRecord &record : database.records())
    records.push_back(&record);
  return records;
}

static llvm::Error expectFiles(size_t least, size_t most) {
  if (files.size() >= least && files.size() <= most)
    return llvm::Error::success();
  if (least + 1 == most)
    return llvm::createStringError("the command takes at most " +
                                   llvm::Twine(most) + " file; " +
                                   llvm::Twine(files.size()) + " given");
  if (least == most)
    return llvm::createStringError("the command takes " + llvm::Twine(least) +
                                   (least == 1 ? " file" : " files") + "; " +
                                   llvm::Twine(files.size()) + " given");
  return llvm::createStringError("the command takes at least " +
                                 llvm::Twine(least) + " files; " +
                                 llvm::Twine(files.size()) + " given");
}

static llvm::Expected<int> runList() {
  if (llvm::Error error = expectFiles(1, 1))
    return std::move(error);
  llvm::Expected<TuningDatabase> database = readNamed(files[0]);
  if (!database)
    return database.takeError();
  std::vector<const DatabaseRecord *> records = allOf(*database);
  if (llvm::Error error = checkNames(records))
    return std::move(error);
  llvm::erase_if(records,
                 [](const DatabaseRecord *one) { return !isWanted(*one); });
  printRecords(records, json, llvm::outs());
  return 0;
}

static llvm::Expected<int> runMerge() {
  if (llvm::Error error = expectFiles(2, SIZE_MAX))
    return std::move(error);
  std::vector<TuningDatabase> others;
  for (const std::string &file : llvm::drop_begin(files)) {
    llvm::Expected<TuningDatabase> other = readNamed(file);
    if (other) {
      others.push_back(std::move(*other));
      continue;
    }
    llvm::errs() << "swizzle-db: error: " << toString(other.takeError())
                 << "\n";
    incomplete = true;
  }
  if (others.empty())
    return 2;
  size_t taken = 0, seen = 0;
  llvm::Error error =
      updateDatabase(files[0], [&](TuningDatabase &database) -> llvm::Error {
        nameProblems(files[0], database);
        for (const TuningDatabase &other : others)
          for (const DatabaseRecord &record : other.records()) {
            taken += database.add(record);
            ++seen;
          }
        return llvm::Error::success();
      });
  if (error)
    return std::move(error);
  llvm::outs() << taken << " of " << seen << " records taken into '" << files[0]
               << "'; the others are there already, or worse\n";
  return 0;
}

static llvm::Expected<int> runPrune() {
  if (llvm::Error error = expectFiles(1, 1))
    return std::move(error);
  bool named = !kernel.empty() || !chip.empty() || !forVersion.empty();
  if (!named && !outdated && !unreadable && !gainBelow.getNumOccurrences())
    return llvm::createStringError(
        "say what shall be dropped: --outdated, --unreadable, "
        "--gain-below, --kernel, --chip or --tool-version");
  if (!(gainBelow >= 0) || !std::isfinite(gainBelow))
    return llvm::createStringError("--gain-below must be a number from 0, such "
                                   "as 1.02");
  if (!llvm::sys::fs::exists(files[0]))
    return llvm::createStringError("there is no database '" + files[0] + "'");
  size_t dropped = 0;
  auto prune = [&](TuningDatabase &database) -> llvm::Error {
    if (unreadable)
      dropped += database.dropProblems();
    nameProblems(files[0], database);
    bool records = named || outdated || gainBelow.getNumOccurrences();
    // Several conditions: what meets all of them is dropped.
    if (records)
      dropped += database.remove([&](const DatabaseRecord &record) {
        // A gain that is not known is not a small one.
        std::optional<double> gain = record.gain();
        return isWanted(record) &&
               (!outdated || record.key.toolVersion != SWIZZLE_VERSION) &&
               (!gainBelow.getNumOccurrences() ||
                (!record.formula.empty() && gain && *gain < gainBelow));
      });
    return llvm::Error::success();
  };
  if (dryRun) {
    llvm::Expected<TuningDatabase> database = TuningDatabase::read(files[0]);
    if (!database)
      return database.takeError();
    llvm::cantFail(prune(*database));
    llvm::outs() << dropped << " lines would be dropped\n";
    return 0;
  }
  if (llvm::Error error = updateDatabase(files[0], prune))
    return std::move(error);
  llvm::outs() << dropped << " lines dropped\n";
  return 0;
}

static llvm::Expected<int> runDiff() {
  if (llvm::Error error = expectFiles(2, 2))
    return std::move(error);
  llvm::Expected<TuningDatabase> before = readNamed(files[0]);
  if (!before)
    return before.takeError();
  llvm::Expected<TuningDatabase> after = readNamed(files[1]);
  if (!after)
    return after.takeError();
  return printDifferences(*before, *after, llvm::outs()) ? 1 : 0;
}

static llvm::Expected<int> runNearest() {
  if (llvm::Error error = expectFiles(1, 1))
    return std::move(error);
  if (kernel.empty() == signature.empty())
    return llvm::createStringError("name a --kernel, or give a --signature");
  if (!nearGrid.empty())
    if (llvm::Expected<Grid> grid = parseGrid(nearGrid); !grid)
      return llvm::createStringError("--grid: " + toString(grid.takeError()));
  llvm::Expected<TuningDatabase> database = readNamed(files[0]);
  if (!database)
    return database.takeError();
  DatabaseKey key;
  std::string pattern = signature;
  if (!kernel.empty()) {
    const DatabaseRecord *start = nullptr;
    for (const DatabaseRecord &record : database->records())
      if (!start && isWanted(record))
        start = &record;
    if (!start)
      return llvm::createStringError(
          "no record is of a kernel '" + kernel +
          "'; `swizzle-db list` prints those that there are");
    key = start->key;
    pattern = start->signature;
  }
  if (!nearGrid.empty())
    key.grid = nearGrid;
  if (!nearChip.empty() && nearChip != key.chip) {
    key.chip = nearChip;
    key.chipHash.clear();
  }
  std::vector<const DatabaseRecord *> near =
      database->nearest(key, pattern, limit);
  printRecords(near, json, llvm::outs());
  return near.empty() ? 1 : 0;
}

static llvm::Expected<int> runExport() {
  // A run that is not in a database yet has its journal.
  if (llvm::Error error = expectFiles(journals.empty() ? 1 : 0, 1))
    return std::move(error);
  std::vector<FileRole> roles{{"the output", output, true}};
  for (const std::string &one : files)
    roles.push_back({"the database", one, false});
  for (const std::string &one : journals)
    roles.push_back({"the journal", one, false});
  if (llvm::Error error = checkDistinct(roles))
    return std::move(error);
  std::optional<TuningDatabase> database;
  if (!files.empty()) {
    llvm::Expected<TuningDatabase> read = readNamed(files[0]);
    if (!read)
      return read.takeError();
    database = std::move(*read);
  }
  std::vector<JournalRows> attempts;
  for (const std::string &journal : journals) {
    llvm::Expected<JournalRows> read = readJournalRows(journal);
    if (!read)
      return read.takeError();
    nameProblems(journal, read->problems);
    attempts.push_back(std::move(*read));
  }
  std::vector<const DatabaseRecord *> records;
  if (database)
    records = allOf(*database);
  for (const JournalRows &journal : attempts)
    for (const JournalRow &row : journal.rows)
      records.push_back(&row.about);
  if (llvm::Error error = checkNames(records))
    return std::move(error);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (database)
    for (const DatabaseRecord &record : database->records())
      if (isWanted(record))
        exportRecord(record, os);
  for (const JournalRows &journal : attempts)
    for (const JournalRow &row : journal.rows)
      if (isWanted(row.about))
        exportAttempt(row, os);
  if (output == "-") {
    llvm::outs() << text;
    return 0;
  }
  if (llvm::Error error = writeFileWhole(output, text))
    return llvm::createStringError("cannot write '" + output +
                                   "': " + toString(std::move(error)));
  return 0;
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-db");
  About about("swizzle-db", category);
  cl::HideUnrelatedOptions(category);
  for (cl::SubCommand *command :
       {&listCommand, &mergeCommand, &pruneCommand, &diffCommand,
        &nearestCommand, &exportCommand})
    cl::HideUnrelatedOptions(category, *command);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return 2;
  if (llvm::Error error = checkEmpty(argc, argv)) {
    llvm::errs() << "swizzle-db: error: " << toString(std::move(error)) << "\n";
    return 2;
  }
  std::pair<cl::SubCommand *, llvm::Expected<int> (*)()> commands[] = {
      {&listCommand, runList},       {&mergeCommand, runMerge},
      {&pruneCommand, runPrune},     {&diffCommand, runDiff},
      {&nearestCommand, runNearest}, {&exportCommand, runExport},
  };
  for (auto [command, run] : commands) {
    if (!*command)
      continue;
    llvm::Expected<int> status = run();
    if (!status) {
      llvm::errs() << "swizzle-db: error: " << toString(status.takeError())
                   << "\n";
      return 2;
    }
    return incomplete ? 2 : *status;
  }
  llvm::errs()
      << "swizzle-db: error: name a command: list, merge, prune, diff, "
         "nearest or export; `swizzle-db --help` explains them\n";
  return 2;
}
