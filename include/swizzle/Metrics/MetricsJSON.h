//===- MetricsJSON.h - Metrics as JSON --------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One spelling of metrics wherever they are written, without LLVM. A level
// called l2 is told by `l2_bytes`, `l2_hit_rate` and `l2_logical_hit_rate`:
//
//   {"origin": "measured", "device": "device 0", "levels": ["l2"],
//    "l2_hit_rate": 0.75, "time_us": 12.5, ...}
//
// Files that were written before levels were a list have no `levels`; they
// speak of l1, l2 and llc. Rates of these three are always written, null if
// unknown.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_METRICS_METRICSJSON_H
#define SWIZZLE_METRICS_METRICSJSON_H

#include "swizzle/Metrics/Metrics.h"
#include <nlohmann/json_fwd.hpp>

namespace swizzle {

/// The metrics as one JSON object on one line.
std::string writeMetrics(const Metrics &metrics);

/// Reads what `writeMetrics` writes; other keys are left alone. Returns what is
/// wrong, field first, and "" if nothing is.
std::string readMetrics(std::string_view text, Metrics &metrics);

/// The same for trees.
nlohmann::ordered_json metricsToTree(const Metrics &metrics);
std::string readMetrics(const nlohmann::json &tree, Metrics &metrics);

} // namespace swizzle

#endif // SWIZZLE_METRICS_METRICSJSON_H
