//===- FormulaText.h - Formulas taken apart as text -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner makes formulas of others by their text, as `Formula::print`
// writes it: one statement a line, the last of which returns.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_ORDERS_FORMULATEXT_H
#define SWIZZLE_LIB_PLANNER_ORDERS_FORMULATEXT_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace swizzle::planner {

struct FormulaText {
  std::string before;               ///< all lines but the last
  std::vector<std::string> results; ///< what the last one returns
};

FormulaText splitReturn(llvm::StringRef text);

/// `text` with other names for names.
std::string renamed(llvm::StringRef text,
                    const std::map<std::string, std::string> &names);

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_ORDERS_FORMULATEXT_H
