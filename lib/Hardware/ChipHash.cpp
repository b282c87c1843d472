//===- ChipHash.cpp - Tells descriptions of chips apart -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ChipHash.h.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/ChipHash.h"

#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"
#include "swizzle/Support/Hash.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

static void add(std::string &text, const std::optional<FieldValue> &value) {
  if (!value)
    text += "-";
  else if (auto *count = std::get_if<int64_t>(&*value))
    text += std::to_string(*count);
  else if (auto *rate = std::get_if<double>(&*value))
    text += formatv("{0:E17}", *rate).str();
  else
    text += std::get<std::string>(*value);
  text += ",";
}

std::string hashOf(const HardwareSpec &hardware) {
  std::string text =
      hardware.name + ";" + hardware.vendor + ";" + hardware.target + ";";
  for (const ChipField &field : chipFields())
    if (levelOf(field).empty())
      add(text, getChipField(hardware, field));
  for (const CacheLevel &level : hardware.levels) {
    text += level.name + ":" + std::string(toString(level.scope)) + "," +
            std::string(toString(level.policy)) + ":";
    for (const ChipField &field : levelFields())
      add(text, getLevelField(level, field));
  }
  for (const auto &[name, value] : hardware.fitted)
    text += name + formatv("={0:E17},", value).str();
  for (int64_t unit : hardware.dispatchOrder)
    text += std::to_string(unit) + ",";
  return hashText(text);
}

std::string hashUnlessBuiltIn(const HardwareSpec &hardware) {
  std::string hash = hashOf(hardware);
  // `native` is no built-in chip; to look for it would ask the machine.
  if (!is_contained(listChips(), hardware.name))
    return hash;
  HardwareSpec builtIn = cantFail(findChip(hardware.name));
  builtIn.waveSize = hardware.waveSize;
  return hashOf(builtIn) == hash ? "" : hash;
}

} // namespace swizzle
