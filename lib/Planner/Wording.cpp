//===- Wording.cpp - Figures as a reason tells them -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Wording.h.
//
//===----------------------------------------------------------------------===//

#include "Wording.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace swizzle::planner {

namespace {

constexpr int kMostDigits = 4;

std::string withDigits(double value, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, value);
  return text;
}

/// Both with as few digits as tell them apart.
std::pair<std::string, std::string> apart(double a, double b) {
  int digits = 1;
  while (digits < kMostDigits && a != b &&
         withDigits(a, digits) == withDigits(b, digits))
    ++digits;
  return {withDigits(a, digits), withDigits(b, digits)};
}

} // namespace

std::string fromTo(double before, double after) {
  auto [from, to] = apart(before, after);
  return from + " -> " + to;
}

std::string gainBelow(double enough, double gain) {
  return apart(100 * enough, 100 * gain).second + "%";
}

} // namespace swizzle::planner
