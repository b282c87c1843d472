//===- WriteIntegers.cpp - Values, slots and conditions -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `same` computes a value again in a roundabout way; `applyMap` is injective;
// `spoiled` is what `applyMap` becomes by one mistake.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <algorithm>
#include <numeric>

namespace swizzle::fuzz {

/// Stores `value` to private memory and loads it.
Int KernelWriter::sameByMemory(const Int &value) {
  Int wide = cast(value, {64, false}, true), result = wide;
  if (high()) {
    std::string type = "memref<3xi64>";
    std::string memory = define("memref.alloca() : " + type);
    Int at = constant(indexType(), draw(0, 2));
    line("memref.store " + wide.name + ", " + memory + "[" + at.name +
         "] : " + type);
    result.name =
        define("memref.load " + memory + "[" + at.name + "] : " + type);
  } else {
    Int count = constant({64, false}, 3);
    std::string type = isRocdl ? "!llvm.ptr<5>" : "!llvm.ptr";
    std::string memory =
        define("llvm.alloca " + count.name + " x i64 : (i64) -> " + type);
    line("llvm.store " + wide.name + ", " + memory + " : i64, " + type);
    result.name = define("llvm.load " + memory + " : " + type + " -> i64");
  }
  return cast(result, value.type, true);
}

/// Hands `value` to a function and gets it back.
Int KernelWriter::sameByCall(const Int &value) {
  std::string name = "@same" + std::to_string(++numFunctions);
  std::string type = value.type.text(), body;
  std::string *outside = std::exchange(out, &body);
  Int inside = value;
  inside.name = "%v";
  inside = sameOnce(inside);
  out = outside;
  functions += (high() ? "func.func private " : "llvm.func internal ") + name +
               "(%v: " + type + ") -> " + type + " {\n" + body +
               (high() ? "return " : "llvm.return ") + inside.name + " : " +
               type + "\n}\n";
  Int result = inside;
  result.name = define((high() ? "func.call " : "llvm.call ") + name + "(" +
                       value.name + ") : (" + type + ") -> " + type);
  return result;
}

/// Puts `value` into a vector and takes it out.
Int KernelWriter::sameByVector(const Int &value) {
  Int result = value;
  std::string type = value.type.text();
  if (high()) {
    Int other = constant(value.type, draw(0, 9));
    std::string vector = define("vector.from_elements " + other.name + ", " +
                                value.name + " : vector<2x" + type + ">");
    result.name = define("vector.extract " + vector + "[1] : " + type +
                         " from vector<2x" + type + ">");
    return result;
  }
  std::string vector = define("llvm.mlir.poison : vector<2x" + type + ">");
  Int at = constant({32, false}, draw(0, 1));
  vector = define("llvm.insertelement " + value.name + ", " + vector + "[" +
                  at.name + " : i32] : vector<2x" + type + ">");
  result.name = define("llvm.extractelement " + vector + "[" + at.name +
                       " : i32] : vector<2x" + type + ">");
  return result;
}

/// `value`, computed in one more step. Values are few and small.
Int KernelWriter::sameOnce(const Int &v) {
  IntType type = v.type;
  unsigned need = 1;
  // The counter of a loop without turns has no values.
  while (std::max<Wide>({0, v.hi, -v.lo}) >> (need - 1))
    ++need;
  auto narrowed = [&](Int result) {
    result.lo = v.lo;
    result.hi = v.hi;
    return result;
  };
  switch (oneOf(
      {Feature::SameByAddSub, Feature::SameByXor, Feature::SameByExtTrunc,
       Feature::SameByTruncExt, Feature::SameByMulDiv, Feature::SameByShifts,
       Feature::SameByWrappingShifts, Feature::SameBySelect,
       Feature::SameByMinMax, Feature::SameByRem, Feature::SameByDivRem,
       Feature::SameByBits, Feature::SameByNegation, Feature::SameByMemory,
       Feature::SameByLoop, Feature::SameByCall, Feature::SameByVector,
       Feature::SameByFreeze, Feature::SameByAssume})) {
  case Feature::SameByAddSub: {
    Int by = constant(type, draw(1, 60));
    bool first = chance(50);
    return narrowed(binary(first ? Op::Sub : Op::Add,
                           binary(first ? Op::Add : Op::Sub, v, by), by));
  }
  case Feature::SameByXor: {
    Int by = constant(type, draw(1, 60));
    return narrowed(binary(Op::Xor, binary(Op::Xor, v, by), by));
  }
  case Feature::SameByExtTrunc: {
    IntType wide{type.bits < 32 ? 32u : type.bits < 64 ? 64u : 128u, false};
    return narrowed(cast(cast(v, wide, chance(50)), type, true));
  }
  case Feature::SameByTruncExt: {
    IntType narrow{need <= 8 && chance(50) ? 8u
                   : need <= 16            ? 16u
                                           : 32u,
                   false};
    if (type.bits <= narrow.bits)
      break;
    return narrowed(
        cast(cast(v, narrow, true), type, !v.isNonNegative() || chance(50)));
  }
  case Feature::SameByMulDiv: {
    int64_t by = draw(2, 7);
    if (need + 3 >= type.bits)
      break;
    bool isSigned = !v.isNonNegative() || chance(50);
    return narrowed(
        binary(isSigned ? Op::SDiv : Op::UDiv, binary(Op::Mul, v, by), by));
  }
  case Feature::SameByShifts: {
    if (need + 2 >= type.bits)
      break;
    int64_t by = draw(1, type.bits - need - 1);
    bool isSigned = !v.isNonNegative() || chance(50);
    return narrowed(
        binary(isSigned ? Op::AShr : Op::LShr, binary(Op::Shl, v, by), by));
  }
  case Feature::SameByWrappingShifts: {
    // What the shift pushes out is not part of the value.
    if (!v.isNonNegative() || need < 2 || need + 1 >= type.bits)
      break;
    int64_t by = type.bits - (need - 1);
    return narrowed(binary(Op::LShr, binary(Op::Shl, v, by), by));
  }
  case Feature::SameBySelect:
    return narrowed(select(compare("slt", v, draw(0, 5)), v, v));
  case Feature::SameByMinMax: {
    bool isSigned = !v.isNonNegative() || chance(50);
    Int low = binary(isSigned ? Op::SMax : Op::UMax, v, v.lo);
    return narrowed(binary(isSigned ? Op::SMin : Op::UMin, low, v.hi));
  }
  case Feature::SameByRem: {
    if (!v.isNonNegative() || need + 4 >= type.bits)
      break;
    return narrowed(
        binary(chance(50) ? Op::SRem : Op::URem, v, v.hi + 1 + draw(0, 5)));
  }
  case Feature::SameByDivRem: {
    if (!v.isNonNegative())
      break;
    Int by = constant(type, draw(2, 5));
    bool isSigned = chance(50);
    Int quotient = binary(isSigned ? Op::SDiv : Op::UDiv, v, by),
        rest = binary(isSigned ? Op::SRem : Op::URem, v, by);
    return narrowed(binary(Op::Add, binary(Op::Mul, quotient, by), rest));
  }
  case Feature::SameByBits: {
    int64_t mask = draw(1, 30);
    if (chance(20)) // bits that are there already
      return narrowed(binary(Op::Or, v, binary(Op::And, v, mask)));
    return narrowed(binary(chance(50) ? Op::Or : Op::Add,
                           binary(Op::And, v, mask),
                           binary(Op::And, v, -1 - mask)));
  }
  case Feature::SameByNegation: {
    Int zero = constant(type, 0);
    return narrowed(binary(Op::Sub, zero, binary(Op::Sub, zero, v)));
  }
  case Feature::SameByMemory:
    if (type.bits > 64)
      break;
    return narrowed(sameByMemory(v));
  case Feature::SameByLoop: {
    if (!high() || !v.isNonNegative() || v.hi > 40)
      break;
    Int zero = constant(indexType(), 0), step = constant(indexType(), 1),
        start = constant(type, 0), add = constant(type, 1),
        end = convert(v, indexType());
    std::string carried = fresh(), counter = fresh(), result = fresh();
    line(result + " = scf.for " + counter + " = " + zero.name + " to " +
         end.name + " step " + step.name + " iter_args(" + carried + " = " +
         start.name + ") -> (" + type.text() + ") {");
    std::string next =
        define("arith.addi " + carried + ", " + add.name + " : " + type.text());
    line("scf.yield " + next + " : " + type.text() + "\n}");
    return {result, type, v.lo, v.hi};
  }
  case Feature::SameByCall:
    return narrowed(sameByCall(v));
  case Feature::SameByVector:
    return narrowed(sameByVector(v));
  case Feature::SameByFreeze:
    if (high())
      break;
    return {define("llvm.freeze " + v.name + " : " + type.text()), type, v.lo,
            v.hi};
  case Feature::SameByAssume:
    line("llvm.intr.assume " +
         compare(v.isNonNegative() ? "ule" : "sle", v, v.hi + draw(0, 2)).name +
         " : i1");
    return v;
  default:
    break;
  }
  return v;
}

Int KernelWriter::same(Int value) {
  while (chance(obscurity))
    value = sameOnce(value);
  return value;
}

/// Draws how groups are mapped to slots, and how many of these there are.
void KernelWriter::drawMap() {
  slots = groups;
  for (int64_t i = draw(0, obscurity > 10 ? 3 : 1); i; --i) {
    Feature kind =
        oneOf({Feature::SlotReversed, Feature::SlotRotated, Feature::SlotXored,
               Feature::SlotMultiplied, Feature::SlotStrided,
               Feature::SlotSwapped, Feature::SlotWrapped});
    MapStep step{kind, slots, 0};
    int64_t power = 1;
    while (power < slots)
      power *= 2;
    switch (kind) {
    case Feature::SlotRotated:
      step.b = draw(0, slots - 1);
      break;
    case Feature::SlotXored:
      step.b = draw(0, power - 1);
      slots = power;
      break;
    case Feature::SlotMultiplied:
      do
        step.b = draw(1, 2 * slots);
      while (std::gcd(step.b, slots) != 1);
      break;
    case Feature::SlotStrided:
      step.b = draw(1, 3);
      slots = slots * step.b + draw(0, 2);
      break;
    case Feature::SlotSwapped:
      step.b = draw(0, slots / 2);
      break;
    case Feature::SlotWrapped:
      // Odd factors are invertible modulo a power of two.
      step.a = power;
      step.b = 2 * draw(0, 7) + 1;
      slots = power;
      break;
    default:
      break;
    }
    if (slots > 40) {
      slots = step.a;
      continue;
    }
    map.push_back(step);
  }
}

/// The slot of `group`; equal for equal groups only.
Int KernelWriter::applyMap(Int value) {
  for (const MapStep &step : map) {
    if (chance(30))
      value = same(convert(value, anyType(-120, 120)));
    switch (step.kind) {
    case Feature::SlotReversed:
      value = binary(Op::Sub, constant(value.type, step.a - 1), value);
      break;
    case Feature::SlotRotated:
      value = binary(chance(50) ? Op::URem : Op::SRem,
                     binary(Op::Add, value, step.b), step.a);
      break;
    case Feature::SlotXored:
      value = binary(Op::Xor, value, step.b);
      break;
    case Feature::SlotMultiplied:
      value =
          binary(Op::URem, binary(Op::Mul, convert(value, {64, false}), step.b),
                 step.a);
      break;
    case Feature::SlotStrided:
      value = binary(Op::Mul, value, step.b);
      break;
    case Feature::SlotSwapped:
      value = within(select(compare("slt", value, step.b),
                            binary(Op::Add, value, step.a - step.b),
                            binary(Op::Sub, value, step.b)),
                     step.a);
      break;
    case Feature::SlotWrapped:
      value = binary(Op::And, binary(Op::Mul, value, step.b), step.a - 1);
      break;
    default:
      break;
    }
  }
  return within(value, slots);
}

Int KernelWriter::within(Int value, int64_t limit) {
  value.lo = std::max<Wide>(value.lo, 0);
  value.hi = std::min<Wide>(value.hi, limit - 1);
  return value;
}

/// A value of [0, limit).
Int KernelWriter::below(const Int &value, int64_t limit) {
  if (value.isNonNegative() && value.hi < limit)
    return value;
  if (value.isNonNegative() && chance(30))
    return binary(chance(50) ? Op::UMin : Op::SMin, value, limit - 1);
  // Unlike urem, srem does not ask for the sign.
  bool either = value.isNonNegative() && value.type.bits > 1 && chance(20);
  return binary(either ? Op::SRem : Op::URem, value, limit);
}

/// What `right` becomes by a mistake: no longer injective, but in range.
Int KernelWriter::spoiled(const Int &right, int64_t limit) {
  Int v = convert(right, anyType(-120, 120));
  Int result = v;
  switch (oneOf({Feature::MistakeSlotHalved, Feature::MistakeSlotClamped,
                 Feature::MistakeSlotModulo, Feature::MistakeSlotTruncated,
                 Feature::MistakeSlotWrapped, Feature::MistakeSlotAbsolute,
                 Feature::MistakeSlotConstant, Feature::MistakeSlotWild})) {
  case Feature::MistakeSlotHalved:
    switch (draw(0, 3)) {
    case 0:
      result = binary(Op::AShr, v, 1);
      break;
    case 1:
      result = binary(Op::SDiv, v, 2);
      break;
    case 2:
      result = binary(Op::And, v, -2);
      break;
    default:
      result = binary(Op::Or, v, 1);
    }
    break;
  case Feature::MistakeSlotClamped:
    result = binary(chance(50) ? Op::SMin : Op::UMin, v,
                    std::max<int64_t>(limit - 2, 0));
    break;
  case Feature::MistakeSlotModulo:
    result = binary(chance(50) ? Op::SRem : Op::URem, v,
                    std::max<int64_t>(limit - draw(1, 2), 1));
    break;
  case Feature::MistakeSlotTruncated: {
    unsigned bits = draw(1, 3);
    result = cast(cast(v, {bits, false}, false), {32, false}, chance(40));
    result = binary(Op::And, result, 7);
    break;
  }
  case Feature::MistakeSlotWrapped: {
    // All but the low bits are pushed out of the top.
    unsigned keep = draw(0, 3);
    int64_t by = v.type.bits - 1 - keep;
    result =
        binary(chance(50) ? Op::AShr : Op::LShr, binary(Op::Shl, v, by), by);
    result = binary(Op::Add, result, 8);
    break;
  }
  case Feature::MistakeSlotAbsolute: {
    Int centred = binary(Op::Sub, v, draw(1, std::max<int64_t>(limit - 1, 1)));
    Int negated = binary(Op::Sub, constant(v.type, 0), centred);
    result = binary(Op::SMax, centred, negated);
    break;
  }
  case Feature::MistakeSlotConstant: {
    int64_t value = draw(0, limit - 1);
    result = chance(50) ? constant(v.type, value)
                        : binary(Op::Add, binary(Op::Sub, v, v), value);
    break;
  }
  default: {
    static const Op ops[] = {Op::Add,  Op::Sub,  Op::Mul,  Op::Xor,
                             Op::And,  Op::Or,   Op::LShr, Op::UDiv,
                             Op::SRem, Op::SMin, Op::SMax};
    for (int64_t i = draw(1, 4); i; --i)
      result = binary(ops[draw(0, std::size(ops) - 1)], result, draw(1, 7));
  }
  }
  return within(below(same(result), limit), limit);
}

/// `p`, said in another way.
Int KernelWriter::sameCondition(Int p) {
  while (chance(obscurity + 10)) {
    Int yes = boolean(true), no = boolean(false);
    switch (oneOf({Feature::ConditionSigned, Feature::ConditionUnsigned,
                   Feature::ConditionExtended, Feature::ConditionMinMax,
                   Feature::ConditionSelect, Feature::ConditionNegated,
                   Feature::ConditionAnd})) {
    case Feature::ConditionSigned:
      p = chance(50) ? compare("slt", p, no) : compare("sle", p, yes);
      break;
    case Feature::ConditionUnsigned:
      p = chance(50) ? compare("ugt", p, no) : compare("uge", p, yes);
      break;
    case Feature::ConditionExtended: {
      IntType type{draw(0, 1) ? 32u : 8u, false};
      p = chance(50) ? compare("slt", cast(p, type, true), 0)
                     : compare("sgt", cast(p, type, false), 0);
      break;
    }
    case Feature::ConditionMinMax:
      switch (draw(0, 3)) {
      case 0:
        p = binary(Op::SMin, p, no);
        break;
      case 1:
        p = binary(Op::SMax, p, yes);
        break;
      case 2:
        p = binary(Op::UMin, p, yes);
        break;
      default:
        p = binary(Op::UMax, p, no);
      }
      break;
    case Feature::ConditionSelect:
      p = select(p, yes, no);
      break;
    case Feature::ConditionNegated:
      p = chance(50) ? binary(Op::Xor, binary(Op::Xor, p, yes), yes)
                     : compare("eq", compare("eq", p, no), no);
      break;
    default:
      p = binary(chance(50) ? Op::And : Op::Or, p, p);
    }
    p.lo = -1;
    p.hi = 0;
  }
  return p;
}

/// True in one workgroup.
Int KernelWriter::onlyOne() {
  Int v = same(convert(group, anyType(-120, 120)));
  int64_t which = draw(0, groups - 1);
  Int p = v;
  switch (draw(0, 4)) {
  case 0:
    p = compare("slt", v, 1);
    break;
  case 1:
    p = compare("ult", binary(Op::Sub, v, which), 1);
    break;
  case 2:
    p = compare("sge", v, groups - 1);
    break;
  case 3:
    p = binary(Op::And, compare("sge", v, which), compare("sle", v, which));
    break;
  default:
    p = compare("eq", v, which);
  }
  return sameCondition(p);
}

/// True in several workgroups, or in one or none by chance.
Int KernelWriter::several() {
  static const char *predicates[] = {"slt", "sge", "ult", "ugt",
                                     "ne",  "sle", "eq"};
  Int v = same(convert(group, anyType(-120, 120)));
  if (chance(25))
    v = binary(Op::And, v, draw(1, 3));
  auto one = [&] {
    return compare(predicates[draw(0, 6)], v, draw(0, groups - 1));
  };
  Int p = one();
  if (chance(30))
    p = binary(chance(60) ? Op::And : Op::Or, p, one());
  return sameCondition(p);
}

} // namespace swizzle::fuzz
