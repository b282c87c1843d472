//===- HistoryText.h - What is said about an attempt ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sentences that agents, reports and terminals show about what was found.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_HISTORY_HISTORYTEXT_H
#define SWIZZLE_LIB_TUNING_HISTORY_HISTORYTEXT_H

#include "Duplicates.h"

namespace swizzle::tuning {

/// "DRAM 4.2 -> 2.1 GB (-50.0 %), L2 hit 40.0 -> 71.2 %, time 900.0 -> 700.0 us
/// (-22.2 %), simulated": the figures that both have.
std::string describeChange(const Metrics &before, const Metrics &after);

/// "#3", or "the kernel as it is" for 0.
std::string nameAttempt(unsigned number);

/// "#3 with G=4", or "the kernel as it is".
std::string nameOrder(const KnownOrder &order);

/// "G=4, H=2"; empty if there is none.
std::string describeParams(const ParamValues &params);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_HISTORY_HISTORYTEXT_H
