//===- FindRaces.h - Do two workgroups touch one byte? ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the workgroups of a grid on the host, records the bytes of each read,
// write and atomic update of global memory, and names two workgroups that touch
// one byte, one of them writing. Nothing of the analysis is asked: this is the
// oracle that its legality is tested against.
//
//   out[x / 2] = x, grid 4:  workgroups 0 and 1 both write bytes 0 to 3
//
// Two accesses of one byte by two workgroups are no race if both read, or if
// both are the same atomic operation, of the same type, whose order does not
// matter (not an exchange; counters that wrap around, if both have the same
// bound), whose old value nobody uses, and whose scope is wider than a
// workgroup. Workgroup and private memory are not shared between
// workgroups and do not count.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_HOST_FINDRACES_H
#define SWIZZLE_CODEGEN_HOST_FINDRACES_H

#include "swizzle/Codegen/Host/HostKernel.h"

namespace swizzle {

enum class RaceOutcome : uint8_t {
  NoRace, ///< none among the workgroups that were run, with these contents
  Race,
  Unchecked, ///< the host cannot tell; `reason` says why
};

struct RaceOptions {
  RaceOptions();

  /// Grid, block and arguments where the kernel and its launches leave them
  /// open; what they fix cannot be changed. `readModel` is ignored: the model
  /// is never read. Memrefs of open extents get `openExtent` in each, pointers
  /// `unknownBytes`, axes of an open grid `openGridExtent` if the kernel reads
  /// their workgroup id, else 1. A fuzzer sets `optimise` to false: small
  /// kernels take longer to optimise than to run.
  HostOptions host;
  int64_t openExtent = 256;
  int64_t openGridExtent = 4;
  /// All workgroups of a grid with no more than this are run; of a larger one
  /// its corners, and `sample` workgroups with their neighbours on each axis.
  int64_t allUpTo = 4096;
  int64_t sample = 16;
  /// Most steps that all workgroups of a launch may take together: branches
  /// back, calls and accesses. Beyond: Unchecked, "step limit".
  int64_t maxSteps = int64_t(1) << 28;
  /// Most bytes that the record of accesses may take. Beyond: Unchecked,
  /// "memory limit".
  int64_t maxRecordBytes = int64_t(1) << 30;
};

/// One of the two accesses of a race.
struct RaceAccess {
  WorkgroupId workgroup, thread;
  AccessKind kind = AccessKind::Read;
  std::string op;        ///< of the user: "memref.store"
  std::string location;  ///< "file:line:column"
  bool compares = false; ///< exchanges if it finds what it expects
  int64_t bytes = 0;     ///< that the access touches
};

struct Race {
  RaceAccess first, second; ///< in the order in which they were run
  std::string buffer;       ///< "arg0", or the name of a module's variable
  int argument = -1;        ///< index among the kernel's arguments, or -1
  int64_t byte = 0;         ///< of the buffer; both touch it
  /// Both write, and both leave the same value. A race with different values,
  /// or with a read, is reported in preference to one of these.
  bool sameValue = false;
};

struct RaceResult {
  RaceOutcome outcome = RaceOutcome::Unchecked;
  /// One sentence; empty if there is no race. Unchecked for a limit: begins
  /// with "step limit" or "memory limit".
  std::string reason;
  bool unusable = false; ///< Unchecked, as the options do not fit the kernel
  std::optional<Race> race;
  /// Of the launch with the race, or that cannot be checked; else the last.
  Grid grid, block;
  int launch = 0;   ///< its number among the kernel's launches in the module
  int launches = 0; ///< that were run; 1 if the module has none
  int64_t workgroups = 0; ///< that were run, in all launches
  bool complete = false;  ///< these were all
  int64_t accesses = 0;   ///< of global memory
  int64_t steps = 0;
  uint64_t seed = 0; ///< of the contents
};

/// "no race", "race", "unchecked".
llvm::StringRef toString(RaceOutcome outcome);

/// Runs each launch of `kernel` that its module has, or one with the sizes of
/// `options` if it has none. Arguments that a launch makes of one allocation
/// are one memory; what is passed to the function that launches counts as
/// different memory, unless `HostArgument::sameAs` says otherwise.
/// Works in this process and leaves the module as it is.
RaceResult findRaces(mlir::FunctionOpInterface kernel,
                     const RaceOptions &options = {});

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_HOST_FINDRACES_H
