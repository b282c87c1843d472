//===- Monitor.h - Clocks, temperature and energy ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the management library of the vendor tells while kernels run. NVIDIA's
// NVML is asked; where it is missing, nothing is told and nothing fails.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_DEVICE_MONITOR_H
#define SWIZZLE_LIB_MEASURE_DEVICE_MONITOR_H

#include "swizzle/Measure/Device/GpuDriver.h"

namespace swizzle::measuring {

/// One look at a device; nullopt: not told.
struct DeviceState {
  std::optional<int64_t> unitClockMegahertz;
  std::optional<int64_t> temperature; ///< degrees Celsius
  std::optional<int64_t> millijoules; ///< since the driver was loaded
};

class Monitor {
public:
  virtual ~Monitor() = default;
  virtual DeviceState look() = 0;
  /// Never null. $SWIZZLE_NVML names another library.
  static std::unique_ptr<Monitor> open(const GpuDriver &driver);
};

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_DEVICE_MONITOR_H
