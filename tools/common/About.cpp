//===- About.cpp - What every tool says of itself -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of chips has one row for each: name, compiler target, what it is.
//
//===----------------------------------------------------------------------===//

#include "About.h"

#include "swizzle/Hardware/Database.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace swizzle {

void printChips(raw_ostream &os) {
  for (const std::string &name : swizzle::listChips()) {
    Expected<HardwareSpec> chip = findChip(name);
    if (!chip) {
      os << name << ": " << toString(chip.takeError()) << '\n';
      continue;
    }
    os << formatv("{0,-12} {1,-8} {2}{3}\n", chip->name, chip->target,
                  chip->description,
                  chip->defaultForTarget ? " (stands for its target)" : "");
  }
}

About::About(const char *tool, cl::OptionCategory &category)
    : listChips("list-chips",
                cl::desc("lists the chips that --chip takes, and ends"),
                cl::cat(category), cl::cb<void, bool>([](bool) {
                  printChips(outs());
                  std::exit(0);
                })) {
  cl::SetVersionPrinter([tool](raw_ostream &os) {
    os << tool << ' ' << SWIZZLE_VERSION << "\nLLVM " << LLVM_VERSION_STRING
       << '\n';
  });
}

} // namespace swizzle
