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
// loop that goes on while its exit is not taken. Anything else is not modelled.
//
//   ^a: cond_br %c, ^b, ^d        if c: read b
//   ^b: br ^d                     read d
//
//===----------------------------------------------------------------------===//

#include "../KernelReader.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"

#include <functional>

using namespace mlir;

namespace swizzle::analysis {

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
    while (edge.block != stop) {
      Block *block = edge.block;
      if (reader.work >= reader.kMaxWork)
        return {};
      if (block != insideLoop && loops.isLoopHeader(block)) {
        std::optional<Edge> exit = readLoop(edge, *loops.getLoopFor(block));
        if (!exit)
          return giveUp("a loop of blocks with several exits", block);
        edge = *exit;
        continue;
      }
      insideLoop = nullptr;
      bind(edge);
      reader.readBody(*block);
      Operation *end = block->getTerminator();
      if (!reader.spendWork(end))
        return {};
      if (end->getNumSuccessors() == 0)
        return reader.yielded(end);
      if (end->getNumSuccessors() == 1) {
        edge = edgeTo(end, 0);
        continue;
      }
      if (!isa<LLVM::CondBrOp, LLVM::SwitchOp>(end))
        return giveUp("a branch of an unknown kind", block);
      edge = readFork(end);
      if (!edge.block)
        return edge.values;
    }
    return edge.values;
  }

  /// Reads the ways of a branch or a switch, one after the other.
  Edge readFork(Operation *end) {
    Edge result{end->getSuccessor(0), {}};
    for (unsigned way = 1; way < end->getNumSuccessors() && result.block; ++way)
      result.block = postDominance.findNearestCommonDominator(
          result.block, end->getSuccessor(way));
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
    // A branch, or comparisons and branches.
    reader.issue(choice ? 2.0 * cases.size() : 1);
    if (!value) {
      reader.unmodelled("a condition is not affine: " + scalars.reason, [&] {
        result.values = side(0);
        for (unsigned way = 1; way < end->getNumSuccessors(); ++way)
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

  /// Reads a loop with one exit, which is tested once in each turn; the edge
  /// that leaves it.
  std::optional<Edge> readLoop(const Edge &entry, const CFGLoop &blocks) {
    Block *header = entry.block, *test = blocks.getExitingBlock();
    if (blocks.getNumBlocks() == 1 && asExchangeLoop(header)) {
      // One atomic update, however often it is tried.
      bind(entry);
      reader.readBody(*header);
      Operation *end = header->getTerminator();
      return edgeTo(end, end->getSuccessor(0) == header ? 1 : 0);
    }
    SmallVector<Block *> latches;
    blocks.getLoopLatches(latches);
    // The test may stand in a loop within this one.
    if (!test || !blocks.getExitBlock() || loops.getLoopFor(test) != &blocks ||
        !isa<LLVM::CondBrOp>(test->getTerminator()) ||
        !llvm::all_of(latches, [&](Block *latch) {
          return dominance.dominates(test, latch);
        }))
      return std::nullopt;
    Operation *end = test->getTerminator();
    unsigned leave = blocks.contains(end->getSuccessor(0)) ? 1 : 0;
    WhileLoop loop;
    loop.key = end;
    loop.inits = entry.values;
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
      CasesRef condition = reader.scalar(end->getOperand(0));
      if (leave == 1 || !condition)
        return condition;
      return reader.scalars.compare(Comparison::Equal, condition,
                                    reader.scalars.constant(0));
    };
    auto after = [&] { return walk(edgeTo(end, 1 - leave), header); };
    loop.before = before;
    loop.after = after;
    reader.readWhile(loop);
    return edgeTo(end, leave);
  }

  static constexpr unsigned kMaxNesting = 400;
  KernelReader &reader;
  DominanceInfo dominance;
  PostDominanceInfo postDominance;
  CFGLoopInfo loops;
  Region &region;
};

AbstractValues KernelReader::readFunction(Region &region) {
  if (region.hasOneBlock()) {
    readBody(region.front());
    return yielded(region.front().getTerminator());
  }
  return BlockReader(*this, region).run();
}

} // namespace swizzle::analysis
