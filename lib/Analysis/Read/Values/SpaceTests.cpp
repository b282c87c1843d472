//===- SpaceTests.cpp - In which memory is an address? --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libraries ask of a generic pointer where it leads, and copy in bulk if it is
// to global memory:
//
//   if (__isGlobal(from)) ...      1 of a buffer that was passed
//
// Constants and parameters of the kernel lie in windows of their own, though
// the model has them as memory of the device: of these nothing is told.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace swizzle::analysis {

/// True for an argument that leads to generic or global memory.
static bool leadsToGlobal(Type argument) {
  constexpr unsigned generic = 0, global = 1;
  auto isEither = [](int64_t space) {
    return space == generic || space == global;
  };
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(argument))
    return isEither(pointer.getAddressSpace());
  auto memref = dyn_cast<BaseMemRefType>(argument);
  if (!memref)
    return false;
  Attribute space = memref.getMemorySpace();
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return isEither(number.getInt());
  auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  return !space || (named && named.getValue() == gpu::AddressSpace::Global);
}

/// True for a buffer that whoever launches the kernel allocated, and passes as
/// all that it is.
static bool isPassed(KernelReader &reader, const Buffer &buffer) {
  auto leads = [&](int argument) {
    return leadsToGlobal(reader.kernel.getArgumentTypes()[argument]);
  };
  return buffer.argument >= 0 && leads(buffer.argument) &&
         llvm::all_of(buffer.otherArguments, leads);
}

void readSpaceTest(KernelReader &reader, Operation *op) {
  const AbstractValue address = reader.get(op->getOperand(0));
  bool isShared =
      address.isPointer() && address.space == MemorySpace::Workgroup;
  bool isGlobal = address.isGlobal() &&
                  address.buffer < reader.model.buffers.size() &&
                  isPassed(reader, reader.model.buffers[address.buffer]);
  if (!isShared && !isGlobal)
    return reader.setUnknown(op, "an address of which nothing is known");
  std::string name = canonicalName(op);
  bool holds = StringRef(name).ends_with(isShared ? ".shared" : ".global");
  reader.set(op->getResult(0), reader.scalars.constant(holds));
}

} // namespace swizzle::analysis
