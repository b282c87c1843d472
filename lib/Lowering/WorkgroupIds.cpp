//===- WorkgroupIds.cpp - Where a function reads its id -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The spellings of a workgroup id: operations of the gpu, nvvm and rocdl
// dialects, and intrinsics called by name, as an operation or as a function.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;

namespace swizzle {

FunctionOpInterface resolveCallee(CallOpInterface call, bool &indirect) {
  indirect = false;
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol) {
    indirect = true;
    return nullptr;
  }
  return dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupNearestSymbolFrom(call, symbol));
}

SmallVector<FunctionOpInterface>
reachableFunctions(FunctionOpInterface function) {
  llvm::SetVector<Operation *> functions;
  functions.insert(function);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](CallOpInterface call) {
      bool indirect = false;
      if (FunctionOpInterface callee = resolveCallee(call, indirect))
        functions.insert(callee);
    });
  return llvm::map_to_vector(
      functions, [](Operation *op) { return cast<FunctionOpInterface>(op); });
}

/// True for "f32", "bf16", "i64", "v4f32", "p8": a type in an intrinsic's name.
static bool isTypeSuffix(StringRef part) {
  unsigned number;
  if (part.consume_front("nx"))
    return true;
  if (part.size() > 1 && part[0] == 'v' && isdigit(part[1])) {
    part = part.drop_front();
    if (part.consumeInteger(10, number))
      return false;
  }
  for (StringRef letter : {"bf", "f", "i", "p"})
    if (StringRef rest = part;
        rest.consume_front(letter) && !rest.getAsInteger(10, number))
      return true;
  return false;
}

static std::string intrinsicName(StringRef name) {
  // LLVM knows where the name ends; types may be a part of it ("cvt.f32.bf8").
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id)
    name = llvm::Intrinsic::getBaseName(id);
  for (auto parts = name.rsplit('.'); !id && isTypeSuffix(parts.second);
       parts = name.rsplit('.'))
    name = parts.first;
  if (name.consume_front("llvm.amdgcn."))
    return ("rocdl." + name).str();
  if (name.consume_front("llvm.nvvm."))
    return ("nvvm." + name).str();
  name.consume_front("llvm.");
  return ("llvm.intr." + name).str();
}

std::string canonicalName(Operation *op) {
  if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return intrinsicName(intrinsic.getIntrin());
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    bool indirect = false;
    FunctionOpInterface callee = resolveCallee(call, indirect);
    if (indirect || (callee && !callee.isExternal()))
      return "llvm.call";
    auto symbol = cast<SymbolRefAttr>(call.getCallableForCallee());
    // Another name for some function.
    if (!callee && SymbolTable::lookupNearestSymbolFrom(call, symbol))
      return "llvm.call";
    StringRef name = symbol.getLeafReference().getValue();
    if (name.starts_with("llvm."))
      return intrinsicName(name);
    // Somebody's function that is called as an operation is, is no operation.
    bool isTaken = name.starts_with("nvvm.") || name.starts_with("rocdl.");
    return isTaken ? ("@" + name).str() : name.str();
  }
  return op->getName().getStringRef().str();
}

std::optional<IdReading> asIdReading(Operation *op) {
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return IdReading{op, unsigned(id.getDimension()), false};
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
    return IdReading{op, unsigned(id.getDimension()), true};
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndex())
    return std::nullopt;
  std::string text = canonicalName(op);
  StringRef name = text;
  if ((name.consume_front("rocdl.workgroup.id.") ||
       name.consume_front("nvvm.read.ptx.sreg.ctaid.")) &&
      name.size() == 1 && name[0] >= 'x' && name[0] <= 'z')
    return IdReading{op, unsigned(name[0] - 'x'), false};
  return std::nullopt;
}

SmallVector<IdReading> findIdReadings(FunctionOpInterface function) {
  SmallVector<IdReading> readings;
  function.getFunctionBody().walk([&](Operation *op) {
    if (std::optional<IdReading> reading = asIdReading(op))
      readings.push_back(*reading);
  });
  return readings;
}

bool isUnused(Operation *op) {
  llvm::SetVector<Operation *> reached;
  reached.insert(op);
  for (size_t i = 0; i < reached.size(); ++i)
    for (Operation *user : reached[i]->getUsers()) {
      if (user->getNumRegions() || user->hasTrait<OpTrait::IsTerminator>() ||
          !isMemoryEffectFree(user))
        return false;
      reached.insert(user);
    }
  return true;
}

} // namespace swizzle
