//===- Worker.h - Measures a group of variants ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What runs in a process of its own: the original and some variants, compared
// and then timed in turns.
//
//   load and compare   original, v1, v2
//   time               original v1 v2 | original v1 v2 | ... | original
//   compare again      with other numbers
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_RUN_WORKER_H
#define SWIZZLE_LIB_MEASURE_RUN_WORKER_H

#include "Process/Messages.h"

#include "swizzle/Bundle/Job.h"
#include "swizzle/Measure/Device/GpuDriver.h"

#include <functional>

namespace swizzle::measuring {

/// One variant with its file read.
struct LoadedVariant {
  const JobVariant *variant = nullptr;
  std::string bytes;
};

struct GroupRequest {
  const Job &job;
  /// The original first.
  std::vector<LoadedVariant> variants;
  GpuApi api = GpuApi::Cuda;
  int device = 0;
  /// Runs each variant once, for a profiler that watches from outside.
  bool once = false;
  /// The device whose figures those of this group are put beside; another one
  /// measures nothing. Empty: any.
  std::string deviceName = {};
};

/// Measures; everything that is to say goes to `tell`. False if the device is
/// in a state in which nothing more can be run by this process.
bool measureGroup(const GroupRequest &request,
                  const std::function<void(const Message &)> &tell);

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_RUN_WORKER_H
