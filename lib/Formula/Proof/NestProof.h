//===- NestProof.h - Proof for grids that are not enumerated ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the prover asks the recogniser of loop nests.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_PROOF_NESTPROOF_H
#define SWIZZLE_LIB_FORMULA_PROOF_NESTPROOF_H

#include "swizzle/Formula/Proof/Proof.h"

namespace swizzle::formula {

/// Proves a formula on a grid that is unknown or has more than `maxIds` ids:
/// legal if its text is a loop nest over the grid, else refused with
/// "not-a-nest" (extents unknown) or "too-many-ids".
Verdict proveNest(const Formula &formula, const Environment &environment,
                  int64_t maxIds);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_PROOF_NESTPROOF_H
