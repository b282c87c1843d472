//===- ProbeDispatch.cpp - Where workgroups run ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is PTX, which the driver translates for any NVIDIA GPU. An AMD GPU would
// need a code object for its own target, which is not built yet: said, not skipped.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/ProbeDispatch.h"

#include "swizzle/Support/PlainJson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace swizzle {

namespace {

/// out[2 b] = unit, out[2 b + 1] = time at which workgroup b began. It ends
/// 20 microseconds later, so that one unit does not serve several in a row while
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

} // namespace

std::string probeDispatch(GpuDriver &driver, int64_t workgroups,
                          DispatchTrace &trace) {
  if (driver.api() != GpuApi::Cuda)
    return "the dispatch of AMD GPUs cannot be probed yet: the probing kernel "
           "exists as PTX alone";
  GpuModule module;
  GpuFunction function;
  GpuPointer out = 0;
  std::vector<int64_t> told(size_t(workgroups) * 2);
  uint64_t bytes = told.size() * sizeof(int64_t);
  std::string wrong = driver.load(kProbe, module);
  if (wrong.empty())
    wrong = driver.find(module, "probe", function);
  if (wrong.empty())
    wrong = driver.allocate(bytes, out);
  if (!wrong.empty())
    return wrong;
  GpuDriver::Launch launch;
  launch.grid[0] = workgroups;
  launch.block[0] = 32;
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
  if (!wrong.empty() || !freed.empty())
    return wrong.empty() ? freed : wrong;
  int64_t first = told.empty() ? 0 : told[1];
  for (size_t i = 0; i < told.size(); i += 2)
    first = std::min(first, told[i + 1]);
  trace.starts.clear();
  for (size_t i = 0; i < told.size(); i += 2)
    trace.starts.push_back({told[i], told[i + 1] - first});
  return "";
}

std::string writeDispatch(const GpuDriver &driver, const DispatchTrace &trace) {
  nlohmann::ordered_json tree = {{"schema", "swizzle-dispatch/1"},
                                 {"device", driver.deviceName()},
                                 {"unit", nlohmann::json::array()},
                                 {"start_ns", nlohmann::json::array()}};
  for (const WorkgroupStart &start : trace.starts) {
    tree["unit"].push_back(start.unit);
    tree["start_ns"].push_back(start.nanoseconds);
  }
  return plain::printLine(tree) + "\n";
}

} // namespace swizzle
