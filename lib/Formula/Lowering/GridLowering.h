//===- GridLowering.h - Lowering on a known grid -------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From an enumerated graph to operations. See GridLowering.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_LOWERING_GRIDLOWERING_H
#define SWIZZLE_LIB_FORMULA_LOWERING_GRIDLOWERING_H

#include "Eval/Enumerate.h"
#include "swizzle/Formula/Lowering/Lowering.h"

namespace swizzle::formula {

/// Lowers an enumerated graph whose results are defined for every workgroup.
LoweredFormula lowerOnGrid(const BoundFormula::Program &graph,
                           llvm::ArrayRef<NodeFacts> facts,
                           const LoweringOptions &options);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_LOWERING_GRIDLOWERING_H
