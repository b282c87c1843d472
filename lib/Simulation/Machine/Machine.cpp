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

#include "swizzle/Hardware/Schema.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace swizzle::simulation {

namespace {

/// Fetches open numbers and notes the defaults that stand in.
class Resolver {
public:
  Resolver(const HardwareSpec &hardware, Machine &machine)
      : hardware(hardware), machine(machine) {}

  template <typename T, typename D>
  T take(const std::optional<T> &value, const std::string &name, D fallback,
         const char *why) {
    if (value)
      return *value;
    note(name, std::to_string(static_cast<int64_t>(fallback)), why);
    return static_cast<T>(fallback);
  }

  HitDefinition takeDefinition(bool nvidia) {
    if (hardware.hitDefinition)
      return *hardware.hitDefinition;
    HitDefinition usual = nvidia ? HitDefinition::BothPartitions
                                 : HitDefinition::InFlightIsHit;
    note("hit_definition", std::string(toString(usual)),
         "as in its vendor's family");
    return usual;
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
  void note(const std::string &name, const std::string &value,
            const char *why) {
    machine.defaults.push_back(name + " of " + hardware.name +
                               " unknown: " + value + " assumed (" + why + ")");
  }

  const HardwareSpec &hardware;
  Machine &machine;
};

int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

bool isNvidia(const HardwareSpec &hardware) {
  return hardware.vendor == "nvidia";
}

/// The grain of the simulation, and one row for each level.
void resolveLines(const HardwareSpec &hardware, Resolver &from,
                  Machine &machine) {
  const CacheLevel &shared = hardware.sharedLevel();
  auto sectorOf = [&](const CacheLevel &level, int64_t fallback) {
    return std::min(machine.lineBytes,
                    from.take(level.sectorBytes,
                              flatKey(level.name, "sector_bytes"), fallback,
                              "as in its vendor's family"));
  };
  machine.lineBytes = from.take(shared.lineBytes,
                                flatKey(shared.name, "line_bytes"), 128,
                                "usual");
  int64_t sharedSector = sectorOf(
      shared, isNvidia(hardware) ? int64_t(32) : machine.lineBytes);
  machine.sectorBytes = sharedSector;
  machine.shared = hardware.sharedIndex();
  machine.levels.resize(hardware.levels.size());
  for (size_t i = 0; i < hardware.levels.size(); ++i) {
    machine.levels[i].name = hardware.levels[i].name;
    machine.levels[i].sectorBytes = sharedSector;
  }
  for (size_t i = 0; i < machine.shared; ++i) {
    const CacheLevel &level = hardware.levels[i];
    int64_t line = from.take(level.lineBytes,
                             flatKey(level.name, "line_bytes"),
                             machine.lineBytes, "as the L2's");
    machine.levels[i].sectorBytes =
        sectorOf(level, std::min(line, sharedSector));
    machine.sectorBytes =
        std::min(machine.sectorBytes, machine.levels[i].sectorBytes);
  }
  machine.sectorBytes = std::max(
      {machine.sectorBytes, machine.lineBytes / 4, int64_t(1)});
  for (MachineLevel &level : machine.levels)
    level.sectorBytes = std::max(level.sectorBytes, machine.sectorBytes);
  machine.requestBytes = machine.levels.front().sectorBytes;
}

/// Compute units that share one cache of `level`.
int64_t unitsPerCache(const CacheLevel &level, const Machine &machine) {
  switch (level.scope) {
  case CacheScope::ComputeUnit:
    return 1;
  case CacheScope::Cluster:
    return level.unitsPerCluster.value_or(1);
  case CacheScope::Die:
    return machine.unitsPerDie;
  case CacheScope::Device:
    break;
  }
  return machine.numUnits();
}

/// Sizes and ways. A level of unknown size that has no usual one is left out.
void resolveCaches(const HardwareSpec &hardware, Resolver &from,
                   Machine &machine) {
  bool nvidia = isNvidia(hardware);
  machine.hasUnitLevel = hardware.unitLevel() != nullptr;
  std::vector<MachineLevel> kept;
  size_t shared = 0;
  for (size_t i = 0; i < hardware.levels.size(); ++i) {
    const CacheLevel &level = hardware.levels[i];
    MachineLevel row = machine.levels[i];
    row.unitsPerCache = unitsPerCache(level, machine);
    bool isUnit = i == 0 && machine.hasUnitLevel, isShared = i == machine.shared;
    int64_t usual = isShared ? 4 << 20
                    : isUnit ? (nvidia ? 128 << 10 : 16 << 10)
                             : 0;
    row.bytes = from.take(level.capacity(), flatKey(level.name, "bytes"), usual,
                          isShared ? "the size of an XCD's"
                          : isUnit ? "small"
                                   : "left out of the simulation");
    row.ways = std::clamp<int64_t>(
        from.take(level.ways, flatKey(level.name, "ways"), isUnit ? 8 : 16,
                  "usual"),
        1, 16);
    if (isShared) {
      machine.sharedPartitions = std::clamp<int64_t>(
          from.take(level.partitions, flatKey(level.name, "partitions"),
                    1, "none are published"),
          1, 2);
      shared = kept.size();
    }
    if (row.bytes > 0)
      kept.push_back(std::move(row));
  }
  machine.levels = std::move(kept);
  machine.shared = shared;
}

/// Compute units by the turn of their die and their own turn on it, as they were
/// measured; else in the order of their numbers.
///
///   2 dies of 2 units, measured 3 0 2 1: die 1 comes first, and starts with unit 3:
///   unitInTurn is 3 2 0 1
void resolveOrder(const HardwareSpec &hardware, Machine &machine) {
  size_t units = size_t(machine.numUnits());
  machine.unitInTurn.resize(units);
  std::iota(machine.unitInTurn.begin(), machine.unitInTurn.end(), 0);
  if (hardware.dispatchOrder.size() != units)
    return;
  std::map<int64_t, int64_t> turnOf;
  std::vector<int64_t> started(size_t(machine.numDies));
  for (int64_t unit : hardware.dispatchOrder) {
    int64_t die = unit / machine.unitsPerDie;
    int64_t turn = turnOf.emplace(die, int64_t(turnOf.size())).first->second;
    int64_t place = turn * machine.unitsPerDie + started[size_t(turn)]++;
    machine.unitInTurn[size_t(place)] = uint32_t(unit);
  }
}

/// One line per compute unit and clock from what only reads fill, half a line
/// from the shared level: what GPUs of the last ten years have had within a
/// factor of two.
void resolveBandwidths(const HardwareSpec &hardware, Resolver &from,
                       Machine &machine) {
  double lines = machine.clockHz * machine.lineBytes * machine.numUnits();
  for (size_t i = 0; i < machine.levels.size(); ++i) {
    MachineLevel &level = machine.levels[i];
    bool before = i < machine.shared, behind = i > machine.shared;
    level.bandwidth = from.take(
        hardware.find(level.name)->bandwidth, flatKey(level.name, "bandwidth"),
        before   ? lines
        : behind ? 2 * machine.dramBandwidth
                 : lines / 2,
        before   ? "a line per unit and clock"
        : behind ? "twice the memory's"
                 : "half a line per unit and clock");
  }
}

/// Issue of instructions, and banks of workgroup memory. What is not known has
/// no default: it limits nothing.
void resolveUnits(const HardwareSpec &hardware, Machine &machine) {
  // A remap costs something on every chip.
  constexpr int64_t usualIssue = 4;
  double clocks = machine.clockHz * static_cast<double>(machine.numUnits());
  machine.issueRate = clocks * hardware.issuePerClock.value_or(0);
  machine.remapIssueRate = clocks * hardware.issuePerClock.value_or(usualIssue);
  MemoryBanks banks{hardware.workgroupMemoryBanks.value_or(0),
                    hardware.workgroupMemoryBankBytes.value_or(0)};
  if (!banks.areKnown() || !hardware.workgroupMemoryBytesPerClock)
    return;
  machine.banks = banks;
  machine.bankPassRate =
      clocks * static_cast<double>(*hardware.workgroupMemoryBytesPerClock) /
      static_cast<double>(banks.width());
}

/// What leads to the shared level and through it. What is not known has no
/// default: it limits nothing.
void resolvePaths(const HardwareSpec &hardware, Machine &machine) {
  auto told = [&](const char *name) {
    auto found = hardware.fitted.find(name);
    return found == hardware.fitted.end() ? 0.0 : std::max(0.0, found->second);
  };
  machine.deliveryRate = machine.clockHz * static_cast<double>(machine.numUnits()) *
                         told("delivered_bytes_per_clock");
  if (machine.sharedPartitions > 1)
    machine.fabricRate = told("fabric_bandwidth");
}

/// What was fitted or measured of one chip, with its values for others.
void resolveFitted(const HardwareSpec &hardware, Resolver &from,
                   Machine &machine) {
  // How workgroups advance against each other was fitted on one chip; it is the
  // best guess for all others.
  machine.missDelay =
      std::clamp(from.fitted("miss_delay_rounds", 1), 0.0, 1000.0);
  if (machine.shared + 1 < machine.levels.size())
    machine.behindDelay =
        std::clamp(from.fitted("last_level_delay", 0.2), 0.0, 10.0);
  auto count = [&](const char *name, double usual, double least, double most) {
    return static_cast<int64_t>(
        std::clamp(from.fitted(name, usual), least, most));
  };
  machine.victimPool = count("victim_pool", 2, 1, 1024);
  machine.readsInFlight = count("reads_in_flight", 4, 1, 1024);
  machine.startJitter = count("start_jitter_rounds", 3, 0, 1000);
  auto idle = hardware.fitted.find("idle_units");
  machine.seesIdleUnits = idle == hardware.fitted.end() || idle->second != 0;
  // Assumed of one vendor's chips alone; any chip's file may say it.
  auto isKnown = [&](const char *name) {
    return isNvidia(hardware) || hardware.fitted.count(name);
  };
  if (isKnown("followers_together"))
    machine.followersTogether = from.fitted("followers_together", 0) != 0;
  if (isKnown("units_per_cluster"))
    machine.unitsPerCluster =
        std::clamp(from.fitted("units_per_cluster", 16.5), 0.0, 1e6);
  if (isKnown("reads_per_lookup"))
    machine.readsPerLookup = static_cast<int64_t>(
        std::clamp(from.fitted("reads_per_lookup", 4), 1.0, 15.0));
  if (isKnown("lookup_clocks"))
    machine.lookupClocks =
        std::clamp(from.fitted("lookup_clocks", 262), 0.0, 1e6);
  if (isKnown("memory_clocks"))
    machine.memoryClocks =
        std::clamp(from.fitted("memory_clocks", 479), 0.0, 1e6);
  if (isKnown("waiting_clocks"))
    machine.waitingClocks =
        std::clamp(from.fitted("waiting_clocks", 250), 0.0, 1e6);
  // Assembled for sm_90, kernels of next to no data have 12 to 22. Others have
  // registers of their own for what a wave shares: for gfx942 products have 0 to
  // 6 more than their data fills.
  machine.workingRegisters = static_cast<int64_t>(std::clamp(
      from.fitted("working_registers", isNvidia(hardware) ? 16 : 4), 0.0, 256.0));
  if (isKnown("younger_wait"))
    machine.youngerWait =
        std::clamp(from.fitted("younger_wait", 0.05), 0.0, 10.0);
  machine.instructionClocks =
      std::clamp(from.fitted("instruction_clocks", 4), 0.0, 1e4);
  if (isKnown("remap_issue"))
    machine.remapIssue = std::clamp(from.fitted("remap_issue", 0.33), 0.0, 1.0);
  if (isKnown("joined_store_lines"))
    machine.joinedLines = static_cast<int64_t>(
        std::clamp(from.fitted("joined_store_lines", 4), 0.0, 65536.0));
  if (isKnown("overlapping_generations"))
    machine.overlap =
        std::clamp(from.fitted("overlapping_generations", 0.5), 0.0, 1e6);
  auto takeShare = [&](const char *name, double usual, double &share) {
    if (isKnown(name))
      share = std::clamp(from.fitted(name, usual), 0.0, 100.0);
  };
  if (isKnown("dram_block_bytes"))
    machine.scatter.blockBytes = static_cast<int64_t>(
        std::clamp(from.fitted("dram_block_bytes", 65536), 0.0, 1e8));
  // One line is no block.
  if (machine.scatter.blockBytes < 2 * machine.lineBytes)
    machine.scatter.blockBytes = 0;
  takeShare("scattered_reads", 0.05, machine.scatter.reads);
  takeShare("isolated_reads", 0.04, machine.scatter.isolatedReads);
  takeShare("scattered_writes", 0.09, machine.scatter.writes);
  takeShare("lone_writes", 0.085, machine.scatter.loneWrites);
  takeShare("isolated_writes", 0.1, machine.scatter.isolatedWrites);
}

} // namespace

Machine resolve(const HardwareSpec &hardware) {
  if (hardware.sharedIndex() == hardware.levels.size()) {
    // A reader refuses such a description; one made by hand gets an L2.
    HardwareSpec completed = hardware;
    completed.levels.push_back(HardwareSpec::usualLevels().back());
    return resolve(completed);
  }
  Machine machine;
  Resolver from(hardware, machine);
  bool nvidia = isNvidia(hardware);

  machine.name = hardware.name;
  machine.numDies = std::max<int64_t>(1, hardware.numDies);
  machine.unitsPerDie = std::max<int64_t>(1, hardware.unitsPerDie);
  machine.waveSize = std::max<int64_t>(1, hardware.waveSize);
  machine.dispatchChunk = std::max<int64_t>(1, hardware.dispatchChunk);
  machine.hitDefinition = from.takeDefinition(nvidia);
  resolveOrder(hardware, machine);

  resolveLines(hardware, from, machine);
  resolveCaches(hardware, from, machine);

  machine.workgroupMemory = from.take(hardware.workgroupMemoryPerUnit,
                                      "lds_bytes", 64 << 10, "usual");
  machine.threads =
      from.take(hardware.threadsPerUnit, "threads_per_cu", 2048, "usual");
  machine.workgroups =
      from.take(hardware.workgroupsPerUnit, "workgroups_per_cu", 32, "usual");
  machine.registers =
      from.take(hardware.registersPerUnit, "registers_per_cu",
                nvidia ? 65536 : 131072, "as in its vendor's family");
  const CacheLevel *unitLevel = hardware.unitLevel();
  if (nvidia && unitLevel && unitLevel->bytes)
    machine.unifiedBytes = *unitLevel->bytes;

  resolveFitted(hardware, from, machine);
  // The CUDA runtime's default of cudaLimitMaxL2FetchGranularity is 64 bytes;
  // elsewhere a miss brings in what the L2 calls a sector.
  machine.fetchBytes = std::clamp<int64_t>(
      nvidia ? 64 : 0, machine.levels[machine.shared].sectorBytes,
      machine.lineBytes);

  machine.clockHz = from.take(hardware.clockHz, "clock_hz", 1.5e9, "usual");
  machine.dramBandwidth =
      from.take(hardware.dramBandwidth, "dram_bandwidth", 1e12, "a guess");
  double units = machine.numUnits();
  resolveBandwidths(hardware, from, machine);
  machine.vectorFlops =
      from.take(hardware.vectorFlops, "vector_flops",
                machine.clockHz * units * 256, "128 multiply-adds a clock");
  machine.tensorFlops = from.take(hardware.tensorFlops, "tensor_flops",
                                  machine.vectorFlops, "as the vector units");
  resolveUnits(hardware, machine);
  resolvePaths(hardware, machine);
  machine.launchRate = machine.clockHz * machine.numDies *
                       from.fitted("workgroups_per_clock", 0.5);
  return machine;
}

/// A wave gets registers in eights a thread: NVIDIA's since Volta 256 for 32
/// threads, AMD's with 64 lanes since CDNA 2 as many.
static constexpr int64_t kRegisterGranule = 8;

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
  int64_t registers = model.registersPerThread;
  if (!registers)
    registers = model.dataRegisters + machine.workingRegisters;
  if (registers > 0)
    resident = std::min(resident,
                        machine.registers /
                            (roundUp(registers, kRegisterGranule) * threads));
  return std::max<int64_t>(resident, 1);
}

} // namespace swizzle::simulation
