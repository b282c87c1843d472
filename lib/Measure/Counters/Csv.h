//===- Csv.h - Tables as profilers print them -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_COUNTERS_CSV_H
#define SWIZZLE_LIB_MEASURE_COUNTERS_CSV_H

#include <string>
#include <string_view>
#include <vector>

namespace swizzle::measuring {

/// The cells of one line; a quoted cell may hold commas and, doubled, quotes.
std::vector<std::string> splitCsvLine(std::string_view line);

/// Reads "12,494,539,008", "33.46" or "1.5e+03"; false for what is no number.
bool readCsvNumber(const std::string &cell, double &number);

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_COUNTERS_CSV_H
