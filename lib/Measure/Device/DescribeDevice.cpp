//===- DescribeDevice.cpp - A chip as its driver tells it -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVIDIA's driver tells the compute capability, which names the target. AMD's
// tells it in a structure that changes with its version; the topology that the
// kernel driver exports tells it as a number.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Device/DescribeDevice.h"

#include "swizzle/Hardware/Schema.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <vector>

namespace swizzle {

namespace {

/// "NVIDIA H200" is nvidia-h200.
std::string nameOf(const std::string &device) {
  std::string name;
  for (unsigned char letter : device) {
    if (std::isalnum(letter))
      name += char(std::tolower(letter));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-')
    name.pop_back();
  return name.empty() ? "device" : name;
}

/// "gfx942" of 90402.
std::string targetOfVersion(int64_t version) {
  static const char digits[] = "0123456789abcdef";
  return "gfx" + std::to_string(version / 10000) +
         digits[version / 100 % 100 % 16] + digits[version % 100 % 16];
}

/// The target of the GPU that the driver has open: of the topology's GPUs, the
/// one in its place of the bus, or the only one. "" if that is not known.
std::string targetOfTopology(const GpuDriver &driver) {
  auto bus = driver.number(GpuNumber::PciBus);
  auto device = driver.number(GpuNumber::PciDevice);
  int64_t domain = driver.number(GpuNumber::PciDomain).value_or(0);
  std::vector<std::string> all;
  for (int node = 0; node < 64; ++node) {
    std::ifstream file(kfdTopologyFolder() + "/nodes/" + std::to_string(node) +
                       "/properties");
    std::map<std::string, int64_t> properties;
    std::string key;
    for (int64_t value; file >> key >> value;)
      properties[key] = value;
    if (properties["gfx_target_version"] <= 0)
      continue;
    all.push_back(targetOfVersion(properties["gfx_target_version"]));
    // Bus, device and function, of 8, 5 and 3 bits.
    auto place = properties.find("location_id");
    if (bus && device && place != properties.end() &&
        place->second >> 3 == (*bus << 5 | *device) &&
        properties["domain"] == domain)
      return all.back();
  }
  // Whether two of one kind are told apart matters to nobody.
  bool same = std::all_of(all.begin(), all.end(), [&](const std::string &one) {
    return one == all.front();
  });
  return same && !all.empty() ? all.front() : "";
}

class Describer {
public:
  Describer(const GpuDriver &driver, HardwareSpec &chip)
      : driver(driver), chip(chip),
        source("the driver of " + driver.deviceName() + ", " +
               toString(driver.api()) + " " + driver.driverVersion()) {}

  std::string run();

private:
  /// Keeps a number that the driver tells.
  void take(const char *key, std::optional<int64_t> &out, GpuNumber number) {
    std::optional<int64_t> told = driver.number(number);
    bool known = told && *told > 0;
    if (known)
      out = *told;
    chip.sources[key] = known ? source : "unknown: the driver does not tell";
  }
  void describeCaches();
  void describeLines();
  void describeRates();

  const GpuDriver &driver;
  HardwareSpec &chip;
  const std::string source;
};

/// What holds for all GPUs of a vendor, whatever the driver tells: without it
/// they would be simulated as those of another one.
void Describer::describeLines() {
  if (driver.api() == GpuApi::Hip) {
    chip.sources["hit_definition"] = "ROCm documentation of the TCC counters: "
                                     "a request to a line already on "
                                     "its way counts as a hit";
    return;
  }
  chip.sources["hit_definition"] =
      "unknown: it depends on the partitions of the L2, which the driver does "
      "not tell";
  for (CacheLevel &level : chip.levels) {
    level.lineBytes = 128;
    level.sectorBytes = 32;
    for (const char *field : {"line_bytes", "sector_bytes"})
      chip.sources[level.name + "." + field] =
          "NVIDIA, Nsight Compute documentation: a line of 128 bytes in four "
          "sectors of 32";
  }
}

void Describer::describeCaches() {
  chip.levels = HardwareSpec::usualLevels();
  chip.sources["levels"] =
      "assumed: an L1 for each compute unit, an L2 for each die";
  for (CacheLevel &level : chip.levels)
    for (const char *field : {"bytes", "line_bytes", "ways", "bandwidth"})
      chip.sources[level.name + "." + field] =
          "unknown: the driver does not tell";
  describeLines();
  if (CacheLevel *l2 = chip.find("l2"))
    take("l2.bytes", l2->bytes, GpuNumber::L2Bytes);
}

void Describer::describeRates() {
  auto clock = driver.number(GpuNumber::ClockKilohertz);
  if (clock && *clock > 0) {
    chip.clockHz = double(*clock) * 1000;
    chip.sources["clock_hz"] = source;
  }
  auto rate = driver.number(GpuNumber::MemoryClockKilohertz);
  auto bits = driver.number(GpuNumber::MemoryBusBits);
  if (rate && bits && *rate > 0 && *bits > 0) {
    chip.peakDramBandwidth = 2.0 * double(*rate) * 1000 * double(*bits) / 8;
    chip.dramBandwidth = chip.peakDramBandwidth;
    chip.sources["dram_bandwidth"] =
        source + ": clock and width of the memory, two transfers a clock";
  }
}

std::string Describer::run() {
  auto units = driver.number(GpuNumber::ComputeUnits);
  if (!units || *units < 1)
    return "the driver does not tell how many compute units there are";
  bool amd = driver.api() == GpuApi::Hip;
  chip = HardwareSpec();
  chip.name = nameOf(driver.deviceName());
  chip.description = driver.deviceName();
  chip.vendor = amd ? "amd" : "nvidia";
  chip.numDies = amd ? driver.number(GpuNumber::Dies).value_or(1) : 1;
  if (chip.numDies < 1 || chip.numDies > *units)
    return "the driver tells of " + std::to_string(chip.numDies) +
           " dies and " + std::to_string(*units) + " compute units";
  chip.unitsPerDie = *units / chip.numDies;
  chip.sources["num_xcds"] = amd ? source : "one pool of SMs behind one L2";
  chip.sources["cus_per_xcd"] = source;
  chip.waveSize = driver.number(GpuNumber::Lanes).value_or(amd ? 64 : 32);
  chip.sources["wave_size"] = source;
  chip.sources["dispatch_chunk"] =
      chip.numDies > 1 ? "assumed: workgroups are dealt to dies one by one"
                       : "one die: nothing is dealt out";
  auto major = driver.number(GpuNumber::CapabilityMajor);
  auto minor = driver.number(GpuNumber::CapabilityMinor);
  if (amd)
    chip.target = targetOfTopology(driver);
  else if (major && minor)
    chip.target = "sm_" + std::to_string(*major) + std::to_string(*minor);
  if (chip.target.empty())
    return "neither the driver nor " + kfdTopologyFolder() +
           " tells the compiler's target";
  describeCaches();
  describeRates();
  take("lds_bytes", chip.workgroupMemoryPerUnit,
       GpuNumber::WorkgroupMemoryPerUnit);
  take("threads_per_cu", chip.threadsPerUnit, GpuNumber::ThreadsPerUnit);
  take("workgroups_per_cu", chip.workgroupsPerUnit,
       GpuNumber::WorkgroupsPerUnit);
  take("registers_per_cu", chip.registersPerUnit, GpuNumber::RegistersPerUnit);
  return "";
}

} // namespace

std::string describeDevice(const GpuDriver &driver, HardwareSpec &chip) {
  return Describer(driver, chip).run();
}

} // namespace swizzle
