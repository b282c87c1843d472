//===- Catalogue.h - The families that libraries ship -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every known remap family and the compositions that libraries ship, one entry
// each: name, formula text, when it is a permutation, where it comes from.
// `formula=@name` takes one. A new family is one new entry.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_SYNTAX_CATALOGUE_H
#define SWIZZLE_FORMULA_SYNTAX_CATALOGUE_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

struct CatalogueEntry {
  std::string name;    ///< "xcd-balanced"
  std::string summary; ///< one line
  std::string text;    ///< the formula
  /// An expression over gx, gy, gz, hardware names and params; where it holds,
  /// the formula is a permutation. "1": always.
  std::string legalWhen;
  std::string source; ///< "F2; hipBLASLt WGMXCC"
};

/// All entries, in the order in which `swizzle-formula --list` prints them.
llvm::ArrayRef<CatalogueEntry> catalogue();

/// By name, with or without the leading `@`; the error lists near names.
llvm::Expected<const CatalogueEntry *> findFamily(llvm::StringRef name);

/// Reads a formula given as an option: `@name`, or text. With `path`, a file
/// (`-` is standard input).
llvm::Expected<Formula> readFormulaOption(llvm::StringRef text);
llvm::Expected<Formula> readFormulaFile(llvm::StringRef path);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_SYNTAX_CATALOGUE_H
