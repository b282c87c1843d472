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
// the model has them as other memory: of these nothing is told.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"
#include "swizzle/Lowering/WorkgroupIds.h"

using namespace mlir;

namespace swizzle::analysis {

void readSpaceTest(KernelReader &reader, Operation *op) {
  const AbstractValue address = reader.get(op->getOperand(0));
  bool isShared =
      address.isPointer() && address.space == MemorySpace::Workgroup;
  bool isPassed = address.isGlobal() &&
                  address.buffer < reader.model.buffers.size() &&
                  reader.model.buffers[address.buffer].argument >= 0;
  if (!isShared && !isPassed)
    return reader.setUnknown(op, "an address of which nothing is known");
  std::string name = canonicalName(op);
  bool holds = StringRef(name).ends_with(isShared ? ".shared" : ".global");
  reader.set(op->getResult(0), reader.scalars.constant(holds));
}

} // namespace swizzle::analysis
