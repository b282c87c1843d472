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

using namespace mlir;

namespace swizzle::analysis {

/// The constants that `number` is compared with, widened or not.
static llvm::SmallSetVector<int64_t, 4> comparedWith(Value number) {
  constexpr size_t most = 4;
  llvm::SmallSetVector<int64_t, 4> constants;
  SmallVector<Value> same = {number};
  for (size_t i = 0; i < same.size() && constants.size() < most; ++i)
    for (Operation *user : same[i].getUsers()) {
      APInt constant;
      if (isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::FreezeOp>(user))
        same.push_back(user->getResult(0));
      else if (isa<LLVM::ICmpOp>(user) &&
               matchPattern(user->getOperand(1), m_ConstantInt(&constant)) &&
               constant.getSignificantBits() <= 32)
        constants.insert(constant.getSExtValue());
    }
  return constants;
}

std::vector<OtherNumbers> otherNumbers(const LoweredKernel &lowered,
                                       llvm::ArrayRef<std::string> nominal) {
  // A prime, so that there is a rest whatever it is divided by.
  constexpr int64_t odd = 4099;
  static_assert(odd > kNominalExtent, "what was done is done still");
  std::vector<OtherNumbers> tried;
  OtherNumbers all;
  for (const std::string &name : nominal)
    all[name] = odd;
  if (!all.empty())
    tried.push_back(std::move(all));
  auto tryOne = [&](const std::string &name, int64_t number) {
    tried.emplace_back();
    tried.back()[name] = number;
  };
  for (const std::string &name : nominal)
    tryOne(name, 2 * kNominalExtent);
  LLVM::LLVMFuncOp function = lowered.function;
  Block &entry = function.getFunctionBody().front();
  for (auto [argument, what] :
       llvm::zip(entry.getArguments(), lowered.arguments)) {
    if (what.role != LoweredArgument::Role::Same)
      continue;
    std::string name = "arg" + std::to_string(what.argument);
    if (argument.getType().isInteger(1))
      tryOne(name, 0);
    else if (llvm::is_contained(nominal, name))
      for (int64_t constant : comparedWith(argument))
        for (int64_t number : {constant - 1, constant, constant + 1})
          tryOne(name, number);
  }
  return tried;
}

} // namespace swizzle::analysis
