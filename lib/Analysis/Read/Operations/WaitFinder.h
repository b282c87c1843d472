//===- WaitFinder.h - Looks for loops that wait, in one function -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both halves of the search: what the conditions of a loop are made of
// (WaitingLoop.cpp), and whether what the loop carries may stand still
// (StandingStill.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_WAITFINDER_H
#define SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_WAITFINDER_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace swizzle::analysis {

using mlir::Block;
using mlir::BlockArgument;
using mlir::CFGLoop;
using mlir::Operation;
using mlir::Value;

/// What a pointer leads back to: a value, or the symbol of a global.
using Root = const void *;

using CarriedValues = llvm::SmallSetVector<Value, 8>;
using Choices = llvm::SmallSetVector<Value, 8>;
using Chosen = llvm::SmallDenseMap<Value, bool>;

/// What the condition of a loop is made of.
struct Sources {
  llvm::SmallVector<Operation *> loads; ///< of memory that others may write
  llvm::SmallVector<Value> outside;     ///< from before the loop
  CarriedValues carried;                ///< from one iteration to the next
};

class WaitFinder {
public:
  WaitFinder(mlir::FunctionOpInterface function, bool isKernel,
             const llvm::DenseSet<Operation *> &writing);

  Operation *run();

private:
  Operation *findIn(CFGLoop &loop);
  Operation *findBefore(llvm::ArrayRef<Value> conditions);
  Operation *findHoisted(llvm::ArrayRef<Value> conditions, CFGLoop &loop);
  Sources sourcesOf(llvm::ArrayRef<Value> conditions, CFGLoop &loop);
  bool isFixed(Value value, const CFGLoop &loop, unsigned depth = 0);
  bool isLimit(Operation *load, CFGLoop &loop);
  using Writers = llvm::DenseMap<Root, llvm::SmallVector<Block *, 2>>;
  static bool isWritten(Value root, const Writers &writers,
                        llvm::function_ref<bool(Block *)> isMeant);
  bool mayBeWritten(Operation *load, CFGLoop *loop) const;
  void addSources(Value value, const CFGLoop *loop,
                  llvm::SmallVector<Value> &work);
  void addBranches(Block *block, CFGLoop &loop, Choices &choices);
  void addChoices(Value from, CFGLoop &loop, Choices &choices,
                  llvm::SmallPtrSetImpl<void *> &seen);
  bool isLoaded(Value value, CFGLoop &loop);
  bool isHoistedPoll(Value value, CFGLoop &loop);
  bool mayBeZero(Value value, const Chosen &chosen, CFGLoop &loop);
  bool isBarred(Block *from, unsigned index, const Chosen &chosen);
  bool stays(Value value, Value carried, const Chosen &chosen, CFGLoop &loop,
             unsigned depth);
  bool staysWithin(Operation *op, Value carried, const Chosen &chosen,
                   CFGLoop &loop, unsigned depth);
  bool staysAcross(BlockArgument argument, Value carried, const Chosen &chosen,
                   CFGLoop &loop, unsigned depth);
  bool standsStill(const CarriedValues &values, const Choices &choices,
                   CFGLoop &loop);
  llvm::SmallVector<Value> choicesOf(CFGLoop &loop);

  mlir::Region &body;
  bool isKernel;
  const llvm::DenseSet<Operation *> &writing;
  mlir::DominanceInfo dominance;
  Writers writers;        ///< by what may be written
  Writers certainWriters; ///< by what is written, and nothing else is
  llvm::SmallSetVector<Value, 8> allWritten; ///< addresses, all of them
  llvm::SmallVector<Block *> writersOfAny;
  llvm::SmallVector<Block *> writersOfUnknown; ///< of nobody knows what
  /// What is stored to memory of the workgroup's own.
  llvm::SmallVector<std::pair<Block *, Value>> kept;
  llvm::SmallVector<Operation *> copies;   ///< what fills it from other memory
  llvm::SmallVector<BlockArgument> inside; ///< what is looked at now
  unsigned stepsLeft = 0; ///< of telling whether something stands still
  llvm::DenseMap<Value, bool> fixed; ///< of the loop that is looked at
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_WAITFINDER_H
