//===- ModuleFacts.cpp - Who uses the functions of a module ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk that looks names up in tables which are made once. What uses a
// symbol in any other way is found by a look at all attributes, which is dear,
// and which only private symbols are asked about.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Read/ModuleFacts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace swizzle {

static Operation *outermost(Operation *op) {
  while (op->getParentOp())
    op = op->getParentOp();
  return op;
}

static Operation *tableAround(Operation *op) {
  return op->getParentWithTrait<OpTrait::SymbolTable>();
}

/// As `SymbolTable::getSymbolUses` has it.
static bool mayBeUnknownTable(Operation *op) {
  return op->getNumRegions() == 1 && !op->getDialect();
}

/// The name whose address `op` is; null if it is something else.
static FlatSymbolRefAttr nameOfAddress(Operation *op) {
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
    return address.getGlobalNameAttr();
  if (auto constant = dyn_cast<func::ConstantOp>(op))
    return constant.getValueAttr();
  return nullptr;
}

ModuleFacts::ModuleFacts(Operation *inside)
    : top(isa<ModuleOp>(inside) ? inside : outermost(inside)) {
  Operation *root = top;
  SymbolTableCollection tables;
  bool anyPrivate = false;
  root->walk([&](Operation *op) {
    auto lookUp = [&](SymbolRefAttr name) {
      return name ? tables.lookupNearestSymbolFrom(op, name) : nullptr;
    };
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      if (Operation *kernel = lookUp(launch.getKernelAttr()))
        launches[kernel].push_back(launch);
    } else if (auto call = dyn_cast<CallOpInterface>(op)) {
      auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      if (Operation *callee = lookUp(name))
        calls[callee].push_back(call);
    } else if (Operation *function = lookUp(nameOfAddress(op))) {
      addresses[function].push_back(op);
    } else if (op != root && mayBeUnknownTable(op)) {
      unknown.insert(tableAround(op));
    }
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (function && function.getName().starts_with("swizzle.ptx."))
      reserved.push_back(op);
    // What a kernel may be, or lie in.
    if (!function && !op->hasTrait<OpTrait::SymbolTable>())
      return;
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    anyPrivate |= symbol && symbol.isPrivate() && !symbol.isDeclaration();
  });
  if (anyPrivate)
    findOtherUses(root);
}

/// Notes what each table of symbols below `root` has in its attributes.
void ModuleFacts::findOtherUses(Operation *root) {
  SymbolTableCollection tables;
  root->walk([&](Operation *table) {
    if (!table->hasTrait<OpTrait::SymbolTable>())
      return;
    for (Region &region : table->getRegions()) {
      std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(&region);
      if (!uses)
        continue; // it is among the unknown ones
      for (const SymbolTable::SymbolUse &use : *uses) {
        if (isa<gpu::LaunchFuncOp>(use.getUser()))
          continue;
        // Of @m::@k, both; @m alone, if it has no @k.
        SmallVector<Operation *> named;
        (void)tables.lookupSymbolIn(table, use.getSymbolRef(), named);
        usedOtherwise.insert(named.begin(), named.end());
      }
    }
  });
}

bool ModuleFacts::isBesideUnknown(Operation *symbol) const {
  return unknown.contains(tableAround(symbol));
}

bool ModuleFacts::isOnlyLaunched(Operation *symbol) const {
  // Whoever lies around the symbol may reach it by its path.
  for (Operation *table = tableAround(symbol); table;
       table = tableAround(table))
    if (unknown.contains(table))
      return false;
  return !usedOtherwise.contains(symbol);
}

Operation *ModuleFacts::findReserved(Operation *around) const {
  for (Operation *function : llvm::reverse(reserved))
    if (around->isProperAncestor(function))
      return function;
  return nullptr;
}

} // namespace swizzle
