//===- Finals.h - The top few, once more ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before one attempt is written out, the best few and the kernel as it is are
// measured once more, with `Fidelity::Confirm`. What is reported of them is
// that.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_SEARCH_FINALS_H
#define SWIZZLE_LIB_TUNING_SEARCH_FINALS_H

#include "Evaluator.h"
#include "History/Standings.h"

namespace swizzle::tuning {

/// Confirms at least `finalists` of `standings` (as far as that many may gain),
/// and whoever could be preferred to the best of them, until nobody can. Does
/// nothing where figures have no error that a closer look could lower, or where
/// nothing may gain. Returns why it was not done, with `standings` as before;
/// empty: it was, or there was nothing to do.
std::string playFinals(Standings &standings, Evaluator &evaluator,
                       const Metrics &baseline, size_t finalists);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_SEARCH_FINALS_H
