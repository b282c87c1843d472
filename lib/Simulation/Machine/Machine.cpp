//===- Machine.cpp - A chip as the simulator sees it ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a description leaves open stands in the completed one
// (Hardware/Completion.h); here it becomes what the simulator calculates with.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "swizzle/Hardware/Completion.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace swizzle::simulation {

namespace {

int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The grain of the simulation, and one row for each level.
void resolveLines(const HardwareSpec &chip, Machine &machine) {
  const CacheLevel &shared = chip.sharedLevel();
  machine.lineBytes = *shared.lineBytes;
  auto sectorOf = [&](const CacheLevel &level) {
    return std::min(machine.lineBytes, *level.sectorBytes);
  };
  machine.sectorBytes = sectorOf(shared);
  machine.shared = chip.sharedIndex();
  machine.levels.resize(chip.levels.size());
  for (size_t i = 0; i < chip.levels.size(); ++i) {
    bool isBefore = i < machine.shared;
    machine.levels[i].name = chip.levels[i].name;
    machine.levels[i].sectorBytes =
        sectorOf(isBefore ? chip.levels[i] : shared);
    machine.sectorBytes =
        std::min(machine.sectorBytes, machine.levels[i].sectorBytes);
  }
  machine.sectorBytes =
      std::max({machine.sectorBytes, machine.lineBytes / 4, int64_t(1)});
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

void resolveCaches(const HardwareSpec &chip, Machine &machine) {
  machine.hasUnitLevel = chip.unitLevel() != nullptr;
  for (size_t i = 0; i < chip.levels.size(); ++i) {
    const CacheLevel &level = chip.levels[i];
    MachineLevel &row = machine.levels[i];
    row.unitsPerCache = unitsPerCache(level, machine);
    row.bytes = *level.capacity();
    row.ways = std::clamp<int64_t>(*level.ways, 1, 16);
    row.bandwidth = *level.bandwidth;
  }
  machine.sharedPartitions =
      std::clamp<int64_t>(*chip.sharedLevel().partitions, 1, 2);
}

/// Compute units by the turn of their die and their own turn on it, as they
/// were measured; else in the order of their numbers.
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

/// Issue of instructions, and banks of workgroup memory. What is not known has
/// no default, but for a remap's instructions: it limits nothing.
void resolveUnits(const HardwareSpec &hardware, Machine &machine) {
  // A remap costs something on every chip.
  constexpr int64_t usualIssue = 4;
  double clocks = machine.clockHz * static_cast<double>(machine.numUnits());
  machine.issueRate = clocks * hardware.issuePerClock.value_or(0);
  machine.remapIssueRate = clocks * hardware.issuePerClock.value_or(usualIssue);
  if (!hardware.issuePerClock)
    machine.defaults.push_back(
        "issue_per_clock of " + machine.name +
        " unknown: " + std::to_string(usualIssue) +
        " assumed (usual; for the instructions of a remap alone)");
  MemoryBanks banks{hardware.workgroupMemoryBanks.value_or(0),
                    hardware.workgroupMemoryBankBytes.value_or(0)};
  if (!banks.areKnown() || !hardware.workgroupMemoryBytesPerClock)
    return;
  machine.banks = banks;
  machine.bankPassRate =
      clocks * static_cast<double>(*hardware.workgroupMemoryBytesPerClock) /
      static_cast<double>(banks.width());
}

/// What was fitted or measured.
void resolveFitted(const HardwareSpec &chip, Machine &machine) {
  auto rate = [&](const char *name) {
    auto found = chip.fitted.find(name);
    assert(found != chip.fitted.end() && "a completed chip has all constants");
    return found->second;
  };
  auto count = [&](const char *name) {
    return static_cast<int64_t>(rate(name));
  };
  machine.missDelay = rate("miss_delay_rounds");
  machine.behindDelay = rate("last_level_delay");
  machine.victimPool = count("victim_pool");
  machine.readsInFlight = count("reads_in_flight");
  machine.startJitter = count("start_jitter_rounds");
  machine.seesIdleUnits = count("idle_units");
  machine.followersTogether = count("followers_together");
  machine.unitsPerCluster = rate("units_per_cluster");
  machine.sameCluster = rate("same_cluster");
  machine.readsPerLookup = count("reads_per_lookup");
  machine.lookupClocks = rate("lookup_clocks");
  machine.memoryClocks = rate("memory_clocks");
  machine.waitingClocks = rate("waiting_clocks");
  machine.loadedLatency = rate("loaded_latency");
  machine.workingRegisters = count("working_registers");
  machine.youngerWait = rate("younger_wait");
  machine.instructionClocks = rate("instruction_clocks");
  machine.remapIssue = rate("remap_issue");
  machine.joinedLines = count("joined_store_lines");
  machine.overlap = rate("overlapping_generations");
  // One line is no block.
  int64_t block = count("dram_block_bytes");
  machine.scatter.blockBytes = block < 2 * machine.lineBytes ? 0 : block;
  machine.scatter.reads = rate("scattered_reads");
  machine.scatter.isolatedReads = rate("isolated_reads");
  machine.scatter.writes = rate("scattered_writes");
  machine.scatter.loneWrites = rate("lone_writes");
  machine.scatter.isolatedWrites = rate("isolated_writes");
  machine.fetchBytes =
      std::clamp(count("fetch_bytes"),
                 machine.levels[machine.shared].sectorBytes, machine.lineBytes);
  const CacheLevel *unitLevel = chip.unitLevel();
  if (count("unified_l1") && unitLevel)
    machine.unifiedBytes = unitLevel->bytes.value_or(*unitLevel->capacity());
  machine.deliveryRate = machine.clockHz *
                         static_cast<double>(machine.numUnits()) *
                         rate("delivered_bytes_per_clock");
  if (machine.sharedPartitions > 1)
    machine.fabricRate = rate("fabric_bandwidth");
  machine.launchRate =
      machine.clockHz * machine.numDies * rate("workgroups_per_clock");
}

} // namespace

Machine resolve(const HardwareSpec &hardware) {
  CompleteChip complete = completeChip(hardware);
  const HardwareSpec &chip = complete.chip;
  Machine machine;
  machine.defaults = std::move(complete.assumed);
  machine.name = chip.name;
  machine.numDies = std::max<int64_t>(1, chip.numDies);
  machine.unitsPerDie = std::max<int64_t>(1, chip.unitsPerDie);
  machine.waveSize = std::max<int64_t>(1, chip.waveSize);
  machine.dispatchChunk = std::max<int64_t>(1, chip.dispatchChunk);
  machine.hitDefinition = *chip.hitDefinition;
  resolveOrder(chip, machine);
  resolveLines(chip, machine);
  resolveCaches(chip, machine);

  machine.workgroupMemory = *chip.workgroupMemoryPerUnit;
  machine.threads = *chip.threadsPerUnit;
  machine.workgroups = *chip.workgroupsPerUnit;
  machine.registers = *chip.registersPerUnit;
  machine.clockHz = *chip.clockHz;
  machine.dramBandwidth = *chip.dramBandwidth;
  machine.vectorFlops = *chip.vectorFlops;
  machine.tensorFlops = *chip.tensorFlops;
  resolveUnits(chip, machine);
  resolveFitted(chip, machine);
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
