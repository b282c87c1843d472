//===- Rocprof.cpp - What AMD's rocprofv3 counts --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rocprofv3 prints a line for each counter of each launch, or keeps the same in
// a database of SQLite, whose library is opened only then. FETCH_SIZE and
// WRITE_SIZE are kilobytes that left the L2 for whatever is behind it, a
// last-level cache or memory (AMD, rocprofiler-sdk, counter_defs.yaml;
// using-rocprofv3, counter collection).
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Counters/Counters.h"

#include "Csv.h"

#include <algorithm>
#include <dlfcn.h>

namespace swizzle {

using namespace measuring;

namespace {

constexpr char kHits[] = "TCC_HIT_sum";
constexpr char kMisses[] = "TCC_MISS_sum";
constexpr char kRead[] = "FETCH_SIZE";
constexpr char kWritten[] = "WRITE_SIZE";
constexpr double kKilobyte = 1024;

/// Launches by their numbers, each counter summed over its instances.
class LaunchTable {
public:
  void add(int64_t launch, const std::string &kernel,
           const std::string &counter, double value) {
    CountedLaunch &one = byNumber[launch];
    one.kernel = kernel;
    one.counters[counter] += value;
  }
  std::string finish(std::vector<CountedLaunch> &launches) {
    launches.clear();
    for (auto &[number, launch] : byNumber)
      launches.push_back(std::move(launch));
    return launches.empty() ? "rocprofv3 saw no launch" : "";
  }

private:
  std::map<int64_t, CountedLaunch> byNumber;
};

/// What is called of SQLite.
struct Sqlite {
  int (*open)(const char *, void **, int, const char *) = nullptr;
  int (*prepare)(void *, const char *, int, void **, const char **) = nullptr;
  int (*step)(void *) = nullptr;
  int64_t (*integer)(void *, int) = nullptr;
  double (*real)(void *, int) = nullptr;
  const unsigned char *(*text)(void *, int) = nullptr;
  int (*finalize)(void *) = nullptr;
  int (*close)(void *) = nullptr;
  const char *(*error)(void *) = nullptr;

  std::string load();
};

std::string Sqlite::load() {
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "libsqlite3.so.0 is needed to read a database of rocprofv3, and "
           "cannot be opened";
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
    return function != nullptr;
  };
  bool all =
      find(open, "sqlite3_open_v2") && find(prepare, "sqlite3_prepare_v2") &&
      find(step, "sqlite3_step") && find(integer, "sqlite3_column_int64") &&
      find(real, "sqlite3_column_double") &&
      find(text, "sqlite3_column_text") && find(finalize, "sqlite3_finalize") &&
      find(close, "sqlite3_close") && find(error, "sqlite3_errmsg");
  return all ? "" : "libsqlite3.so.0 is older than what this program knows";
}

constexpr int kReadOnly = 1, kRow = 100, kDone = 101;
constexpr char kQuery[] =
    "SELECT dispatch_id, kernel_name, counter_name, value "
    "FROM counters_collection";

std::string readRows(const Sqlite &sqlite, void *database, LaunchTable &table) {
  void *query = nullptr;
  auto wrong = [&] { return std::string(sqlite.error(database)); };
  if (sqlite.prepare(database, kQuery, -1, &query, nullptr) != 0)
    return wrong();
  auto text = [&](int column) {
    const unsigned char *found = sqlite.text(query, column);
    return std::string(found ? reinterpret_cast<const char *>(found) : "");
  };
  int status = sqlite.step(query);
  for (; status == kRow; status = sqlite.step(query))
    table.add(sqlite.integer(query, 0), text(1), text(2),
              sqlite.real(query, 3));
  std::string why = status == kDone ? "" : wrong();
  sqlite.finalize(query);
  return why;
}

} // namespace

std::vector<std::vector<std::string>> rocprofPasses() {
  return {{kHits, kMisses}, {kRead}, {kWritten}};
}

std::string readRocprof(std::string_view text,
                        std::vector<CountedLaunch> &launches) {
  std::map<std::string, size_t> columns;
  size_t width = 0;
  LaunchTable table;
  for (size_t at = 0, number = 1; at < text.size(); ++number) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::vector<std::string> cells = splitCsvLine(text.substr(at, end - at));
    at = end + 1;
    auto where = [&] { return "line " + std::to_string(number) + " "; };
    if (columns.empty()) {
      width = cells.size();
      for (size_t i = 0; i < width; ++i)
        columns[cells[i]] = i;
      for (const char *name :
           {"Dispatch_Id", "Kernel_Name", "Counter_Name", "Counter_Value"})
        if (!columns.count(name))
          return where() + "has no column " + name;
      continue;
    }
    if (cells.size() == 1 && cells[0].empty())
      continue;
    if (cells.size() != width)
      return where() + "has " + std::to_string(cells.size()) +
             " cells, the first one has " + std::to_string(width);
    double launch = 0, value = 0;
    if (!readCsvNumber(cells[columns["Dispatch_Id"]], launch) ||
        !readCsvNumber(cells[columns["Counter_Value"]], value) ||
        !(launch >= 0 && launch < 1e15))
      return where() + "has no number where one belongs";
    table.add(int64_t(launch), cells[columns["Kernel_Name"]],
              cells[columns["Counter_Name"]], value);
  }
  return table.finish(launches);
}

std::string readRocpd(const std::string &path,
                      std::vector<CountedLaunch> &launches) {
  Sqlite sqlite;
  if (std::string wrong = sqlite.load(); !wrong.empty())
    return wrong;
  void *database = nullptr;
  LaunchTable table;
  std::string wrong;
  if (sqlite.open(path.c_str(), &database, kReadOnly, nullptr) != 0)
    wrong = database ? sqlite.error(database) : "out of memory";
  else
    wrong = readRows(sqlite, database, table);
  sqlite.close(database);
  return wrong.empty() ? table.finish(launches) : path + ": " + wrong;
}

std::string addRocprofCounters(const std::vector<CountedLaunch> &launches,
                               const std::string &behind, Metrics &metrics) {
  double hits = 0, misses = 0, read = 0, written = 0;
  for (const CountedLaunch &launch : launches) {
    for (const char *name : {kHits, kMisses, kRead, kWritten})
      if (!launch.counters.count(name))
        return "counter " + std::string(name) + " is missing";
    hits += launch.counters.at(kHits);
    misses += launch.counters.at(kMisses);
    read += launch.counters.at(kRead) * kKilobyte;
    written += launch.counters.at(kWritten) * kKilobyte;
  }
  LevelMetrics &l2 = metrics.level("l2");
  if (hits + misses > 0)
    l2.hitRate = hits / (hits + misses);
  if (!behind.empty()) {
    metrics.level(behind).bytes = read + written;
    return "";
  }
  metrics.dramReadBytes = read;
  metrics.dramWriteBytes = written;
  return "";
}

} // namespace swizzle
