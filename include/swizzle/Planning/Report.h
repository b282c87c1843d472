//===- Report.h - The JSON report of a run ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schema `swizzle-report/1`: what was decided about each kernel, and what the
// simulator says of it.
//
//   std::string text = printReport({planned}, "blake3:1f...");
//   text    {"schema": "swizzle-report/1", "kernels": [{"name": "gemm",
//            "outcome": "remapped", "formula": "return gx - 1 - x, y", ...}]}
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNING_REPORT_H
#define SWIZZLE_PLANNING_REPORT_H

#include "swizzle/Planning/Decision.h"
#include "llvm/ADT/ArrayRef.h"

namespace swizzle {

/// The report as JSON text, indented, ending in a newline. `inputHash` names
/// the input: "blake3:<hex>" of its printed text.
std::string printReport(llvm::ArrayRef<PlannedKernel> kernels,
                        llvm::StringRef inputHash);

} // namespace swizzle

#endif // SWIZZLE_PLANNING_REPORT_H
