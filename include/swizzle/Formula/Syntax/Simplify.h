//===- Simplify.h - Shorter formulas with the same meaning ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds constants, drops what does nothing, and names what is computed twice.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_SYNTAX_SIMPLIFY_H
#define SWIZZLE_FORMULA_SYNTAX_SIMPLIFY_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

/// A formula that, for every grid, chip and parameters, gives the same ids and
/// fails for the same workgroups (if two things are wrong with one workgroup,
/// the other one may be reported). Keeps params, requirements and the names of
/// intermediate values that are still used. A repeated expression that is not
/// behind a condition is computed once, as `t0`, `t1`, ...
Formula simplify(const Formula &formula);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_SYNTAX_SIMPLIFY_H
