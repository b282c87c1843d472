//===- ProveVariant.h - From a formula to a variant -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way to a variant: a formula is proved, and its order gets a name that
// is equal for equal permutations.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_PROVEVARIANT_H
#define SWIZZLE_TUNING_PROVEVARIANT_H

#include "swizzle/Profiling/Profiling.h"

namespace swizzle::tuning {

/// Key of the order in which the kernel is.
inline constexpr llvm::StringLiteral kIdentityKey("identity");

/// Proves `formula` with `environment.params` on `environment.grid`, and on
/// success fills in a variant whose order is named by its key. `modelGrid` is
/// what stands for a grid that is not known. Fails with a `Refusal` in
/// `refusal`.
std::optional<Variant> proveVariant(const Formula &formula,
                                    const Environment &environment,
                                    const Grid &modelGrid, Refusal &refusal);

} // namespace swizzle::tuning

#endif // SWIZZLE_TUNING_PROVEVARIANT_H
