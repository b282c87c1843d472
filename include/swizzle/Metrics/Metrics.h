//===- Metrics.h - What a profiler says of a kernel -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of one launch, whoever found them: the simulator is one of
// several profilers. Plain data, without LLVM, so that a program that measures
// on a GPU machine can fill it in. What a profiler may say, and how it is read:
//
//   Metrics metrics;
//   metrics.from = {Origin::Measured, "device 0"};
//   metrics.level("l2").hitRate = 0.75;       // adds the row if there is none
//   metrics.timeUs = 12.5;
//   metrics.hitRate("l2");                    // 0.75
//   metrics.hitRate("llc");                   // nullopt: no such row
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_METRICS_METRICS_H
#define SWIZZLE_METRICS_METRICS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swizzle {

/// Where a number comes from. Figures of different origin are never compared.
enum class Origin : uint8_t { Simulated, Measured };

/// "simulated", "measured".
const char *toString(Origin origin);
/// The inverse of `toString`.
std::optional<Origin> readOrigin(std::string_view word);

struct Provenance {
  Origin origin = Origin::Simulated;
  std::string device; ///< chip that was simulated, device that was measured

  friend bool operator==(const Provenance &a, const Provenance &b) {
    return a.origin == b.origin && a.device == b.device;
  }
  friend bool operator!=(const Provenance &a, const Provenance &b) {
    return !(a == b);
  }
};

/// How carefully a profiler works: cheaply while a search compares many orders,
/// carefully where one is decided on, and more so for the few of which one is
/// written out.
enum class Fidelity : uint8_t { Search, Decide, Confirm };
/// "search", "decide", "confirm".
const char *toString(Fidelity fidelity);
/// The inverse of `toString`.
std::optional<Fidelity> readFidelity(std::string_view word);

/// What sets the time.
enum class BoundKind : uint8_t {
  Launch,
  Issue, ///< of instructions
  Vector,
  Tensor,
  WorkgroupMemory, ///< its banks
  Cache,
  Delivery, ///< of what the shared cache answers, to the compute units
  Latency,  ///< of caches and memory, which workgroups wait for
  Fabric,   ///< between the partitions of the shared cache
  Dram
};

struct Bound {
  BoundKind kind = BoundKind::Dram;
  std::string level; ///< the cache's, by name

  bool isDram() const { return kind == BoundKind::Dram; }
  bool isCache() const { return kind == BoundKind::Cache; }
  bool isFabric() const { return kind == BoundKind::Fabric; }

  friend bool operator==(const Bound &a, const Bound &b) {
    return a.kind == b.kind && a.level == b.level;
  }
};

/// For people: "matrix units", "L2", "DRAM".
std::string toString(const Bound &bound);
/// For files: "launch", "issue", "vector", "tensor", "lds", "delivery",
/// "latency", "fabric", "dram", or the name of a level.
std::string boundKey(const Bound &bound);
/// The inverse of `boundKey`; a word that it does not know is a level.
Bound readBound(std::string_view key);

/// What people call a level: "L2" for "l2", "last-level cache" for "llc", ...
std::string levelTitle(std::string_view name);

/// One term of the roofline: how long this resource alone would take. Of
/// resources that the same bytes pass one after the other, the slowest has a
/// term: look-ups of the shared cache or delivery of what they find, fabric or
/// memory.
struct RooflineTerm {
  Bound bound;
  double timeUs = 0;
  /// What it has to do: bytes of a cache, fabric or memory, floating-point
  /// operations of arithmetic, instructions of waves, passes of the banks of
  /// workgroup memory, workgroups of the launch; and how much of that it does
  /// in a second. 0: not told. Instructions of a remap are in the time alone.
  /// Latency: clocks that workgroups would wait if the shared cache had all
  /// they read, and those that a residency of workgroups has in a second; what
  /// memory adds to it is in the time alone.
  double work = 0, rate = 0;
};

struct Sensitivity {
  double dramBytesLow = 0, dramBytesHigh = 0;
  double l2HitLow = 0, l2HitHigh = 0;
  double timeLowUs = 0, timeHighUs = 0;
  /// DRAM bytes, or those read alone, move by more than 10 %.
  bool uncertain = false;
};

/// What a profiler may have counted. Where it did not, the number is 0 and says
/// nothing; files have null there.
class Count {
public:
  Count() = default;
  Count(double number) : number(number), counted(true) {}
  operator double() const { return number; }
  bool isCounted() const { return counted; }

private:
  double number = 0;
  bool counted = false;
};

/// Counts of one level of the caches, over all its instances.
struct LevelMetrics {
  std::string name; ///< as the chip's description calls the level
  Count bytes;      ///< asked of it
  /// 0..1, as the vendor's profiler prints it; nullopt: nothing was looked up.
  std::optional<double> hitRate;
  /// Hits over requests of the source, where the profiler counts otherwise.
  std::optional<double> logicalHitRate;
};

/// Counts of a whole launch. A level that the chip does not have, or of which a
/// profiler cannot tell anything, has no row.
struct Metrics {
  Provenance from;
  std::vector<LevelMetrics> levels; ///< nearest to the compute units first
  Count lineAccesses;               ///< before the nearest cache
  double steps = 0;                 ///< accesses of whole workgroups,
  double emptySteps = 0;            ///< and those that touch nothing
  Count dramReadBytes, dramWriteBytes;
  /// Simulated: busiest die's L2 bytes over the mean.
  double dieImbalance = 1;
  /// Simulated: the share of compute units that have workgroups, on average
  /// over the launch.
  double busyUnits = 1;
  /// Simulated: some workgroups take much longer than the mean one, so that it
  /// is the order's doing which units are idle. In JSON it is not told.
  bool unevenWorkgroups = false;
  /// Simulated: `timeTogether` of the roofline's terms, and `scatterUs`, in one
  /// phase of the launch after the other. So it may be more than that of all
  /// terms.
  double timeUs = 0;
  /// Simulated: what memory spends on opening rows for data that lie apart.
  /// Nothing overlaps with it.
  double scatterUs = 0;
  /// Simulated: what waves wait for lines that others asked memory for, one
  /// residency after the other; a part of what starting workgroups takes. In
  /// JSON it is not told.
  double waitUs = 0;
  std::vector<RooflineTerm> roofline; ///< longest first
  /// Simulated, of a sample of lines: the time, if all of the launch overlapped,
  /// without one of the groups that these fall into, the same in every order.
  /// In JSON it is not told.
  std::vector<double> timesWithoutGroups;
  /// Simulated: relative, one sigma, of DRAM bytes; 0 in full detail.
  double samplingError = 0;
  /// Relative standard error of the figures: a smaller gain is none. Of a
  /// simulation that left out steps, that of the time. nullopt: the profiler
  /// does not tell.
  std::optional<double> noise;
  std::optional<double> energyJoules; ///< only where a profiler measures it
  /// Counted by a vendor's profiler, if it was asked: instructions of waves,
  /// accesses of workgroup memory that had to wait for a bank, and the time of
  /// the run that was counted, which is not one of those that are timed.
  std::optional<double> instructions, bankConflicts, countedTimeUs;
  std::optional<Sensitivity> sensitivity;
  std::vector<std::string> defaults; ///< "l2_ways of b200 unknown: 16 assumed"

  /// The row of this name, or nullptr.
  const LevelMetrics *find(std::string_view name) const;
  /// The row of this name, added as the last one if there is none.
  LevelMetrics &level(std::string_view name);
  /// nullopt if there is no row.
  std::optional<double> hitRate(std::string_view name) const;
  /// Not counted if there is no row.
  Count bytes(std::string_view name) const;
  /// Read and written, if both were counted.
  Count dramBytes() const;
};

/// How long a launch takes in which workgroups wait for `latencyUs`, and for the
/// rest of its work `othersUs`: the cube root of the sum of cubes. Work of others
/// hides latency better than resources hide each other.
double timeWithLatency(double othersUs, double latencyUs);
/// How long the terms of a roofline take, which overlap: the root of the sum of
/// squares, with latency as above.
double timeTogether(const std::vector<RooflineTerm> &terms);

/// How much longer a launch takes than if all that it does overlapped: 1, or
/// more where phases of it ask for different things. Of simulated metrics.
double factorOfPhases(const Metrics &metrics);

/// Less than this more is not told of.
inline constexpr double kLeastOfPhases = 0.005;

/// True for what an order of workgroups can relieve: memory, and all caches but
/// the nearest, which is asked the same in every order.
bool dependsOnOrder(const Metrics &metrics, const Bound &bound);

/// True if workgroups wait for most of the time: of the roofline's terms, latency
/// is the longest.
bool isBoundByLatency(const Metrics &metrics);

/// True if `a` asks less of the caches than `b`: of the one before memory
/// first, then of nearer ones. The nearest does not count.
bool asksLess(const Metrics &a, const Metrics &b);

/// What limits a kernel, for remarks.
struct Bottleneck {
  Bound bound;
  /// Limited by a cache that is shared or by DRAM, which an order of workgroups
  /// can relieve.
  bool memoryBound = true;
  /// "memory-bound: L2", "not memory-bound: vector arithmetic".
  std::string text;
};

/// Names the longest term of the roofline.
Bottleneck describeBottleneck(const Metrics &metrics);

} // namespace swizzle

#endif // SWIZZLE_METRICS_METRICS_H
