//===- PrintCheck.h - What a check found ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a check, for people and for programs.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_CHECK_PRINTCHECK_H
#define SWIZZLE_TOOLS_SWIZZLE_CHECK_PRINTCHECK_H

#include "swizzle/Codegen/Host/CompareModel.h"

namespace swizzle {

/// The formula that a variant was compared by, and who named it.
struct CheckedFormula {
  std::string text, source;
};

/// To standard output. `tolerance` is that of floating-point atomics.
void printCheck(const CheckResult &result, const CheckedFormula &formula,
                double tolerance, bool json);

/// To standard output.
void printComparison(const ModelComparison &result, uint64_t seed, bool json);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_CHECK_PRINTCHECK_H
