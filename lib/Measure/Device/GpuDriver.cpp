//===- GpuDriver.cpp - A GPU, through its vendor's driver -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One class for both vendors: a table of functions that the dynamic loader
// fills, and a table of the numbers by which the drivers call what they tell.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Device/GpuDriver.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>

namespace swizzle {

namespace {

struct Functions {
#define SWIZZLE_DRIVER_FUNCTION(name, parameters, cuda, hip)                   \
  int(*name) parameters = nullptr;
#include "DriverFunctions.def"
};

struct FunctionRow {
  const char *cuda, *hip;
  size_t offset;
};
constexpr FunctionRow kFunctions[] = {
#define SWIZZLE_DRIVER_FUNCTION(name, parameters, cuda, hip)                   \
  {cuda, hip, offsetof(Functions, name)},
#include "DriverFunctions.def"
};

struct ApiRow {
  const char *name, *variable;
  std::vector<const char *> libraries;
};
const ApiRow &rowOf(GpuApi api) {
  static const ApiRow rows[] = {
      {"cuda",
       "SWIZZLE_CUDA_DRIVER",
       {"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"}},
      {"hip",
       "SWIZZLE_HIP_DRIVER",
       {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
        "/opt/rocm/lib/libamdhip64.so"}}};
  return rows[size_t(api)];
}

/// By `GpuNumber`: the attribute of CUDA and that of HIP, -1 where there is
/// none. Sources: NVIDIA, CUDA driver API, CUdevice_attribute; AMD, HIP runtime
/// API, hipDeviceAttribute_t of version 6 and later.
constexpr int kNumbers[][2] = {
    {16, 63},    // ComputeUnits
    {10, 87},    // Lanes
    {38, 19},    // L2Bytes
    {13, 5},     // ClockKilohertz
    {36, 60},    // MemoryClockKilohertz
    {37, 59},    // MemoryBusBits
    {75, 23},    // CapabilityMajor
    {76, 61},    // CapabilityMinor
    {39, 57},    // ThreadsPerUnit
    {106, 25},   // WorkgroupsPerUnit
    {82, 72},    // RegistersPerUnit
    {81, 10002}, // WorkgroupMemoryPerUnit
    {-1, 10018}, // Dies
    {50, 69},    // PciDomain
    {33, 67},    // PciBus
    {34, 68},    // PciDevice
    {-1, 10017}, // WallClockKilohertz
};
/// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES; HIP has the same number.
constexpr int kMaxDynamicWorkgroupBytes = 8;
/// What a kernel may use without asking, by both vendors' guides.
constexpr int64_t kUsualWorkgroupBytes = 48 << 10;
/// Numbers of CUjit_option.
constexpr int kErrorLogBuffer = 5, kErrorLogBytes = 6;

class LoadedDriver : public GpuDriver {
public:
  explicit LoadedDriver(GpuApi api) : GpuDriver(api) {}

  std::string start(int index);

  std::string deviceName() const override { return name; }
  std::string driverVersion() const override { return version; }
  std::optional<int64_t> number(GpuNumber number) const override;
  std::string memory(uint64_t &freeBytes, uint64_t &totalBytes) override;
  std::string load(const std::string &bytes, GpuModule &module) override;
  std::string find(GpuModule module, const std::string &name,
                   GpuFunction &function) override;
  std::string allowWorkgroupMemory(GpuFunction function,
                                   int64_t bytes) override;

  std::string allocate(uint64_t bytes, GpuPointer &pointer) override {
    return say(call.allocate(&pointer, bytes), "allocating memory");
  }
  std::string release(GpuPointer pointer) override {
    return say(call.release(pointer), "releasing memory");
  }
  std::string copyIn(GpuPointer to, const void *from, uint64_t bytes) override {
    return say(call.copyIn(to, from, bytes), "copying to the device");
  }
  std::string copyOut(void *to, GpuPointer from, uint64_t bytes) override {
    return say(call.copyOut(to, from, bytes), "copying from the device");
  }
  std::string fill(GpuPointer to, unsigned char byte, uint64_t bytes) override {
    return say(call.fill(to, byte, bytes), "filling memory");
  }
  std::string launch(GpuFunction function, const Launch &launch) override;
  std::string makeEvent(GpuEvent &event) override {
    return say(call.eventCreate(&event.handle, 0), "creating an event");
  }
  std::string record(GpuEvent event) override {
    return say(call.eventRecord(event.handle, nullptr), "recording an event");
  }
  std::string waitFor(GpuEvent event) override {
    return say(call.eventWait(event.handle), "running the kernel");
  }
  std::string elapsed(GpuEvent from, GpuEvent to, double &us) override {
    float ms = 0;
    int status = call.eventElapsed(&ms, from.handle, to.handle);
    us = double(ms) * 1000;
    return say(status, "reading the time");
  }
  std::string synchronize() override {
    return say(call.synchronize(), "running the kernel");
  }

  std::string openLibrary();

private:
  /// "" or "launching the kernel: invalid argument (error 1)".
  std::string say(int status, const char *doing) const;
  std::string resolve(void *library, const std::string &path);

  Functions call;
  int device = 0;
  std::string name, version;
};

std::string LoadedDriver::say(int status, const char *doing) const {
  if (status == 0)
    return "";
  const char *text = nullptr;
  if (call.errorText(status, &text) != 0 || !text)
    text = "an error that the driver cannot name";
  return std::string(doing) + ": " + text + " (error " +
         std::to_string(status) + " of " + toString(api()) + ")";
}

std::string LoadedDriver::resolve(void *library, const std::string &path) {
  for (const FunctionRow &row : kFunctions) {
    const char *symbol = api() == GpuApi::Cuda ? row.cuda : row.hip;
    void *found = dlsym(library, symbol);
    if (!found)
      return path + " has no function " + symbol +
             ": the driver is older than what this program knows";
    std::memcpy(reinterpret_cast<char *>(&call) + row.offset, &found,
                sizeof(found));
  }
  return "";
}

std::string LoadedDriver::openLibrary() {
  const ApiRow &row = rowOf(api());
  std::vector<std::string> paths(row.libraries.begin(), row.libraries.end());
  if (const char *path = std::getenv(row.variable))
    paths = {path};
  std::string tried;
  for (const std::string &path : paths) {
    if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return resolve(library, path);
    const char *why = dlerror();
    tried += "\n  " + std::string(why ? why : path.c_str());
  }
  return std::string("no driver of ") + row.name + " can be opened:" + tried +
         "\n  " + row.variable + " may name another library";
}

std::string LoadedDriver::start(int index) {
  std::string wrong = openLibrary();
  if (wrong.empty())
    wrong = say(call.init(0), "starting the driver");
  int count = 0;
  if (wrong.empty())
    wrong = say(call.deviceCount(&count), "counting the devices");
  if (!wrong.empty())
    return wrong;
  if (index < 0 || index >= count)
    return "there is no device " + std::to_string(index) + ": the driver of " +
           toString(api()) + " sees " + std::to_string(count) +
           (count == 1 ? " device" : " devices");
  void *context = nullptr;
  char text[256] = "";
  int number = 0;
  wrong = say(call.deviceGet(&device, index), "opening the device");
  if (wrong.empty())
    wrong = say(call.contextRetain(&context, device), "opening the device");
  if (wrong.empty())
    wrong = say(call.contextSet(context), "opening the device");
  if (wrong.empty())
    wrong = say(call.deviceName(text, sizeof(text) - 1, device),
                "naming the device");
  if (wrong.empty())
    wrong = say(call.driverVersion(&number), "asking for the version");
  name = text;
  // 13020 is 13.2 of CUDA; HIP writes 60342134 for 6.3.42134.
  version = api() == GpuApi::Cuda
                ? std::to_string(number / 1000) + "." +
                      std::to_string(number % 1000 / 10)
                : std::to_string(number / 10000000) + "." +
                      std::to_string(number % 10000000 / 100000);
  return wrong;
}

std::optional<int64_t> LoadedDriver::number(GpuNumber number) const {
  static_assert(std::size(kNumbers) ==
                size_t(GpuNumber::WallClockKilohertz) + 1);
  int attribute = kNumbers[size_t(number)][size_t(api())];
  int value = 0;
  if (attribute < 0 || call.deviceAttribute(&value, attribute, device) != 0)
    return std::nullopt;
  return value;
}

std::string LoadedDriver::memory(uint64_t &freeBytes, uint64_t &totalBytes) {
  size_t free = 0, total = 0;
  int status = call.memoryInfo(&free, &total);
  freeBytes = free;
  totalBytes = total;
  return say(status, "asking for the memory");
}

std::string LoadedDriver::load(const std::string &bytes, GpuModule &module) {
  // PTX is translated here; what is wrong with it stands in the log alone.
  std::string log(8192, '\0');
  int options[] = {kErrorLogBuffer, kErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  unsigned count = api() == GpuApi::Cuda ? 2 : 0;
  int status =
      call.moduleLoad(&module.handle, bytes.c_str(), count, options, values);
  std::string wrong = say(status, "loading the kernel");
  if (size_t length = std::strlen(log.c_str()); !wrong.empty() && length)
    wrong += ": " + log.substr(0, length);
  return wrong;
}

std::string LoadedDriver::find(GpuModule module, const std::string &name,
                               GpuFunction &function) {
  return say(call.moduleFunction(&function.handle, module.handle, name.c_str()),
             ("looking for the kernel '" + name + "'").c_str());
}

std::string LoadedDriver::allowWorkgroupMemory(GpuFunction function,
                                               int64_t bytes) {
  // HIP gives a kernel all that there is.
  if (bytes <= kUsualWorkgroupBytes || api() == GpuApi::Hip)
    return "";
  return say(
      call.functionSet(function.handle, kMaxDynamicWorkgroupBytes, int(bytes)),
      ("asking for " + std::to_string(bytes) + " bytes of workgroup memory")
          .c_str());
}

std::string LoadedDriver::launch(GpuFunction function, const Launch &launch) {
  auto extent = [](int64_t value) { return unsigned(value); };
  std::vector<void *> arguments = launch.arguments;
  return say(call.launch(function.handle, extent(launch.grid[0]),
                         extent(launch.grid[1]), extent(launch.grid[2]),
                         extent(launch.block[0]), extent(launch.block[1]),
                         extent(launch.block[2]),
                         extent(launch.dynamicWorkgroupBytes), nullptr,
                         arguments.data(), nullptr),
             "launching the kernel");
}

} // namespace

const char *toString(GpuApi api) { return rowOf(api).name; }

std::unique_ptr<GpuDriver> GpuDriver::open(GpuApi api, int device,
                                           std::string &wrong) {
  auto driver = std::make_unique<LoadedDriver>(api);
  wrong = driver->start(device);
  if (!wrong.empty())
    return nullptr;
  return driver;
}

} // namespace swizzle
