//===- Allocations.cpp - Memory that a kernel asks for --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All workgroups allocate from one heap. Which address one gets, and whether it
// gets any once the heap is full, depends on who came before: like the old value
// of an update, nobody may look at it. To reach the memory is no looking.
//
//   %p = call @malloc(%n)      store %v, %p      call @free(%p)
//   %isNull = icmp eq %p, 0    atomic-result-used
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace swizzle::analysis {

/// True if `use` reaches memory at the address, or lets go of it.
static bool isReached(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<LLVM::LoadOp, LLVM::MemsetOp, LLVM::MemcpyOp, LLVM::MemmoveOp>(user))
    return true;
  if (auto store = dyn_cast<LLVM::StoreOp>(user))
    return store.getValue() != use.get();
  if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(user))
    return use.getOperandNumber() == 0;
  return canonicalName(user) == "free";
}

bool isLookedAt(Value address) {
  constexpr size_t most = 64;
  llvm::SetVector<Value> values;
  values.insert(address);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == most)
      return true;
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      if (isReached(use))
        continue;
      bool isBase =
          isa<LLVM::GEPOp, LLVM::BitcastOp, LLVM::AddrSpaceCastOp>(user) &&
          use.getOperandNumber() == 0;
      // What describes a memref has its address among sizes.
      if (isBase || isa<LLVM::InsertValueOp, LLVM::ExtractValueOp>(user)) {
        values.insert(user->getResult(0));
        continue;
      }
      auto branch = dyn_cast<BranchOpInterface>(user);
      std::optional<BlockArgument> argument =
          branch ? branch.getSuccessorBlockArgument(use.getOperandNumber())
                 : std::nullopt;
      if (!argument)
        return true;
      values.insert(*argument);
    }
  }
  return false;
}

} // namespace swizzle::analysis
