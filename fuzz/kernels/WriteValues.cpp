//===- WriteValues.cpp - Values that something hangs on -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `WriteIntegers` computes what a slot needs; here values are made for their
// own sake, by whatever the machine defines: they become offsets, conditions,
// sizes and data of what comes later. A model that takes one of them for
// another number shows in the trace.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <algorithm>

namespace swizzle::fuzz {

/// One of the values that can be seen, in a type of 8 to 64 bits.
Int KernelWriter::anyValue() {
  static const unsigned widths[] = {8, 16, 32, 64};
  Int from = values[draw(0, values.size() - 1)];
  return cast(from, {widths[draw(0, 3)], false}, chance(70));
}

/// A few operations on `value`. The same recipe is followed again at times:
/// what was found of a quotient under one condition must not be believed
/// elsewhere.
Int KernelWriter::followRecipe(Int value) {
  static const Op ops[] = {Op::Add,  Op::Sub,  Op::Mul,  Op::Shl,  Op::LShr,
                           Op::AShr, Op::UDiv, Op::SDiv, Op::URem, Op::SRem,
                           Op::And,  Op::Or,   Op::Xor,  Op::SMin, Op::SMax,
                           Op::UMin, Op::UMax};
  if (recipe.empty() || chance(50)) {
    recipe.clear();
    for (int64_t i = draw(1, 3); i; --i) {
      Op op = ops[draw(0, std::size(ops) - 1)];
      int64_t by = draw(-9, 9);
      if (op >= Op::Shl && op <= Op::AShr)
        by = draw(0, 7);
      // Not by 0, nor by -1, which may overflow; the ranges are those of
      // positive divisors, so that negative ones widen the result below.
      else if (op >= Op::UDiv && op <= Op::SRem)
        by = op == Op::SDiv && chance(30) ? draw(-5, -2) : draw(2, 6);
      recipe.push_back({op, by});
    }
  }
  for (auto [op, by] : recipe) {
    bool negative = op == Op::SDiv && by < 0;
    Int result = binary(op, value, by);
    if (negative) {
      // Smaller than the operand, either way.
      Wide most = std::max(value.hi, -value.lo);
      result.lo = -most;
      result.hi = most;
    }
    value = result;
  }
  return value;
}

/// What a loop counts from `low` to a value that may lie below it.
Int KernelWriter::counted() {
  Int end = convert(below(thread, threads), indexType());
  int64_t low = draw(0, 4), by = draw(1, 3);
  Int from = constant(indexType(), low), step = constant(indexType(), 1);
  Int start = constant({32, false}, 0), add = constant({32, false}, by);
  std::string carried = fresh(), counter = fresh(), result = fresh();
  line(result + " = scf.for " + counter + " = " + from.name + " to " +
       end.name + " step " + step.name + " iter_args(" + carried + " = " +
       start.name + ") -> (i32) {");
  line("scf.yield " +
       define("arith.addi " + carried + ", " + add.name + " : i32") +
       " : i32\n}");
  // The bits of a negative number would be others.
  return binary(Op::And, Int{result, {32, false}, 0, by * threads}, 7);
}

/// What a loop that counts down carries and adds to in all turns but the first:
/// taken by its first turn, it does not change. `llvm` only.
void KernelWriter::countDown() {
  std::string head = label(), inside = label(), after = label();
  int64_t turns = draw(2, 5), by = draw(1, 3);
  Int counter{fresh(), {32, false}, 0, turns},
      sum{fresh(), {32, false}, 0, turns * by};
  Int start = constant(counter.type, turns), zero = constant(counter.type, 0);
  branch(head, start.name + ", " + zero.name + " : i32, i32");
  line(head + "(" + counter.name + ": i32, " + sum.name + ": i32):");
  branch(compare("sgt", counter, 0), inside, after);
  line(inside + ":");
  size_t seen = values.size();
  values.push_back(sum);
  storeDerived();
  values.resize(seen);
  Int more =
      select(compare("slt", counter, turns), constant(sum.type, by), zero);
  Int next = binary(Op::Sub, counter, 1), added = binary(Op::Add, sum, more);
  branch(head, next.name + ", " + added.name + " : i32, i32");
  line(after + ":");
}

/// A quotient that is small under a condition, and then without it.
Int KernelWriter::quotientTwice() {
  Int v = convert(below(thread, threads), {32, false});
  int64_t by = draw(2, 3), most = draw(0, threads / by);
  auto quotient = [&] {
    return binary(Op::UMin, binary(Op::UDiv, v, by), most);
  };
  ifThen(compare("ult", v, by * (most + 1)), [&] {
    size_t seen = values.size();
    values.push_back(quotient());
    storeDerived();
    values.resize(seen);
  });
  values.push_back(quotient());
  storeDerived();
  return values.back();
}

/// One of two numbers, as data say.
Int KernelWriter::chosenByData() {
  Int one = convert(below(thread, threads), {32, false});
  Int result = select(compare("slt", loadedValue(), draw(-2, 2)), one,
                      constant(one.type, draw(0, 9)));
  result.lo = 0;
  result.hi = std::max<Wide>(one.hi, 9);
  return result;
}

/// ceil(v / 4) for v >= 0, and the arm that makes sense for v > 0 only.
Int KernelWriter::rounded() {
  Int v = convert(below(thread, threads), {32, false});
  Int less = binary(Op::Sub, v, 1);
  Int part = binary(Op::UDiv, less, draw(2, 4));
  Int arm = binary(Op::Add, part, 1);
  Int zero = constant(v.type, 0);
  Int result = select(compare("eq", v, 0), zero, arm);
  if (chance(60))
    values.push_back(chance(50) ? arm : part);
  return result;
}

/// A number that is any number, as `nsw` was broken before it was frozen: here
/// it is the one that the host's arithmetic leaves. `llvm` only.
Int KernelWriter::frozen() {
  Int v = cast(values[draw(0, values.size() - 1)], {32, false}, true);
  std::string type = v.type.text();
  Int by = constant(v.type, draw(28, 30));
  Int broken = v;
  if (chance(25)) // by more bits than there are
    broken.name =
        define((chance(50) ? "llvm.lshr " : "llvm.ashr ") + v.name + ", " +
               constant(v.type, draw(32, 40)).name + " : " + type);
  else
    broken.name = define("llvm.shl " + v.name + ", " + by.name +
                         " overflow<nsw> : " + type);
  switch (draw(0, 3)) {
  case 0:
    broken.name = define("llvm.or " + broken.name + ", " +
                         constant(v.type, 1).name + " : " + type);
    break;
  case 1:
    broken.name =
        select(compare("slt", thread, draw(0, threads)), broken, v).name;
    break;
  case 2: {
    // Where two branches meet.
    std::string one = label(), meet = label(), joined = fresh();
    branch(compare("slt", thread, draw(0, threads)), one,
           meet + "(" + v.name + " : " + type + ")");
    line(one + ":");
    branch(meet, broken.name + " : " + type);
    line(meet + "(" + joined + ": " + type + "):");
    broken.name = joined;
    break;
  }
  default:
    break;
  }
  Int result = v;
  result.name = define("llvm.freeze " + broken.name + " : " + type);
  result.lo = -(Wide(1) << 31);
  result.hi = -result.lo - 1;
  return binary(Op::AShr, result, chance(70) ? by : constant(v.type, 0));
}

/// A sum that a loop carries past the end of its type, and freezes in each
/// turn.
void KernelWriter::frozenInLoop() {
  IntType type{8, false};
  int64_t by = draw(30, 60);
  Int start = cast(thread, type, true), step = constant(type, by);
  loopCarrying(draw(3, 5), start, [&](const Int &carried) {
    Int frozen = carried;
    frozen.name = define("llvm.freeze " + carried.name + " : i8");
    size_t seen = values.size();
    values.push_back(binary(Op::AShr, frozen, 3));
    storeDerived();
    values.resize(seen);
    Int next = carried;
    next.name = define("llvm.add " + carried.name + ", " + step.name +
                       " overflow<nsw> : i8");
    return next;
  });
}

/// A number that a loop carries over the end of its type: the first turns look
/// as if it grew. `llvm` only.
void KernelWriter::overflowing() {
  IntType type{32, false};
  Int start =
          chance(50) ? constant(type, draw(0, 9)) : cast(thread, type, false),
      step = constant(type, int64_t(1) << 30);
  loopCarrying(draw(3, 4), start, [&](const Int &carried) {
    Buffer &to = buffer(Role::Output);
    ifThen(compare("slt", carried, 0),
           [&] { store(to, slot, anyOffset(to, 1), 1); });
    return binary(Op::Add, carried, step);
  });
}

/// Stores at an offset that the latest value decides.
void KernelWriter::storeDerived() {
  Buffer &to = buffer(Role::Output);
  store(to, slot, within(below(values.back(), to.size), to.size), 1);
}

/// Makes a value for what comes later.
void KernelWriter::derive() {
  switch (oneOf({Feature::ValueDerived, Feature::ValueCounted,
                 Feature::ValueRounded, Feature::ValueFrozen,
                 Feature::ValueOverflowing})) {
  case Feature::ValueCounted:
    if (!high())
      countDown();
    values.push_back(high() ? counted() : followRecipe(anyValue()));
    break;
  case Feature::ValueRounded:
    values.push_back(chance(50) ? rounded() : quotientTwice());
    break;
  case Feature::ValueFrozen:
    if (high())
      values.push_back(followRecipe(anyValue()));
    else if (chance(70) || conditional)
      values.push_back(frozen());
    else
      frozenInLoop();
    break;
  case Feature::ValueOverflowing:
    if (!high() && !conditional)
      overflowing();
    values.push_back(followRecipe(anyValue()));
    break;
  default:
    values.push_back(chance(90) ? followRecipe(anyValue()) : chosenByData());
    if (chance(20))
      storeDerived();
  }
}

} // namespace swizzle::fuzz
