//===- Database.cpp - Chips by name ---------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The built-in chips are the files of `hardware/`, embedded by the build. They
// are read by the same reader as a user's file; a unit test checks that all
// of them pass.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/ChipJSON.h"
#include "swizzle/Hardware/Schema.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace swizzle {

namespace {

struct ChipFile {
  StringLiteral name;
  StringLiteral text;
};

constexpr ChipFile kChipFiles[] = {
#include "ChipFiles.inc"
};

/// What the files say, in their order. They are read once: kernels of a module
/// ask for chips again and again. None is wrong: a unit test reads each.
const std::vector<HardwareSpec> &builtInChips() {
  static const std::vector<HardwareSpec> chips = [] {
    std::vector<HardwareSpec> read;
    for (const ChipFile &file : kChipFiles)
      read.push_back(
          cantFail(parseChip(file.text, (file.name + ".json").str())));
    return read;
  }();
  return chips;
}

/// The target without what does not select a chip: features after a colon
/// ("gfx942:xnack-"), the letter of an NVIDIA feature set ("sm_90a").
StringRef baseTarget(StringRef target) {
  target = target.split(':').first;
  if (target.starts_with("sm_") && !target.empty() && isAlpha(target.back()))
    target = target.drop_back();
  return target;
}

} // namespace

std::vector<std::string> listChips() {
  std::vector<std::string> names;
  for (const ChipFile &file : kChipFiles)
    names.push_back(file.name.str());
  llvm::sort(names);
  return names;
}

Expected<HardwareSpec> findChip(StringRef name) {
  if (name.equals_insensitive("native"))
    return findNativeChip();
  for (auto [file, chip] : zip_equal(kChipFiles, builtInChips()))
    if (name.equals_insensitive(file.name))
      return chip;
  std::vector<std::string> candidates = listChips();
  std::string near = nearestSpelling(name.lower(), candidates);
  // The nearest spelling opens the list.
  if (!near.empty()) {
    auto it = find(candidates, near);
    std::rotate(candidates.begin(), it, it + 1);
  }
  return createStringError(
      "unknown chip \"" + name + "\"" +
      (near.empty() ? ". " : "; did you mean " + near + "? ") +
      "The chips are " + join(candidates, ", ") +
      ", and native for this machine's own");
}

Expected<HardwareSpec> parseChip(StringRef text, StringRef fileName) {
  HardwareSpec spec;
  if (std::string wrong = readHardware(text, spec); !wrong.empty())
    return createStringError(fileName + ": " + wrong);
  return spec;
}

Expected<HardwareSpec> readChipFile(StringRef path) {
  auto buffer = readWholeFile(path, kTextLimit);
  if (!buffer)
    return createStringError(
        Twine(path) + ": cannot be read: " + toString(buffer.takeError()));
  return parseChip((*buffer)->getBuffer(), path);
}

std::optional<HardwareSpec> findChipForTarget(StringRef target) {
  for (const HardwareSpec &chip : builtInChips())
    if (chip.defaultForTarget && chip.target == baseTarget(target))
      return chip;
  return std::nullopt;
}

Error makeNoChipError(StringRef user) {
  return createStringError(
      user +
      " needs to know the chip; give chip=NAME, hardware-file=PATH (of tools: "
      "--chip, --hardware-file), dlti attributes on the module, or a target on "
      "the gpu.module. The chips "
      "are " +
      join(listChips(), ", ") + ", and native for this machine's own");
}

} // namespace swizzle
