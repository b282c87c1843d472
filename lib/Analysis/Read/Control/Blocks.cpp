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
// (the nearest common postdominator).
//
//   ^a: cond_br %c, ^b, ^d        if c: read b
//   ^b: br ^d                     read d
//
// Of a condition of which nothing is known, all sides count as done. Blocks
// that several of them lead to are read once, then: what follows on a chain of
// `if (a) b(); else if (c) return;` would be read twice for each of them.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "BlockReader.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Support/SaveAndRestore.h"

#include <functional>

using namespace mlir;

namespace swizzle::analysis {

static constexpr unsigned kMaxNesting = 400;

KernelReader::BlockReader::BlockReader(KernelReader &reader, Region &region)
    : reader(reader), dominance(region.getParentOp()),
      postDominance(region.getParentOp()), loops(dominance.getDomTree(&region)),
      region(region) {}

AbstractValues KernelReader::BlockReader::run() {
  llvm::ReversePostOrderTraversal<Region *> blocks(&region);
  if (llvm::containsIrreducibleCFG<Block *>(blocks, loops))
    return giveUp("blocks that form a loop with two entries", &region.front());
  for (Block *block : blocks)
    order.try_emplace(block, order.size());
  return walk({&region.front(), {}}, nullptr);
}

void KernelReader::BlockReader::bind(const Edge &edge) {
  if (edge.block == &region.front()) // bound by whoever calls
    return;
  for (auto [index, argument] : llvm::enumerate(edge.block->getArguments()))
    reader.set(argument, index < edge.values.size()
                             ? edge.values[index]
                             : AbstractValue::unknown("of unread code"));
}

KernelReader::BlockReader::Edge
KernelReader::BlockReader::edgeTo(Operation *branch, unsigned successor) {
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
void KernelReader::BlockReader::forget(Block &block) {
  for (Value argument : block.getArguments())
    reader.values.erase(argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      reader.values.erase(result);
}

namespace {
/// What is known of a condition that is not: it holds only where `known` does,
/// or, if `isEither`, wherever `known` does. Null: nothing.
struct Parts {
  CasesRef known;
  bool isEither = false;
};
} // namespace

/// The two that `condition` is made of, by and, or by or: `a && b` is
/// `select a, b, false` as well. Nullopt if it is not.
static std::optional<std::pair<Value, Value>>
takeApart(KernelReader &reader, Value condition, bool isEither) {
  Operation *op = condition.getDefiningOp();
  if (auto joins = dyn_cast_or_null<LLVM::AndOp>(op); joins && !isEither)
    return std::pair(joins.getLhs(), joins.getRhs());
  if (auto joins = dyn_cast_or_null<LLVM::OrOp>(op); joins && isEither)
    return std::pair(joins.getLhs(), joins.getRhs());
  auto select = dyn_cast_or_null<LLVM::SelectOp>(op);
  if (!select || !select.getType().isInteger(1))
    return std::nullopt;
  Value decided = isEither ? select.getTrueValue() : select.getFalseValue();
  Value other = isEither ? select.getFalseValue() : select.getTrueValue();
  if (reader.scalars.constantOf(reader.get(decided).single()) != isEither)
    return std::nullopt;
  return std::pair(select.getCondition(), other);
}

/// The parts of `a && b && ...`, or of `a || b || ...`, that have a form.
static Parts knownParts(KernelReader &reader, Value condition) {
  constexpr size_t mostParts = 16;
  Scalars &scalars = reader.scalars;
  Parts parts;
  parts.isEither = !takeApart(reader, condition, false);
  SmallVector<Value> open = {condition};
  for (size_t i = 0; i < open.size() && i < mostParts; ++i) {
    if (auto both = takeApart(reader, open[i], parts.isEither)) {
      open.append({both->first, both->second});
      continue;
    }
    const AbstractValue part = reader.get(open[i]);
    CasesRef form =
        part.isNumber() && !part.maybePoison ? part.single() : nullptr;
    if (form && parts.known)
      form = parts.isEither
                 ? scalars.select(parts.known, scalars.constant(1), form)
                 : scalars.select(parts.known, form, scalars.constant(0));
    // Fewer parts will do.
    if (form)
      parts.known = form;
  }
  return parts;
}

/// Reads everything but what was read on the way to `at` as not modelled.
/// What was read keeps its values: they must not rest on what holds here
/// only.
AbstractValues KernelReader::BlockReader::giveUp(const std::string &why,
                                                 Block *at) {
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

AbstractValues KernelReader::BlockReader::walk(Edge edge, Block *stop,
                                               Block *insideLoop) {
  // Forks, loops and calls nest, and each level takes stack.
  if (++reader.nesting > kMaxNesting)
    reader.work = reader.kMaxWork;
  AbstractValues values = walkBlocks(std::move(edge), stop, insideLoop);
  --reader.nesting;
  return values;
}

AbstractValues KernelReader::BlockReader::walkBlocks(Edge edge, Block *stop,
                                                     Block *insideLoop) {
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

KernelReader::BlockReader::Ways
KernelReader::BlockReader::waysOf(Operation *end) const {
  Ways ways;
  for (unsigned way = 0; way < end->getNumSuccessors(); ++way)
    if (!staying || staying->contains(end->getSuccessor(way)))
      ways.push_back(way);
  return ways;
}

Block *KernelReader::BlockReader::meet(Block *a, Block *b) const {
  if (a == b || !a || !b)
    return a && b ? a : nullptr;
  return staying ? staying->meet(a, b)
                 : postDominance.findNearestCommonDominator(a, b);
}

AbstractValues
KernelReader::BlockReader::unknownArguments(Block *block,
                                            const std::string &why) {
  return AbstractValues(block ? block->getNumArguments() : 0,
                        AbstractValue::unknown(why));
}

void KernelReader::BlockReader::reach(Block *start, Block *stop,
                                      BlockSet &reached) const {
  SmallVector<Block *> open{start};
  while (!open.empty()) {
    Block *block = open.pop_back_val();
    if (block == stop || !reached.insert(block))
      continue;
    Operation *end = block->getTerminator();
    for (unsigned way : waysOf(end)) {
      Block *next = end->getSuccessor(way);
      if (!loops.isLoopHeader(next) || !loops.getLoopFor(next)->contains(block))
        open.push_back(next);
    }
  }
}

bool KernelReader::BlockReader::works(Block *start, Block *stop,
                                      bool &hasLoop) const {
  BlockSet reached;
  reach(start, stop, reached);
  auto isWork = [](Operation &op) {
    return !isPure(&op) || llvm::any_of(op.getResultTypes(), [](Type type) {
      return isa<FloatType>(getElementTypeOrSelf(type));
    });
  };
  hasLoop |= llvm::any_of(
      reached, [&](Block *block) { return loops.isLoopHeader(block); });
  return llvm::any_of(reached, [&](Block *block) {
    return llvm::any_of(block->without_terminator(), isWork);
  });
}

AbstractValues KernelReader::BlockReader::readAll(ArrayRef<Edge> starts,
                                                  Block *stop,
                                                  const CFGLoop *around) {
  BlockSet all;
  size_t each = 0;
  for (const Edge &start : starts) {
    BlockSet reached;
    reach(start.block, stop, reached);
    each += reached.size();
    all.insert(reached.begin(), reached.end());
  }
  // What several ways lead to is decided by data if each of them is.
  auto isByData = [](const Edge &start) { return start.byData; };
  if (all.size() < each) {
    llvm::SaveAndRestore decided(reader.isByData,
                                 llvm::all_of(starts, isByData));
    llvm::SaveAndRestore which(reader.dataDecision, ++reader.dataDecisions);
    return readOnce(starts, stop, {all.begin(), all.end()}, around);
  }
  std::optional<AbstractValues> values;
  for (const Edge &start : starts) {
    llvm::SaveAndRestore decided(reader.isByData, start.byData);
    llvm::SaveAndRestore which(reader.dataDecision, ++reader.dataDecisions);
    AbstractValues more = walk(start, stop);
    values = values ? reader.join(nullptr, *values, more) : more;
  }
  return values.value_or(AbstractValues());
}

/// Reads each of `blocks`, which lead from `starts` to `stop`, once: with what
/// all branches to it bring.
AbstractValues KernelReader::BlockReader::readOnce(ArrayRef<Edge> starts,
                                                   Block *stop,
                                                   std::vector<Block *> blocks,
                                                   const CFGLoop *around) {
  llvm::DenseMap<Block *, AbstractValues> incoming;
  auto enter = [&](const Edge &edge) {
    auto [known, isNew] = incoming.try_emplace(edge.block, edge.values);
    if (!isNew)
      known->second = reader.join(nullptr, known->second, edge.values);
  };
  auto leave = [&](Block *block) {
    Operation *end = block->getTerminator();
    for (unsigned way : waysOf(end))
      enter(edgeTo(end, way));
  };
  llvm::for_each(starts, enter);
  llvm::sort(blocks, [&](Block *a, Block *b) {
    return order.lookup(a) < order.lookup(b);
  });
  llvm::DenseSet<Block *> done;
  for (Block *block : blocks) {
    if (done.contains(block))
      continue;
    const CFGLoop *loop = loops.getLoopFor(block);
    while (loop && loop != around && loop->getParentLoop() != around)
      loop = loop->getParentLoop();
    Edge edge{block, incoming.lookup(block)};
    if (loop && loop != around && loop->getHeader() == block) {
      done.insert(loop->block_begin(), loop->block_end());
      (void)readLoop(edge, *loop, /*alone=*/true);
      llvm::for_each(loop->getBlocks(), leave);
      continue;
    }
    bind(edge);
    reader.readBody(*block);
    leave(block);
  }
  return stop ? incoming.lookup(stop) : AbstractValues();
}

/// Reads the `ways` on which `end` goes on, of which it is not known, for `why`,
/// which is taken. Parts of its condition that are known are a guard, or not.
AbstractValues KernelReader::BlockReader::readAnyWay(Operation *end,
                                                     ArrayRef<unsigned> ways,
                                                     Block *stop,
                                                     bool knownIsGuard,
                                                     const std::string &why) {
  // A loop that may have no turn is the only thing that is done, or not.
  bool isGuard = false, isChoice = isa<LLVM::SwitchOp>(end);
  SmallVector<unsigned> working;
  llvm::copy_if(ways, std::back_inserter(working), [&](unsigned way) {
    return works(end->getSuccessor(way), stop, isGuard);
  });
  bool mayBeByData = reader.mayBeByData();
  auto isByData = [&](unsigned way) {
    return mayBeByData && (!llvm::is_contained(working, way) ||
                           isDecidedByData(reader, end->getOperand(0),
                                           /*fails=*/!isChoice && way == 1,
                                           knownIsGuard, loops));
  };
  AbstractValues values;
  reader.assumeDone(
      why,
      [&] {
        SmallVector<Edge> starts;
        for (unsigned way : ways) {
          starts.push_back(edgeTo(end, way));
          starts.back().byData = isByData(way);
        }
        values = readAll(starts, stop, loops.getLoopFor(end->getBlock()));
      },
      /*ways=*/working.size() > 1 || !isGuard);
  return values;
}

KernelReader::BlockReader::Edge
KernelReader::BlockReader::readFork(Operation *end, ArrayRef<unsigned> ways) {
  Edge result{end->getSuccessor(ways.front()), {}};
  for (unsigned way : ways.drop_front())
    result.block = meet(result.block, end->getSuccessor(way));
  auto side = [&](unsigned way) {
    return walk(edgeTo(end, way), result.block);
  };
  Scalars &scalars = reader.scalars;
  CasesRef value = reader.scalar(end->getOperand(0));
  // Each is read inside of the one before it.
  constexpr size_t mostCases = 1024;
  auto choice = dyn_cast<LLVM::SwitchOp>(end);
  const size_t numCases = choice ? choice->getNumSuccessors() - 1 : 0;
  if (numCases > mostCases)
    value = scalars.fail("a switch of more than 1024 cases");
  SmallVector<CasesRef> cases; // is it this one?
  for (size_t i = 0; value && i < numCases; ++i) {
    std::optional<int64_t> known =
        numberOf(choice.getCaseValues()->getValues<APInt>()[i]);
    cases.push_back(known ? scalars.compare(Comparison::Equal, value,
                                            scalars.constant(*known))
                          : scalars.fail("a case beyond 2^60"));
    if (!cases.back())
      value = nullptr;
  }
  if (ways.size() != end->getNumSuccessors())
    value = scalars.fail("some of its cases leave a loop");
  // A branch, or comparisons and branches.
  reader.issue(choice ? 2.0 * numCases : 1);
  if (!value) {
    const std::string why = "a condition is not affine: " + scalars.reason;
    Parts parts;
    if (!choice && ways.size() == 2)
      parts = knownParts(reader, end->getOperand(0));
    // Of `known && unknown` one way is certain where it is false. It is read
    // twice then, so there must be nothing on it.
    unsigned certain = parts.isEither ? 0 : 1;
    bool knownIsGuard =
        parts.known && end->getSuccessor(certain) == result.block;
    auto readAnyWay = [&] {
      return this->readAnyWay(end, ways, result.block, knownIsGuard, why);
    };
    if (!knownIsGuard)
      result.values = readAnyWay();
    else if (parts.isEither)
      result.values =
          reader.guarded(parts.known, [&] { return side(0); }, readAnyWay);
    else
      result.values =
          reader.guarded(parts.known, readAnyWay, [&] { return side(1); });
    return result;
  }
  std::function<AbstractValues(unsigned)> from = [&](unsigned index) {
    if (index == cases.size())
      return side(0);
    return reader.guarded(
        cases[index], [&] { return side(index + 1); },
        [&] { return from(index + 1); });
  };
  result.values =
      choice ? from(0)
             : reader.guarded(
                   value, [&] { return side(0); }, [&] { return side(1); });
  return result;
}

AbstractValues KernelReader::readFunction(Region &region) {
  if (region.hasOneBlock()) {
    readBody(region.front());
    return yielded(region.front().getTerminator());
  }
  return BlockReader(*this, region).run();
}

} // namespace swizzle::analysis
