//===- Interpreter.cpp - Runs one thread of a kernel for its addresses ----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ids, integers and control flow.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace swizzle::test {

int64_t Interpreter::number(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return number(cast<Value>(value));
}

std::vector<int64_t> Interpreter::numbers(ValueRange values) {
  std::vector<int64_t> result;
  for (Value value : values)
    result.push_back(number(value));
  return result;
}

std::vector<int64_t> Interpreter::numbers(ArrayRef<OpFoldResult> values) {
  std::vector<int64_t> result;
  for (OpFoldResult value : values)
    result.push_back(number(value));
  return result;
}

static int64_t floorDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static int64_t evaluateExpr(AffineExpr expr, unsigned dims,
                            ArrayRef<int64_t> in) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return in[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return in[dims + symbol.getPosition()];
  auto both = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluateExpr(both.getLHS(), dims, in);
  int64_t b = evaluateExpr(both.getRHS(), dims, in);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::Mod:
    return a - b * floorDiv(a, b);
  case AffineExprKind::FloorDiv:
    return floorDiv(a, b);
  default:
    return -floorDiv(-a, b);
  }
}

std::vector<int64_t> Interpreter::apply(AffineMap map, ValueRange operands) {
  std::vector<int64_t> in = numbers(operands), result;
  for (AffineExpr expr : map.getResults())
    result.push_back(evaluateExpr(expr, map.getNumDims(), in));
  return result;
}

void Interpreter::bindArguments() {
  for (auto [index, argument] :
       llvm::enumerate(kernel.getFunctionBody().front().getArguments())) {
    Datum datum;
    datum.number = dynamicExtent;
    if (auto type = dyn_cast<MemRefType>(argument.getType())) {
      datum.number = 0;
      if (index < kernel.getNumArguments() && !type.getMemorySpace())
        datum.buffer = index;
      Type element = type.getElementType();
      int64_t lanes = 1;
      if (auto vector = dyn_cast<VectorType>(element)) {
        lanes = vector.getNumElements();
        element = vector.getElementType();
      }
      datum.elementBytes =
          lanes *
          (element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8);
      SmallVector<int64_t> strides;
      int64_t offset = 0;
      (void)type.getStridesAndOffset(strides, offset);
      int64_t contiguous = 1;
      datum.strides.resize(type.getRank());
      for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
        int64_t size =
            type.isDynamicDim(dim) ? dynamicExtent : type.getDimSize(dim);
        datum.strides[dim] =
            ShapedType::isDynamic(strides[dim]) ? contiguous : strides[dim];
        contiguous = datum.strides[dim] * size;
        datum.sizes.insert(datum.sizes.begin(), size);
      }
      datum.offset = ShapedType::isDynamic(offset) ? 0 : offset;
    }
    data[argument] = datum;
  }
}

std::vector<Touch> Interpreter::run(std::array<int64_t, 3> workgroupId,
                                    std::array<int64_t, 3> threadId) {
  workgroup = workgroupId;
  thread = threadId;
  data.clear();
  touches.clear();
  bindArguments();
  runFunction(kernel);
  return touches;
}

Interpreter::Data Interpreter::runFunction(FunctionOpInterface function) {
  return runBlock(function.getFunctionBody().front());
}

Interpreter::Data Interpreter::runBlock(Block &block) {
  for (Operation &op : block) {
    if (!error.empty())
      return {};
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      Data results;
      for (Value operand : op.getOperands())
        results.push_back(data[operand]);
      return results;
    }
    if (!runOperation(&op) && error.empty())
      error =
          "the interpreter does not know " + op.getName().getStringRef().str();
  }
  return {};
}

bool Interpreter::runOperation(Operation *op) {
  if (runId(op) || runInteger(op) || runIndex(op) || runControlFlow(op) ||
      runView(op) || runAccess(op) || runVector(op) || runTransfer(op) ||
      runMatrix(op))
    return true;
  // Floating-point arithmetic and the like.
  if (op->getNumRegions() != 0 || op->getNumResults() > 1)
    return op->getNumRegions() == 0 && isPure(op);
  if (isa<gpu::BarrierOp>(op))
    return true;
  if (op->getNumResults() == 1 &&
      isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()))) {
    set(op->getResult(0), 0);
    return true;
  }
  return false;
}

bool Interpreter::runId(Operation *op) {
  auto axis = [&](auto id) { return unsigned(id.getDimension()); };
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    set(id, workgroup[axis(id)]);
  else if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    set(id, thread[axis(id)]);
  else if (auto id = dyn_cast<gpu::GridDimOp>(op))
    set(id, grid[axis(id)]);
  else if (auto id = dyn_cast<gpu::BlockDimOp>(op))
    set(id, block[axis(id)]);
  else if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
    set(id, workgroup[axis(id)] * block[axis(id)] + thread[axis(id)]);
  else if (isa<gpu::LaneIdOp>(op))
    set(op->getResult(0), linearThread() % 32);
  else if (isa<gpu::SubgroupIdOp>(op))
    set(op->getResult(0), linearThread() / 32);
  else
    return false;
  return true;
}

bool Interpreter::runInteger(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Type type = op->getResult(0).getType();
  if (isa<arith::SelectOp>(op) && op->getOperand(0).getType().isInteger(1)) {
    Datum chosen = data[op->getOperand(number(op->getOperand(0)) & 1 ? 1 : 2)];
    data[op->getResult(0)] = std::move(chosen);
    return true;
  }
  if (!type.isIntOrIndex())
    return false;
  APInt constant;
  if (matchPattern(op->getResult(0), m_ConstantInt(&constant))) {
    set(op->getResult(0), constant.getSExtValue());
    return true;
  }
  StringRef name = op->getName().getStringRef();
  if (op->getNumOperands() == 0 ||
      !op->getOperand(0).getType().isIntOrIndex() ||
      !(name.starts_with("arith.") || name.starts_with("index.")))
    return false;
  name = name.substr(name.find('.') + 1);
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Type source = op->getOperand(0).getType();
  unsigned sourceBits = source.isIndex() ? 64 : source.getIntOrFloatBitWidth();
  APInt a(sourceBits, number(op->getOperand(0)), true, true), b(sourceBits, 0);
  if (op->getNumOperands() > 1)
    b = APInt(sourceBits, number(op->getOperand(1)), true, true);
  auto floored = [](const APInt &n, const APInt &d) {
    return llvm::APIntOps::RoundingSDiv(n, d, APInt::Rounding::DOWN);
  };
  auto ceiled = [](const APInt &n, const APInt &d) {
    return llvm::APIntOps::RoundingSDiv(n, d, APInt::Rounding::UP);
  };
  APInt r(bits, 0);
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    r = APInt(1, arith::applyCmpPredicate(compare.getPredicate(), a, b));
  } else if (name == "addi" || name == "add")
    r = a + b;
  else if (name == "subi" || name == "sub")
    r = a - b;
  else if (name == "muli" || name == "mul")
    r = a * b;
  else if (name == "divsi" || name == "divs")
    r = a.sdiv(b);
  else if (name == "divui" || name == "divu")
    r = a.udiv(b);
  else if (name == "remsi" || name == "rems")
    r = a.srem(b);
  else if (name == "remui" || name == "remu")
    r = a.urem(b);
  else if (name == "floordivsi" || name == "floordivs")
    r = floored(a, b);
  else if (name == "ceildivsi" || name == "ceildivs")
    r = ceiled(a, b);
  else if (name == "ceildivui" || name == "ceildivu")
    r = llvm::APIntOps::RoundingUDiv(a, b, APInt::Rounding::UP);
  else if (name == "andi" || name == "and")
    r = a & b;
  else if (name == "ori" || name == "or")
    r = a | b;
  else if (name == "xori" || name == "xor")
    r = a ^ b;
  else if (name == "shli" || name == "shl")
    r = a.shl(b);
  else if (name == "shrui" || name == "shru")
    r = a.lshr(b);
  else if (name == "shrsi" || name == "shrs")
    r = a.ashr(b);
  else if (name == "minsi" || name == "mins")
    r = llvm::APIntOps::smin(a, b);
  else if (name == "maxsi" || name == "maxs")
    r = llvm::APIntOps::smax(a, b);
  else if (name == "minui" || name == "minu")
    r = llvm::APIntOps::umin(a, b);
  else if (name == "maxui" || name == "maxu")
    r = llvm::APIntOps::umax(a, b);
  else if (name == "extui" || name == "index_castui" || name == "castu")
    r = a.zextOrTrunc(bits);
  else if (name == "extsi" || name == "index_cast" || name == "trunci" ||
           name == "casts")
    r = a.sextOrTrunc(bits);
  else
    return false;
  set(op->getResult(0), r.getSExtValue());
  return true;
}

bool Interpreter::runIndex(Operation *op) {
  if (auto map = dyn_cast<affine::AffineApplyOp>(op)) {
    set(map, apply(map.getAffineMap(), map.getMapOperands())[0]);
    return true;
  }
  if (auto map = dyn_cast<affine::AffineMinOp>(op)) {
    auto all = apply(map.getAffineMap(), map.getOperands());
    set(map, *std::min_element(all.begin(), all.end()));
    return true;
  }
  if (auto map = dyn_cast<affine::AffineMaxOp>(op)) {
    auto all = apply(map.getAffineMap(), map.getOperands());
    set(map, *std::max_element(all.begin(), all.end()));
    return true;
  }
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op)) {
    std::vector<int64_t> basis = numbers(split.getMixedBasis());
    int64_t rest = number(split.getLinearIndex());
    unsigned first = split.hasOuterBound() ? 1 : 0;
    unsigned result = split.getNumResults();
    for (size_t i = basis.size(); i-- > first;) {
      set(split.getResult(--result),
          rest - basis[i] * floorDiv(rest, basis[i]));
      rest = floorDiv(rest, basis[i]);
    }
    if (result > 0)
      set(split.getResult(0), rest);
    return true;
  }
  if (auto merge = dyn_cast<affine::AffineLinearizeIndexOp>(op)) {
    std::vector<int64_t> basis = numbers(merge.getMixedBasis());
    std::vector<int64_t> index = numbers(merge.getMultiIndex());
    if (basis.size() == index.size())
      basis.erase(basis.begin());
    int64_t sum = index[0];
    for (size_t i = 1; i < index.size(); ++i)
      sum = sum * basis[i - 1] + index[i];
    set(merge, sum);
    return true;
  }
  return false;
}

bool Interpreter::runControlFlow(Operation *op) {
  auto bind = [&](ValueRange targets, const Data &source) {
    for (auto [target, datum] : llvm::zip(targets, source))
      data[target] = datum;
  };
  auto get = [&](ValueRange sources) {
    Data result;
    for (Value source : sources)
      result.push_back(data[source]);
    return result;
  };
  auto count = [&](int64_t lower, int64_t upper, int64_t step, Value counter,
                   Block &body, Block::BlockArgListType arguments,
                   ValueRange inits) {
    Data carried = get(inits);
    for (int64_t i = lower; i < upper && error.empty(); i += step) {
      set(counter, i);
      bind(arguments, carried);
      carried = runBlock(body);
    }
    bind(op->getResults(), carried);
    return true;
  };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return count(number(loop.getLowerBound()), number(loop.getUpperBound()),
                 number(loop.getStep()), loop.getInductionVar(),
                 *loop.getBody(), loop.getRegionIterArgs(), loop.getInits());
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    auto low = apply(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    auto high = apply(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
    return count(*std::max_element(low.begin(), low.end()),
                 *std::min_element(high.begin(), high.end()),
                 loop.getStepAsInt(), loop.getInductionVar(), *loop.getBody(),
                 loop.getRegionIterArgs(), loop.getInits());
  }
  std::function<void(ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>,
                     ValueRange, Block &)>
      nest = [&](ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                 ArrayRef<int64_t> step, ValueRange counters, Block &body) {
        if (counters.empty()) {
          runBlock(body);
          return;
        }
        for (int64_t i = low[0]; i < high[0] && error.empty(); i += step[0]) {
          set(counters[0], i);
          nest(low.drop_front(), high.drop_front(), step.drop_front(),
               counters.drop_front(), body);
        }
      };
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    nest(numbers(loop.getLowerBound()), numbers(loop.getUpperBound()),
         numbers(loop.getStep()), loop.getInductionVars(), *loop.getBody());
    return true;
  }
  if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    nest(numbers(loop.getMixedLowerBound()), numbers(loop.getMixedUpperBound()),
         numbers(loop.getMixedStep()), loop.getInductionVars(),
         *loop.getBody());
    return true;
  }
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op)) {
    auto grouped = [](std::vector<int64_t> all, DenseIntElementsAttr sizes,
                      bool least) {
      std::vector<int64_t> bounds;
      auto next = all.begin();
      for (const APInt &size : sizes.getValues<APInt>()) {
        auto end = next + size.getZExtValue();
        bounds.push_back(least ? *std::min_element(next, end)
                               : *std::max_element(next, end));
        next = end;
      }
      return bounds;
    };
    nest(grouped(apply(loop.getLowerBoundsMap(), loop.getLowerBoundsOperands()),
                 loop.getLowerBoundsGroups(), false),
         grouped(apply(loop.getUpperBoundsMap(), loop.getUpperBoundsOperands()),
                 loop.getUpperBoundsGroups(), true),
         loop.getSteps(), loop.getIVs(), *loop.getBody());
    return true;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Region &side = number(branch.getCondition()) & 1 ? branch.getThenRegion()
                                                     : branch.getElseRegion();
    if (!side.empty())
      bind(op->getResults(), runBlock(side.front()));
    return true;
  }
  if (auto branch = dyn_cast<affine::AffineIfOp>(op)) {
    IntegerSet set = branch.getIntegerSet();
    std::vector<int64_t> in = numbers(branch.getOperands());
    bool holds = true;
    for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
      int64_t value = evaluateExpr(set.getConstraint(i), set.getNumDims(), in);
      holds &= set.isEq(i) ? value == 0 : value >= 0;
    }
    Region &side = holds ? branch.getThenRegion() : branch.getElseRegion();
    if (!side.empty())
      bind(op->getResults(), runBlock(side.front()));
    return true;
  }
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    Region *side = &choice.getDefaultRegion();
    for (auto [index, value] : llvm::enumerate(choice.getCases()))
      if (value == number(choice.getArg()))
        side = &choice.getCaseRegions()[index];
    bind(op->getResults(), runBlock(side->front()));
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    Data carried = get(loop.getInits());
    while (error.empty()) {
      bind(loop.getBeforeArguments(), carried);
      Data forwarded = runBlock(*loop.getBeforeBody());
      if (!error.empty())
        break;
      bool goOn = forwarded.front().number & 1;
      forwarded.erase(forwarded.begin());
      bind(goOn ? ValueRange(loop.getAfterArguments())
                : ValueRange(op->getResults()),
           forwarded);
      if (!goOn)
        break;
      carried = runBlock(*loop.getAfterBody());
    }
    return true;
  }
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op)) {
    bind(op->getResults(), runBlock(region.getRegion().front()));
    return true;
  }
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
    if (!callee || callee.getFunctionBody().empty())
      return false;
    bind(callee.getFunctionBody().getArguments(), get(call.getArgOperands()));
    bind(op->getResults(), runFunction(callee));
    return true;
  }
  return false;
}

} // namespace swizzle::test
