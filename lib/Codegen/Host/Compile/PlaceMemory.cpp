//===- PlaceMemory.cpp - Where arrays and variables lie -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays of workgroup memory are one for all threads, so they lie in `Memory`
// like buffers; constants stay where the compiler puts them; arrays of a thread
// are on its stack.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

namespace swizzle::host {

/// The address space of workgroup memory, of both vendors.
static constexpr unsigned kWorkgroupSpace = 3;

/// Adds an array to `Memory`; null if there is no room.
static char *addArray(Compilation &c, llvm::StringRef name, Space space,
                      int64_t bytes) {
  Contents contents;
  contents.elementBytes = 1;
  contents.kind = Contents::Kind::Random;
  contents.seed = llvm::hash_value(name);
  char *address = c.memory.nextAddress();
  llvm::StringRef what = space == Space::Workgroup ? "workgroup memory " : "";
  return c.memory.add((what + name).str(), space, bytes, contents) < 0
             ? nullptr
             : address;
}

static llvm::Error placeGlobal(llvm::GlobalVariable &global, Compilation &c) {
  bool workgroup = global.getAddressSpace() == kWorkgroupSpace;
  if (!workgroup && global.isConstant()) {
    // Its name and size are asked for when it is compiled.
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    return llvm::Error::success();
  }
  Origin origin;
  origin.op = "llvm.mlir.global " + global.getName().str();
  bool empty = !global.hasInitializer() ||
               llvm::isa<llvm::UndefValue>(global.getInitializer());
  if (!workgroup && !empty)
    return makeUnchecked(origin, "a variable that outlives the kernel");
  const llvm::DataLayout &layout = global.getParent()->getDataLayout();
  int64_t bytes = layout.getTypeAllocSize(global.getValueType());
  if (workgroup && !bytes)
    bytes = c.dynamicWorkgroupBytes;
  char *address = addArray(c, global.getName(),
                           workgroup ? Space::Workgroup : Space::Global, bytes);
  if (!address)
    return makeUnchecked(origin, "there is no memory for it");
  llvm::IRBuilder<> b(global.getContext());
  global.replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(
      b.getInt64(reinterpret_cast<uintptr_t>(address)), global.getType()));
  global.eraseFromParent();
  return llvm::Error::success();
}

llvm::Error placeGlobals(llvm::Module &module, Compilation &c) {
  for (llvm::GlobalVariable &global :
       llvm::make_early_inc_range(module.globals()))
    if (!global.getName().starts_with("llvm."))
      if (llvm::Error error = placeGlobal(global, c))
        return error;
  return llvm::Error::success();
}

llvm::Error placeArray(llvm::AllocaInst &array, Compilation &c) {
  const llvm::DataLayout &layout = array.getModule()->getDataLayout();
  std::optional<llvm::TypeSize> size = array.getAllocationSize(layout);
  unsigned space = array.getAddressSpace();
  llvm::IRBuilder<> b(&array);
  if (space == kWorkgroupSpace) {
    if (!size)
      return makeUnchecked(c.originOf(array),
                           "workgroup memory of a size decided at run time");
    char *address = addArray(c, "of " + c.originOf(array).location,
                             Space::Workgroup, size->getFixedValue());
    if (!address)
      return makeUnchecked(c.originOf(array), "there is no memory for it");
    array.replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(
        b.getInt64(reinterpret_cast<uintptr_t>(address)), array.getType()));
    array.eraseFromParent();
    return llvm::Error::success();
  }
  llvm::AllocaInst *onStack = &array;
  if (space) {
    // A CPU has one stack, in the plain space.
    onStack = b.CreateAlloca(array.getAllocatedType(), 0, array.getArraySize());
    onStack->setAlignment(array.getAlign());
    llvm::Value *cast = b.CreateAddrSpaceCast(onStack, array.getType());
    array.replaceAllUsesWith(cast);
  } else {
    b.SetInsertPoint(array.getNextNode());
  }
  // In a loop, or of a size known at run time only, it may not fit.
  bool inEntry = array.getParent()->isEntryBlock();
  if (!size || !inEntry)
    checkStack(b, array, onStack, c);
  if (size) {
    c.privateBytes += size->getFixedValue();
    b.CreateMemSet(onStack, b.getInt8(kPoisonByte), size->getFixedValue(),
                   onStack->getAlign());
  }
  if (onStack != &array)
    array.eraseFromParent();
  return llvm::Error::success();
}

} // namespace swizzle::host
