//===- Text.cpp - Lines of a kernel at one of two levels ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges are worked out in 128 bits. Where a result may wrap, its range is that
// of its type.
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>

namespace swizzle::fuzz {

static constexpr Wide one = 1;

static Wide leastOf(unsigned bits) {
  return -(one << std::min(bits - 1, 120u));
}
static Wide mostOf(unsigned bits) { return -leastOf(bits) - 1; }

static std::string decimal(Wide value) {
  bool negative = value < 0;
  std::string text;
  unsigned __int128 rest = negative ? -(unsigned __int128)value : value;
  do
    text.insert(text.begin(), char('0' + int(rest % 10)));
  while (rest /= 10);
  return negative ? "-" + text : text;
}

bool Text::use(Feature feature) {
  if (!chance(weightOf(feature)))
    return false;
  note(feature);
  return true;
}

Feature Text::oneOf(std::initializer_list<Feature> features) {
  int64_t sum = 0;
  for (Feature feature : features)
    sum += weightOf(feature);
  int64_t drawn = draw(0, sum - 1);
  for (Feature feature : features)
    if ((drawn -= weightOf(feature)) < 0) {
      note(feature);
      return feature;
    }
  return *features.begin();
}

std::string Text::define(const std::string &right) {
  std::string name = fresh();
  line(name + " = " + right);
  return name;
}

IntType Text::anyType(Wide lo, Wide hi) {
  static const unsigned widths[] = {64, 32, 32, 64, 128, 16, 8, 62, 33, 24};
  for (int tries = 0; tries < 8; ++tries) {
    unsigned bits = widths[draw(0, std::size(widths) - 1)];
    if (lo < leastOf(bits) || hi > mostOf(bits))
      continue;
    note(bits < 32   ? Feature::NarrowInteger
         : bits > 64 ? Feature::WideInteger
         : bits % 32 ? Feature::OddInteger
                     : Feature::PlainInteger);
    return {bits, high() && bits == 64 && chance(50)};
  }
  return indexType();
}

Int Text::constant(IntType type, Wide value) {
  std::string text = type.bits == 1 ? (value ? "true" : "false")
                                    : decimal(value) + " : " + type.text();
  if (high())
    return {define("arith.constant " + text), type, value, value};
  return {define("llvm.mlir.constant(" + text + ") : " + type.text()), type,
          value, value};
}

/// What `op` can make of the operands, before it is cut to `bits`.
static std::pair<Wide, Wide> rangeOf(Op op, const Int &a, const Int &b,
                                     unsigned bits) {
  std::pair<Wide, Wide> all{leastOf(bits) - 1, mostOf(bits) + 1};
  // The most that a negative value is when it is read as unsigned.
  Wide most = bits >= 120 ? one << 120 : (one << bits) - 1;
  bool positive = a.isNonNegative() && b.isNonNegative();
  auto corners = [&](auto apply) {
    Wide values[4] = {apply(a.lo, b.lo), apply(a.lo, b.hi), apply(a.hi, b.lo),
                      apply(a.hi, b.hi)};
    return std::pair(*std::min_element(values, values + 4),
                     *std::max_element(values, values + 4));
  };
  Wide by = b.hi;
  // An i128 that may be anything reaches beyond the ends of its range here.
  bool cutOff = bits > 120 && (a.lo <= leastOf(bits) || a.hi >= mostOf(bits));
  switch (op) {
  case Op::Add:
    return {a.lo + b.lo, a.hi + b.hi};
  case Op::Sub:
    return {a.lo - b.hi, a.hi - b.lo};
  case Op::Mul: {
    Wide limit = one << 62;
    for (Wide value : {a.lo, a.hi, b.lo, b.hi})
      if (value > limit || value < -limit)
        return all;
    return corners([](Wide x, Wide y) { return x * y; });
  }
  case Op::Shl:
    if (a.lo < -(one << 40) || a.hi > one << 40 || by > 64)
      return all;
    return {a.lo * (one << int(by)), a.hi * (one << int(by))};
  case Op::AShr:
    if (cutOff)
      return by < 8 ? all
                    : std::pair(-(one << int(127 - by)),
                                (one << int(127 - by)) - 1);
    return {a.lo >> int(std::min<Wide>(by, 126)),
            a.hi >> int(std::min<Wide>(by, 126))};
  case Op::LShr:
    if (a.isNonNegative() && !cutOff)
      return {a.lo >> int(by), a.hi >> int(by)};
    if (bits > 120)
      return by < 9 ? all
                    : std::pair<Wide, Wide>(0, (one << int(128 - by)) - 1);
    return by ? std::pair<Wide, Wide>(0, most >> int(by)) : all;
  case Op::UDiv:
    if (a.isNonNegative() && !cutOff)
      return {a.lo / by, a.hi / by};
    return by > 1 && bits < 120 ? std::pair<Wide, Wide>(0, most / by) : all;
  case Op::SDiv:
    if (cutOff)
      return all;
    return {a.lo / by, a.hi / by};
  case Op::URem:
    if (a.isNonNegative() && a.hi < by)
      return {a.lo, a.hi};
    return {0, by - 1};
  case Op::SRem:
    return {a.isNonNegative() ? 0 : std::max(a.lo, 1 - by),
            std::max<Wide>(0, std::min(a.hi, by - 1))};
  case Op::And:
    if (positive)
      return {0, std::min(a.hi, b.hi)};
    return a.isNonNegative()   ? std::pair<Wide, Wide>(0, a.hi)
           : b.isNonNegative() ? std::pair<Wide, Wide>(0, b.hi)
                               : all;
  case Op::Or:
  case Op::Xor: {
    if (!positive)
      return all;
    Wide bound = 1;
    while (bound <= std::max(a.hi, b.hi))
      bound *= 2;
    return {0, bound - 1};
  }
  case Op::UMin:
  case Op::UMax:
    if (!positive)
      return all;
    [[fallthrough]];
  case Op::SMin:
  case Op::SMax:
    if (op == Op::SMin || op == Op::UMin)
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  return all;
}

Int Text::binary(Op op, const Int &a, const Int &b) {
  static const char *highNames[] = {"addi",  "subi",  "muli",  "shli",  "shrui",
                                    "shrsi", "divui", "divsi", "remui", "remsi",
                                    "andi",  "ori",   "xori",  "minsi", "maxsi",
                                    "minui", "maxui"};
  static const char *lowNames[] = {
      "add",  "sub",       "mul",       "shl",       "lshr",     "ashr",
      "udiv", "sdiv",      "urem",      "srem",      "and",      "or",
      "xor",  "intr.smin", "intr.smax", "intr.umin", "intr.umax"};
  auto [lo, hi] = rangeOf(op, a, b, a.type.bits);
  bool exact = lo >= leastOf(a.type.bits) && hi <= mostOf(a.type.bits);
  std::string flags;
  if (op <= Op::Shl && exact && use(Feature::Nsw))
    flags = "nsw";
  if (op <= Op::Shl && exact && a.isNonNegative() && b.isNonNegative() &&
      lo >= 0 && use(Feature::Nuw))
    flags += flags.empty() ? "nuw" : ", nuw";
  if (!flags.empty())
    flags = " overflow<" + flags + ">";
  std::string type = a.type.text(), operands = a.name + ", " + b.name, text;
  if (high())
    text = std::string("arith.") + highNames[int(op)] + " " + operands + flags +
           " : " + type;
  else if (op >= Op::SMin)
    text = std::string("llvm.") + lowNames[int(op)] + "(" + operands + ") : (" +
           type + ", " + type + ") -> " + type;
  else
    text = std::string("llvm.") + lowNames[int(op)] + " " + operands + flags +
           " : " + type;
  if (!exact) {
    lo = leastOf(a.type.bits);
    hi = mostOf(a.type.bits);
  }
  return {define(text), a.type, lo, hi};
}

Int Text::cast(const Int &value, IntType to, bool isSigned) {
  if (value.type == to)
    return value;
  std::string name, types = " : " + value.type.text() + " to " + to.text();
  bool widens = to.bits > value.type.bits;
  if (value.type.index || to.index)
    name = isSigned ? "arith.index_cast " : "arith.index_castui ";
  else if (high())
    name = !widens    ? "arith.trunci "
           : isSigned ? "arith.extsi "
                      : "arith.extui ";
  else
    name = !widens ? "llvm.trunc " : isSigned ? "llvm.sext " : "llvm.zext ";
  Int result{define(name + value.name + types), to, value.lo, value.hi};
  if (widens && !isSigned && value.lo < 0) {
    result.lo = value.hi < 0 ? value.lo + (one << value.type.bits) : 0;
    result.hi = value.hi < 0 ? value.hi + (one << value.type.bits)
                             : (one << value.type.bits) - 1;
  }
  if (value.lo < leastOf(to.bits) || value.hi > mostOf(to.bits)) {
    result.lo = leastOf(to.bits);
    result.hi = mostOf(to.bits);
  }
  return result;
}

Int Text::convert(const Int &value, IntType to) {
  return cast(value, to, !value.isNonNegative() || chance(50));
}

Int Text::compare(const char *predicate, const Int &a, const Int &b) {
  std::string operands = a.name + ", " + b.name + " : " + a.type.text();
  return {
      define(high()
                 ? std::string("arith.cmpi ") + predicate + ", " + operands
                 : std::string("llvm.icmp \"") + predicate + "\" " + operands),
      {1, false},
      -1,
      0};
}

Int Text::select(const Int &condition, const Int &yes, const Int &no) {
  std::string operands = condition.name + ", " + yes.name + ", " + no.name;
  return {define(high()
                     ? "arith.select " + operands + " : " + yes.type.text()
                     : "llvm.select " + operands + " : i1, " + yes.type.text()),
          yes.type, std::min(yes.lo, no.lo), std::max(yes.hi, no.hi)};
}

} // namespace swizzle::fuzz
