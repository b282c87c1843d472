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

#include "ExchangeLoop.h"
#include "KernelReader.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

#include <functional>

using namespace mlir;

namespace swizzle {

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
        postDominance(region.getParentOp()), region(region) {}

  /// Reads the whole region; what it returns.
  AbstractValues run() {
    if (!isReducible())
      return giveUp("blocks that form a loop with two entries",
                    &region.front());
    return walk({&region.front(), {}}, nullptr);
  }

private:
  bool dominates(Block *a, Block *b) { return dominance.dominates(a, b); }

  /// True if every way back leads to a block that all of the loop goes through.
  bool isReducible() {
    llvm::DenseMap<Block *, bool> open; ///< false: done
    SmallVector<std::pair<Block *, unsigned>> stack = {{&region.front(), 0}};
    open[&region.front()] = true;
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == block->getNumSuccessors()) {
        open[block] = false;
        stack.pop_back();
        continue;
      }
      Block *successor = block->getSuccessor(next++);
      auto [entry, fresh] = open.try_emplace(successor, true);
      if (fresh)
        stack.push_back({successor, 0});
      else if (entry->second && !dominates(successor, stack.back().first))
        return false;
    }
    return true;
  }

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

  /// The blocks of the loop with header `header`; empty if it is none.
  llvm::SetVector<Block *> loopOf(Block *header) {
    llvm::SetVector<Block *> blocks;
    SmallVector<Block *> work;
    for (Block *before : header->getPredecessors())
      if (dominates(header, before))
        work.push_back(before);
    if (work.empty())
      return blocks;
    blocks.insert(header);
    while (!work.empty()) {
      Block *block = work.pop_back_val();
      if (!blocks.insert(block))
        continue;
      for (Block *before : block->getPredecessors())
        work.push_back(before);
    }
    return blocks;
  }

  static bool isConditional(Operation *op) {
    return isa<LLVM::CondBrOp>(op);
  }

  /// Reads everything but what was read on the way to `at` as not modelled. What
  /// was read keeps its values: they must not rest on what holds here only.
  AbstractValues giveUp(const std::string &why, Block *at) {
    reader.unmodelled(why, [&] {
      for (Block &block : region)
        if (&block == at || !dominates(&block, at))
          reader.readBody(block);
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
      if (block != insideLoop) {
        llvm::SetVector<Block *> blocks = loopOf(block);
        if (!blocks.empty()) {
          std::optional<Edge> exit = readLoop(edge, blocks);
          if (!exit)
            return giveUp("a loop of blocks with several exits", block);
          edge = *exit;
          continue;
        }
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
      if (isConditional(end))
        edge = readFork(end);
      else if (isa<LLVM::SwitchOp>(end))
        edge = readSwitch(cast<LLVM::SwitchOp>(end));
      else
        return giveUp("a branch of an unknown kind", block);
      if (!edge.block)
        return edge.values;
    }
    return edge.values;
  }

  Edge readFork(Operation *end) {
    Block *first = end->getSuccessor(0), *second = end->getSuccessor(1);
    Block *meet = postDominance.findNearestCommonDominator(first, second);
    Edge yes = edgeTo(end, 0), no = edgeTo(end, 1);
    CasesRef condition = reader.scalar(end->getOperand(0));
    std::string why = reader.scalars.reason;
    Edge result;
    result.block = meet;
    auto side = [&](const Edge &edge) { return walk(edge, meet); };
    reader.issue(1);
    if (condition) {
      result.values = reader.guarded(
          condition, [&] { return side(yes); }, [&] { return side(no); });
    } else {
      reader.unmodelled("a condition is not affine: " + why, [&] {
        AbstractValues a = side(yes), b = side(no);
        for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
          result.values.push_back(reader.join(nullptr, a[i], b[i]));
      });
    }
    return result;
  }

  /// Reads the ways of a switch, one after the other.
  Edge readSwitch(LLVM::SwitchOp end) {
    Edge result;
    result.block = end.getDefaultDestination();
    SmallVector<int64_t> cases;
    bool narrow = true;
    if (auto numbers = end.getCaseValues())
      for (const APInt &number : numbers->getValues<APInt>()) {
        narrow &= number.getSignificantBits() <= 60;
        cases.push_back(!narrow ? 0
                        : number.getBitWidth() == 1
                            ? int64_t(number.getZExtValue())
                            : number.getSExtValue());
      }
    for (unsigned way = 1; way < end->getNumSuccessors() && result.block; ++way)
      result.block = postDominance.findNearestCommonDominator(
          result.block, end->getSuccessor(way));
    CasesRef value = reader.scalar(end.getValue());
    std::string why = reader.scalars.reason;
    auto side = [&](unsigned way) {
      return walk(edgeTo(end, way), result.block);
    };
    reader.issue(2.0 * cases.size()); // comparisons and branches
    if (!value || !narrow) {
      reader.unmodelled("a condition is not affine: " + why, [&] {
        for (unsigned way = 0; way < end->getNumSuccessors(); ++way) {
          AbstractValues values = side(way);
          for (auto [index, other] : llvm::enumerate(values))
            if (way == 0)
              result.values.push_back(other);
            else if (index < result.values.size())
              result.values[index] =
                  reader.join(nullptr, result.values[index], other);
        }
      });
      return result;
    }
    std::function<AbstractValues(unsigned)> from = [&](unsigned index) {
      if (index == cases.size())
        return side(0);
      CasesRef matches = reader.scalars.compare(
          Comparison::Equal, value, reader.scalars.constant(cases[index]));
      return reader.guarded(
          matches, [&] { return side(index + 1); },
          [&] { return from(index + 1); });
    };
    result.values = from(0);
    return result;
  }

  /// Reads a loop with one exit; the edge that leaves it.
  std::optional<Edge> readLoop(const Edge &entry,
                               const llvm::SetVector<Block *> &blocks) {
    Block *header = entry.block, *test = nullptr;
    if (blocks.size() == 1 && asExchangeLoop(header)) {
      // One atomic update, however often it is tried.
      bind(entry);
      reader.readBody(*header);
      return edgeTo(header->getTerminator(), 0);
    }
    for (Block *block : blocks)
      for (Block *successor : block->getSuccessors())
        if (!blocks.contains(successor)) {
          if (test)
            return std::nullopt;
          test = block;
        }
    if (!test || !isConditional(test->getTerminator()))
      return std::nullopt;
    for (Block *before : header->getPredecessors())
      if (blocks.contains(before) && !dominates(test, before))
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
  Region &region;
};

AbstractValues KernelReader::readFunction(Region &region) {
  if (region.hasOneBlock()) {
    readBody(region.front());
    return yielded(region.front().getTerminator());
  }
  return BlockReader(*this, region).run();
}

} // namespace swizzle
