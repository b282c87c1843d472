//===- Executor.cpp - A program for a range of ids, or for one ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In blocks, in the width that the program's ranges allow.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

namespace swizzle::formula {

namespace {

template <typename T, typename Out>
FaultAt runBlocks(const BoundFormula::Program &program, int64_t first,
                  int64_t count, Out *out) {
  Executor<T> executor(program, unsigned(std::min<int64_t>(kBlock, count)));
  for (int64_t done = 0; done < count; done += kBlock) {
    unsigned n = unsigned(std::min<int64_t>(kBlock, count - done));
    FaultAt fault = executor.run(first + done, n);
    if (fault.id >= 0)
      return fault;
    const T *ids = executor.column(program.linear);
    std::copy(ids, ids + n, out + done);
  }
  return {};
}

template <typename T>
FaultAt runOne(const BoundFormula::Program &program, int64_t id,
               WorkgroupId &out) {
  Executor<T> executor(program, 1);
  FaultAt fault = executor.run(id, 1);
  if (fault.id < 0)
    out = {*executor.column(program.results[0]),
           *executor.column(program.results[1]),
           *executor.column(program.results[2])};
  return fault;
}

} // namespace

template <typename Out>
FaultAt runProgram(const BoundFormula::Program &program, int64_t first,
                   int64_t count, Out *out) {
  return program.narrow ? runBlocks<int32_t>(program, first, count, out)
                        : runBlocks<int64_t>(program, first, count, out);
}

template FaultAt runProgram(const BoundFormula::Program &, int64_t, int64_t,
                            int64_t *);
template FaultAt runProgram(const BoundFormula::Program &, int64_t, int64_t,
                            uint32_t *);

FaultAt runProgram(const BoundFormula::Program &program, int64_t id,
                   WorkgroupId &out) {
  return program.narrow ? runOne<int32_t>(program, id, out)
                        : runOne<int64_t>(program, id, out);
}

} // namespace swizzle::formula
