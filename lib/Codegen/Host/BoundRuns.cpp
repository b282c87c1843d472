//===- BoundRuns.cpp - What keeps a run finite and free of traps ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled kernels run in the process of whoever checks them, so they may not
// run for ever, use up their stack, or divide by zero: branches back and calls
// are counted, the stack is looked at where its use has no bound, and divisors
// that trap are replaced.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace swizzle::host {

/// A CPU traps where a GPU yields anything: by one instead of by zero, and
/// instead of by minus one where the quotient does not fit.
static void guardDivision(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value number = op->getOperand(0), divisor = op->getOperand(1);
  Attribute known;
  if (auto constant = divisor.getDefiningOp<LLVM::ConstantOp>())
    known = constant.getValue();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(known);
      integer && !integer.getValue().isZero() &&
      !integer.getValue().isAllOnes())
    return;
  Type type = divisor.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    TypedAttr attribute = b.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = DenseElementsAttr::get(vector, value);
    return LLVM::ConstantOp::create(b, loc, type, attribute);
  };
  auto equal = [&](Value a, const APInt &value) -> Value {
    return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, a,
                                constant(value));
  };
  Value traps = equal(divisor, APInt::getZero(width));
  if (isa<LLVM::SDivOp, LLVM::SRemOp>(op)) {
    Value overflows = LLVM::AndOp::create(
        b, loc, equal(divisor, APInt::getAllOnes(width)),
        equal(number, APInt::getSignedMinValue(width)));
    traps = LLVM::OrOp::create(b, loc, traps, overflows);
  }
  op->setOperand(1, LLVM::SelectOp::create(b, loc, traps,
                                           constant(APInt(width, 1)), divisor));
}

/// Before the stack is used down to `pointer`.
void checkStack(OpBuilder &b, Operation *op, Value pointer, Compilation &c) {
  Location loc = op->getLoc();
  callRuntime(b, loc, "swizzle_stack", Type(),
              {makeAddress(b, loc, c.workgroup), pointer,
               makeInteger(b, loc, c.addSite(op, AccessKind::Write, 0), 32)});
}

/// Functions that call themselves, through others or not, use the stack as
/// often as they like.
static void guardRecursion(ModuleOp module, Compilation &c) {
  OpBuilder b(module.getContext());
  llvm::StringMap<llvm::SetVector<Operation *>> callees;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    function.walk([&](LLVM::CallOp call) {
      if (call.getCallee())
        if (Operation *callee = module.lookupSymbol(*call.getCallee()))
          callees[function.getName()].insert(callee);
    });
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    llvm::SetVector<Operation *> reached = callees[function.getName()];
    for (size_t i = 0; i < reached.size(); ++i) {
      auto next = callees[cast<LLVM::LLVMFuncOp>(reached[i]).getName()];
      reached.insert(next.begin(), next.end());
    }
    if (!reached.contains(function))
      continue;
    b.setInsertionPointToStart(&function.getBody().front());
    Location loc = function.getLoc();
    Value here = LLVM::AllocaOp::create(
        b, loc, LLVM::LLVMPointerType::get(b.getContext()), b.getI8Type(),
        makeInteger(b, loc, 1));
    checkStack(b, function, here, c);
  }
}

/// Counts what a kernel that does not end does without end: each cycle of
/// blocks has a branch to a block that stands no later, and recursion calls.
static void countSteps(LLVM::LLVMFuncOp function, Compilation &c) {
  OpBuilder b(function.getContext());
  llvm::DenseMap<Block *, unsigned> position;
  for (Block &block : function.getBody())
    position[&block] = position.size();
  llvm::SetVector<Block *> counted;
  counted.insert(&function.getBody().front());
  for (Block &block : function.getBody())
    for (Block *next : block.getSuccessors())
      if (position[next] <= position[&block])
        counted.insert(next);
  for (Block *block : counted) {
    Location loc = block->front().getLoc();
    Block *rest = block->splitBlock(block->begin());
    b.setInsertionPointToEnd(block);
    Value at = makeAddress(b, loc, &c.state->stepsLeft);
    Value left = LLVM::LoadOp::create(b, loc, b.getI64Type(), at);
    left = LLVM::SubOp::create(b, loc, left, makeInteger(b, loc, 1));
    LLVM::StoreOp::create(b, loc, left, at);
    Value out = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::slt, left,
                                     makeInteger(b, loc, 0));
    Block *end = b.createBlock(&function.getBody());
    uint32_t site = c.addSite(&rest->front(), AccessKind::Read, 0);
    callRuntime(b, loc, "swizzle_endless", Type(),
                {makeAddress(b, loc, c.workgroup),
                 makeInteger(b, loc, site, 32)});
    LLVM::UnreachableOp::create(b, loc);
    b.setInsertionPointToEnd(block);
    LLVM::CondBrOp::create(b, loc, out, end, rest);
  }
}

void boundRuns(ModuleOp module, Compilation &c) {
  SmallVector<Operation *> divisions;
  module.walk([&](Operation *op) {
    if (isa<LLVM::SDivOp, LLVM::SRemOp, LLVM::UDivOp, LLVM::URemOp>(op))
      divisions.push_back(op);
  });
  for (Operation *op : divisions)
    guardDivision(op);
  guardRecursion(module, c);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      countSteps(function, c);
}

} // namespace swizzle::host
