//===- CountedLoop.cpp - A loop of the model ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose iterations are counted, with what its counter is known to be.
//
//===----------------------------------------------------------------------===//

#include "../KernelReader.h"

#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

namespace swizzle::analysis {

void KernelReader::emitLoop(const std::vector<AffineForm> &trips,
                            llvm::function_ref<void(const CasesRef &)> body) {
  int64_t most = kUnbounded, least = kUnbounded;
  for (const AffineForm &trip : trips) {
    Interval interval = domain.range(trip);
    most = std::min(most, interval.high);
    least = std::min(least, interval.low);
  }
  if (most <= 0)
    return;
  if (least == 1 && most == 1)
    return body(scalars.constant(0));
  Loop loop;
  // i, j, k, ... by depth.
  std::string letter(1, char('i' + std::min(loopDepth, 15u)));
  loop.counter = domain.addCounter(letter, most);
  loop.tripCounts = trips;
  {
    llvm::SaveAndRestore depth(loopDepth, loopDepth + 1);
    Domain::Scope scope(domain);
    for (const AffineForm &trip : trips)
      domain.assume(
          {trip - makeVariable(loop.counter) - makeConstant(1), false});
    inBody(loop.body,
           IssueCounter::CountedLoop{loop.counter, least == most ? most : 0},
           [&] { body(scalars.leaf(makeVariable(loop.counter))); });
  }
  if (!loop.body.empty())
    emit({std::move(loop)});
}

} // namespace swizzle::analysis
