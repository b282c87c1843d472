//===- Printer.h - A formula as canonical text ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of the printer that messages use too.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_PRINTER_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_PRINTER_H

#include "swizzle/Formula/Formula.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle::formula {

/// One expression, in the form of `Formula::print`.
void printExpr(const FormulaAST &ast, ExprId root, llvm::raw_ostream &os);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_PRINTER_H
