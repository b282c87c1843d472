//===- GlobalOffset.cpp - Where the ids of an OpenCL launch begin ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On AMD, `get_global_id` adds a number that the launch passes behind the
// kernel's arguments. Whoever imports LLVM IR marks the loads of it, since
// where it stands hangs on the module (lib/Import/LaunchSizes.cpp). It is the
// same for all workgroups of a launch. Nearly all launches pass 0, and that is
// assumed, as sizes are that nobody knows.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/GlobalOffset.h"
#include "../Handlers.h"
#include "../KernelReader.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace swizzle::analysis {

/// True if `pointer` is a constant distance from the kernel's arguments.
static bool isBehindArguments(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  while (auto step = dyn_cast_or_null<LLVM::GEPOp>(op)) {
    for (Value index : step.getDynamicIndices())
      if (!matchPattern(index, m_Constant()))
        return false;
    op = step.getBase().getDefiningOp();
  }
  auto call = dyn_cast_or_null<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin() == "llvm.amdgcn.implicitarg.ptr";
}

bool readGlobalOffset(KernelReader &reader, Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  auto axis = op->getAttrOfType<IntegerAttr>(kGlobalOffsetAttr);
  // Whoever wrote the attribute: what is behind the arguments is one number for
  // all workgroups.
  if (!load || !axis || axis.getValue().uge(3) || reader.sizes.everyGrid ||
      !isBehindArguments(load.getAddr()))
    return false;
  reader.assume(std::string("the launch's offset along ") +
                    "xyz"[axis.getInt()] + " = 0 (nominal)",
                /*isLaunched=*/false);
  reader.set(load.getResult(), reader.scalars.constant(0));
  return true;
}

} // namespace swizzle::analysis
