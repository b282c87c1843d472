//===- EvaluateLowered.h - Lowered operations, one by one -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lowered operations compute, without any IR: the oracle of the tests of
// lowering.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_FORMULA_LOWERING_EVALUATELOWERED_H
#define SWIZZLE_UNITTESTS_FORMULA_LOWERING_EVALUATELOWERED_H

#include "swizzle/Formula/Lowering/Lowering.h"

namespace swizzle {

/// The new id of workgroup `id` of `grid`.
WorkgroupId evaluate(const LoweredFormula &lowered, WorkgroupId id,
                     const Grid &grid);

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_FORMULA_LOWERING_EVALUATELOWERED_H
