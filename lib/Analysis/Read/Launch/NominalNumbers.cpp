//===- NominalNumbers.cpp - Sizes that fit together -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NominalNumbers.h"

#include "../../Affine/Scalars.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace swizzle::analysis {

std::optional<int64_t> wayOf(mlir::Value number) {
  std::optional<int64_t> least;
  auto note = [&](const llvm::APInt &constant) {
    if (constant.getBitWidth() > 64)
      return false;
    least = std::min(least.value_or(INT64_MAX), constant.getSExtValue());
    return true;
  };
  for (mlir::Operation *user : number.getUsers()) {
    if (auto choice = llvm::dyn_cast<mlir::LLVM::SwitchOp>(user);
        choice && choice.getValue() == number) {
      if (!choice.getCaseValues() ||
          !llvm::all_of(choice.getCaseValues()->getValues<llvm::APInt>(), note))
        return std::nullopt;
      continue;
    }
    auto compares = llvm::dyn_cast<mlir::LLVM::ICmpOp>(user);
    llvm::APInt constant;
    if (!compares || number != compares.getLhs() ||
        compares.getPredicate() != mlir::LLVM::ICmpPredicate::eq ||
        !mlir::matchPattern(compares.getRhs(),
                            mlir::m_ConstantInt(&constant)) ||
        !note(constant))
      return std::nullopt;
  }
  return least;
}

bool placesNothing(mlir::Value number) {
  using namespace mlir::LLVM;
  constexpr size_t most = 64;
  llvm::SetVector<mlir::Value> values;
  values.insert(number);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == most)
      return false;
    for (mlir::OpOperand &use : values[i].getUses()) {
      mlir::Operation *user = use.getOwner();
      auto store = llvm::dyn_cast<StoreOp>(user);
      bool isData = (store && store.getValue() == use.get()) ||
                    llvm::isa<SIToFPOp, UIToFPOp>(user);
      if (auto compares = llvm::dyn_cast<ICmpOp>(user))
        isData = mlir::matchPattern(
            user->getOperand(1 - use.getOperandNumber()), mlir::m_Constant());
      if (isData)
        continue;
      bool isAlone =
          llvm::isa<SExtOp, ZExtOp, TruncOp>(user) ||
          (llvm::isa<AddOp, SubOp, MulOp, ShlOp, AShrOp, LShrOp, AndOp, OrOp,
                     XOrOp>(user) &&
           mlir::matchPattern(user->getOperand(1 - use.getOperandNumber()),
                              mlir::m_Constant()));
      if (!isAlone)
        return false;
      values.insert(user->getResult(0));
    }
  }
  return true;
}

std::optional<int64_t> heldIn(int64_t number, unsigned bits) {
  bits = std::min(bits, 64u);
  if (!llvm::isIntN(bits, number) && !llvm::isUIntN(bits, number))
    return std::nullopt;
  // One bit is a condition, which no sign belongs to.
  return bits == 1 ? number & 1 : llvm::SignExtend64(number, bits);
}

/// Operations that all readings together take, beside the first and the last.
static constexpr uint64_t kMaxWork = 250'000;

/// Accesses that are not modelled because a number may be too large.
static size_t countWrapping(const KernelModel &model) {
  return llvm::count_if(model.notModelled, [](const NotModelled &access) {
    return llvm::StringRef(access.reason).contains(kMayWrap);
  });
}

FittedModel readWithNumbersThatFit(
    llvm::function_ref<NominalReading(const llvm::StringSet<> &small)> read) {
  std::vector<std::string> small; // in the best reading so far
  NominalReading best = read({});
  size_t wrapping = countWrapping(best.model);
  uint64_t work = 0;
  auto tryWith = [&](const std::vector<std::string> &names) {
    llvm::StringSet<> set;
    set.insert(names.begin(), names.end());
    NominalReading tried = read(set);
    work += tried.work;
    return tried;
  };
  std::vector<std::string> large = best.numbers, chosen;
  while (wrapping > 0 && !large.empty() && work < kMaxWork) {
    // Of those that help as much, the last one; if none does, it takes several.
    size_t next = large.size() - 1;
    for (size_t i = large.size(); i-- > 0 && work < kMaxWork;) {
      std::vector<std::string> names = chosen;
      names.push_back(large[i]);
      NominalReading tried = tryWith(names);
      if (size_t left = countWrapping(tried.model); left < wrapping) {
        wrapping = left;
        best = std::move(tried);
        small = names;
        next = i;
      }
    }
    chosen.push_back(large[next]);
    large.erase(large.begin() + next);
  }
  // Some were made small on the way, and need not be.
  for (size_t i = 0; i < small.size() && work < kMaxWork;) {
    std::vector<std::string> fewer = small;
    fewer.erase(fewer.begin() + i);
    NominalReading tried = tryWith(fewer);
    if (countWrapping(tried.model) > wrapping) {
      ++i;
      continue;
    }
    best = std::move(tried);
    small = fewer;
  }
  return {std::move(best), !small.empty()};
}

} // namespace swizzle::analysis
