//===- DescribeDevice.h - A chip as its driver tells it ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   HardwareSpec chip;
//   std::string wrong = describeDevice(*driver, chip);
//   chip.numUnits()          // 132
//   writeHardware(chip)      // a file for hardware-file=
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_MEASURE_DEVICE_DESCRIBEDEVICE_H
#define SWIZZLE_MEASURE_DEVICE_DESCRIBEDEVICE_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Measure/Device/GpuDriver.h"

namespace swizzle {

/// Everything that the driver tells, each number with its source; what it does
/// not tell stays open. Returns what is wrong, "" if nothing is.
std::string describeDevice(const GpuDriver &driver, HardwareSpec &chip);

} // namespace swizzle

#endif // SWIZZLE_MEASURE_DEVICE_DESCRIBEDEVICE_H
