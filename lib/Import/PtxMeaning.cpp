//===- PtxMeaning.cpp - What a statement of PTX does ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allow-list: words that do not stand here, or not in this place, mean that
// the statement is not understood.
//
//===----------------------------------------------------------------------===//

#include "PtxMeaning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace swizzle::importing {

/// "b32" and its like; 0 if `word` is none.
static unsigned bitsOf(StringRef word) {
  unsigned bits = 0;
  if (!word.empty() && StringRef("busf").contains(word.front()) &&
      !word.drop_front().getAsInteger(10, bits) &&
      is_contained({8u, 16u, 32u, 64u, 128u}, bits))
    return bits;
  return 0;
}

/// Words that say how a line is kept in caches, and nothing of what is read.
static bool isCacheHint(StringRef word) {
  return is_contained({"ca", "cg", "cs", "lu", "wb", "nc", "L1::evict_normal",
                       "L1::evict_unchanged", "L1::evict_first",
                       "L1::evict_last", "L1::no_allocate", "L2::evict_normal",
                       "L2::evict_first", "L2::evict_last", "L2::64B",
                       "L2::128B", "L2::256B", "L2::cache_hint", "weak"},
                      word);
}

std::optional<unsigned> spaceOfPtx(StringRef word) {
  if (word == "global")
    return 1;
  if (word == "shared" || word == "shared::cta")
    return 3;
  return std::nullopt;
}

/// True for "vadd", "vadd2", "vadd4" and their like, which take registers for
/// several small numbers.
static bool isVideo(StringRef word) {
  if (word.ends_with("2") || word.ends_with("4"))
    word = word.drop_back();
  return is_contained({"vabsdiff", "vadd", "vavrg", "vmad", "vmax", "vmin",
                       "vset", "vshl", "vshr", "vsub"},
                      word);
}

/// True for operations on registers alone.
static bool isArithmetic(StringRef word) {
  return isVideo(word) ||
         is_contained(
             {"abs",      "activemask", "add",   "addc",  "and",   "bfe",
              "bfi",      "bfind",      "bmsk",  "brev",  "clz",   "cnot",
              "copysign", "cos",        "cvt",   "cvta",  "div",   "dp2a",
              "dp4a",     "elect",      "ex2",   "fma",   "fns",   "lg2",
              "lop3",     "mad",        "mad24", "madc",  "match", "max",
              "min",      "mul",        "mul24", "neg",   "not",   "or",
              "popc",     "prmt",       "rcp",   "redux", "rem",   "rsqrt",
              "sad",      "selp",       "set",   "setp",  "shf",   "shfl",
              "shl",      "shr",        "sin",   "slct",  "sqrt",  "sub",
              "subc",     "szext",      "tanh",  "testp", "vote",  "xor"},
             word);
}

/// What an access or an update says of the order that others see, and to whom.
static std::optional<AtomicOrdering> orderingOf(StringRef word) {
  return StringSwitch<std::optional<AtomicOrdering>>(word)
      .Case("relaxed", AtomicOrdering::Monotonic)
      .Case("acquire", AtomicOrdering::Acquire)
      .Case("release", AtomicOrdering::Release)
      .Case("acq_rel", AtomicOrdering::AcquireRelease)
      .Default(std::nullopt);
}

/// The operation of an atomic update, by its word and its type; nothing for
/// compare-and-swap.
static std::optional<AtomicRMWInst::BinOp> updateOf(StringRef word, char type) {
  bool isFloat = type == 'f', isSigned = type == 's', isBits = type == 'b';
  if (word == "add" && !isBits)
    return isFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
  if (word == "exch" && isBits)
    return AtomicRMWInst::Xchg;
  if (isFloat)
    return std::nullopt;
  if (word == "inc" && !isSigned && !isBits)
    return AtomicRMWInst::UIncWrap;
  if (word == "dec" && !isSigned && !isBits)
    return AtomicRMWInst::UDecWrap;
  if (word == "and")
    return AtomicRMWInst::And;
  if (word == "or")
    return AtomicRMWInst::Or;
  if (word == "xor")
    return AtomicRMWInst::Xor;
  if (word == "min" && !isBits)
    return isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  if (word == "max" && !isBits)
    return isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  return std::nullopt;
}

/// atom[.ORDER][.SCOPE][.SPACE].OPERATION[.noftz][.vN].TYPE, or red for atom,
/// which returns nothing; what stands before the operation in any order.
/// Updates that other devices or the host may see are not understood.
static PtxMeaning meaningOfAtomic(ArrayRef<StringRef> words) {
  PtxMeaning meaning;
  if (words.size() < 3)
    return meaning;
  // "bf16x2": two numbers in one register.
  StringRef element = words.back();
  if (element.consume_back("x2"))
    meaning.lanes = 2;
  meaning.isBrain = element.consume_front("b") && element.starts_with("f");
  if (!meaning.isBrain)
    element = words.back().drop_back(meaning.lanes == 2 ? 2 : 0);
  if (element.empty())
    return {};
  char type = element.front();
  meaning.isFloat = type == 'f';
  meaning.bits = bitsOf(element);
  std::optional<AtomicRMWInst::BinOp> update;
  std::optional<AtomicOrdering> ordering;
  for (StringRef word : words.drop_front().drop_back()) {
    if (word == "gpu" || word == "noftz")
      continue;
    if (word == "L2::cache_hint") {
      meaning.hasPolicy = true;
      continue;
    }
    if (std::optional<unsigned> space = spaceOfPtx(word)) {
      if (meaning.space)
        return {};
      meaning.space = *space;
      continue;
    }
    if (word == "cta") {
      meaning.scope = "block";
      continue;
    }
    std::optional<AtomicOrdering> order = orderingOf(word);
    if (order && !ordering)
      ordering = order;
    else if (word == "v2" || word == "v4" || word == "v8")
      meaning.count = word.back() - '0';
    else if (update || !(update = updateOf(word, type)))
      return {};
  }
  if (!update || !is_contained({16u, 32u, 64u}, meaning.bits) ||
      (meaning.bits == 16) > meaning.isFloat ||
      (meaning.lanes > 1 && meaning.bits != 16))
    return {};
  meaning.update = *update;
  meaning.ordering = ordering.value_or(AtomicOrdering::Monotonic);
  meaning.effect = PtxMeaning::Atomic;
  return meaning;
}

/// ld[.ORDER.SCOPE][.SPACE][.HINT...][.vN].TYPE, or st for ld, in any order up to
/// the type; without a space the address says where.
static PtxMeaning meaningOfAccess(ArrayRef<StringRef> words) {
  PtxMeaning meaning;
  if (words.size() < 2)
    return meaning;
  meaning.bits = bitsOf(words.back());
  ArrayRef<StringRef> between = words.drop_front().drop_back();
  for (StringRef word : between) {
    std::optional<unsigned> space = spaceOfPtx(word);
    std::optional<AtomicOrdering> order = orderingOf(word);
    if (space && !meaning.space)
      meaning.space = *space;
    else if (order && meaning.ordering == AtomicOrdering::NotAtomic)
      meaning.ordering = *order;
    else if (word == "volatile")
      meaning.isVolatile = true;
    else if (word == "cta")
      meaning.scope = "block";
    else if (word == "v2" || word == "v4" || word == "v8")
      meaning.count = word.back() - '0';
    else if (word != "gpu" && word != "sys" && !isCacheHint(word))
      return {};
  }
  bool loads = words.front() == "ld";
  if (meaning.ordering == AtomicOrdering::AcquireRelease ||
      meaning.ordering ==
          (loads ? AtomicOrdering::Release : AtomicOrdering::Acquire))
    return {};
  meaning.hasPolicy = is_contained(between, "L2::cache_hint");
  meaning.isSigned = words.back().front() == 's';
  if (meaning.bits)
    meaning.effect = loads ? PtxMeaning::Load : PtxMeaning::Store;
  return meaning;
}

PtxMeaning meaningOf(const PtxStatement &statement) {
  ArrayRef<StringRef> words = statement.opcode;
  StringRef name = words.front();
  if (name == "ld" || name == "st")
    return meaningOfAccess(words);
  if (name == "atom" || name == "red")
    return meaningOfAtomic(words);
  PtxMeaning meaning;
  if (name == "mov" && words.size() == 2 &&
      (bitsOf(words[1]) || words[1] == "pred")) {
    bool packs = any_of(statement.operands, [](const PtxOperand &operand) {
      return operand.kind == PtxOperand::List;
    });
    meaning.effect = packs ? PtxMeaning::Value : PtxMeaning::Move;
    return meaning;
  }
  if (isArithmetic(name)) {
    meaning.effect = PtxMeaning::Value;
    return meaning;
  }
  return meaningOfMachine(words);
}

} // namespace swizzle::importing
