//===- Monitor.cpp - Clocks, temperature and energy -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device is found by its PCI address, because NVML counts devices that the
// environment hides from CUDA.
//
//===----------------------------------------------------------------------===//

#include "Monitor.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace swizzle::measuring {

namespace {

/// Numbers of nvmlClockType_t and nvmlTemperatureSensors_t.
constexpr int kUnitClock = 1, kTemperatureOfGpu = 0;

class Nvml : public Monitor {
public:
  bool start(const GpuDriver &driver) {
    const char *path = std::getenv("SWIZZLE_NVML");
    library = dlopen(path ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return false;
    auto init = find<int()>("nvmlInit_v2");
    auto byAddress =
        find<int(const char *, void **)>("nvmlDeviceGetHandleByPciBusId_v2");
    clock = find<int(void *, int, unsigned *)>("nvmlDeviceGetClockInfo");
    temperature =
        find<int(void *, int, unsigned *)>("nvmlDeviceGetTemperature");
    energy = find<int(void *, unsigned long long *)>(
        "nvmlDeviceGetTotalEnergyConsumption");
    auto bus = driver.number(GpuNumber::PciBus);
    auto slot = driver.number(GpuNumber::PciDevice);
    if (!init || !byAddress || !bus || !slot || init() != 0)
      return false;
    char address[64];
    std::snprintf(address, sizeof(address), "%08x:%02x:%02x.0",
                  unsigned(driver.number(GpuNumber::PciDomain).value_or(0)),
                  unsigned(*bus), unsigned(*slot));
    return byAddress(address, &device) == 0;
  }

  DeviceState look() override {
    DeviceState state;
    unsigned value = 0;
    unsigned long long joules = 0;
    if (clock && clock(device, kUnitClock, &value) == 0)
      state.unitClockMegahertz = value;
    if (temperature && temperature(device, kTemperatureOfGpu, &value) == 0)
      state.temperature = value;
    if (energy && energy(device, &joules) == 0)
      state.millijoules = int64_t(joules);
    return state;
  }

private:
  template <typename Signature> Signature *find(const char *name) {
    return reinterpret_cast<Signature *>(dlsym(library, name));
  }

  void *library = nullptr, *device = nullptr;
  int (*clock)(void *, int, unsigned *) = nullptr;
  int (*temperature)(void *, int, unsigned *) = nullptr;
  int (*energy)(void *, unsigned long long *) = nullptr;
};

class NoMonitor : public Monitor {
  DeviceState look() override { return {}; }
};

} // namespace

std::unique_ptr<Monitor> Monitor::open(const GpuDriver &driver) {
  auto nvml = std::make_unique<Nvml>();
  if (driver.api() == GpuApi::Cuda && nvml->start(driver))
    return nvml;
  return std::make_unique<NoMonitor>();
}

} // namespace swizzle::measuring
