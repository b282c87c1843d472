//===- NullTests.cpp - Is a pointer handed over at all? -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel may be handed null where a buffer is optional:
//
//   if (bias) sum += bias[i];
//
// The model is of a launch that hands all of them over, as nominal sizes are of
// some launch, and that is listed under `assumed`: what stands under the test is
// compared with all else. In a reading that is to hold for whatever is passed,
// nothing is known of it.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"

using namespace mlir;

namespace swizzle::analysis {

/// The buffer behind a pointer that was passed; null if it is none.
static const Buffer *passedBuffer(KernelReader &reader, Value pointer) {
  const AbstractValue value = reader.get(pointer);
  if (!value.isGlobal() || value.buffer >= reader.model.buffers.size())
    return nullptr;
  const Buffer &buffer = reader.model.buffers[value.buffer];
  return buffer.argument >= 0 || buffer.isClaimed ? &buffer : nullptr;
}

/// True for a null pointer, in whichever address space: where address spaces
/// are inferred, it is cast to that of the pointer.
static bool isNull(Value pointer) {
  while (auto cast = pointer.getDefiningOp<LLVM::AddrSpaceCastOp>())
    pointer = cast.getArg();
  return pointer.getDefiningOp<LLVM::ZeroOp>();
}

bool readNullTest(KernelReader &reader, Operation *op) {
  using Predicate = LLVM::ICmpPredicate;
  auto compares = dyn_cast<LLVM::ICmpOp>(op);
  if (!compares || reader.sizes.everyGrid)
    return false;
  Predicate predicate = compares.getPredicate();
  if (predicate != Predicate::eq && predicate != Predicate::ne)
    return false;
  Value pointer = compares.getLhs(), null = compares.getRhs();
  if (isNull(pointer))
    std::swap(pointer, null);
  if (!isa<LLVM::LLVMPointerType>(null.getType()) || !isNull(null))
    return false;
  const Buffer *buffer = passedBuffer(reader, pointer);
  if (!buffer)
    return false;
  // No size rests on it: workgroups that meet far apart do.
  reader.assume(buffer->name + " is not null (nominal)", /*isLaunched=*/true);
  reader.set(op->getResult(0),
             reader.scalars.constant(predicate == Predicate::ne));
  return true;
}

} // namespace swizzle::analysis
