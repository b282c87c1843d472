//===- ProbeDispatch.cpp - Where workgroups run ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVIDIA's kernel is PTX, which the driver translates for any of its GPUs.
// AMD's is a code object for each target: the one that the driver takes is run.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Probe/ProbeDispatch.h"

#include "swizzle/Support/PlainJson.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace swizzle {

namespace {

/// out[2 b] = unit, out[2 b + 1] = time at which workgroup b began. It ends 20
/// microseconds later, so that one unit does not serve several in a row while
/// others wait for their first.
constexpr char kProbe[] = R"ptx(
.version 6.0
.target sm_50
.address_size 64
.visible .entry probe(.param .u64 out) {
  .reg .u32 %r<4>;
  .reg .u64 %d<8>;
  .reg .pred %p<2>;
  mov.u64 %d1, %globaltimer;
  mov.u32 %r1, %smid;
  mov.u32 %r2, %ctaid.x;
  add.u64 %d5, %d1, 20000;
wait:
  mov.u64 %d6, %globaltimer;
  setp.lt.u64 %p1, %d6, %d5;
  @%p1 bra wait;
  ld.param.u64 %d2, [out];
  cvta.to.global.u64 %d2, %d2;
  mul.wide.u32 %d3, %r2, 16;
  add.u64 %d2, %d2, %d3;
  cvt.u64.u32 %d4, %r1;
  st.global.u64 [%d2], %d4;
  st.global.u64 [%d2+8], %d1;
  ret;
}
)ptx";

struct AmdKernel {
  const char *target, *name, *base64;
};
constexpr AmdKernel kAmdKernels[] = {
#include "AmdProbe.inc"
};

std::string decodeBase64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "abcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0, count = 0;
  for (char letter : text) {
    size_t digit = digits.find(letter);
    if (digit == digits.npos)
      break; // what fills the last group up
    bits = (bits << 6 | uint32_t(digit)) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += char(bits >> count & 0xff);
    }
  }
  return bytes;
}

/// Loads the kernel; what is wrong, or "".
std::string loadKernel(GpuDriver &driver, GpuFunction &function) {
  GpuModule module;
  if (driver.api() == GpuApi::Cuda) {
    std::string wrong = driver.load(kProbe, module);
    return wrong.empty() ? driver.find(module, "probe", function) : wrong;
  }
  std::string targets, wrong;
  for (const AmdKernel &kernel : kAmdKernels) {
    wrong = driver.load(decodeBase64(kernel.base64), module);
    if (wrong.empty())
      return driver.find(module, kernel.name, function);
    targets += std::string(targets.empty() ? "" : ", ") + kernel.target;
  }
  return "the probing kernel exists for " + targets +
         ", and the driver takes none of them: " + wrong;
}

/// Runs the kernel, and copies what it wrote: two numbers for each workgroup.
std::string runKernel(GpuDriver &driver, GpuFunction function,
                      std::vector<int64_t> &told) {
  GpuPointer out = 0;
  uint64_t bytes = told.size() * sizeof(int64_t);
  std::string wrong = driver.allocate(bytes, out);
  if (!wrong.empty())
    return wrong;
  GpuDriver::Launch launch;
  launch.grid[0] = int64_t(told.size() / 2);
  launch.block[0] = driver.number(GpuNumber::Lanes).value_or(32);
  launch.arguments = {&out};
  // The first launch loads the kernel; the second one is looked at.
  for (int run = 0; run < 2 && wrong.empty(); ++run) {
    wrong = driver.launch(function, launch);
    if (wrong.empty())
      wrong = driver.synchronize();
  }
  if (wrong.empty())
    wrong = driver.copyOut(told.data(), out, bytes);
  std::string freed = driver.release(out);
  return wrong.empty() ? freed : wrong;
}

/// Nanoseconds of a tick of what the kernel reads of the time.
double tickOf(const GpuDriver &driver) {
  if (driver.api() == GpuApi::Cuda)
    return 1;
  // 100 MHz on all targets above.
  auto kilohertz = driver.number(GpuNumber::WallClockKilohertz);
  return 1e6 / double(kilohertz && *kilohertz > 0 ? *kilohertz : 100000);
}

} // namespace

std::string probeDispatch(GpuDriver &driver, int64_t workgroups,
                          DispatchTrace &trace) {
  GpuFunction function;
  std::string wrong = loadKernel(driver, function);
  if (!wrong.empty())
    return wrong;
  std::vector<int64_t> told(size_t(workgroups) * 2);
  if (wrong = runKernel(driver, function, told); !wrong.empty())
    return wrong;
  int64_t first = told.empty() ? 0 : told[1];
  for (size_t i = 0; i < told.size(); i += 2)
    first = std::min(first, told[i + 1]);
  double tick = tickOf(driver);
  trace.starts.clear();
  for (size_t i = 0; i < told.size(); i += 2)
    trace.starts.push_back({told[i] >> 32, told[i] & 0xffffffff,
                            int64_t(double(told[i + 1] - first) * tick)});
  return "";
}

std::string writeDispatch(const GpuDriver &driver, const DispatchTrace &trace) {
  nlohmann::ordered_json tree = {{"schema", "swizzle-dispatch/1"},
                                 {"device", driver.deviceName()}};
  const auto &starts = trace.starts;
  if (std::any_of(starts.begin(), starts.end(),
                  [](const WorkgroupStart &start) { return start.die != 0; }))
    for (const WorkgroupStart &start : starts)
      tree["die"].push_back(start.die);
  for (const WorkgroupStart &start : starts) {
    tree["unit"].push_back(start.unit);
    tree["start_ns"].push_back(start.nanoseconds);
  }
  return plain::printLine(tree) + "\n";
}

} // namespace swizzle
