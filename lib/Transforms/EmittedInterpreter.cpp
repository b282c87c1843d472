//===- EmittedInterpreter.cpp - Runs emitted operations -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every value is kept zero-extended in 64 bits; `index` counts as 64 bits wide.
//
//===----------------------------------------------------------------------===//

#include "EmittedInterpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace swizzle {

using namespace mlir;

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static uint64_t truncate(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & llvm::maskTrailingOnes<uint64_t>(width);
}

static int64_t asSigned(uint64_t value, unsigned width) {
  return width >= 64 ? int64_t(value) : llvm::SignExtend64(value, width);
}

static llvm::Error unknownOperation(Operation *op) {
  return llvm::createStringError("'%s' is not an operation that emission makes",
                                 op->getName().getStringRef().str().c_str());
}

EmittedInterpreter::Slot EmittedInterpreter::define(Value value) {
  auto [entry, inserted] = slots.try_emplace(value, numSlots);
  if (inserted)
    ++numSlots;
  return entry->second;
}

llvm::Expected<EmittedInterpreter::Slot>
EmittedInterpreter::slotOf(Value value) {
  auto found = slots.find(value);
  if (found == slots.end())
    return llvm::createStringError(
        "an emitted operation depends on a value that is neither an id nor an "
        "extent");
  return found->second;
}

llvm::Expected<EmittedInterpreter>
EmittedInterpreter::compile(llvm::ArrayRef<Value> inputs,
                            llvm::ArrayRef<Value> outputs) {
  EmittedInterpreter result;
  result.program = std::make_shared<Steps>();
  for (Value input : inputs)
    result.inputSlots.push_back(result.define(input));

  // Whatever the outputs need, in the order of the block.
  llvm::SetVector<Operation *> needed;
  std::vector<Value> stack(outputs.begin(), outputs.end());
  auto need = [&](Value value) {
    if (!result.slots.count(value))
      stack.push_back(value);
  };
  while (!stack.empty()) {
    Value value = stack.back();
    stack.pop_back();
    Operation *op = value.getDefiningOp();
    if (result.slots.count(value) || !op || !needed.insert(op))
      continue;
    for (Value operand : op->getOperands())
      need(operand);
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (nested != op &&
            !op->isAncestor(operand.getParentBlock()->getParentOp()))
          need(operand);
    });
  }
  std::vector<Operation *> order(needed.begin(), needed.end());
  for (Operation *op : order)
    if (op->getBlock() != order.front()->getBlock())
      return llvm::createStringError(
          "the emitted operations do not stand in one block");
  std::sort(order.begin(), order.end(),
            [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : order)
    if (llvm::Error error = result.compileOp(op, *result.program))
      return error;
  for (Value output : outputs) {
    llvm::Expected<Slot> slot = result.slotOf(output);
    if (!slot)
      return slot.takeError();
    result.outputSlots.push_back(*slot);
  }
  result.storage.assign(size_t(result.numSlots) * batchSize, 0);
  return result;
}

llvm::Error EmittedInterpreter::compileOp(Operation *op, Steps &steps) {
  if (isa<scf::ForOp>(op))
    return compileLoop(op, steps);
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumRegions())
    return unknownOperation(op);
  for (Type type : op->getResultTypes())
    if (!type.isIndex() && !type.isSignlessInteger())
      return unknownOperation(op);
  Step step;
  step.op = op;
  for (Value operand : op->getOperands()) {
    llvm::Expected<Slot> slot = slotOf(operand);
    if (!slot)
      return slot.takeError();
    step.operands.push_back(*slot);
  }
  if (op->getNumOperands())
    step.width = widthOf(op->getOperand(op->getNumOperands() - 1).getType());
  for (Value result : op->getResults())
    step.results.push_back(define(result));
  step.resultWidth = widthOf(op->getResult(0).getType());
  if (auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    step.noSignedWrap = overflow.hasNoSignedWrap();
    step.noUnsignedWrap = overflow.hasNoUnsignedWrap();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    step.predicate = static_cast<int>(compare.getPredicate());
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    step.lower =
        cast<IntegerAttr>(constant.getValue()).getValue().getSExtValue();
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error EmittedInterpreter::compileLoop(Operation *op, Steps &steps) {
  auto loop = cast<scf::ForOp>(op);
  APInt lower, upper, stride;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&stride)))
    return llvm::createStringError("an emitted loop has no constant bounds");
  Step step;
  step.op = op;
  step.lower = lower.getSExtValue();
  step.upper = upper.getSExtValue();
  step.stride = stride.getSExtValue();
  if (step.stride <= 0 || (step.upper - step.lower) / step.stride > 64)
    return llvm::createStringError("an emitted loop is not short");
  for (Value init : loop.getInitArgs()) {
    llvm::Expected<Slot> slot = slotOf(init);
    if (!slot)
      return slot.takeError();
    step.operands.push_back(*slot);
  }
  for (Value argument : loop.getBody()->getArguments())
    step.arguments.push_back(define(argument));
  step.width = widthOf(loop.getInductionVar().getType());
  for (Operation &nested : loop.getBody()->without_terminator())
    if (llvm::Error error = compileOp(&nested, step.body))
      return error;
  for (Value yielded : loop.getBody()->getTerminator()->getOperands()) {
    llvm::Expected<Slot> slot = slotOf(yielded);
    if (!slot)
      return slot.takeError();
    step.yielded.push_back(*slot);
  }
  for (Value result : op->getResults())
    step.results.push_back(define(result));
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::MutableArrayRef<uint64_t> EmittedInterpreter::input(unsigned index) {
  return {lanes(inputSlots[index]), batchSize};
}

llvm::ArrayRef<uint64_t> EmittedInterpreter::output(unsigned index) const {
  return {storage.data() + outputSlots[index] * batchSize, batchSize};
}

llvm::Error EmittedInterpreter::run(size_t count) {
  return runSteps(*program, count);
}

llvm::Error EmittedInterpreter::runSteps(const Steps &steps, size_t count) {
  for (const Step &step : steps) {
    if (!isa<scf::ForOp>(step.op)) {
      if (llvm::Error error = runStep(step, count))
        return error;
      continue;
    }
    for (size_t i = 0; i < step.operands.size(); ++i)
      std::copy_n(lanes(step.operands[i]), count, lanes(step.arguments[i + 1]));
    for (int64_t at = step.lower; at < step.upper; at += step.stride) {
      std::fill_n(lanes(step.arguments[0]), count, truncate(at, step.width));
      if (llvm::Error error = runSteps(step.body, count))
        return error;
      // A yielded value may be another argument: read all before writing any.
      std::vector<std::vector<uint64_t>> next;
      for (Slot slot : step.yielded)
        next.emplace_back(lanes(slot), lanes(slot) + count);
      for (size_t i = 0; i < next.size(); ++i)
        std::copy(next[i].begin(), next[i].end(), lanes(step.arguments[i + 1]));
    }
    for (size_t i = 0; i < step.results.size(); ++i)
      std::copy_n(lanes(step.arguments[i + 1]), count, lanes(step.results[i]));
  }
  return llvm::Error::success();
}

namespace {

/// Applies `compute` to the lanes; it returns false where it is undefined. The
/// first such lane is the result, or `count`.
template <typename Fn>
size_t forLanes(size_t count, const uint64_t *a, const uint64_t *b,
                uint64_t *out, unsigned width, Fn compute) {
  bool fine = true;
  for (size_t lane = 0; lane < count; ++lane) {
    uint64_t result = 0;
    fine &= compute(a[lane], b[lane], result);
    out[lane] = truncate(result, width);
  }
  if (fine)
    return count;
  for (size_t lane = 0; lane < count; ++lane) {
    uint64_t result = 0;
    if (!compute(a[lane], b[lane], result))
      return lane;
  }
  return count;
}

} // namespace

static bool compareValues(arith::CmpIPredicate predicate, uint64_t a,
                          uint64_t b, unsigned width) {
  int64_t sa = asSigned(a, width), sb = asSigned(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return sa < sb;
  case arith::CmpIPredicate::sle:
    return sa <= sb;
  case arith::CmpIPredicate::sgt:
    return sa > sb;
  case arith::CmpIPredicate::sge:
    return sa >= sb;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

llvm::Error EmittedInterpreter::runStep(const Step &step, size_t count) {
  const unsigned width = step.width, resultWidth = step.resultWidth;
  const uint64_t *a = step.operands.empty() ? nullptr : lanes(step.operands[0]);
  const uint64_t *b = step.operands.size() > 1 ? lanes(step.operands[1]) : a;
  uint64_t *out = lanes(step.results[0]);

  // Arithmetic that may promise not to wrap: the exact result, in 128 bits,
  // must be what the promise says.
  auto exact = [&](auto compute) {
    if (!step.noSignedWrap && !step.noUnsignedWrap)
      return forLanes(count, a, b, out, resultWidth,
                      [&](uint64_t x, uint64_t y, uint64_t &result) {
                        result = uint64_t(compute(__int128(x), __int128(y)));
                        return true;
                      });
    return forLanes(
        count, a, b, out, resultWidth,
        [&](uint64_t x, uint64_t y, uint64_t &result) {
          __int128 asUnsigned = compute(__int128(x), __int128(y));
          __int128 signedResult = compute(__int128(asSigned(x, width)),
                                          __int128(asSigned(y, width)));
          result = uint64_t(asUnsigned);
          uint64_t kept = truncate(result, width);
          return (!step.noUnsignedWrap || asUnsigned == __int128(kept)) &&
                 (!step.noSignedWrap ||
                  signedResult == __int128(asSigned(kept, width)));
        });
  };
  auto total = [&](auto compute) {
    return forLanes(count, a, b, out, resultWidth,
                    [&](uint64_t x, uint64_t y, uint64_t &result) {
                      result = compute(x, y);
                      return true;
                    });
  };
  auto partial = [&](auto compute) {
    return forLanes(count, a, b, out, resultWidth, compute);
  };
  auto sign = [&](uint64_t value) { return asSigned(value, width); };

  std::optional<size_t> stopped =
      llvm::TypeSwitch<Operation *, std::optional<size_t>>(step.op)
          .Case<arith::ConstantOp>([&](auto) {
            std::fill_n(out, count, truncate(step.lower, resultWidth));
            return count;
          })
          .Case<arith::AddIOp>([&](auto) {
            return exact([](__int128 x, __int128 y) { return x + y; });
          })
          .Case<arith::SubIOp>([&](auto) {
            return exact([](__int128 x, __int128 y) { return x - y; });
          })
          .Case<arith::MulIOp>([&](auto) {
            if (width <= 32)
              return exact([](__int128 x, __int128 y) { return x * y; });
            // 128 bits hold a signed product, but not any unsigned one.
            return partial([&](uint64_t x, uint64_t y, uint64_t &result) {
              result = x * y;
              uint64_t unsignedProduct;
              int64_t signedProduct;
              bool wrapsUnsigned =
                  __builtin_mul_overflow(x, y, &unsignedProduct);
              bool wrapsSigned =
                  __builtin_mul_overflow(sign(x), sign(y), &signedProduct);
              return !(step.noUnsignedWrap && wrapsUnsigned) &&
                     !(step.noSignedWrap && wrapsSigned);
            });
          })
          .Case<arith::ShLIOp>([&](auto) {
            return partial([&](uint64_t x, uint64_t y, uint64_t &result) {
              if (y >= width)
                return false;
              result = x << y;
              uint64_t kept = truncate(result, width);
              return !(step.noUnsignedWrap && kept >> y != x) &&
                     !(step.noSignedWrap && sign(kept) >> y != sign(x));
            });
          })
          .Case<arith::MulUIExtendedOp>([&](auto) {
            uint64_t *high = lanes(step.results[1]);
            for (size_t lane = 0; lane < count; ++lane) {
              auto product = (unsigned __int128)a[lane] * b[lane];
              out[lane] = truncate(uint64_t(product), width);
              high[lane] = truncate(uint64_t(product >> width), width);
            }
            return count;
          })
          .Case<arith::DivUIOp>([&](auto) {
            return partial([](uint64_t x, uint64_t y, uint64_t &result) {
              return y != 0 && ((result = x / y), true);
            });
          })
          .Case<arith::RemUIOp>([&](auto) {
            return partial([](uint64_t x, uint64_t y, uint64_t &result) {
              return y != 0 && ((result = x % y), true);
            });
          })
          .Case<arith::DivSIOp>([&](auto) {
            return partial([&](uint64_t x, uint64_t y, uint64_t &result) {
              return y != 0 && sign(y) != -1 &&
                     ((result = sign(x) / sign(y)), true);
            });
          })
          .Case<arith::RemSIOp>([&](auto) {
            return partial([&](uint64_t x, uint64_t y, uint64_t &result) {
              return y != 0 && sign(y) != -1 &&
                     ((result = sign(x) % sign(y)), true);
            });
          })
          .Case<arith::ShRUIOp>([&](auto) {
            return partial([&](uint64_t x, uint64_t y, uint64_t &result) {
              return y < width && ((result = x >> y), true);
            });
          })
          .Case<arith::ShRSIOp>([&](auto) {
            return partial([&](uint64_t x, uint64_t y, uint64_t &result) {
              return y < width && ((result = sign(x) >> y), true);
            });
          })
          .Case<arith::AndIOp>([&](auto) {
            return total([](uint64_t x, uint64_t y) { return x & y; });
          })
          .Case<arith::OrIOp>([&](auto) {
            return total([](uint64_t x, uint64_t y) { return x | y; });
          })
          .Case<arith::XOrIOp>([&](auto) {
            return total([](uint64_t x, uint64_t y) { return x ^ y; });
          })
          .Case<arith::MinUIOp>([&](auto) {
            return total([](uint64_t x, uint64_t y) { return std::min(x, y); });
          })
          .Case<arith::MaxUIOp>([&](auto) {
            return total([](uint64_t x, uint64_t y) { return std::max(x, y); });
          })
          .Case<arith::MinSIOp>([&](auto) {
            return total([&](uint64_t x, uint64_t y) {
              return sign(x) < sign(y) ? x : y;
            });
          })
          .Case<arith::MaxSIOp>([&](auto) {
            return total([&](uint64_t x, uint64_t y) {
              return sign(x) < sign(y) ? y : x;
            });
          })
          .Case<arith::CmpIOp>([&](auto) {
            auto predicate = static_cast<arith::CmpIPredicate>(step.predicate);
            return total([&](uint64_t x, uint64_t y) {
              return compareValues(predicate, x, y, width);
            });
          })
          .Case<arith::SelectOp>([&](auto) {
            const uint64_t *otherwise = lanes(step.operands[2]);
            for (size_t lane = 0; lane < count; ++lane)
              out[lane] = a[lane] ? b[lane] : otherwise[lane];
            return count;
          })
          .Case<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(
              [&](auto) {
                return total([](uint64_t x, uint64_t) { return x; });
              })
          .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) {
            return total([&](uint64_t x, uint64_t) { return sign(x); });
          })
          .Default([](Operation *) { return std::nullopt; });
  if (!stopped)
    return unknownOperation(step.op);
  if (*stopped == count)
    return llvm::Error::success();
  failed = *stopped;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "undefined arithmetic in '" << *step.op << "'";
  return llvm::createStringError(text);
}

} // namespace swizzle
