//===- RunBundle.cpp - Measures what a bundle asks for --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The supervisor: it never opens a driver itself. Each group of variants is
// measured by a child; a child that dies or is late is killed, the variant that
// it was at fails, and the rest goes to a fresh child.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Run/RunBundle.h"

#include "CountLaunches.h"
#include "Process/Child.h"
#include "ResultsFile.h"
#include "Worker.h"
#include "swizzle/Measure/Counters/Counters.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

namespace swizzle {

using namespace measuring;

namespace {

bool readFile(const std::string &path, std::string &text) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return false;
  std::stringstream content;
  content << file.rdbuf();
  text = content.str();
  return !file.bad();
}

class Supervisor {
public:
  explicit Supervisor(const RunOptions &options) : options(options) {}
  int run();

private:
  int fail(int status, const std::string &text) const {
    std::fprintf(stderr, "swizzle-run: error: %s\n", text.c_str());
    return status;
  }
  std::string readInputs();
  std::string readResults();
  void write(const std::string &line);
  void failVariant(const std::string &name, const std::string &why);
  /// Measures the original with `names`; `fatal` says if nothing can be.
  void measure(std::vector<std::string> names);
  Message runChild(const std::vector<std::string> &names,
                   std::vector<std::string> &left);
  /// Adds hardware counters to the rows that have none.
  void count();
  GpuApi api() const;
  GroupRequest requestOf(const std::vector<std::string> &names) const;
  std::string resultsPath() const { return options.folder + "/results.jsonl"; }
  /// Does what uses the device, and notes for how long it did.
  template <typename Fn> void onDevice(Fn fn);

  const RunOptions &options;
  Job job;
  std::map<std::string, std::string> bytes; ///< of each variant
  std::map<std::string, JobResult> done;
  ResultsFile results;
  std::string device; ///< that measured what is done; empty: none did
  double seconds = 0; ///< that the device was used, by earlier runs, too
  int failures = 0;
  std::string fatal;
};

std::string Supervisor::readInputs() {
  std::string text;
  std::string path = options.folder + "/job.json";
  if (!readFile(path, text))
    return path + " cannot be read; a bundle is a folder with a job.json";
  if (std::string wrong = readJob(text, job); !wrong.empty())
    return path + ": " + wrong;
  for (const JobVariant &variant : job.variants) {
    std::string file = options.folder + "/" + variant.artifact.file;
    if (!readFile(file, bytes[variant.name]))
      return file + " cannot be read; variant '" + variant.name + "' is in it";
  }
  if (!options.only.empty() && !bytes.count(options.only))
    return "there is no variant '" + options.only + "'";
  return "";
}

/// Takes over the rows that are about this job.
std::string Supervisor::readResults() {
  // What a profiler watches writes nothing: who started it has the file.
  if (options.once)
    return "";
  std::string text;
  if (std::string wrong = results.open(resultsPath(), options.fresh, text);
      !wrong.empty())
    return wrong;
  seconds = options.fresh ? 0 : readSeconds(options.folder + "/seconds");
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    JobResult row;
    std::string where = resultsPath() + ":" + std::to_string(number) + ": ";
    if (std::string wrong = readResult(line, row); !wrong.empty())
      return where + wrong + "; --fresh starts anew";
    auto variant = bytes.find(row.variant);
    if (variant == bytes.end())
      continue;
    std::string of =
        fingerprint(job, bytes.at(job.variants.front().name), variant->second);
    if (row.of != of)
      return where + "variant '" + row.variant +
             "' was measured with other code, launches or settings; --fresh "
             "measures everything anew";
    if (row.failure.empty()) {
      const std::string &own = row.metrics.from.device;
      if (!device.empty() && own != device)
        return where + "variant '" + row.variant + "' was measured on '" + own +
               "' and others on '" + device +
               "', which cannot be compared; --fresh measures everything anew";
      device = own;
    }
    done[row.variant] = row;
  }
  // What failed for want of a device, or of its memory, may be measured now.
  if (auto original = done.find(job.variants.front().name);
      original != done.end() && !original->second.failure.empty())
    done.erase(original);
  return "";
}

void Supervisor::write(const std::string &line) {
  if (std::string wrong = results.append(line); !wrong.empty())
    fatal = wrong;
}

template <typename Fn> void Supervisor::onDevice(Fn fn) {
  auto start = std::chrono::steady_clock::now();
  fn();
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  seconds += took.count();
  if (options.once)
    return;
  std::string wrong = writeSeconds(options.folder + "/seconds", seconds);
  if (!wrong.empty() && fatal.empty())
    fatal = wrong;
}

void Supervisor::failVariant(const std::string &name, const std::string &why) {
  JobResult row;
  row.variant = name;
  row.failure = why;
  row.of =
      fingerprint(job, bytes.at(job.variants.front().name), bytes.at(name));
  ++failures;
  std::fprintf(stderr, "swizzle-run: %s: failed: %s\n", name.c_str(),
               why.c_str());
  if (!options.once)
    write(writeResult(row));
}

GpuApi Supervisor::api() const {
  const std::string &format = job.variants.front().artifact.format;
  return options.api.value_or(format == "hsaco" ? GpuApi::Hip : GpuApi::Cuda);
}

GroupRequest
Supervisor::requestOf(const std::vector<std::string> &names) const {
  GroupRequest request{job, {}, api(), options.device, options.once, device};
  for (const JobVariant &variant : job.variants)
    if (&variant == &job.variants.front() ||
        std::find(names.begin(), names.end(), variant.name) != names.end())
      request.variants.push_back({&variant, bytes.at(variant.name)});
  return request;
}

/// One child. Takes those that are measured or failed out of `left`; returns
/// what the child was at when it ended before its time, else a `Note`.
Message Supervisor::runChild(const std::vector<std::string> &names,
                             std::vector<std::string> &left) {
  GroupRequest request = requestOf(names);
  const std::string &original = job.variants.front().name;
  Message at;
  auto forget = [&](const std::string &name) {
    left.erase(std::remove(left.begin(), left.end(), name), left.end());
  };
  ChildEnd end = superviseChild(
      [&](const auto &tell) {
        results.close();
        return measureGroup(request, tell);
      },
      [&](const Message &message) {
        switch (message.kind) {
        case Message::Begin:
          at = message;
          return message.seconds;
        case Message::Failed:
          failVariant(message.variant, message.text);
          forget(message.variant);
          if (message.variant == original)
            fatal = "the original cannot be measured";
          break;
        case Message::Fatal:
          fatal = message.text;
          break;
        case Message::Row: {
          JobResult row;
          if (std::string wrong = readResult(message.text, row);
              !wrong.empty()) {
            failVariant(message.variant, "its figures are none: " + wrong);
            forget(message.variant);
            break;
          }
          bool again = done.count(row.variant);
          done[row.variant] = row;
          device = row.metrics.from.device;
          forget(row.variant);
          if (!again)
            write(message.text);
          break;
        }
        case Message::Note:
          std::fprintf(stderr, "swizzle-run: %s\n", message.text.c_str());
          break;
        }
        return -1.0;
      });
  if (end.ended)
    return Message();
  at.text = end.why + " while " + at.text;
  return at;
}

void Supervisor::measure(std::vector<std::string> names) {
  const std::string &original = job.variants.front().name;
  while (fatal.empty()) {
    std::vector<std::string> left = names;
    Message at = runChild(names, left);
    if (!fatal.empty())
      return;
    bool died = at.kind == Message::Begin;
    if (died && (at.variant == original || at.variant.empty())) {
      fatal = "the original " + at.text;
      if (at.variant == original)
        failVariant(original, at.text);
      return;
    }
    if (died) {
      failVariant(at.variant, at.text);
      left.erase(std::remove(left.begin(), left.end(), at.variant), left.end());
    }
    if (options.once || left.empty())
      return;
    // A child that lost its device tells nothing of those it did not get to.
    if (left.size() == names.size())
      fatal = "the device does not answer any more";
    names = std::move(left);
  }
}

void Supervisor::count() {
  LaunchCounter counter(options, job, api());
  for (auto &[name, row] : done) {
    if (!row.failure.empty() || row.metrics.find("l2"))
      continue;
    std::fprintf(stderr, "swizzle-run: counting %s\n", name.c_str());
    std::string wrong = counter.count(name, row.metrics);
    if (!wrong.empty()) {
      std::fprintf(stderr, "swizzle-run: nothing is counted: %s: %s\n",
                   counter.profiler().c_str(), wrong.c_str());
      return;
    }
    // The last row of a variant counts.
    write(writeResult(row));
  }
}

int Supervisor::run() {
  if (std::string wrong = readInputs(); !wrong.empty())
    return fail(kWrongInput, wrong);
  if (std::string wrong = readResults(); !wrong.empty())
    return fail(kWrongInput, wrong);
  std::vector<std::string> todo;
  for (const JobVariant &variant : job.variants)
    if (!done.count(variant.name) &&
        (options.only.empty() || variant.name == options.only))
      todo.push_back(variant.name);
  size_t known = done.size();
  if (known)
    std::fprintf(stderr,
                 "swizzle-run: %zu of %zu variants are measured "
                 "already\n",
                 known, job.variants.size());
  for (size_t at = 0; at < todo.size(); at += options.groupSize) {
    size_t end = std::min(todo.size(), at + options.groupSize);
    std::fprintf(stderr, "swizzle-run: measuring variants %zu to %zu of %zu\n",
                 known + at + 1, known + end, known + todo.size());
    onDevice([&] {
      measure({todo.begin() + std::ptrdiff_t(at),
               todo.begin() + std::ptrdiff_t(end)});
    });
    if (!fatal.empty())
      return fail(kNoDevice, fatal);
  }
  if (options.profiler && !options.once)
    onDevice([&] { count(); });
  if (!fatal.empty())
    return fail(kNoDevice, fatal);
  for (const auto &[name, row] : done)
    if (!row.failure.empty())
      ++failures;
  return failures ? kSomeFailed : kAllMeasured;
}

} // namespace

int runBundle(const RunOptions &options) { return Supervisor(options).run(); }

} // namespace swizzle
