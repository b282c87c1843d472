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
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"
#include "swizzle/Lowering/WorkgroupIds.h"

using namespace mlir;

namespace swizzle::analysis {

void readSpaceTest(KernelReader &reader, Operation *op) {
  const AbstractValue address = reader.get(op->getOperand(0));
  if (!address.isPointer())
    return reader.setUnknown(op, "an address of which nothing is known");
  std::string name = canonicalName(op);
  MemorySpace asked = StringRef(name).ends_with(".global") ? MemorySpace::Global
                      : StringRef(name).ends_with(".shared")
                          ? MemorySpace::Workgroup
                          : MemorySpace::Private;
  reader.set(op->getResult(0), reader.scalars.constant(address.space == asked));
}

} // namespace swizzle::analysis
