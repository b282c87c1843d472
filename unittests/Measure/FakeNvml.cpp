//===- FakeNvml.cpp - Clocks and energy without a GPU ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What swizzle-run calls of NVIDIA's management library, for tests, of the
// device at the address that the stand-in for CUDA's driver tells. The clock
// falls by 15 MHz each time it is asked for, from 1500 on; the energy counter
// rises by 1 J.
//
//===----------------------------------------------------------------------===//

#include <cstring>

namespace {

struct Device {
  unsigned clock = 1515;
  unsigned long long millijoules = 0;
};

} // namespace

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device) {
  static Device one;
  *device = &one;
  return std::strcmp(address, "00000000:01:00.0") == 0 ? 0 : 6; // not found
}
int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *megahertz) {
  *megahertz = kind == 1 ? static_cast<Device *>(device)->clock -= 15 : 2000;
  return 0;
}
int nvmlDeviceGetTemperature(void *, int, unsigned *degrees) {
  *degrees = 61;
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void *device,
                                        unsigned long long *millijoules) {
  *millijoules = static_cast<Device *>(device)->millijoules += 1000;
  return 0;
}

} // extern "C"
