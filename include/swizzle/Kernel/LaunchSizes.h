//===- LaunchSizes.h - Grid and block of a launch ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How large a kernel's launches are, and who says so: what the IR says is a
// fact, what an option or a visible launch says is a claim.
//
//   LaunchSizes sizes = findLaunchSizes(kernel, Grid(64, 64, 1), std::nullopt);
//   sizes.grid                 64x64x1
//   sizes.gridSource           SizeSource::Option
//   sizes.gridIsAssumption()   true: compared with the launch at run time
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_LAUNCHSIZES_H
#define SWIZZLE_KERNEL_LAUNCHSIZES_H

#include "swizzle/Support/Grid.h"
#include <string>

namespace swizzle {

/// Where a grid or block came from.
enum class SizeSource : uint8_t {
  Unknown,
  KernelAttribute, ///< known_grid_size, known_block_size: a fact of the IR
  PrivateLaunches, ///< all launches agree and nobody else can launch: a fact
  VisibleLaunches, ///< all launches agree, others may exist: an assumption
  Option,          ///< the user said so: an assumption
};

/// Registers that somebody may say a thread has: no chip has more.
inline constexpr int64_t kMostRegisters = 1024;
/// Bytes of workgroup memory that somebody may say launches add.
inline constexpr int64_t kMostDynamicBytes = int64_t(1) << 30;

struct LaunchSizes {
  Grid grid{kUnknownExtent, kUnknownExtent, kUnknownExtent};
  Grid block{kUnknownExtent, kUnknownExtent, kUnknownExtent};
  SizeSource gridSource = SizeSource::Unknown;
  SizeSource blockSource = SizeSource::Unknown;
  /// Somebody who is not seen here may launch the kernel.
  bool isVisible = true;
  /// Threads that a workgroup has at most, as the kernel's attributes promise;
  /// 0 if they do not.
  int64_t mostThreads = 0;
  /// Lanes of a subgroup on the chip that somebody named, 0 if nobody did. Used
  /// where the IR names no target, and then listed under `assumed`.
  int64_t subgroup = 0;
  /// 32-bit registers of a thread, by who assembled the kernel; 0 if nobody
  /// says: they are estimated then.
  int64_t registers = 0;
  /// Bytes of workgroup memory that launches add to what the kernel has, by who
  /// launches it; 0 if nobody says.
  int64_t dynamicWorkgroupBytes = 0;
  /// "launches disagree: 64x64 at ..., 32x32 at ..."; empty if nothing is odd.
  std::string note;
  /// An option that the IR contradicts, and that was ignored; empty if none
  /// was.
  std::string ignoredOption;
  /// An attribute that says what no launch can have, "known_grid_size is 0x1x1,
  /// ...": an error of the IR. Empty if there is none.
  std::string invalid;
  /// A launch that cannot be meant by what the kernel's attributes say: the
  /// kernel is refused. Empty if there is none.
  std::string contradiction;

  /// The grid is as large as a launch can have it, and what the kernel may read
  /// of its extents, of sizes and of numbers is not known: what holds of that
  /// holds of every launch. For judging alone.
  bool everyGrid = false;

  /// Numbers that nobody gave are smaller where addresses would wrap around
  /// else. Invented ones may contradict each other: off, they are all large.
  bool fitNumbers = true;

  /// What is done under a condition, or in a loop, of which nothing is known
  /// counts as done: what stays apart then always does, while a meeting may be
  /// none. For proofs alone.
  bool anyWay = false;

  /// True if independence rests on a block that somebody claims.
  bool blockIsAssumption() const {
    return blockSource == SizeSource::VisibleLaunches ||
           blockSource == SizeSource::Option;
  }
  /// True if the grid must be guarded at run time.
  bool gridIsAssumption() const {
    return gridSource == SizeSource::VisibleLaunches ||
           gridSource == SizeSource::Option;
  }
};

} // namespace swizzle

#endif // SWIZZLE_KERNEL_LAUNCHSIZES_H
