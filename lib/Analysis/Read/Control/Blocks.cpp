//===- Blocks.cpp - Branches between blocks -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recovers structure from blocks and branches, as lowering left them: all sides
// of a conditional branch or a switch are read up to the block where they meet
// (the nearest common postdominator), and a natural loop with one exit is a
// loop that goes on while its exit is not taken.
//
//   ^a: cond_br %c, ^b, ^d        if c: read b
//   ^b: br ^d                     read d
//
// A loop with several exits is read as if all but one were never taken, which
// only makes it longer: one that is tested in each turn, and tells how often it
// is not taken, or else a single turn. That all of it is done is assumed. The
// same goes for a test of several conditions, of which one tells that:
//
//   br (select %found, true, %isLast), ^exit, ^loop
//
//===----------------------------------------------------------------------===//

#include "../KernelReader.h"
#include "LoopPaths.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Support/SaveAndRestore.h"

#include <functional>

using namespace mlir;

namespace swizzle::analysis {

static constexpr const char *kSeveralExits =
    "a loop of blocks with several exits";
/// Of a loop, that are asked how often it goes on.
static constexpr unsigned kMaxTests = 4;

namespace {
/// A branch to `block` with values for its arguments.
struct Edge {
  Block *block = nullptr;
  AbstractValues values;
};
} // namespace

class KernelReader::BlockReader {
public:
  BlockReader(KernelReader &reader, Region &region)
      : reader(reader), dominance(region.getParentOp()),
        postDominance(region.getParentOp()),
        loops(dominance.getDomTree(&region)), region(region) {}

  /// Reads the whole region; what it returns.
  AbstractValues run() {
    llvm::ReversePostOrderTraversal<Region *> order(&region);
    if (llvm::containsIrreducibleCFG<Block *>(order, loops))
      return giveUp("blocks that form a loop with two entries",
                    &region.front());
    return walk({&region.front(), {}}, nullptr);
  }

private:
  void bind(const Edge &edge) {
    if (edge.block == &region.front()) // bound by whoever calls
      return;
    for (auto [index, argument] : llvm::enumerate(edge.block->getArguments()))
      reader.set(argument, index < edge.values.size()
                               ? edge.values[index]
                               : AbstractValue::unknown("of unread code"));
  }

  Edge edgeTo(Operation *branch, unsigned successor) {
    Edge edge;
    edge.block = branch->getSuccessor(successor);
    SuccessorOperands operands =
        cast<BranchOpInterface>(branch).getSuccessorOperands(successor);
    for (unsigned i = 0; i < operands.size(); ++i) {
      Value value = operands[i];
      edge.values.push_back(
          value ? reader.get(value)
                : AbstractValue::unknown("a value that a branch produces"));
    }
    return edge;
  }

  /// Forgets what an earlier call found of the values that `block` defines.
  void forget(Block &block) {
    for (Value argument : block.getArguments())
      reader.values.erase(argument);
    for (Operation &op : block)
      for (Value result : op.getResults())
        reader.values.erase(result);
  }

  /// Reads everything but what was read on the way to `at` as not modelled.
  /// What was read keeps its values: they must not rest on what holds here
  /// only.
  AbstractValues giveUp(const std::string &why, Block *at) {
    SmallVector<Block *> left;
    for (Block &block : region)
      if (&block != &region.front() &&
          (&block == at || !dominance.dominates(&block, at)))
        left.push_back(&block);
    reader.unmodelled(why, [&] {
      for (Block *block : left)
        forget(*block);
      if (at == &region.front())
        reader.readBody(*at);
      for (Block *block : left)
        reader.readBody(*block);
    });
    return {};
  }

  /// Reads from `edge` on up to `stop`; the values on the edge into `stop`, or
  /// what is returned if that comes first.
  AbstractValues walk(Edge edge, Block *stop, Block *insideLoop = nullptr) {
    // Forks, loops and calls nest, and each level takes stack.
    if (++reader.nesting > kMaxNesting)
      reader.work = reader.kMaxWork;
    AbstractValues values = walkBlocks(std::move(edge), stop, insideLoop);
    --reader.nesting;
    return values;
  }

  AbstractValues walkBlocks(Edge edge, Block *stop, Block *insideLoop) {
    while (edge.block != stop || (insideLoop && edge.block == insideLoop)) {
      Block *block = edge.block;
      if (reader.work >= reader.kMaxWork)
        return {};
      if (block != insideLoop && loops.isLoopHeader(block)) {
        edge = readLoop(edge, *loops.getLoopFor(block));
        if (!edge.block)
          return edge.values;
        continue;
      }
      insideLoop = nullptr;
      bind(edge);
      reader.readBody(*block);
      Operation *end = block->getTerminator();
      if (!reader.spendWork(end))
        return {};
      SmallVector<unsigned> ways = waysOf(end);
      if (ways.empty())
        return reader.yielded(end);
      if (ways.size() == 1) {
        edge = edgeTo(end, ways.front());
        continue;
      }
      if (!isa<LLVM::CondBrOp, LLVM::SwitchOp>(end))
        return giveUp("a branch of an unknown kind", block);
      edge = readFork(end, ways);
      if (!edge.block)
        return edge.values;
    }
    return edge.values;
  }

  /// The successors of a block that are followed: those that stay in the loop
  /// that is not left.
  SmallVector<unsigned> waysOf(Operation *end) const {
    SmallVector<unsigned> ways;
    for (unsigned way = 0; way < end->getNumSuccessors(); ++way)
      if (!staying || staying->contains(end->getSuccessor(way)))
        ways.push_back(way);
    return ways;
  }

  /// Where the ways from two blocks meet; null: nowhere.
  Block *meet(Block *a, Block *b) const {
    if (a == b || !a || !b)
      return a && b ? a : nullptr;
    return staying ? staying->meet(a, b)
                   : postDominance.findNearestCommonDominator(a, b);
  }

  /// Reads the ways of a branch or a switch, one after the other.
  Edge readFork(Operation *end, ArrayRef<unsigned> ways) {
    Edge result{end->getSuccessor(ways.front()), {}};
    for (unsigned way : ways.drop_front())
      result.block = meet(result.block, end->getSuccessor(way));
    auto side = [&](unsigned way) {
      return walk(edgeTo(end, way), result.block);
    };
    Scalars &scalars = reader.scalars;
    CasesRef value = reader.scalar(end->getOperand(0));
    SmallVector<int64_t> cases;
    auto choice = dyn_cast<LLVM::SwitchOp>(end);
    if (choice && choice.getCaseValues())
      for (const APInt &number : choice.getCaseValues()->getValues<APInt>()) {
        if (!numberOf(number))
          value = scalars.fail("a case beyond 2^60");
        cases.push_back(numberOf(number).value_or(0));
      }
    // Each is read inside of the one before it.
    constexpr size_t mostCases = 1024;
    if (cases.size() > mostCases)
      value = scalars.fail("a switch of more than 1024 cases");
    if (ways.size() != end->getNumSuccessors())
      value = scalars.fail(kSeveralExits);
    // A branch, or comparisons and branches.
    reader.issue(choice ? 2.0 * cases.size() : 1);
    if (!value) {
      reader.assumeDone("a condition is not affine: " + scalars.reason, [&] {
        result.values = side(ways.front());
        for (unsigned way : ways.drop_front())
          result.values = reader.join(nullptr, result.values, side(way));
      });
      return result;
    }
    std::function<AbstractValues(unsigned)> from = [&](unsigned index) {
      if (index == cases.size())
        return side(0);
      return reader.guarded(
          scalars.compare(Comparison::Equal, value,
                          scalars.constant(cases[index])),
          [&] { return side(index + 1); }, [&] { return from(index + 1); });
    };
    result.values =
        choice ? from(0)
               : reader.guarded(
                     value, [&] { return side(0); }, [&] { return side(1); });
    return result;
  }

  /// True if `test` ends in the test of a loop, which is made in each turn.
  bool isTest(const CFGLoop &blocks, Block *test) {
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

  /// Whether a loop goes on whose test is `condition`, or its opposite; null if
  /// that is not known. With `atMost`, what is known of it: it goes on at most
  /// while that holds.
  CasesRef goesOn(Value condition, bool opposite, bool atMost,
                  unsigned depth = 0) {
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

  /// Hands the loop to `read`, as one that goes on while `test` says so, or, if
  /// that is all that is known, `atMost` while a part of it does.
  void asWhile(const Edge &entry, const CFGLoop &blocks, Block *test,
               bool atMost, llvm::function_ref<void(const WhileLoop &)> read) {
    Block *header = entry.block;
    Operation *end = test->getTerminator();
    unsigned leave = wayOut(blocks, test);
    WhileLoop loop;
    loop.key = end;
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
    read(loop);
  }

  /// Reads a loop; the edge that leaves it.
  Edge readLoop(const Edge &entry, const CFGLoop &blocks) {
    Block *header = entry.block, *test = blocks.getExitingBlock();
    if (blocks.getNumBlocks() == 1 && asExchangeLoop(header)) {
      // One atomic update, however often it is tried.
      bind(entry);
      reader.readBody(*header);
      Operation *end = header->getTerminator();
      return edgeTo(end, end->getSuccessor(0) == header ? 1 : 0);
    }
    if (!test || !isTest(blocks, test)) {
      reader.assumeDone(kSeveralExits,
                        [&] { readStaying(entry, blocks, kSeveralExits); });
      return readExits(blocks, kSeveralExits);
    }
    std::string why = "a loop whose trip count is not affine";
    bool isRead = false;
    asWhile(entry, blocks, test, /*atMost=*/false, [&](const WhileLoop &loop) {
      isRead = reader.readCounted(loop, why);
    });
    if (isRead)
      return edgeTo(test->getTerminator(), wayOut(blocks, test));
    reader.assumeDone(why, [&] {
      Operation *end = test->getTerminator();
      bool hasParts =
          !partsOf(end->getOperand(0), wayOut(blocks, test) == 0).empty();
      readStaying(entry, blocks, why, hasParts);
    });
    return readExits(blocks, why);
  }

  /// Reads a loop as if it were left by one exit at most, in a part of its test
  /// that tells when; else, or if there is none, a single turn.
  void readStaying(const Edge &entry, const CFGLoop &blocks,
                   const std::string &why, bool mayTell = true) {
    LoopPaths paths(blocks);
    llvm::SaveAndRestore<const LoopPaths *> stay(staying, &paths);
    SmallVector<Block *> tests;
    if (mayTell)
      blocks.getExitingBlocks(tests);
    llvm::erase_if(tests, [&](Block *test) { return !isTest(blocks, test); });
    tests.truncate(std::min<size_t>(tests.size(), kMaxTests));
    bool isRead = false;
    for (Block *test : tests) {
      asWhile(entry, blocks, test, /*atMost=*/true, [&](const WhileLoop &loop) {
        std::string other;
        isRead = reader.readCounted(loop, other);
      });
      if (isRead)
        return;
    }
    walk({entry.block, unknownArguments(*entry.block, why)}, entry.block,
         entry.block);
  }

  static AbstractValues unknownArguments(Block &block, const std::string &why) {
    return AbstractValues(block.getNumArguments(), AbstractValue::unknown(why));
  }

  /// Reads what is done behind a loop that may be left early, for `why`, up to
  /// where all its exits meet.
  Edge readExits(const CFGLoop &blocks, const std::string &why) {
    // By which exit it was left, and in which turn, is not known.
    for (Block *block : blocks.getBlocks()) {
      for (Value argument : block->getArguments())
        reader.set(argument, AbstractValue::unknown(why));
      for (Operation &op : *block)
        if (!isa<LLVM::ConstantOp>(op))
          reader.setUnknown(&op, why);
    }
    SmallVector<CFGLoop::Edge> exits;
    blocks.getExitEdges(exits);
    if (staying)
      llvm::erase_if(exits, [&](const CFGLoop::Edge &exit) {
        return !staying->contains(exit.second);
      });
    if (exits.empty()) // it never ends
      return {};
    Block *end = exits.front().second;
    for (const CFGLoop::Edge &exit : exits)
      end = meet(end, exit.second);
    if (exits.size() == 1) {
      Operation *test = exits.front().first->getTerminator();
      for (unsigned way = 0; way < test->getNumSuccessors(); ++way)
        if (test->getSuccessor(way) == end)
          return edgeTo(test, way);
    }
    llvm::SetVector<Block *> targets;
    for (const CFGLoop::Edge &exit : exits)
      targets.insert(exit.second);
    reader.assumeDone(why, [&] {
      for (Block *target : targets)
        if (target != end)
          walk({target, unknownArguments(*target, why)}, end);
    });
    return end ? Edge{end, unknownArguments(*end, why)} : Edge();
  }

  static constexpr unsigned kMaxNesting = 400;
  KernelReader &reader;
  DominanceInfo dominance;
  PostDominanceInfo postDominance;
  CFGLoopInfo loops;
  Region &region;
  const LoopPaths *staying = nullptr; ///< of the loop that is not left
};

AbstractValues KernelReader::readFunction(Region &region) {
  if (region.hasOneBlock()) {
    readBody(region.front());
    return yielded(region.front().getTerminator());
  }
  return BlockReader(*this, region).run();
}

} // namespace swizzle::analysis
