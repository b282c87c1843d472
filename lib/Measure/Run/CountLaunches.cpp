//===- CountLaunches.cpp - Has a profiler count ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The original runs before the variant, to be compared with, and its launches
// come first. Filling memory is a kernel of its own on AMD's GPUs, and is left
// out by name.
//
//===----------------------------------------------------------------------===//

#include "CountLaunches.h"

#include "Process/Child.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace swizzle::measuring {

namespace {

constexpr double kMostSeconds = 600; ///< of one run under the profiler

/// Where the kernel says it is; the link itself would be another program's.
std::string pathOfThisProgram() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  return length > 0 ? std::string(path, size_t(length)) : "swizzle-run";
}

/// The files below `folder` whose names end so, by name.
std::vector<std::string> filesBelow(const std::string &folder,
                                    std::string_view ending) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(folder, error)) {
    std::string path = entry.path().string();
    if (path.size() >= ending.size() &&
        path.compare(path.size() - ending.size(), ending.size(), ending) == 0)
      found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Reads what rocprofv3 left in a folder, in whichever form.
std::string readFolder(const std::string &folder,
                       std::vector<CountedLaunch> &launches) {
  std::vector<std::string> tables =
      filesBelow(folder, "counter_collection.csv");
  std::vector<std::string> databases = filesBelow(folder, ".db");
  if (tables.empty() && databases.empty())
    return "rocprofv3 left neither *counter_collection.csv nor *.db";
  for (const std::string &path : tables.empty() ? databases : tables) {
    std::vector<CountedLaunch> some;
    std::string wrong;
    if (tables.empty()) {
      wrong = readRocpd(path, some);
    } else {
      std::ifstream file(path, std::ios::binary);
      std::stringstream text;
      text << file.rdbuf();
      wrong = readRocprof(text.str(), some);
    }
    if (!wrong.empty())
      return wrong;
    launches.insert(launches.end(), some.begin(), some.end());
  }
  return "";
}

} // namespace

LaunchCounter::LaunchCounter(const RunOptions &options, const Job &job,
                             GpuApi api)
    : options(options), job(job), api(api), program(*options.profiler) {
  if (program.empty())
    program = api == GpuApi::Hip ? "rocprofv3" : "ncu";
}

std::vector<std::string>
LaunchCounter::watched(const std::string &variant) const {
  return {pathOfThisProgram(),
          "--once",
          "--only=" + variant,
          std::string("--api=") + toString(api),
          "--device=" + std::to_string(options.device),
          options.folder};
}

std::string LaunchCounter::keepOwn(std::vector<CountedLaunch> &launches) const {
  size_t own = job.launches.size();
  if (launches.size() < own)
    return "it saw " + std::to_string(launches.size()) + " launches of " +
           std::to_string(own);
  launches.erase(launches.begin(), launches.end() - std::ptrdiff_t(own));
  return "";
}

std::string LaunchCounter::countWithNcu(const std::string &variant,
                                        Metrics &metrics) const {
  std::string output, wrong;
  for (bool all : {true, false}) {
    std::vector<std::string> command = {
        program, "--csv",           "--page", "raw",       "--print-units",
        "base",  "--clock-control", "none",   "--metrics", ncuMetrics(all)};
    for (std::string &word : watched(variant))
      command.push_back(std::move(word));
    wrong = runProgram(command, kMostSeconds, output);
    if (wrong.empty())
      break;
    wrong += ncuErrors(output);
    // One that does not know a metric counts nothing of the others.
    if (output.find("metric") == output.npos)
      break;
  }
  std::vector<CountedLaunch> launches;
  if (wrong.empty())
    wrong = readNcu(output, launches);
  if (wrong.empty())
    wrong = keepOwn(launches);
  return wrong.empty() ? addNcuCounters(launches, metrics) : wrong;
}

std::string LaunchCounter::runRocprof(
    const std::string &variant, const std::vector<std::string> &counters,
    const std::string &folder, std::vector<CountedLaunch> &launches) const {
  std::vector<std::string> command = {program, "--pmc"};
  command.insert(command.end(), counters.begin(), counters.end());
  for (const char *word : {"--mangled-kernels", "--output-format", "csv", "-d"})
    command.push_back(word);
  command.insert(command.end(), {folder, "-o", "counted", "--"});
  for (std::string &word : watched(variant))
    command.push_back(std::move(word));
  std::string output;
  std::string wrong = runProgram(command, kMostSeconds, output);
  if (wrong.empty())
    wrong = readFolder(folder, launches);
  auto isOurs = [&](const CountedLaunch &seen) {
    return std::any_of(job.launches.begin(), job.launches.end(),
                       [&](const LaunchDescription &launch) {
                         return seen.kernel == launch.kernel ||
                                seen.kernel == launch.kernel + ".kd";
                       });
  };
  launches.erase(std::remove_if(launches.begin(), launches.end(),
                                [&](auto &seen) { return !isOurs(seen); }),
                 launches.end());
  return wrong.empty() ? keepOwn(launches) : wrong;
}

std::string LaunchCounter::countWithRocprof(const std::string &variant,
                                            Metrics &metrics) const {
  const std::filesystem::path folder = options.folder + "/rocprof";
  std::vector<CountedLaunch> all(job.launches.size());
  for (const std::vector<std::string> &counters : rocprofPasses()) {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
    std::vector<CountedLaunch> launches;
    std::string wrong =
        runRocprof(variant, counters, folder.string(), launches);
    std::filesystem::remove_all(folder, error);
    if (!wrong.empty())
      return wrong;
    for (size_t i = 0; i < all.size(); ++i)
      all[i].counters.insert(launches[i].counters.begin(),
                             launches[i].counters.end());
  }
  return addRocprofCounters(all, job.lastLevel, metrics);
}

std::string LaunchCounter::count(const std::string &variant,
                                 Metrics &metrics) const {
  return api == GpuApi::Hip ? countWithRocprof(variant, metrics)
                            : countWithNcu(variant, metrics);
}

} // namespace swizzle::measuring
