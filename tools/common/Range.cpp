//===- Range.cpp - Numbers that options may have --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Range.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace swizzle {

Error checkEmpty(int argc, char **argv, ArrayRef<StringRef> mayBeEmpty) {
  for (StringRef word : ArrayRef(argv, argc).drop_front()) {
    if (word == "--")
      break;
    StringRef name = word.ltrim('-');
    if (word.starts_with("-") && name.consume_back("=") && !name.empty() &&
        !name.contains('=') && !is_contained(mayBeEmpty, name))
      return createStringError(word + " wants a value");
  }
  return Error::success();
}

Error checkRanges(ArrayRef<OptionRange> ranges) {
  for (const OptionRange &range : ranges) {
    // Not so if the value is no number.
    if (range.value >= range.least && range.value <= range.most)
      continue;
    std::string text;
    raw_string_ostream os(text);
    os << "--" << range.option << " must be a number from "
       << format("%.10g", range.least);
    if (range.most < OptionRange().most)
      os << " to " << format("%.10g", range.most);
    os << ", not " << format("%.10g", range.value);
    return createStringError(text);
  }
  return Error::success();
}

} // namespace swizzle
