//===- Output.h - What swizzle-formula found, in words ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verdict on one formula as text and as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_FORMULA_OUTPUT_H
#define SWIZZLE_TOOLS_SWIZZLE_FORMULA_OUTPUT_H

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

namespace swizzle {

struct Report {
  std::string label; ///< what the formula is called: a file, `@name`
  std::optional<Formula> formula;
  bool printed = false;    ///< the formula itself was asked for
  Environment environment; ///< params: those of the verdict
  bool judged = false;
  Verdict verdict;
  std::optional<TemplateReport> combinations; ///< of a template
  bool wantsPermutation = false;     ///< it takes four bytes a workgroup
  std::vector<uint32_t> permutation; ///< if wanted, legal and enumerated
  std::optional<std::pair<WorkgroupId, WorkgroupId>> evaluated;
  bool withTable = false;

  /// 0 legal, 1 illegal, 2 unusable.
  int exitStatus() const;
};

/// Proves `formula` in `report.environment`: one combination, or each of those
/// that the environment leaves open.
llvm::Error judge(const Formula &formula, const ProofOptions &options,
                  Report &report);

/// Says that `option` wants a permutation, and that there is none.
llvm::Error needsKnownGrid(llvm::StringRef option);

/// Draws a legal report's permutation.
llvm::Error drawReport(const Report &report, llvm::StringRef path);

/// As JSON on standard output, or for people on `os`.
void printReport(const Report &report, bool json, llvm::raw_ostream &os);
void printUnusable(llvm::StringRef message, bool json);
/// Returns the exit status.
int printCatalogue(bool json);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_FORMULA_OUTPUT_H
