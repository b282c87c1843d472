//===- FindRaces.cpp - Do two workgroups touch one byte? ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups run one after the other on one memory. Where there is no race, a
// workgroup reads only what nobody else writes, so the order does not change
// what it touches; where there is one, the first that is met is a race in any
// order.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Host/FindRaces.h"

#include "ReadLaunches.h"
#include "TouchedBytes.h"
#include "swizzle/Formula/Formula.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace mlir;

namespace swizzle {

using namespace host;

llvm::StringRef toString(RaceOutcome outcome) {
  return outcome == RaceOutcome::NoRace ? "no race"
         : outcome == RaceOutcome::Race ? "race"
                                        : "unchecked";
}

RaceOptions::RaceOptions() { host.readModel = false; }

namespace {

class Finder {
public:
  Finder(const RaceOptions &options, RaceResult &result)
      : options(options), result(result) {}

  llvm::Error run(FunctionOpInterface kernel, const HostOptions &host);

private:
  std::vector<int64_t> choose(const Grid &grid);
  llvm::Error runWorkgroup(uint32_t turn, WorkgroupId id);
  RaceAccess describe(const TouchedBytes::Toucher &toucher) const;
  void report(const TouchedBytes::Conflict &conflict);

  const RaceOptions &options;
  RaceResult &result;
  std::unique_ptr<HostKernel> kernel;
  std::unique_ptr<TouchedBytes> touched;
  std::vector<int64_t> chosen; ///< linear ids, by turn
  int64_t stepsLeft = 0;
};

/// All workgroups, or corners and neighbourhoods, in ascending order.
std::vector<int64_t> Finder::choose(const Grid &grid) {
  std::vector<int64_t> ids;
  int64_t count = grid.count();
  if (count <= options.allUpTo) {
    for (int64_t id = 0; id < count; ++id)
      ids.push_back(id);
    return ids;
  }
  result.complete = false;
  llvm::SetVector<int64_t> some;
  auto addAround = [&](WorkgroupId at) {
    for (int axis = 0; axis < 3; ++axis)
      for (int64_t step : {0, -1, 1}) {
        int64_t id[] = {at.x, at.y, at.z};
        id[axis] += step;
        if (id[axis] >= 0 && id[axis] < grid[axis])
          some.insert(linearise({id[0], id[1], id[2]}, grid));
      }
  };
  for (int corner = 0; corner < 8; ++corner)
    addAround({corner & 1 ? grid.x() - 1 : 0, corner & 2 ? grid.y() - 1 : 0,
               corner & 4 ? grid.z() - 1 : 0});
  std::mt19937_64 random(options.host.seed);
  for (int64_t i = 0; i < options.sample; ++i)
    addAround(delinearise(int64_t(random() % uint64_t(count)), grid));
  ids.assign(some.begin(), some.end());
  llvm::sort(ids);
  return ids;
}

llvm::Error Finder::runWorkgroup(uint32_t turn, WorkgroupId id) {
  if (stepsLeft <= 0)
    return llvm::make_error<HostFault>("step-limit", "step limit");
  kernel->limit(stepsLeft, stepsLeft);
  auto sink = [&](llvm::ArrayRef<HostAccess> accesses) {
    touched->add(turn, accesses, kernel->operands());
  };
  llvm::Error error =
      kernel->run(id, ThreadOrder::Ascending, Recording::Everything, sink);
  int64_t steps =
      kernel->stepCount() + kernel->accessCount() + kernel->multiplyAdds() / 32;
  stepsLeft -= steps;
  result.steps += steps;
  result.accesses += kernel->accessCount();
  ++result.workgroups;
  touched->finish(kernel->buffers());
  if (error)
    return error;
  if (touched->isFull())
    return llvm::make_error<HostFault>("no-memory", "memory limit");
  return llvm::Error::success();
}

RaceAccess Finder::describe(const TouchedBytes::Toucher &toucher) const {
  const HostSite &site = kernel->sites()[toucher.site];
  RaceAccess access;
  access.workgroup = delinearise(chosen[toucher.workgroup], result.grid);
  access.thread = delinearise(toucher.thread, result.block);
  access.kind = site.kind;
  access.op = site.op;
  access.compares = site.compares;
  access.location = site.location;
  access.bytes = site.bytes;
  return access;
}

/// "workgroup 3 writes (memref.store at k.mlir:7:5)".
static std::string textOf(const RaceAccess &access, const Grid &grid) {
  const char *does = access.kind == AccessKind::Read    ? "reads"
                     : access.kind == AccessKind::Write ? "writes"
                                                        : "updates";
  return llvm::formatv("workgroup {0} {1} it ({2} at {3})",
                       toString(access.workgroup, grid), does, access.op,
                       access.location);
}

void Finder::report(const TouchedBytes::Conflict &conflict) {
  const HostBuffer &buffer = kernel->buffers()[conflict.place >> kOffsetBits];
  Race race;
  race.first = describe(conflict.first);
  race.second = describe(conflict.second);
  race.buffer = buffer.name;
  race.argument = buffer.argument;
  race.byte = conflict.place & ((uint64_t(1) << kOffsetBits) - 1);
  race.sameValue = conflict.sameValue;
  result.outcome = RaceOutcome::Race;
  result.reason = llvm::formatv(
      "byte {0} of {1}: {2}, and {3}{4}", race.byte, race.buffer,
      textOf(race.first, result.grid), textOf(race.second, result.grid),
      race.sameValue ? "; both leave the same value" : "");
  result.race = std::move(race);
}

llvm::Error Finder::run(FunctionOpInterface function, const HostOptions &host) {
  result.grid = *host.grid;
  result.block = *host.block;
  auto compiled = HostKernel::compile(function, host);
  if (!compiled)
    return compiled.takeError();
  kernel = std::move(*compiled);
  touched =
      std::make_unique<TouchedBytes>(kernel->sites(), options.maxRecordBytes);
  chosen = choose(result.grid);
  stepsLeft = options.maxSteps;
  for (uint32_t turn = 0; turn < chosen.size(); ++turn) {
    llvm::Error error =
        runWorkgroup(turn, delinearise(chosen[turn], result.grid));
    const auto &conflict = touched->conflict();
    if (conflict && (error || !conflict->sameValue)) {
      result.complete &= !error && turn + 1 == chosen.size();
      // What was seen before something went wrong is seen all the same, and is
      // why the kernel is refused; that there is more to see is `complete`.
      llvm::consumeError(std::move(error));
      report(*conflict);
      return llvm::Error::success();
    }
    if (error)
      return error;
  }
  if (touched->conflict())
    report(*touched->conflict());
  return llvm::Error::success();
}

/// What stopped the run, as a reason: limits by their name.
std::string reasonOf(llvm::Error error, const RaceOptions &options) {
  std::string reason;
  llvm::handleAllErrors(
      std::move(error),
      [&](const HostFault &fault) {
        if (fault.code == "step-limit" || fault.code == "too-many-accesses")
          reason = "step limit: the workgroups take more than " +
                   std::to_string(options.maxSteps) + " steps";
        else if (fault.code == "no-memory")
          reason = "memory limit: " + fault.message;
        else
          reason = "the kernel itself: " + fault.message;
      },
      [&](const llvm::ErrorInfoBase &other) { reason = other.message(); });
  return reason;
}

/// True unless the host, or the kernel, is what stopped the run.
bool isUnusable(const llvm::Error &error) {
  return !error.isA<UncheckedError>() && !error.isA<HostFault>();
}

} // namespace

/// One launch, with what went wrong as its outcome.
static RaceResult findIn(FunctionOpInterface kernel, const HostOptions &launch,
                         const RaceOptions &options) {
  RaceResult result;
  result.outcome = RaceOutcome::NoRace;
  result.complete = true;
  if (llvm::Error error = Finder(options, result).run(kernel, launch)) {
    result.outcome = RaceOutcome::Unchecked;
    result.unusable = isUnusable(error);
    result.reason = reasonOf(std::move(error), options);
    result.complete = false;
  }
  return result;
}

/// How much an outcome weighs against those of other launches.
static int weightOf(const RaceResult &result) {
  if (result.outcome == RaceOutcome::Race)
    return result.race->sameValue ? 2 : 3;
  return result.outcome == RaceOutcome::Unchecked;
}

RaceResult findRaces(FunctionOpInterface kernel, const RaceOptions &options) {
  RaceResult result;
  auto launches = readLaunches(kernel, options);
  if (!launches) {
    llvm::Error error = launches.takeError();
    result.unusable = isUnusable(error);
    result.reason = reasonOf(std::move(error), options);
    return result;
  }
  bool complete = true;
  for (size_t index = 0; index < launches->size(); ++index) {
    RaceResult one = findIn(kernel, (*launches)[index], options);
    complete &= one.complete;
    one.launch = index;
    one.launches = index + 1;
    one.workgroups += result.workgroups;
    one.accesses += result.accesses;
    one.steps += result.steps;
    if (index && weightOf(result) >= weightOf(one)) {
      result.launches = one.launches;
      result.workgroups = one.workgroups;
      result.accesses = one.accesses;
      result.steps = one.steps;
    } else {
      result = std::move(one);
    }
    if (weightOf(result) == 3)
      break;
  }
  result.complete = complete;
  result.seed = options.host.seed;
  return result;
}

} // namespace swizzle
