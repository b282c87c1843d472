//===- FittedConstants.cpp - What was measured of a chip ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of constants as data, and the check of one. A misspelt name would
// leave the constant at what is usual without a word; it is refused.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/FittedConstants.h"

#include "swizzle/Hardware/Schema.h"

#include <cmath>
#include <cstdio>

namespace swizzle {

const std::vector<FittedConstant> &fittedConstants() {
  static const std::vector<FittedConstant> constants = {
#define SWIZZLE_FITTED(NAME, KIND, LEAST, MOST, NEUTRAL, MEANING)              \
  {#NAME, FieldKind::KIND == FieldKind::Count, LEAST, MOST, NEUTRAL, MEANING},
#include "swizzle/Hardware/FittedConstants.def"
  };
  return constants;
}

const FittedConstant *findFittedConstant(std::string_view key) {
  for (const FittedConstant &constant : fittedConstants())
    if (constant.key == key)
      return &constant;
  return nullptr;
}

static std::string shortest(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.12g", number);
  return text;
}

static std::string describeUnknown(const std::string &key) {
  std::vector<std::string> names;
  for (const FittedConstant &constant : fittedConstants())
    names.emplace_back(constant.key);
  if (std::string near = nearestSpelling(key, names); !near.empty())
    return "unknown constant; did you mean " + near + "?";
  std::string text = "unknown constant; the constants are ";
  for (const std::string &name : names)
    text += (&name == &names.front() ? "" : ", ") + name;
  return text;
}

std::string setFittedConstant(HardwareSpec &spec, const std::string &key,
                              std::optional<double> value,
                              const std::string &shown) {
  const FittedConstant *constant = findFittedConstant(key);
  if (!constant)
    return describeUnknown(key);
  // The negated form also catches a value that is not a number.
  if (!value || !(*value >= constant->least && *value <= constant->most) ||
      (constant->isCount && std::trunc(*value) != *value))
    return shown + " is not allowed; it must be " +
           (constant->isCount ? "an integer" : "a number") + " from " +
           shortest(constant->least) + " to " + shortest(constant->most) +
           " (" + std::string(constant->meaning) + ")";
  spec.fitted[key] = *value;
  return "";
}

} // namespace swizzle
