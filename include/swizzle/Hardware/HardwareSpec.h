//===- HardwareSpec.h - What the passes know of a chip ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One chip as plain data: dies, compute units, caches, bandwidths, dispatch.
// Filled from `hardware/*.json`, from a live device or from `dlti` attributes;
// no number of any chip stands in code. A number that the source leaves open is
// `std::nullopt`; the simulator says which default stood in for it.
//
// "Die" is the unit that has an L2 of its own: an XCD on CDNA, the whole chip
// elsewhere. "Compute unit" is a CU, or an SM. Caches are a list, from the
// compute units to memory. MI300X, for one:
//
//   l1   compute unit   32 KiB   write-through
//   l2   die             4 MiB   write-back
//   llc  device        256 MiB   write-back
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_HARDWARESPEC_H
#define SWIZZLE_HARDWARE_HARDWARESPEC_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swizzle {

/// How a vendor's profiler counts look-ups in the L2.
enum class HitDefinition : uint8_t {
  /// A request to a line that is present or already on its way is a hit.
  InFlightIsHit,
  /// Two halves; a line homed in the other half is looked up in both, and both
  /// look-ups count.
  BothPartitions,
};

/// Who shares one cache of a level, from few to many.
enum class CacheScope : uint8_t { ComputeUnit, Cluster, Die, Device };

enum class CachePolicy : uint8_t {
  /// Filled by reads alone; writes and atomics pass it by.
  WriteThrough,
  /// Keeps what is written until the line is thrown out.
  WriteBack,
};

/// One level of the caches: a row of `levels` in a chip's file.
struct CacheLevel {
  /// Names the level in files, figures and messages. Formulas and prompts know
  /// "l1", "l2" and "llc" by these names.
  std::string name;
  CacheScope scope = CacheScope::ComputeUnit;
  CachePolicy policy = CachePolicy::WriteThrough;
  /// Compute units that share one cache; of scope Cluster alone.
  std::optional<int64_t> unitsPerCluster;

  std::optional<int64_t> bytes; ///< as the vendor reports it, per instance
  std::optional<int64_t> effectiveBytes; ///< as it fits measurements
  std::optional<int64_t> lineBytes;
  std::optional<int64_t> sectorBytes; ///< equals lineBytes if not sectored
  std::optional<int64_t> ways;
  std::optional<int64_t> partitions; ///< parts with a copy each
  std::optional<double> bandwidth; ///< bytes per second, all instances together

  /// Capacity to simulate with: effective if known, else reported.
  std::optional<int64_t> capacity() const {
    return effectiveBytes ? effectiveBytes : bytes;
  }
};

/// What a source starts with where the description leaves the number open.
inline constexpr std::string_view kUnknownSource = "unknown: ";

struct HardwareSpec {
  std::string name;        ///< "mi300x"; what `chip=` takes
  std::string description; ///< "AMD Instinct MI300X, SPX"
  std::string vendor;      ///< "amd", "nvidia"
  std::string target;      ///< compiler target, "gfx942", "sm_90"
  bool defaultForTarget = false;

  int64_t numDies = 1;
  int64_t unitsPerDie = 1; ///< compute units per die
  int64_t waveSize = 64;

  /// Nearest to the compute units first; memory is behind the last. A chip of
  /// which nothing is said has an L1 per compute unit and an L2 per die.
  std::vector<CacheLevel> levels = usualLevels();
  std::optional<HitDefinition> hitDefinition;

  /// Bytes per second to calculate with: as measured if known, else the peak.
  std::optional<double> dramBandwidth;
  std::optional<double> peakDramBandwidth; ///< as the vendor states it
  std::optional<double> clockHz;
  std::optional<double> vectorFlops; ///< fp32, per second, whole chip
  std::optional<double> tensorFlops; ///< fp16 dense, per second, whole chip

  std::optional<int64_t> workgroupMemoryPerUnit; ///< bytes
  std::optional<int64_t> workgroupMemoryBanks;
  std::optional<int64_t> workgroupMemoryBankBytes;     ///< served at a time
  std::optional<int64_t> workgroupMemoryBytesPerClock; ///< of one compute unit
  std::optional<int64_t> issuePerClock; ///< instructions of one compute unit
  std::optional<int64_t> threadsPerUnit;
  std::optional<int64_t> workgroupsPerUnit;
  std::optional<int64_t> registersPerUnit; ///< 32-bit registers

  /// Consecutive workgroups dealt to one die before the next one's turn, to
  /// calculate with: 1 where the description leaves it open.
  int64_t dispatchChunk = 1;

  /// Compute units in the order in which the workgroups of a launch first reach
  /// them: workgroup 0 runs on the first of them. Unit u of die d is
  /// d * unitsPerDie + u. Empty: not measured; dies take turns, and so do the
  /// compute units of a die.
  std::vector<int64_t> dispatchOrder;

  /// Constants fitted to measurements, by name; what each means and over which
  /// rows it was fitted is in the chip's file and in docs/simulator.md.
  std::map<std::string, double> fitted;

  /// Where each number of the description comes from, by field as in the JSON
  /// ("num_xcds", "l2.ways"; "levels" for the list); "unknown: <reason>" for a
  /// number that the description leaves open.
  std::map<std::string, std::string> sources;

  int64_t numUnits() const { return numDies * unitsPerDie; }

  /// `dispatchChunk` if it is known: it has a source or was set, or there is
  /// one die, to which nothing is dealt out.
  std::optional<int64_t> knownDispatchChunk() const;

  static std::vector<CacheLevel> usualLevels();

  /// The level of this name, or nullptr.
  const CacheLevel *find(std::string_view name) const;
  CacheLevel *find(std::string_view name);
  /// The nearest cache that each compute unit has for itself, or nullptr.
  const CacheLevel *unitLevel() const;
  /// The first level that writes back (the L2 of all known chips): what its
  /// compute units write is seen there by all of them. One of which nothing is
  /// known stands in where there is none.
  const CacheLevel &sharedLevel() const;
  /// Index in `levels` of the shared level; their number if there is none.
  size_t sharedIndex() const;
  /// The level before memory, if that is not the shared one; or nullptr.
  const CacheLevel *lastLevel() const;

  /// The names that a formula may use (`num_xcds`, `cus_per_xcd`, `num_cus`,
  /// `l2_bytes`, `llc_bytes`, `line_bytes`, ...: all of
  /// swizzle/Support/HardwareNames.def); nullopt where the chip's source leaves
  /// the number open.
  std::map<std::string, std::optional<int64_t>> formulaConstants() const;
};

/// Lanes of a wave of code for `target`, where that alone decides it: of
/// NVIDIA's, and of AMD's before gfx10, whose names have three digits.
std::optional<int64_t> waveSizeOfTarget(std::string_view target);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_HARDWARESPEC_H
