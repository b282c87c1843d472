//===- BlockLoops.cpp - Loops of blocks -----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A natural loop with one exit, which is tested in each turn, is a loop that
// goes on while that exit is not taken. Others are read as if all exits but one
// were never taken, so that no turn is left out: the one whose test tells that
// it is taken first. Of a test of several conditions, one of them is enough:
//
//   br (select %found, true, %isLast), ^exit, ^loop
//
// If none tells it, a few turns stand for all, whatever the tests say.
// That all of it is done is assumed; and of what the loop computed, nothing is
// known behind it.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "BlockReader.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace swizzle::analysis {

/// Tests of a loop that are asked how often it goes on.
static constexpr size_t kMaxTests = 4;
/// Turns that are believed of a loop that may be left early: there, limits are
/// often as large as numbers get.
static constexpr int64_t kMaxTurns = int64_t(1) << 20;

/// True if `test` ends in the test of a loop, which is made in each turn.
bool KernelReader::BlockReader::isTest(const CFGLoop &blocks,
                                       Block *test) const {
  SmallVector<Block *> latches;
  blocks.getLoopLatches(latches);
  Operation *end = test->getTerminator();
  // It may stand in a loop within this one.
  return loops.getLoopFor(test) == &blocks && isa<LLVM::CondBrOp>(end) &&
         blocks.contains(end->getSuccessor(0)) !=
             blocks.contains(end->getSuccessor(1)) &&
         llvm::all_of(latches, [&](Block *latch) {
           return dominance.dominates(test, latch);
         });
}

/// The successor by which `test` leaves its loop.
static unsigned wayOut(const CFGLoop &blocks, Block *test) {
  return blocks.contains(test->getTerminator()->getSuccessor(0)) ? 1 : 0;
}

/// Conditions all of which hold where `condition` does, or fail where it
/// fails.
static SmallVector<Value> partsOf(Value condition, bool fails) {
  Operation *op = condition.getDefiningOp();
  auto select = dyn_cast_or_null<LLVM::SelectOp>(op);
  if (select &&
      matchPattern(fails ? select.getTrueValue() : select.getFalseValue(),
                   fails ? m_One() : m_Zero()))
    return {fails ? select.getFalseValue() : select.getTrueValue(),
            select.getCondition()};
  if (fails ? isa_and_nonnull<LLVM::OrOp>(op)
            : isa_and_nonnull<LLVM::AndOp>(op))
    return {op->getOperand(0), op->getOperand(1)};
  return {};
}

/// True unless `condition` rests on memory, as far as a few steps tell.
static bool mayBeKnown(Value condition, unsigned depth = 4) {
  Operation *op = condition.getDefiningOp();
  if (!op || depth == 0)
    return true;
  if (isa<LLVM::LoadOp, LLVM::FCmpOp, LLVM::CallOp, LLVM::AtomicRMWOp,
          LLVM::AtomicCmpXchgOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return mayBeKnown(operand, depth - 1);
  });
}

/// True if `condition`, or a part of it, may be known.
static bool mayTell(Value condition, bool fails, unsigned depth = 8) {
  if (mayBeKnown(condition))
    return true;
  return depth > 0 && llvm::any_of(partsOf(condition, fails), [&](Value part) {
           return mayTell(part, fails, depth - 1);
         });
}

/// Whether a loop goes on whose test is `condition`, or its opposite; null if
/// that is not known. With `atMost`, what is known of it: it goes on at most
/// while that holds.
CasesRef KernelReader::BlockReader::goesOn(Value condition, bool opposite,
                                           bool atMost, unsigned depth) {
  constexpr unsigned deepest = 8;
  CasesRef known = reader.scalar(condition);
  if (known)
    return opposite ? reader.scalars.compare(Comparison::Equal, known,
                                             reader.scalars.constant(0))
                    : known;
  SmallVector<Value> parts = atMost && depth < deepest
                                 ? partsOf(condition, opposite)
                                 : SmallVector<Value>();
  std::string why = reader.scalars.reason;
  for (Value part : parts)
    if (CasesRef goOn = goesOn(part, opposite, atMost, depth + 1))
      return goOn;
  return reader.scalars.fail(why);
}

/// Hands the loop to `read`, as one that goes on while `test` says so, or, if
/// that is all that is known, `atMost` while a part of it does.
void KernelReader::BlockReader::asWhile(
    const Edge &entry, const CFGLoop &blocks, Block *test, bool atMost,
    llvm::function_ref<void(const WhileLoop &)> read) {
  Block *header = entry.block;
  Operation *end = test->getTerminator();
  unsigned leave = wayOut(blocks, test);
  WhileLoop loop;
  loop.key = end;
  loop.mostTrips = atMost ? kMaxTurns : kUnbounded;
  loop.inits = entry.values;
  loop.inits.resize(header->getNumArguments(),
                    AbstractValue::unknown("of unread code"));
  llvm::append_range(loop.arguments, header->getArguments());
  auto before = [&]() -> CasesRef {
    // The arguments of the header are bound already.
    if (test != header) {
      AbstractValues arguments;
      for (Value argument : header->getArguments())
        arguments.push_back(reader.get(argument));
      AbstractValues values = walk({header, arguments}, test, header);
      bind({test, values});
    }
    reader.readBody(*test);
    return goesOn(end->getOperand(0), leave == 0, atMost);
  };
  auto after = [&] { return walk(edgeTo(end, 1 - leave), header); };
  loop.before = before;
  loop.after = after;
  open(loop, header, blocks, [&] { read(loop); });
}

/// Lets `read` read a loop of blocks, and tell which turn it is at.
void KernelReader::BlockReader::open(WhileLoop &loop, Block *header,
                                     const CFGLoop &blocks,
                                     llvm::function_ref<void()> read) {
  Turns turns;
  SmallVector<Block *> latches;
  blocks.getLoopLatches(latches);
  turns.latches.insert(latches.begin(), latches.end());
  turns.blocks.insert(blocks.block_begin(), blocks.block_end());
  loop.turn = &turns.turn;
  Turns *around = std::exchange(reader.openLoops[header], &turns);
  read();
  reader.openLoops[header] = around;
}

/// Why a loop without a test in each turn is not counted.
static const char *whyUncounted(const CFGLoop &blocks) {
  SmallVector<Block *> exiting;
  blocks.getExitingBlocks(exiting);
  return exiting.empty()       ? "a loop of blocks that never ends"
         : exiting.size() == 1 ? "a loop of blocks that is not tested in each "
                                 "turn"
                               : "a loop of blocks with several exits";
}

KernelReader::BlockReader::Edge
KernelReader::BlockReader::readLoop(const Edge &entry, const CFGLoop &blocks,
                                    bool alone) {
  Block *header = entry.block, *test = blocks.getExitingBlock();
  if (blocks.getNumBlocks() == 1 && asExchangeLoop(header)) {
    // One atomic update, however often it is tried.
    bind(entry);
    reader.readBody(*header);
    Operation *end = header->getTerminator();
    return edgeTo(end, end->getSuccessor(0) == header ? 1 : 0);
  }
  bool isTested = test && isTest(blocks, test);
  std::string why =
      isTested ? "a loop whose trip count is not affine" : whyUncounted(blocks);
  if (isTested) {
    bool isRead = false;
    asWhile(entry, blocks, test, /*atMost=*/false, [&](const WhileLoop &loop) {
      isRead = reader.readCounted(loop, why);
    });
    if (isRead) {
      // What is computed behind the test belongs to no turn any more.
      for (Block *block : blocks.getBlocks())
        if (!dominance.dominates(block, test))
          forget(*block);
      return edgeTo(test->getTerminator(), wayOut(blocks, test));
    }
  }
  // Of one test without parts, nothing more is to be learned.
  bool anyTells = !isTested || !partsOf(test->getTerminator()->getOperand(0),
                                        wayOut(blocks, test) == 0)
                                    .empty();
  {
    // Which of the turns are done, nobody knows.
    llvm::SaveAndRestore decided(reader.isByData, false);
    reader.assumeDone(why, [&] { readStaying(entry, blocks, why, anyTells); });
  }
  return readExits(blocks, why, alone);
}

/// Puts `tests` first that end the loop first.
void KernelReader::BlockReader::sortByTurns(const Edge &entry,
                                            const CFGLoop &blocks,
                                            SmallVectorImpl<Block *> &tests) {
  if (tests.size() < 2)
    return;
  // A loop within others is read again and again.
  SmallVector<Block *> &known = reader.exitOrder[entry.block];
  if (known.size() == tests.size()) {
    tests.assign(known.begin(), known.end());
    return;
  }
  SmallVector<std::pair<int64_t, size_t>, kMaxTests> turns;
  for (size_t i = 0; i < tests.size(); ++i)
    asWhile(entry, blocks, tests[i], /*atMost=*/true,
            [&](const WhileLoop &loop) {
              turns.push_back({reader.mostTurnsOf(loop), i});
            });
  llvm::sort(turns); // of equal ones, the order stays
  SmallVector<Block *> sorted;
  for (auto [most, place] : turns)
    sorted.push_back(tests[place]);
  tests.assign(sorted.begin(), sorted.end());
  reader.exitOrder[entry.block] = std::move(sorted);
}

/// Reads a loop as if it were left by one exit at most; without one that tells
/// when, a few turns.
void KernelReader::BlockReader::readStaying(const Edge &entry,
                                            const CFGLoop &blocks,
                                            const std::string &why,
                                            bool anyTells) {
  LoopPaths paths(blocks);
  llvm::SaveAndRestore<const LoopPaths *> stay(staying, &paths);
  SmallVector<Block *> tests;
  if (anyTells)
    blocks.getExitingBlocks(tests);
  llvm::erase_if(tests, [&](Block *test) {
    return !isTest(blocks, test) ||
           !mayTell(test->getTerminator()->getOperand(0),
                    wayOut(blocks, test) == 0);
  });
  tests.truncate(std::min(tests.size(), kMaxTests));
  sortByTurns(entry, blocks, tests);
  for (Block *test : tests) {
    bool isRead = false;
    asWhile(entry, blocks, test, /*atMost=*/true, [&](const WhileLoop &loop) {
      std::string other;
      isRead = reader.readCounted(loop, other);
    });
    if (isRead)
      return;
  }
  auto readAnyTurn = [&] {
    walk({entry.block, unknownArguments(entry.block, why)}, entry.block,
         entry.block);
  };
  // Nothing is known behind the loop: where nothing else counts, one turn that
  // may be any is enough.
  if (reader.sizes.anyWay || reader.isTried || reader.isListed)
    return readAnyTurn();
  {
    llvm::SaveAndRestore listed(reader.isListedLater, true);
    readTurns(entry, blocks);
  }
  // A few turns are no proof of what others do: each access of any turn is
  // listed. A loop around this one does that for both.
  if (reader.isListedLater)
    return;
  llvm::SaveAndRestore listed(reader.isListed, true);
  reader.unmodelled(why, readAnyTurn);
}

/// Reads a few turns of a loop, whatever its tests say.
void KernelReader::BlockReader::readTurns(const Edge &entry,
                                          const CFGLoop &blocks) {
  Block *header = entry.block;
  WhileLoop loop;
  loop.key = header->getTerminator();
  loop.inits = entry.values;
  loop.inits.resize(header->getNumArguments(),
                    AbstractValue::unknown("of unread code"));
  llvm::append_range(loop.arguments, header->getArguments());
  auto before = [&] { return reader.scalars.constant(1); };
  auto after = [&] {
    AbstractValues arguments;
    for (Value argument : header->getArguments())
      arguments.push_back(reader.get(argument));
    return walk({header, arguments}, header, header);
  };
  loop.before = before;
  loop.after = after;
  open(loop, header, blocks, [&] { reader.readTurns(loop); });
}

/// True if nothing but data decides whether a loop is left at `test`, in its
/// first turn, say.
bool KernelReader::BlockReader::isLeftByData(const CFGLoop &blocks,
                                             Block *test) const {
  return reader.mayBeByData() && isTest(blocks, test) &&
         isDecidedByData(reader, test->getTerminator()->getOperand(0),
                         /*fails=*/wayOut(blocks, test) == 1,
                         /*knownIsGuard=*/false, loops);
}

/// Reads what is done behind a loop that may be left early, for `why`, up to
/// where all its exits meet, unless it is read `alone`.
KernelReader::BlockReader::Edge
KernelReader::BlockReader::readExits(const CFGLoop &blocks,
                                     const std::string &why, bool alone) {
  // Before what the loop computed is forgotten.
  llvm::DenseSet<Block *> byData;
  for (Block *block : blocks.getBlocks())
    if (isLeftByData(blocks, block))
      byData.insert(block);
  // By which exit it was left, and in which turn, is not known. What does not
  // depend on that is computed once more: what was known on one way through the
  // loop need not hold on another.
  for (Block *block : blocks.getBlocks()) {
    for (Value argument : block->getArguments())
      reader.set(argument, AbstractValue::unknown(why));
    for (Operation &op : *block)
      if (!isa<LLVM::ConstantOp>(op))
        reader.setUnknown(&op, why);
  }
  llvm::DenseSet<Value> same;
  reader.dryRun([&] {
    for (Block *block : blocks.getBlocks())
      for (Operation &op : block->without_terminator())
        if (isPure(&op) && llvm::all_of(op.getOperands(), [&](Value operand) {
              return !blocks.contains(operand.getParentBlock()) ||
                     same.contains(operand);
            })) {
          reader.readOperation(&op);
          same.insert(op.result_begin(), op.result_end());
        }
  });
  SmallVector<Edge> exits;
  Block *end = nullptr;
  for (Block *block : blocks.getBlocks()) {
    Operation *leave = block->getTerminator();
    for (unsigned way : waysOf(leave)) {
      Block *exit = leave->getSuccessor(way);
      if (blocks.contains(exit))
        continue;
      end = exits.empty() ? exit : meet(end, exit);
      exits.push_back(edgeTo(leave, way));
      exits.back().byData = byData.contains(block);
    }
  }
  if (exits.empty() || alone) // it never ends, or what follows is read anyway
    return {};
  Edge result{end, {}};
  // Edges to one block: what they all bring is known there.
  llvm::MapVector<Block *, AbstractValues> targets;
  llvm::DenseMap<Block *, bool> decided;
  for (Edge &exit : exits) {
    auto [known, isNew] = targets.try_emplace(exit.block, exit.values);
    if (!isNew)
      known->second = reader.join(nullptr, known->second, exit.values);
    decided[exit.block] |= exit.byData;
  }
  SmallVector<Edge> starts;
  for (auto &[block, values] : targets)
    starts.push_back({block, values, decided.lookup(block)});
  if (starts.size() == 1)
    return starts.front();
  reader.assumeDone(
      why,
      [&] { result.values = readAll(starts, end, blocks.getParentLoop()); },
      /*ways=*/true);
  return result;
}

} // namespace swizzle::analysis
