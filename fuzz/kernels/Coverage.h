//===- Coverage.h - What of the analysis random kernels reach ---*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the kernels that contain an operation of each row of the table of
// operations, and those that are refused for each reason. What is never met is
// not tested by any number of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FUZZ_KERNELS_COVERAGE_H
#define SWIZZLE_FUZZ_KERNELS_COVERAGE_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>
#include <string>

namespace swizzle::fuzz {

class Coverage {
public:
  /// Lowers a clone of `kernel` and looks up what is in it.
  void add(mlir::FunctionOpInterface kernel);
  /// Counts one kernel that was refused with `code`.
  void add(const std::string &code) { ++refusals[code]; }
  void print(llvm::raw_ostream &os) const;
  /// Names of the table that no kernel had, in the table's order.
  std::vector<std::string> neverMet() const;

private:
  std::map<std::string, int64_t> rows; ///< kernels by pattern
  std::map<std::string, int64_t> refusals;
};

} // namespace swizzle::fuzz

#endif // SWIZZLE_FUZZ_KERNELS_COVERAGE_H
