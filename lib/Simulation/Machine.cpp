//===- Machine.cpp - A chip as the simulator sees it ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The defaults below are those of a family, not of a chip: they hold where a
// chip's file says that a number is unknown, and each use is reported.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>

namespace swizzle::simulation {

namespace {

/// Fetches open numbers and notes the defaults that stand in.
class Resolver {
public:
  Resolver(const HardwareSpec &hardware, Machine &machine)
      : hardware(hardware), machine(machine) {}

  template <typename T, typename D>
  T take(const std::optional<T> &value, const char *name, D fallback,
         const char *why) {
    if (value)
      return *value;
    note(name, std::to_string(static_cast<int64_t>(fallback)), why);
    return static_cast<T>(fallback);
  }

  /// A constant of the chip's `fitted` table, or its family's default.
  double fitted(const char *name, double fallback) {
    auto found = hardware.fitted.find(name);
    if (found != hardware.fitted.end())
      return found->second;
    std::string text = std::to_string(fallback);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
      text.pop_back();
    note(name, text, "no measurements of this chip were fitted");
    return fallback;
  }

private:
  void note(const char *name, const std::string &value, const char *why) {
    machine.defaults.push_back(std::string(name) + " of " + hardware.name +
                               " unknown: " + value + " assumed (" + why + ")");
  }

  const HardwareSpec &hardware;
  Machine &machine;
};

int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

} // namespace

Machine resolve(const HardwareSpec &hardware) {
  Machine machine;
  Resolver from(hardware, machine);
  bool nvidia = hardware.hitDefinition == HitDefinition::BothPartitions;

  machine.numDies = std::max<int64_t>(1, hardware.numDies);
  machine.unitsPerDie = std::max<int64_t>(1, hardware.unitsPerDie);
  machine.waveSize = std::max<int64_t>(1, hardware.waveSize);
  machine.dispatchChunk = std::max<int64_t>(1, hardware.dispatchChunk);
  machine.hitDefinition = hardware.hitDefinition;

  machine.lineBytes =
      from.take(hardware.l2.lineBytes, "line_bytes", 128, "usual");
  machine.l2SectorBytes = std::min(
      machine.lineBytes,
      from.take(hardware.l2.sectorBytes, "l2_sector_bytes",
                nvidia ? 32 : machine.lineBytes, "as in its vendor's family"));
  int64_t l1Line = from.take(hardware.l1.lineBytes, "l1_line_bytes",
                             machine.lineBytes, "as the L2's");
  machine.l1SectorBytes = std::min(
      machine.lineBytes, from.take(hardware.l1.sectorBytes, "l1_sector_bytes",
                                   std::min(l1Line, machine.l2SectorBytes),
                                   "as in its vendor's family"));
  machine.sectorBytes =
      std::max({std::min(machine.l1SectorBytes, machine.l2SectorBytes),
                machine.lineBytes / 4, int64_t(1)});
  machine.l1SectorBytes = std::max(machine.l1SectorBytes, machine.sectorBytes);
  machine.l2SectorBytes = std::max(machine.l2SectorBytes, machine.sectorBytes);

  machine.l1Bytes = from.take(hardware.l1.capacity(), "l1_bytes",
                              nvidia ? 128 << 10 : 16 << 10, "small");
  machine.l1Ways =
      hardware.l1.ways ? std::min<int64_t>(*hardware.l1.ways, 16) : int64_t(8);
  if (!hardware.l1.ways)
    from.take(hardware.l1.ways, "l1_ways", 8, "usual");
  machine.l2Bytes = from.take(hardware.l2.capacity(), "l2_bytes", 4 << 20,
                              "the size of an XCD's");
  machine.l2Ways = std::clamp<int64_t>(
      from.take(hardware.l2.ways, "l2_ways", 16, "usual"), 1, 16);
  machine.l2Partitions = std::clamp<int64_t>(
      from.take(hardware.l2.partitions, "l2_partitions", nvidia ? 2 : 1,
                "as in its vendor's family"),
      1, 2);
  if (hardware.llc) {
    machine.llcBytes = from.take(hardware.llc->capacity(), "llc_bytes", 0,
                                 "left out of the simulation");
    machine.llcWays = std::clamp<int64_t>(
        from.take(hardware.llc->ways, "llc_ways", 16, "usual"), 1, 16);
  }

  machine.workgroupMemory = from.take(hardware.workgroupMemoryPerUnit,
                                      "lds_bytes", 64 << 10, "usual");
  machine.threads =
      from.take(hardware.threadsPerUnit, "threads_per_cu", 2048, "usual");
  machine.workgroups =
      from.take(hardware.workgroupsPerUnit, "workgroups_per_cu", 32, "usual");
  machine.registers =
      from.take(hardware.registersPerUnit, "registers_per_cu",
                nvidia ? 65536 : 131072, "as in its vendor's family");
  if (nvidia && hardware.l1.bytes)
    machine.unifiedBytes = *hardware.l1.bytes;

  // How workgroups advance against each other was fitted on one chip; it is the
  // best guess for all others.
  machine.missDelay = from.fitted("miss_delay_rounds", 1);
  machine.victimPool = static_cast<int64_t>(from.fitted("victim_pool", 2));
  machine.readsInFlight =
      static_cast<int64_t>(from.fitted("reads_in_flight", 4));
  machine.startJitter =
      static_cast<int64_t>(from.fitted("start_jitter_rounds", 3));
  // The CUDA runtime's default of cudaLimitMaxL2FetchGranularity is 64 bytes;
  // elsewhere a miss brings in what the L2 calls a sector.
  machine.fetchBytes = std::clamp<int64_t>(
      nvidia ? 64 : 0, machine.l2SectorBytes, machine.lineBytes);

  machine.clockHz = from.take(hardware.clockHz, "clock_hz", 1.5e9, "usual");
  machine.dramBandwidth =
      from.take(hardware.dramBandwidth, "dram_bandwidth", 1e12, "a guess");
  double units = machine.numUnits();
  // One line per compute unit and clock from the first-level cache, half a line
  // from the L2: what GPUs of the last ten years have had within a factor of
  // two.
  double lines = machine.clockHz * machine.lineBytes * units;
  machine.l1Bandwidth = from.take(hardware.l1.bandwidth, "l1_bandwidth", lines,
                                  "a line per unit and clock");
  machine.l2Bandwidth = from.take(hardware.l2.bandwidth, "l2_bandwidth",
                                  lines / 2, "half a line per unit and clock");
  if (machine.llcBytes)
    machine.llcBandwidth =
        from.take(hardware.llc->bandwidth, "llc_bandwidth",
                  2 * machine.dramBandwidth, "twice the memory's");
  machine.vectorFlops =
      from.take(hardware.vectorFlops, "vector_flops",
                machine.clockHz * units * 256, "128 multiply-adds a clock");
  machine.tensorFlops = from.take(hardware.tensorFlops, "tensor_flops",
                                  machine.vectorFlops, "as the vector units");
  machine.launchRate = machine.clockHz * machine.numDies *
                       from.fitted("workgroups_per_clock", 0.5);
  return machine;
}

int64_t residentWorkgroups(const KernelModel &model, const Machine &machine,
                           std::string *why) {
  auto fail = [&](const char *what, int64_t needed, int64_t there) -> int64_t {
    if (why)
      *why = "a workgroup of " + model.name + " needs " +
             std::to_string(needed) + " " + what + ", a compute unit has " +
             std::to_string(there);
    return 0;
  };
  int64_t threads = roundUp(model.threads(), machine.waveSize);
  if (threads > machine.threads)
    return fail("threads", threads, machine.threads);
  int64_t resident = std::min(machine.workgroups, machine.threads / threads);
  if (model.workgroupMemoryBytes > machine.workgroupMemory)
    return fail("bytes of workgroup memory", model.workgroupMemoryBytes,
                machine.workgroupMemory);
  if (model.workgroupMemoryBytes > 0)
    resident = std::min(resident,
                        machine.workgroupMemory / model.workgroupMemoryBytes);
  // A back end spills rather than give up: one workgroup always fits.
  int64_t registers = model.registersPerThread * threads;
  if (registers > 0)
    resident = std::min(resident, machine.registers / registers);
  return std::max<int64_t>(resident, 1);
}

} // namespace swizzle::simulation
