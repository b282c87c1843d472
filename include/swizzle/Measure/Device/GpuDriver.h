//===- GpuDriver.h - A GPU, through its vendor's driver ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that measuring needs of a GPU, over the driver library that is
// found when the program starts: CUDA's or HIP's, whose functions are the same
// but for their names. Nothing of a vendor is linked. Functions return what is
// wrong, and "" if nothing is.
//
//   std::string wrong;
//   auto driver = GpuDriver::open(GpuApi::Cuda, 0, wrong);   // or nullptr
//   GpuModule module;
//   wrong = driver->load(ptx, module);
//   GpuFunction kernel;
//   wrong = driver->find(module, "matmul", kernel);
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_MEASURE_DEVICE_GPUDRIVER_H
#define SWIZZLE_MEASURE_DEVICE_GPUDRIVER_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

enum class GpuApi : uint8_t { Cuda, Hip };
/// "cuda", "hip".
const char *toString(GpuApi api);

/// What a driver calls an address of the GPU.
using GpuPointer = uint64_t;

struct GpuModule {
  void *handle = nullptr;
};
struct GpuFunction {
  void *handle = nullptr;
};
struct GpuEvent {
  void *handle = nullptr;
};

/// The numbers that a driver tells of a device.
enum class GpuNumber : uint8_t {
  ComputeUnits,
  Lanes, ///< of a warp or wave
  L2Bytes,
  ClockKilohertz,
  MemoryClockKilohertz,
  MemoryBusBits,
  CapabilityMajor,
  CapabilityMinor,
  ThreadsPerUnit,
  WorkgroupsPerUnit,
  RegistersPerUnit,
  WorkgroupMemoryPerUnit,
  Dies, ///< XCCs
  PciDomain,
  PciBus,
  PciDevice,
  WallClockKilohertz, ///< what a kernel reads of the time
};

class GpuDriver {
public:
  /// Opens the driver's library and one device of it. $SWIZZLE_CUDA_DRIVER or
  /// $SWIZZLE_HIP_DRIVER names another library. On failure nullptr, and `wrong`
  /// says what was looked for.
  static std::unique_ptr<GpuDriver> open(GpuApi api, int device,
                                         std::string &wrong);
  virtual ~GpuDriver() = default;

  GpuApi api() const { return which; }
  virtual std::string deviceName() const = 0;
  /// As the driver writes it: "13.0".
  virtual std::string driverVersion() const = 0;
  /// nullopt: this driver does not tell.
  virtual std::optional<int64_t> number(GpuNumber number) const = 0;
  virtual std::string memory(uint64_t &freeBytes, uint64_t &totalBytes) = 0;

  virtual std::string load(const std::string &bytes, GpuModule &module) = 0;
  virtual std::string find(GpuModule module, const std::string &name,
                           GpuFunction &function) = 0;
  /// Lets `function` use this much workgroup memory beside its own.
  virtual std::string allowWorkgroupMemory(GpuFunction function,
                                           int64_t bytes) = 0;

  virtual std::string allocate(uint64_t bytes, GpuPointer &pointer) = 0;
  virtual std::string release(GpuPointer pointer) = 0;
  virtual std::string copyIn(GpuPointer to, const void *from,
                             uint64_t bytes) = 0;
  virtual std::string copyOut(void *to, GpuPointer from, uint64_t bytes) = 0;
  virtual std::string fill(GpuPointer to, unsigned char byte,
                           uint64_t bytes) = 0;

  struct Launch {
    std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    int64_t dynamicWorkgroupBytes = 0;
    std::vector<void *> arguments; ///< where each argument's value lies
  };
  virtual std::string launch(GpuFunction function, const Launch &launch) = 0;

  virtual std::string makeEvent(GpuEvent &event) = 0;
  virtual std::string record(GpuEvent event) = 0;
  virtual std::string waitFor(GpuEvent event) = 0;
  virtual std::string elapsed(GpuEvent from, GpuEvent to, double &us) = 0;
  /// Waits for everything.
  virtual std::string synchronize() = 0;

protected:
  explicit GpuDriver(GpuApi api) : which(api) {}

private:
  GpuApi which;
};

} // namespace swizzle

#endif // SWIZZLE_MEASURE_DEVICE_GPUDRIVER_H
