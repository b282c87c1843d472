//===- Measuring.cpp - What --profiler means ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bundles lie where the user says; else beside the journal, so that a run that
// was killed finds what it measured; else in a folder that goes with the run.
//
//===----------------------------------------------------------------------===//

#include "Measuring.h"

#include "swizzle/Profiling/GpuProfiler.h"
#include "swizzle/Profiling/MeasureBundle.h"
#include "swizzle/Support/ChildProcess.h"
#include "swizzle/Support/FindTool.h"
#include "swizzle/Support/NewFile.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace swizzle {

Error readProfiler(StringRef text, MeasuringOptions &options) {
  auto [word, rest] = text.split(':');
  options.simulatorAlone = text == "simulator";
  if (options.simulatorAlone)
    return Error::success();
  if (text == "cuda" || text == "hip") {
    options.api = text.str();
    return Error::success();
  }
  if (word == "bundle" && !rest.empty()) {
    options.how = Place::Wait;
    options.folder = rest.str();
    return Error::success();
  }
  if (word == "command" && !rest.empty()) {
    options.how = Place::Shell;
    options.command = rest.str();
    return Error::success();
  }
  return createStringError("--profiler=" + text +
                           ": there are simulator, cuda, hip, bundle:DIR and "
                           "command:PROGRAM");
}

Measuring::~Measuring() {
  if (temporary)
    (void)sys::fs::remove_directories(folder);
}

/// How kernels are started, as somebody wrote it down.
Error Measuring::readLaunch() {
  if (options.launch.empty())
    return Error::success();
  auto buffer = readWholeFile(options.launch, kTextLimit);
  if (!buffer)
    return createStringError("--launch: cannot read " + options.launch + ": " +
                             toString(buffer.takeError()));
  Job job;
  if (std::string wrong = readJob((*buffer)->getBuffer().str(), job);
      !wrong.empty())
    return createStringError("--launch: " + options.launch + ": " + wrong);
  options.finalists.job.launches = std::move(job.launches);
  return Error::success();
}

Error Measuring::prepare() {
  if (Error error = readLaunch())
    return error;
  if (options.simulatorAlone)
    return Error::success();
  if (options.how == Place::Wait && options.throughout)
    return createStringError("--measure=throughout needs a profiler that "
                             "answers at once; with --profiler=bundle:DIR the "
                             "best few are measured");
  if (options.how == Place::Program) {
    program = findTool("swizzle-run");
    if (program.empty())
      return createStringError("swizzle-run is neither beside this program nor "
                               "in $PATH");
  }
  folder = !options.folder.empty() ? options.folder : keepIn;
  if (!folder.empty())
    return Error::success();
  Expected<std::string> made = makeTemporaryFolder("swizzle-bundles");
  if (!made)
    return createStringError("cannot make a temporary folder: " +
                             toString(made.takeError()));
  folder = std::move(*made);
  temporary = true;
  return Error::success();
}

/// Fails if `launch` differs from what is known: "a grid of 32x48x1, but
/// orders of it are proved for one of 64x48x1".
static Error compareExtents(const KernelFacts &facts, StringRef what,
                            const std::array<int64_t, 3> &launched,
                            const Grid &known) {
  bool differs = false;
  for (unsigned axis = 0; axis < 3; ++axis)
    differs |= known[axis] != kUnknownExtent && known[axis] != launched[axis];
  if (!differs)
    return Error::success();
  return createStringError(
      "--launch: kernel '" + facts.name + "' is started with a " + what +
      " of " + toString(Grid(launched[0], launched[1], launched[2])) +
      ", but has one of " + toString(known) +
      ", for which alone its orders are right");
}

Error Measuring::checkLaunches(const KernelFacts &facts) const {
  const std::vector<LaunchDescription> &all = options.finalists.job.launches;
  auto isOwn = [&](const LaunchDescription &launch) {
    return launch.kernel == facts.name;
  };
  // One launch is the kernel's, whatever the compiler calls that.
  bool named = all.size() > 1 && any_of(all, isOwn);
  for (const LaunchDescription &launch : all) {
    if (named && !isOwn(launch))
      continue;
    if (!facts.gridIsGuarded())
      if (Error error =
              compareExtents(facts, "grid", launch.grid, facts.gridToProve()))
        return error;
    if (!facts.blockIsGuarded())
      if (Error error =
              compareExtents(facts, "block", launch.block, facts.sizes.block))
        return error;
  }
  return Error::success();
}

/// The folders of kernels in `folder`, which need not be there.
static std::vector<std::string> listBundles(StringRef folder) {
  std::error_code error;
  std::vector<std::string> bundles;
  for (sys::fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (sys::path::filename(at->path()).starts_with("kernel-"))
      bundles.push_back(at->path());
  return bundles;
}

Error Measuring::startAnew() {
  if (keepIn.empty() || folder != keepIn)
    return Error::success();
  for (const std::string &path : listBundles(folder))
    if (std::error_code failed = sys::fs::remove_directories(path, false))
      return createStringError(
          "cannot remove '" + path +
          "', which an earlier run measured: " + failed.message());
  return Error::success();
}

/// Fails if a line for the shell begins with a program that is not there. What
/// is more than a word is left to the shell.
static Error checkCommand(StringRef command) {
  StringRef word = command.trim().split(' ').first;
  bool isName = all_of(word, [](char c) {
    return isAlnum(c) || StringRef("_./+-").contains(c);
  });
  if (!isName)
    return Error::success();
  ChildOptions child;
  child.program = "/bin/sh";
  child.arguments = {"-c", "command -v \"$1\"", "sh", word.str()};
  ChildResult found = runChild(child);
  if (found.status != ChildResult::Exited || !found.code)
    return Error::success();
  return createStringError("--profiler=command:" + command +
                           ": there is no program '" + word + "'");
}

Error Measuring::checkPlace() const {
  if (options.simulatorAlone)
    return Error::success();
  if (options.how == Place::Wait) {
    std::error_code error = sys::fs::create_directories(folder);
    if (!error && !sys::fs::is_directory(folder))
      error = make_error_code(std::errc::not_a_directory);
    if (error)
      return createStringError(
          "--profiler=bundle:" + folder +
          ": the folder cannot be made: " + error.message());
    for (const std::string &bundle : listBundles(folder))
      if (Error foreign = checkBundle(bundle))
        return foreign;
    return Error::success();
  }
  if (options.how == Place::Shell)
    return checkCommand(options.command);
  ChildOptions child;
  child.program = program;
  child.arguments = {"--check-device", "--api=" + options.api};
  child.cancel = cancel;
  ChildResult ended = runChild(child);
  if (ended.status == ChildResult::Exited && !ended.code)
    return Error::success();
  StringRef said = StringRef(ended.errorTail).trim();
  said.consume_front("swizzle-run: error: ");
  return createStringError(
      "--profiler=" + options.api + " cannot measure here: " +
      (said.empty() ? StringRef(ended.describe()).str() : said.str()));
}

/// `counted`: with hardware counters, if they are asked for.
Place Measuring::placeOf(size_t kernel, bool counted) const {
  Place place;
  place.how = options.how;
  place.cancel = cancel;
  SmallString<256> path(folder);
  sys::path::append(path, "kernel-" + std::to_string(kernel));
  place.folder = path.str().str();
  if (options.how == Place::Shell)
    place.command = {options.command};
  else
    place.command = {program, "--api=" + options.api};
  if (options.how == Place::Program && options.counters && counted)
    place.command.push_back("--counters");
  // What one process measures shares the original's turns and its start.
  constexpr const char *together = "--group=64";
  if (options.how == Place::Program && options.search)
    place.command.push_back(together);
  return place;
}

Job Measuring::jobFor(const HardwareSpec &hardware) const {
  Job job = options.finalists.job;
  job.chip = hardware.name;
  if (const CacheLevel *last = hardware.lastLevel())
    job.lastLevel = last->name;
  return job;
}

Expected<MeasureFunction>
Measuring::profilerOf(size_t kernel, const AgentContext &context,
                      MeasureFunction simulator) const {
  if (options.simulatorAlone || !options.throughout)
    return simulator;
  auto launches = launchesOf(options.finalists.job, context.model);
  if (!launches)
    return launches.takeError();
  GpuProfilerOptions gpu;
  gpu.place = placeOf(kernel, /*counted=*/true);
  gpu.job = jobFor(context.hardware);
  gpu.deviceSeconds = options.deviceSeconds;
  return makeGpuProfiler(std::move(simulator), std::move(*launches), gpu);
}

Expected<std::optional<MeasuredFinalists>>
Measuring::measureBest(size_t kernel, const SearchedKernel &searched,
                       TuningResult &result, const Deadline &deadline) const {
  if (options.simulatorAlone || options.throughout ||
      (result.attempts.empty() && !options.search))
    return std::nullopt;
  FinalistsOptions finalists = options.finalists;
  finalists.place = placeOf(kernel, /*counted=*/true);
  finalists.job = jobFor(searched.context.hardware);
  auto wrap = [](Expected<MeasuredFinalists> measured)
      -> Expected<std::optional<MeasuredFinalists>> {
    if (!measured)
      return measured.takeError();
    return std::optional<MeasuredFinalists>(std::move(*measured));
  };
  if (options.search)
    return wrap(
        searchMeasured(result, searched,
                       {finalists, placeOf(kernel, /*counted=*/false),
                        options.deviceSeconds, options.patience, deadline}));
  if (options.deviceSeconds > 0)
    finalists.job.measure.maxSeconds =
        options.deviceSeconds / double(finalists.count + 1) -
        finalists.job.measure.energySeconds;
  return wrap(measureFinalists(result, searched.build, searched.context.model,
                               finalists));
}

} // namespace swizzle
