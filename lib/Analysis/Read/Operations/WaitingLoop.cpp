//===- WaitingLoop.cpp - Loops that wait for another workgroup ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plain load may poll: the compiler is kept from hoisting it by assembly that
// says it touches memory, or by a fence. It looks like this,
//
//   ^loop:
//     %status = load %flag              ; the same place in every iteration
//     %wait = icmp eq %status, 0
//     cond_br %wait, ^loop, ^done
//
// where nothing in the loop writes to %flag, and the kernel does elsewhere:
// only another thread can end it. One of another workgroup has to have begun,
// which no order but the hardware's own promises. In the copy that is read the
// load may stand before the loop, which then ends at once or never.
//
// What was loaded may have gone through other lanes, workgroup memory and
// functions; and what the loop counts may stand still as long as what was
// loaded says so.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "PolledMemory.h"
#include "WaitFinder.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace swizzle::analysis {

static FunctionOpInterface calleeOf(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee =
      call ? dyn_cast_if_present<FunctionOpInterface>(call.resolveCallable())
           : FunctionOpInterface();
  return callee && !callee.isExternal() ? callee : FunctionOpInterface();
}

WaitingLoops::WaitingLoops(ArrayRef<FunctionOpInterface> functions)
    : kernel(functions.empty() ? nullptr : functions.front()) {
  SmallVector<std::pair<Operation *, Operation *>> calls;
  for (FunctionOpInterface function : functions)
    function.getFunctionBody().walk([&](Operation *op) {
      for (Value written : writtenBy(op))
        if (mayBeGlobal(written))
          writing.insert(function);
      if (FunctionOpInterface callee = calleeOf(op))
        calls.push_back({function, callee});
    });
  // A function writes what those do that it calls.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [caller, callee] : calls)
      if (writing.contains(callee))
        changed |= writing.insert(caller).second;
  }
}

WaitFinder::WaitFinder(FunctionOpInterface function, bool isKernel,
                       const llvm::DenseSet<Operation *> &writing)
    : body(function.getFunctionBody()), isKernel(isKernel), writing(writing),
      dominance(function) {
  for (Block &block : body)
    for (Operation &op : block) {
      SmallVector<Value> written = writtenBy(&op);
      allWritten.insert(written.begin(), written.end());
      if (FunctionOpInterface callee = calleeOf(&op);
          callee && writing.contains(callee)) {
        llvm::append_range(written, op.getOperands());
        writersOfAny.push_back(&block);
      }
      for (Value pointer : written) {
        // Of a resource or an image that is a number.
        if (!isPointer(pointer)) {
          if (imageOf(&op) ||
              StringRef(canonicalName(&op)).contains(".buffer."))
            writersOfUnknown.push_back(&block);
          continue;
        }
        bool complete = true;
        SmallVector<Value> roots = rootsOf(pointer, complete);
        for (Value root : roots)
          writers[keyOf(root)].push_back(&block);
        if (roots.size() == 1)
          certainWriters[keyOf(roots[0])].push_back(&block);
        if (!complete && mayBeGlobal(pointer))
          writersOfUnknown.push_back(&block);
        if (mayBeGlobal(pointer)) {
          writersOfAny.push_back(&block);
          continue;
        }
        for (Value operand : op.getOperands())
          if (!isPointer(operand))
            kept.push_back({&block, operand});
      }
      if (copiesHere(&op))
        copies.push_back(&op);
    }
}

/// True if `value` is the same in all iterations of `loop`, whichever lanes of
/// a subgroup it comes from.
bool WaitFinder::isFixed(Value value, const CFGLoop &loop, unsigned depth) {
  constexpr unsigned kMaxDepth = 64;
  if (!loop.contains(value.getParentBlock()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxDepth || op->getNumRegions())
    return false;
  if (auto known = fixed.find(value); known != fixed.end())
    return known->second;
  OperationKind kind = classify(op).kind;
  bool result = !polledBy(op) && !looksHere(op) &&
                (kind == OperationKind::Pure || kind == OperationKind::Local) &&
                llvm::all_of(op->getOperands(), [&](Value operand) {
                  return isFixed(operand, loop, depth + 1);
                });
  return fixed[value] = result;
}

/// What `value` is made of, within `loop` if there is one.
void WaitFinder::addSources(Value value, const CFGLoop *loop,
                            SmallVector<Value> &work) {
  if (Operation *op = value.getDefiningOp()) {
    llvm::append_range(work, op->getOperands());
    // From memory of the workgroup's own comes what went there.
    if (looksHere(op))
      for (auto [block, stored] : kept)
        if (!loop || loop->contains(block))
          work.push_back(stored);
    return;
  }
  addPassed(cast<BlockArgument>(value), loop, work);
}

/// True if a block that is meant writes, or may write, what `root` leads to.
bool WaitFinder::isWritten(Value root, const Writers &writers,
                           function_ref<bool(Block *)> isMeant) {
  auto found = writers.find(keyOf(root));
  return found != writers.end() && llvm::any_of(found->second, isMeant);
}

/// True for memory that no kernel writes while it runs: of both vendors, that of
/// constants, where a launch also leaves its own.
static bool isConstant(Value address) {
  constexpr unsigned constantSpace = 4;
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(address.getType());
  return pointer && pointer.getAddressSpace() == constantSpace;
}

/// True if what `load` reads may be written outside of `loop`, and is not
/// inside. Arguments of the kernel and globals are told apart; what else there
/// is may be anything that is written.
bool WaitFinder::mayBeWritten(Operation *load, CFGLoop *loop) const {
  Value address = polledBy(load);
  if (address && isConstant(address))
    return false;
  auto isInside = [&](Block *block) { return loop && loop->contains(block); };
  auto isOutside = [&](Block *block) { return !isInside(block); };
  Value root = address ? rootOf(address) : Value();
  if (root && isWritten(root, certainWriters, isInside))
    return false;
  if (root && isWritten(root, writers, isOutside))
    return true;
  if (llvm::any_of(writersOfUnknown, isOutside))
    return true;
  if (isKernel && isa_and_nonnull<BlockArgument>(root) &&
      root.getParentBlock()->isEntryBlock())
    return false;
  bool othersWrite = llvm::any_of(writing, [&](Operation *function) {
    return function != body.getParentOp();
  });
  if (root && root.getDefiningOp<LLVM::AddressOfOp>())
    return othersWrite;
  return othersWrite || llvm::any_of(writersOfAny, isOutside);
}

/// A load of what the kernel writes, of which the conditions of a loop that
/// ends at once or never are made.
Operation *WaitFinder::findBefore(ArrayRef<Value> conditions) {
  SmallVector<Value> work(conditions);
  llvm::SmallPtrSet<void *, 32> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (op && (polledBy(op) || calleeOf(op)) && mayBeWritten(op, nullptr))
      return op;
    if (op && looksHere(op))
      for (Operation *copy : copies)
        if (mayFill(copy, op) && mayBeWritten(copy, nullptr))
          return copy;
    if (op || !value.getParentBlock()->isEntryBlock())
      addSources(value, nullptr, work);
  }
  return nullptr;
}

/// True if `value` is made of something loaded in this very iteration of
/// `loop`.
bool WaitFinder::isLoaded(Value value, CFGLoop &loop) {
  SmallVector<Value> work = {value};
  llvm::SmallPtrSet<void *, 32> seen;
  while (!work.empty()) {
    Value one = work.pop_back_val();
    Operation *op = one.getDefiningOp();
    if (!loop.contains(one.getParentBlock()) ||
        (!op && one.getParentBlock() == loop.getHeader()) ||
        !seen.insert(one.getAsOpaquePointer()).second)
      continue;
    if (op && (polledBy(op) || calleeOf(op) || looksHere(op)))
      return true;
    addSources(one, &loop, work);
  }
  return false;
}

/// What branches and selections in `loop` hang on.
SmallVector<Value> WaitFinder::choicesOf(CFGLoop &loop) {
  SmallVector<Value> choices;
  for (Block *block : loop.getBlocks())
    for (Operation &op : *block)
      if (isa<LLVM::SelectOp, LLVM::CondBrOp>(op))
        choices.push_back(op.getOperand(0));
  return choices;
}

Sources WaitFinder::sourcesOf(ArrayRef<Value> conditions, CFGLoop &loop) {
  Sources sources;
  bool hasChoices = false;
  SmallVector<Value> work(conditions);
  llvm::SmallPtrSet<void *, 32> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    if (!loop.contains(value.getParentBlock())) {
      sources.outside.push_back(value);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op && (polledBy(op) || calleeOf(op)))
      sources.loads.push_back(op);
    if (!op && value.getParentBlock() == loop.getHeader())
      sources.carried.insert(value);
    addSources(value, &loop, work);
    if (!op || !looksHere(op))
      continue;
    // What is in memory of the workgroup's own hangs on whether it was stored,
    // too.
    if (!std::exchange(hasChoices, true))
      llvm::append_range(work, choicesOf(loop));
    for (Operation *copy : copies)
      if (loop.contains(copy->getBlock()) && mayFill(copy, op)) {
        sources.loads.push_back(copy);
        llvm::append_range(work, copy->getOperands());
      }
  }
  return sources;
}

/// Adds the tests that `condition` is put together of, a part of many as one.
static void addTests(Value condition, SmallVector<Value> &tests) {
  constexpr size_t most = 64;
  SmallVector<Value> work = {condition};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    bool isMade = isa_and_nonnull<LLVM::AndOp, LLVM::OrOp, LLVM::SelectOp,
                                  LLVM::FreezeOp>(op);
    if (!isMade || tests.size() + work.size() > most)
      tests.push_back(value);
    else
      llvm::append_range(work, llvm::reverse(op->getOperands()));
  }
}

/// A load before `loop` that one of `conditions` tests in every iteration: a
/// poll that was hoisted out of a loop which gives up after a number of them.
Operation *WaitFinder::findHoisted(ArrayRef<Value> conditions, CFGLoop &loop) {
  SmallVector<Value> tests, fixedTests;
  for (Value condition : conditions)
    addTests(condition, tests);
  llvm::copy_if(tests, std::back_inserter(fixedTests),
                [&](Value test) { return isFixed(test, loop); });
  return findBefore(fixedTests);
}

/// By how much every turn of `loop` changes `value`, with nothing but constants
/// added: a constant of one sign; 0 if that is not so.
static int64_t stepOf(Value value, const CFGLoop &loop) {
  APInt added;
  while (Operation *op = value.getDefiningOp()) {
    bool adds = isa<LLVM::AddOp>(op) &&
                matchPattern(op->getOperand(1), m_ConstantInt(&added));
    if (!adds && !isa<LLVM::SExtOp, LLVM::ZExtOp>(op))
      return 0;
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  if (argument.getOwner() != loop.getHeader())
    return 0;
  int64_t step = 0;
  for (Block *latch : loop.getHeader()->getPredecessors()) {
    if (!loop.contains(latch))
      continue;
    auto branch = dyn_cast<BranchOpInterface>(latch->getTerminator());
    for (auto [index, to] : llvm::enumerate(latch->getSuccessors())) {
      if (to != loop.getHeader())
        continue;
      Value next =
          branch ? branch.getSuccessorOperands(index)[argument.getArgNumber()]
                 : Value();
      auto sum = next ? next.getDefiningOp<LLVM::AddOp>() : LLVM::AddOp();
      if (!sum || sum.getLhs() != argument ||
          !matchPattern(sum.getRhs(), m_ConstantInt(&added)) ||
          added.isZero() || (step && (step < 0) != added.isNegative()))
        return 0;
      step = added.isNegative() ? -1 : 1;
    }
  }
  return step;
}

/// True if all that is done in `loop` with what `load` reads is to leave it once
/// a count that goes up, or down, in every turn has come there.
bool WaitFinder::isLimit(Operation *load, CFGLoop &loop) {
  using Predicate = LLVM::ICmpPredicate;
  SmallVector<Value> values(load->getResults());
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<LLVM::SExtOp, LLVM::ZExtOp>(user)) {
        values.push_back(user->getResult(0));
        continue;
      }
      auto compares = dyn_cast<LLVM::ICmpOp>(user);
      bool isLeft = use.getOperandNumber() == 0;
      int64_t step =
          compares ? stepOf(user->getOperand(isLeft ? 1 : 0), loop) : 0;
      // Whether the loop goes on while the count is below it.
      bool isBelow = false;
      if (step)
        switch (compares.getPredicate()) {
        case Predicate::slt:
        case Predicate::sle:
        case Predicate::ult:
        case Predicate::ule:
          isBelow = !isLeft;
          break;
        case Predicate::sgt:
        case Predicate::sge:
        case Predicate::ugt:
        case Predicate::uge:
          isBelow = isLeft;
          break;
        default:
          return false;
        }
      for (Operation *end : step ? compares->getUsers() : user->getUsers()) {
        auto branch = dyn_cast<LLVM::CondBrOp>(end);
        if (!step || !branch ||
            loop.contains(branch->getSuccessor(0)) ==
                loop.contains(branch->getSuccessor(1)))
          return false;
        bool staysIfTrue = loop.contains(branch->getSuccessor(0));
        if ((staysIfTrue == isBelow) != (step > 0))
          return false;
      }
      if (!step)
        return false;
    }
  return true;
}

/// True for the test of a loop that the first lane of those that are left
/// leaves, with all that have the same as it, however often.
static bool endsLaneByLane(Value condition) {
  if (auto both = condition.getDefiningOp<LLVM::AndOp>())
    return endsLaneByLane(both.getLhs()) && endsLaneByLane(both.getRhs());
  auto compares = condition.getDefiningOp<LLVM::ICmpOp>();
  auto isFirst = [](Value one, Value lane) {
    Operation *op = one.getDefiningOp();
    return op && canonicalName(op).find("readfirstlane") != std::string::npos &&
           op->getNumOperands() == 1 && op->getOperand(0) == lane;
  };
  return compares && compares.getPredicate() == LLVM::ICmpPredicate::eq &&
         (isFirst(compares.getLhs(), compares.getRhs()) ||
          isFirst(compares.getRhs(), compares.getLhs()));
}

/// True if `block` leaves `loop` for blocks that nothing comes to, such as the
/// default of a switch that has all cases.
static bool leavesForNowhere(Block *block, const CFGLoop &loop) {
  return llvm::all_of(block->getSuccessors(), [&](Block *next) {
    return loop.contains(next) || isa<LLVM::UnreachableOp>(next->front());
  });
}

/// A load that alone may end `loop`.
Operation *WaitFinder::findIn(CFGLoop &loop) {
  fixed.clear();
  SmallVector<Block *> exiting;
  loop.getExitingBlocks(exiting);
  llvm::erase_if(exiting,
                 [&](Block *block) { return leavesForNowhere(block, loop); });
  // One without end hangs on what leads into it.
  if (exiting.empty())
    llvm::copy_if(loop.getHeader()->getPredecessors(),
                  std::back_inserter(exiting),
                  [&](Block *block) { return !loop.contains(block); });
  SmallVector<Value> conditions;
  for (Block *block : exiting)
    if (block->getNumSuccessors() > 1)
      conditions.push_back(block->getTerminator()->getOperand(0));
  if (conditions.size() == 1 && endsLaneByLane(conditions.front()) &&
      loop.contains(exiting.front()) &&
      loop.contains(exiting.front()->getSuccessor(1)))
    return nullptr;
  if (llvm::all_of(conditions, [&](Value one) { return isFixed(one, loop); }))
    return findBefore(conditions);
  if (Operation *load = findHoisted(conditions, loop))
    return load;
  Sources sources = sourcesOf(conditions, loop);
  // Whatever else the loop hangs on.
  for (Operation *load : sources.loads)
    if (Value address = polledBy(load);
        address && !isLimit(load, loop) && mayBeWritten(load, &loop) &&
        isWritten(rootOf(address), writers,
                  [&](Block *block) { return !loop.contains(block); }) &&
        llvm::all_of(load->getOperands(),
                     [&](Value operand) { return isFixed(operand, loop); }))
      return load;
  auto findWritten = [&](const Sources &sources) -> Operation * {
    for (Operation *load : sources.loads)
      if (mayBeWritten(load, &loop))
        return load;
    return findBefore(sources.outside);
  };
  if (sources.carried.empty())
    return findWritten(sources);
  // All of it may stand still as long as what was loaded says so.
  Choices choices;
  for (size_t before = 0; before != sources.carried.size();) {
    before = sources.carried.size();
    llvm::SmallPtrSet<void *, 32> seen;
    SmallVector<Value> next;
    for (Value carried : sources.carried)
      addSources(carried, &loop, next);
    for (Value value : next)
      addChoices(value, loop, choices, seen);
    llvm::append_range(conditions, choices);
    sources = sourcesOf(conditions, loop);
  }
  return standsStill(sources.carried, choices, loop) ? findWritten(sources)
                                                     : nullptr;
}

Operation *WaitFinder::run() {
  if (body.hasOneBlock())
    return nullptr;
  CFGLoopInfo loops(dominance.getDomTree(&body));
  SmallVector<CFGLoop *> all;
  llvm::append_range(all, loops.getTopLevelLoops());
  while (!all.empty()) {
    CFGLoop *loop = all.pop_back_val();
    if (Operation *load = findIn(*loop))
      return load;
    llvm::append_range(all, loop->getSubLoops());
  }
  return nullptr;
}

Operation *WaitingLoops::findIn(FunctionOpInterface function) const {
  if (function.getFunctionBody().empty())
    return nullptr;
  return WaitFinder(function, function == kernel, writing).run();
}

} // namespace swizzle::analysis
