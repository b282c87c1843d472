//===- OtherNumbers.cpp - Numbers for which a kernel does more ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OtherNumbers.h.
//
//===----------------------------------------------------------------------===//

#include "OtherNumbers.h"

#include "Launches.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;

namespace swizzle::analysis {

/// What one number may have to be for a kernel to do something else.
using Tried = llvm::SmallSetVector<int64_t, 16>;

/// Collects the constants that `number` is compared with, widened or not, their
/// neighbours, and nominal sizes with bits that it is asked for.
static void collectTried(Value number, Tried &tried) {
  constexpr size_t most = 16;
  SmallVector<Value> same = {number};
  auto compare = [&](const APInt &constant) {
    if (constant.getSignificantBits() <= 32)
      for (int64_t around : {-1, 0, 1})
        tried.insert(constant.getSExtValue() + around);
  };
  for (size_t i = 0; i < same.size(); ++i)
    for (Operation *user : same[i].getUsers()) {
      if (tried.size() >= most)
        return;
      APInt constant;
      if (auto choice = dyn_cast<LLVM::SwitchOp>(user)) {
        if (choice.getCaseValues())
          for (const APInt &way : choice.getCaseValues()->getValues<APInt>())
            compare(way);
        continue;
      }
      if (isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::FreezeOp>(user))
        same.push_back(user->getResult(0));
      else if (user->getNumOperands() < 2 ||
               !matchPattern(user->getOperand(1), m_ConstantInt(&constant)))
        continue;
      else if (isa<LLVM::ICmpOp>(user))
        compare(constant);
      else if (isa<LLVM::AndOp>(user) && constant.isStrictlyPositive() &&
               constant.getSignificantBits() <= 32)
        tried.insert(kNominalExtent | constant.getSExtValue());
    }
}

std::vector<OtherNumbers> otherNumbers(const LoweredKernel &lowered,
                                       llvm::ArrayRef<std::string> nominal,
                                       llvm::ArrayRef<NamedNumber> members) {
  // A prime, so that there is a rest whatever it is divided by.
  constexpr int64_t odd = 4099;
  static_assert(odd > kNominalExtent, "what was done is done still");
  std::vector<OtherNumbers> tried;
  OtherNumbers all;
  std::vector<std::string> flags;
  for (const std::string &name : nominal)
    all[name] = odd;
  if (!all.empty())
    tried.push_back(std::move(all));
  auto tryOne = [&](const std::string &name, int64_t number) {
    tried.emplace_back();
    tried.back()[name] = number;
  };
  // A multiple of what sizes are multiples of, and one with rests.
  for (const std::string &name : nominal)
    for (int64_t number : {2 * kNominalExtent, kNominalExtent + odd})
      tryOne(name, number);
  std::map<std::string, Tried> asked;
  LLVM::LLVMFuncOp function = lowered.function;
  Block &entry = function.getFunctionBody().front();
  for (auto [argument, what] :
       llvm::zip(entry.getArguments(), lowered.arguments)) {
    if (what.role != LoweredArgument::Role::Same)
      continue;
    std::string name = "arg" + std::to_string(what.argument);
    if (argument.getType().isInteger(1)) {
      flags.push_back(name);
    } else if (llvm::is_contained(nominal, name) || wayOf(argument)) {
      collectTried(argument, asked[name]);
    }
  }
  // Any of them off; of many, each and all.
  constexpr size_t fewFlags = 4;
  if (flags.size() <= fewFlags)
    for (size_t which = 1; which < size_t(1) << flags.size(); ++which) {
      tried.emplace_back();
      for (size_t i = 0; i < flags.size(); ++i)
        if (which >> i & 1)
          tried.back()[flags[i]] = 0;
    }
  else
    for (const std::string &flag : flags)
      tryOne(flag, 0);
  OtherNumbers off;
  for (const std::string &flag : flags)
    off[flag] = 0;
  if (flags.size() > fewFlags)
    tried.push_back(off);
  for (const auto &[name, number] : members)
    if (llvm::is_contained(nominal, name))
      collectTried(number, asked[name]);
  for (const auto &[name, numbers] : asked)
    for (int64_t number : numbers)
      tryOne(name, number);
  // `n < 100 && m < 100`, `n < 100 && !flag`, and the like.
  bool areSeveral = !asked.empty() && asked.size() + flags.size() > 1;
  for (size_t i = 0; areSeveral && i < 3; ++i) {
    tried.push_back(off);
    for (const auto &[name, numbers] : asked)
      if (i < numbers.size())
        tried.back()[name] = numbers[i];
  }
  return tried;
}

std::vector<OtherNumbers> farNumbers(llvm::ArrayRef<std::string> names,
                                     const Grid &grid, int64_t threads) {
  // From one for each thread, so that nobody is left out, to sixteen, and
  // multiples of what sizes are multiples of.
  constexpr unsigned leastBits = 12, mostBits = 24, moreBits = 4;
  unsigned few = llvm::Log2_64_Ceil(threads);
  for (int64_t extent : grid.extent)
    few += llvm::Log2_64_Ceil(extent);
  few = std::clamp(few, leastBits, mostBits);
  auto number = [](unsigned bits) { return int64_t(5) << (bits - 2); };
  const size_t last = std::max<size_t>(names.size(), 2) - 1;
  std::vector<OtherNumbers> sets(names.size() > 1 ? 4 : 2);
  for (auto [index, name] : llvm::enumerate(names)) {
    sets[0][name] = number(few);
    sets[1][name] = number(few + moreBits);
    if (names.size() == 1)
      continue;
    unsigned more = unsigned(moreBits * index / last);
    sets[2][name] = number(few + more);
    sets[3][name] = number(few + moreBits - more);
  }
  return sets;
}

} // namespace swizzle::analysis
