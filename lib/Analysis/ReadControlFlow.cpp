//===- ReadControlFlow.cpp - Structured control flow and calls ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scf and affine dialects' branches and loops in terms of guards and
// counted loops, and calls, which are read as if they were inlined.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace swizzle {

/// Calls nest no deeper than this.
static constexpr size_t kMaxCallDepth = 16;

void KernelReader::readIf(Operation *op, const CasesRef &condition, Region &yes,
                          Region &no) {
  auto side = [&](Region &region) -> AbstractValues {
    if (region.empty())
      return {};
    readBody(region.front());
    return yielded(region.front().getTerminator());
  };
  AbstractValues results;
  if (condition) {
    results =
        guarded(condition, [&] { return side(yes); }, [&] { return side(no); });
  } else {
    std::string why = "a condition is not affine: " + scalars_.reason;
    unmodelled(why, [&] {
      AbstractValues a = side(yes), b = side(no);
      for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        results.push_back(join(nullptr, a[i], b[i]));
    });
  }
  results.resize(op->getNumResults(),
                 AbstractValue::unknown("result of a branch"));
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    set(result, value);
}

void KernelReader::readSwitch(Operation *op) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  CasesRef selector = scalar(choice.getArg());
  auto side = [&](Region &region) {
    readBody(region.front());
    return yielded(region.front().getTerminator());
  };
  AbstractValues results;
  if (!selector) {
    unmodelled("a condition is not affine: " + scalars_.reason, [&] {
      for (Region &region : op->getRegions())
        side(region);
    });
  } else {
    std::function<AbstractValues(size_t)> from = [&](size_t index) {
      if (index == choice.getCases().size())
        return side(choice.getDefaultRegion());
      CasesRef matches =
          scalars_.compare(Comparison::Equal, selector,
                           scalars_.constant(choice.getCases()[index]));
      return guarded(
          matches, [&] { return side(choice.getCaseRegions()[index]); },
          [&] { return from(index + 1); });
    };
    results = from(0);
  }
  results.resize(op->getNumResults(),
                 AbstractValue::unknown("result of a branch"));
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    set(result, value);
}

void KernelReader::readNest(Operation *op, ArrayRef<CasesRef> lowers,
                            ArrayRef<CasesRef> uppers, ArrayRef<CasesRef> steps,
                            ArrayRef<Value> counters, Block &body,
                            unsigned depth) {
  if (depth == counters.size())
    return readBody(body);
  std::optional<int64_t> step = scalars_.constantOf(steps[depth]);
  auto refuse = [&](const std::string &why) {
    for (Value counter : counters.drop_front(depth))
      set(counter, AbstractValue::unknown(why));
    unmodelled(why, [&] { readBody(body); });
  };
  if (!lowers[depth] || !uppers[depth] || !step || *step <= 0)
    return refuse("a bound of a parallel loop is not affine: " +
                  scalars_.reason);
  forEachCase(lowers[depth], [&](const AffineForm &lower) {
    CasesRef span = scalars_.subtract(uppers[depth], scalars_.leaf(lower));
    auto run = [&](const std::vector<AffineForm> &spans) {
      auto trips = divideTrips(spans, *step);
      if (!trips)
        return refuse("a trip count exceeds 2^60");
      emitLoop(*trips, [&](const CasesRef &i) {
        set(counters[depth],
            scalars_.add(scalars_.leaf(lower), scalars_.scale(i, *step)));
        readNest(op, lowers, uppers, steps, counters, body, depth + 1);
      });
    };
    if (!span)
      refuse(scalars_.reason);
    else if (auto spans = scalars_.asMinimum(span))
      run(*spans);
    else
      forEachCase(span, [&](const AffineForm &one) {
        run({one});
        return AbstractValues();
      });
    return AbstractValues();
  });
}

bool KernelReader::readLoop(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    CountedLoop counted;
    counted.lower = scalar(loop.getLowerBound());
    counted.upper = counted.lower ? scalar(loop.getUpperBound()) : nullptr;
    counted.step = counted.upper ? scalar(loop.getStep()) : nullptr;
    counted.counter = loop.getInductionVar();
    counted.body = loop.getBody();
    counted.inits = loop.getInitArgs();
    readFor(op, counted);
    return true;
  }
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    CountedLoop counted;
    auto bound = [&](AffineMap map, ValueRange operands, bool least) {
      CasesRef best;
      for (auto [index, next] : llvm::enumerate(evaluateMap(map, operands)))
        best = index == 0 ? next
               : least    ? scalars_.minimum(best, next)
                          : scalars_.maximum(best, next);
      return best;
    };
    counted.lower = bound(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                          /*least=*/false);
    counted.upper = counted.lower
                        ? bound(loop.getUpperBoundMap(),
                                loop.getUpperBoundOperands(), /*least=*/true)
                        : nullptr;
    counted.step = scalars_.constant(loop.getStepAsInt());
    counted.counter = loop.getInductionVar();
    counted.body = loop.getBody();
    counted.inits = loop.getInits();
    readFor(op, counted);
    return true;
  }
  SmallVector<CasesRef> lowers, uppers, steps;
  SmallVector<Value> counters;
  Block *body = nullptr;
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    lowers = scalars(loop.getLowerBound());
    uppers = scalars(loop.getUpperBound());
    steps = scalars(loop.getStep());
    llvm::append_range(counters, loop.getInductionVars());
    body = loop.getBody();
  } else if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    for (OpFoldResult bound : loop.getMixedLowerBound())
      lowers.push_back(scalar(bound));
    for (OpFoldResult bound : loop.getMixedUpperBound())
      uppers.push_back(scalar(bound));
    for (OpFoldResult step : loop.getMixedStep())
      steps.push_back(scalar(step));
    llvm::append_range(counters, loop.getInductionVars());
    body = loop.getBody();
  } else if (auto loop = dyn_cast<affine::AffineParallelOp>(op)) {
    SmallVector<CasesRef> lower =
        evaluateMap(loop.getLowerBoundsMap(), loop.getLowerBoundsOperands());
    SmallVector<CasesRef> upper =
        evaluateMap(loop.getUpperBoundsMap(), loop.getUpperBoundsOperands());
    auto group = [&](ArrayRef<CasesRef> all, DenseIntElementsAttr sizes,
                     bool least, SmallVectorImpl<CasesRef> &bounds) {
      for (const APInt &size : sizes.getValues<APInt>()) {
        CasesRef best = all.front();
        for (const CasesRef &next :
             all.take_front(size.getZExtValue()).drop_front())
          best = least ? scalars_.minimum(best, next)
                       : scalars_.maximum(best, next);
        all = all.drop_front(size.getZExtValue());
        bounds.push_back(best);
      }
    };
    group(lower, loop.getLowerBoundsGroups(), false, lowers);
    group(upper, loop.getUpperBoundsGroups(), true, uppers);
    for (int64_t step : loop.getSteps())
      steps.push_back(scalars_.constant(step));
    llvm::append_range(counters, loop.getIVs());
    body = loop.getBody();
  } else {
    return false;
  }
  setUnknown(op, "result of a parallel loop");
  if (auto loop = dyn_cast<scf::ForallOp>(op); loop && loop.getMapping()) {
    // Its iterations are meant for threads or workgroups that do not exist yet.
    for (Value counter : counters)
      set(counter, AbstractValue::unknown("counter of a mapped scf.forall"));
    unmodelled("inside an scf.forall whose mapping is not lowered yet",
               [&] { readBody(*body); });
    return true;
  }
  readNest(op, lowers, uppers, steps, counters, *body);
  return true;
}

bool KernelReader::readControlFlow(Operation *op) {
  if (readLoop(op))
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    readIf(op, scalar(branch.getCondition()), branch.getThenRegion(),
           branch.getElseRegion());
    return true;
  }
  if (auto branch = dyn_cast<affine::AffineIfOp>(op)) {
    IntegerSet set = branch.getIntegerSet();
    SmallVector<CasesRef> inputs = scalars(branch.getOperands());
    CasesRef all = scalars_.constant(1), zero = scalars_.constant(0);
    for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
      CasesRef value =
          evaluateExpr(set.getConstraint(i), set.getNumDims(), inputs);
      CasesRef holds = scalars_.compare(
          set.isEq(i) ? Comparison::Equal : Comparison::LessEqual, zero, value);
      all = scalars_.select(all, holds, zero);
    }
    readIf(op, all, branch.getThenRegion(), branch.getElseRegion());
    return true;
  }
  if (isa<scf::IndexSwitchOp>(op)) {
    readSwitch(op);
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    WhileLoop counted;
    for (Value init : loop.getInits())
      counted.inits.push_back(get(init));
    llvm::append_range(counted.arguments, loop.getBeforeArguments());
    auto before = [&] {
      readBody(*loop.getBeforeBody());
      for (auto [argument, value] :
           llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
        set(argument, get(value));
      return scalar(loop.getConditionOp().getCondition());
    };
    auto after = [&] {
      readBody(*loop.getAfterBody());
      return yielded(loop.getYieldOp());
    };
    counted.before = before;
    counted.after = after;
    readWhile(counted);
    for (auto [result, value] :
         llvm::zip(op->getResults(), loop.getConditionOp().getArgs()))
      set(result, get(value));
    return true;
  }
  if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op) &&
      op->getRegion(0).hasOneBlock()) {
    Block &body = op->getRegion(0).front();
    readBody(body);
    for (auto [result, value] :
         llvm::zip(op->getResults(), yielded(body.getTerminator())))
      set(result, value);
    return true;
  }
  return false;
}

bool KernelReader::readCall(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return false;
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  bool known = callee && !callee.getFunctionBody().empty();
  if (known && callStack.size() < kMaxCallDepth &&
      !llvm::is_contained(callStack, callee.getOperation()) &&
      callee.getFunctionBody().getNumArguments() ==
          call.getArgOperands().size()) {
    callStack.push_back(callee);
    for (auto [argument, operand] : llvm::zip(
             callee.getFunctionBody().getArguments(), call.getArgOperands()))
      set(argument, get(operand));
    AbstractValues results = readRegion(callee.getFunctionBody());
    callStack.pop_back();
    results.resize(op->getNumResults(),
                   AbstractValue::unknown("result of a call"));
    for (auto [result, value] : llvm::zip(op->getResults(), results))
      set(result, value);
    return true;
  }
  std::string why = known ? "a recursive call, or calls nested too deeply"
                          : "a call of a function without a body";
  setUnknown(op, why);
  if (op->getNumResults() == 1 && isa<FloatType>(op->getResult(0).getType()))
    compute(1); // a function of a mathematics library
  for (Value operand : call.getArgOperands()) {
    AbstractValue value = get(operand);
    if (value.isMemory() && value.memory->space == MemorySpace::Global)
      notModelled(op, value.memory.get(), AccessKind::Read, why);
  }
  return true;
}

} // namespace swizzle
