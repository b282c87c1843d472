//===- PolledMemory.h - What reads, fills and writes memory -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the search for loops that wait: which operations may poll global memory,
// what they leave in the workgroup's own, and who may write where.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_POLLEDMEMORY_H
#define SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_POLLEDMEMORY_H

#include "WaitFinder.h"

namespace swizzle::analysis {

/// What tells one memory from another: of a global its name.
Root keyOf(Value root);
bool isPointer(Value value);
/// The address that `op` reads from, if it is a plain read of global memory: by
/// a load, by many at once, or by a copy to where the workgroup looks later.
Value polledBy(Operation *op);
/// The handle of the texture or the surface that `op` accesses, a number; null
/// if it accesses none.
Value imageOf(Operation *op);
/// True if what `op` reads ends up in memory of the workgroup's own.
bool copiesHere(Operation *op);
/// True if `op` yields what is in memory of the workgroup's own.
bool looksHere(Operation *op);
/// True if what `copy` fills may be what `look` finds.
bool mayFill(Operation *copy, Operation *look);
/// Adds what branches pass to `argument`, those in `loop` alone if there is
/// one.
void addPassed(BlockArgument argument, const CFGLoop *loop,
               llvm::SmallVector<Value> &values);
/// What `pointer` may lead back to, by whatever chooses. `complete`: it leads
/// to nothing else.
llvm::SmallVector<Value> rootsOf(Value pointer, bool &complete);
/// The addresses that `op` may write to.
llvm::SmallVector<Value> writtenBy(Operation *op);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_POLLEDMEMORY_H
