//===- AddressSums.cpp - Addresses that are counted with ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers that know no typed pointers add to addresses as to numbers. A sum
// of an address and a number is an address into the same memory, as it is by
// getelementptr; of anything else, like the difference of two addresses, the
// memory that it leads to is not known.
//
//   %i = ptrtoint %a              arg0
//   %s = add %i, %n               arg0 + n
//   %p = inttoptr %s              arg0 + n
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

using namespace mlir;

namespace swizzle::analysis {

bool readAddressSum(KernelReader &reader, Operation *op) {
  bool isSum = isa<LLVM::AddOp>(op) ||
               (isa<LLVM::OrOp>(op) && cast<LLVM::OrOp>(op).getIsDisjoint());
  if ((!isSum && !isa<LLVM::SubOp>(op)) ||
      !op->getResult(0).getType().isInteger(64))
    return false;
  AbstractValue address = reader.get(op->getOperand(0));
  AbstractValue number = reader.get(op->getOperand(1));
  if (isSum && number.isPointer())
    std::swap(address, number);
  // What bounds a buffer resource speaks of its own offsets.
  if (!address.isGlobal() || !address.single() || address.records ||
      address.checked || !number.isNumber() || !number.single())
    return false;
  Scalars &scalars = reader.scalars;
  address.lanes = {
      reader.fitted(isSum ? scalars.add(address.single(), number.single())
                          : scalars.subtract(address.single(), number.single()),
                    op->getResult(0).getType())};
  address.reason = scalars.reason;
  // Whatever it promises, it is of the whole address, of which only a part is
  // known here.
  address.maybePoison |= number.maybePoison || isa<LLVM::OrOp>(op);
  if (auto wraps = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
    address.maybePoison |= wraps.hasNoSignedWrap() || wraps.hasNoUnsignedWrap();
  reader.set(op->getResult(0), std::move(address));
  return true;
}

} // namespace swizzle::analysis
