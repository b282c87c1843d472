//===- Measurements.h - Measured rows, and their models ------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads `benchmarks/accuracy/*.json`: what was measured on a device, for which
// kernel of Models.h in which order.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_SIMULATION_MEASUREMENTS_H
#define SWIZZLE_UNITTESTS_SIMULATION_MEASUREMENTS_H

#include "Models.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace swizzle::models {

/// One measured launch.
struct Measurement {
  std::string name;    ///< "gemm_fp16 8192x8192x4096, rows in groups 16"
  bool fitted = false; ///< the constants of the chip were fitted to this row
  KernelModel model;
  Order order;
  std::optional<double> dramReadBytes, dramWriteBytes, l2HitRate, l1HitRate;
  std::optional<double> timeUs;
};

struct MeasuredChip {
  std::string chip;
  /// Read lazily: `row` builds model and order, which can be large.
  size_t rows = 0;
};

/// Number of rows in `path`, and the chip that they were measured on.
llvm::Expected<MeasuredChip> readMeasurements(llvm::StringRef path);

/// Row `index` of `path`.
llvm::Expected<Measurement> readMeasurement(llvm::StringRef path, size_t index);

} // namespace swizzle::models

#endif // SWIZZLE_UNITTESTS_SIMULATION_MEASUREMENTS_H
