//===- LoopReader.h - Reads one loop ----------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop as it is read: what goes from one iteration to the next (Carried.cpp),
// and how many there are (Loops.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_CONTROL_LOOPREADER_H
#define SWIZZLE_LIB_ANALYSIS_READ_CONTROL_LOOPREADER_H

#include "../KernelReader.h"

namespace swizzle::analysis {

struct KernelReader::LoopReader {
  LoopReader(KernelReader &reader, const WhileLoop &loop);

  bool readCounted(std::string &why);
  int64_t mostTurns();
  void readTurns();

private:
  //===--- Carried.cpp ----------------------------------------------------===//
  void bind(const AbstractValues &parts);
  AbstractValues next();
  AbstractValues
  changed(llvm::function_ref<CasesRef(size_t part, size_t lane)> change);
  bool isKnown(const Changes &known) const;
  void guess();
  Changes guessBelow(int64_t margin, bool &wraps);
  void findDelays();
  AbstractValues leftBy(const CasesRef &iteration, unsigned turnsBack);
  AbstractValues carried(const CasesRef &iteration, unsigned turnsBack);
  AbstractValues carried(const CasesRef &iteration) {
    return carried(iteration, delay);
  }
  bool confirm(const AbstractValues &expected, const AbstractValues &actual,
               Changes &kept);

  //===--- Loops.cpp ------------------------------------------------------===//
  CasesRef findTrips(std::string &why);
  CasesRef tripsBelow(int64_t most, std::string &why);
  int64_t iterationsBeforeWrap() const;
  bool readIterations(const CasesRef &trips);
  void tellTurn(const CasesRef &turn) {
    if (loop.turn)
      *loop.turn = turn;
  }

  KernelReader &reader;
  Scalars &scalars;
  const WhileLoop &loop;
  AbstractValues inits;     ///< in parts, as are all values below
  std::vector<bool> poison; ///< parts that may be poison in some iteration
  Changes changes;
  /// Turns that are read to know what one is left with (Carried.cpp).
  unsigned delay = 0;
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_CONTROL_LOOPREADER_H
