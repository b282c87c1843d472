//===- BlockReader.h - Structure from blocks and branches -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the blocks of one function: forks up to where their ways meet
// (Blocks.cpp), and loops as a whole (BlockLoops.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_CONTROL_BLOCKREADER_H
#define SWIZZLE_LIB_ANALYSIS_READ_CONTROL_BLOCKREADER_H

#include "../KernelReader.h"
#include "LoopPaths.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

namespace swizzle::analysis {

class KernelReader::BlockReader {
public:
  BlockReader(KernelReader &reader, mlir::Region &region);

  /// Reads the whole region; what it returns.
  AbstractValues run();

private:
  /// A branch to `block` with values for its arguments.
  struct Edge {
    mlir::Block *block = nullptr;
    AbstractValues values;
    bool byData = false; ///< data alone decides whether it is taken
  };
  using Ways = llvm::SmallVector<unsigned>;
  using BlockSet = llvm::SetVector<mlir::Block *>;

  //===--- Blocks.cpp -----------------------------------------------------===//
  void bind(const Edge &edge);
  Edge edgeTo(mlir::Operation *branch, unsigned successor);
  void forget(mlir::Block &block);
  AbstractValues giveUp(const std::string &why, mlir::Block *at);
  /// Reads from `edge` on up to `stop`; the values on the edge into `stop`, or
  /// what is returned if that comes first.
  AbstractValues walk(Edge edge, mlir::Block *stop,
                      mlir::Block *insideLoop = nullptr);
  AbstractValues walkBlocks(Edge edge, mlir::Block *stop,
                            mlir::Block *insideLoop);
  /// The successors of a block that are followed: those that stay in the loop
  /// that is not left.
  Ways waysOf(mlir::Operation *end) const;
  /// Where the ways from two blocks meet; null: nowhere.
  mlir::Block *meet(mlir::Block *a, mlir::Block *b) const;
  /// Reads the ways of a branch or a switch, one after the other.
  Edge readFork(mlir::Operation *end, llvm::ArrayRef<unsigned> ways);
  AbstractValues readAnyWay(mlir::Operation *end, llvm::ArrayRef<unsigned> ways,
                            mlir::Block *stop, bool knownIsGuard,
                            const std::string &why);
  /// Reads the ways from `starts` up to `stop` with all of them done. What two
  /// of them have in common is read once.
  AbstractValues readAll(llvm::ArrayRef<Edge> starts, mlir::Block *stop,
                         const mlir::CFGLoop *around);
  AbstractValues readOnce(llvm::ArrayRef<Edge> starts, mlir::Block *stop,
                          std::vector<mlir::Block *> blocks,
                          const mlir::CFGLoop *around);
  /// Adds what is reached from `start` before `stop`, going round no loop.
  void reach(mlir::Block *start, mlir::Block *stop, BlockSet &reached) const;
  /// True if more is done between `start` and `stop` than addresses and the like
  /// are computed. Sets `hasLoop` if there is one.
  bool works(mlir::Block *start, mlir::Block *stop, bool &hasLoop) const;
  static AbstractValues unknownArguments(mlir::Block *block,
                                         const std::string &why);

  //===--- BlockLoops.cpp -------------------------------------------------===//
  bool isTest(const mlir::CFGLoop &blocks, mlir::Block *test) const;
  bool isLeftByData(const mlir::CFGLoop &blocks, mlir::Block *test) const;
  CasesRef goesOn(mlir::Value condition, bool opposite, bool atMost,
                  unsigned depth = 0);
  void asWhile(const Edge &entry, const mlir::CFGLoop &blocks,
               mlir::Block *test, bool atMost,
               llvm::function_ref<void(const WhileLoop &)> read);
  /// Reads a loop; the edge that leaves it. `alone`: without what is behind its
  /// exits, where it may be left early.
  Edge readLoop(const Edge &entry, const mlir::CFGLoop &blocks,
                bool alone = false);
  void sortByTurns(const Edge &entry, const mlir::CFGLoop &blocks,
                   llvm::SmallVectorImpl<mlir::Block *> &tests);
  void readStaying(const Edge &entry, const mlir::CFGLoop &blocks,
                   const std::string &why, bool anyTells);
  void readTurns(const Edge &entry, const mlir::CFGLoop &blocks);
  void open(WhileLoop &loop, mlir::Block *header, const mlir::CFGLoop &blocks,
            llvm::function_ref<void()> read);
  Edge readExits(const mlir::CFGLoop &blocks, const std::string &why,
                 bool alone);

  KernelReader &reader;
  mlir::DominanceInfo dominance;
  mlir::PostDominanceInfo postDominance;
  mlir::CFGLoopInfo loops;
  mlir::Region &region;
  llvm::DenseMap<mlir::Block *, unsigned> order; ///< before what they lead to
  const LoopPaths *staying = nullptr; ///< of the loop that is not left
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_CONTROL_BLOCKREADER_H
