//===- Csv.cpp - Tables as profilers print them ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Csv.h"

#include <cstdlib>

namespace swizzle::measuring {

std::vector<std::string> splitCsvLine(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      cells.emplace_back();
    else if (line[i] != '\r')
      cells.back() += line[i];
  }
  return cells;
}

bool readCsvNumber(const std::string &cell, double &number) {
  std::string digits;
  for (char letter : cell)
    if (letter != ',')
      digits += letter;
  if (digits.empty())
    return false;
  char *end = nullptr;
  number = std::strtod(digits.c_str(), &end);
  return end == digits.c_str() + digits.size();
}

} // namespace swizzle::measuring
