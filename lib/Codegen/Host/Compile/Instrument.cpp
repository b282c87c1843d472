//===- Instrument.cpp - Every access is announced -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call in front of each instruction that touches memory says what is about to
// be touched; it does not come back if that is out of bounds. What touches
// memory and is not understood makes the kernel unchecked. One walk in the
// order of the program, so that the numbers of sites have that order.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace swizzle::host {

namespace {

class Instrumentation {
public:
  Instrumentation(llvm::Module &module, Compilation &c)
      : module(module), c(c), layout(module.getDataLayout()),
        b(module.getContext()) {}

  llvm::Error run();

private:
  void forgetPromises(llvm::Function &function);
  llvm::Error instrument(llvm::Instruction &instruction);
  llvm::Error instrumentCall(llvm::CallBase &call);
  llvm::Error instrumentIntrinsic(llvm::IntrinsicInst &call);
  int64_t bytesOf(llvm::Type *type) {
    return layout.getTypeStoreSize(type).getFixedValue();
  }
  llvm::Value *plain(llvm::Value *pointer);
  llvm::Value *siteOf(llvm::Instruction &at, AccessKind kind, int64_t bytes) {
    return b.getInt32(c.addSite(at, kind, bytes));
  }
  llvm::Value *maskBits(llvm::Value *mask);
  HostSite *announce(llvm::Instruction &at, llvm::Value *pointer,
                     AccessKind kind, llvm::Type *type);
  void announceUpdate(llvm::AtomicRMWInst &update);
  llvm::Error announceMasked(llvm::IntrinsicInst &call, llvm::Value *pointer,
                             llvm::Type *type, AccessKind kind);
  void announceRange(llvm::Instruction &at, llvm::Value *pointer,
                     llvm::Value *bytes, AccessKind kind);

  llvm::Module &module;
  Compilation &c;
  const llvm::DataLayout &layout;
  llvm::IRBuilder<> b;
};

/// True for memory on the stack of the thread.
bool isPrivate(llvm::Value *pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0));
}

/// Without its address space: what compiled code calls takes plain pointers.
llvm::Value *Instrumentation::plain(llvm::Value *pointer) {
  llvm::Type *type = b.getPtrTy();
  if (auto *vector = llvm::dyn_cast<llvm::VectorType>(pointer->getType()))
    type = llvm::VectorType::get(type, vector->getElementCount());
  return type == pointer->getType() ? pointer
                                    : b.CreateAddrSpaceCast(pointer, type);
}

/// The site; null if nobody else can see the access.
HostSite *Instrumentation::announce(llvm::Instruction &at, llvm::Value *pointer,
                                    AccessKind kind, llvm::Type *type) {
  if (isPrivate(pointer))
    return nullptr;
  callRuntime(b, c, "swizzle_access",
              {plain(pointer), siteOf(at, kind, bytesOf(type))});
  return &c.sites.back();
}

/// A vector of i1 as the low bits of an i64.
llvm::Value *Instrumentation::maskBits(llvm::Value *mask) {
  unsigned lanes =
      llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  return b.CreateZExt(b.CreateBitCast(mask, b.getIntNTy(lanes)),
                      b.getInt64Ty());
}

/// Lanes of `type`, at consecutive places or at a vector of pointers, whose
/// bit in the only operand that is a vector of i1 is set.
llvm::Error Instrumentation::announceMasked(llvm::IntrinsicInst &call,
                                            llvm::Value *pointer,
                                            llvm::Type *type, AccessKind kind) {
  auto *mask = llvm::find_if(call.args(), [](const llvm::Use &use) {
    return use->getType()->isVectorTy() &&
           use->getType()->getScalarType()->isIntegerTy(1);
  });
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (mask == call.arg_end() || !vector || vector->getNumElements() > 64 ||
      vector->getElementType()->isIntegerTy(1))
    return makeUnchecked(c.originOf(call), "lanes that are not understood");
  llvm::Value *site = siteOf(call, kind, bytesOf(vector->getElementType()));
  if (!pointer->getType()->isVectorTy()) {
    callRuntime(b, c, "swizzle_accessMasked",
                {plain(pointer), maskBits(*mask), site});
    return llvm::Error::success();
  }
  pointer = plain(pointer);
  llvm::BasicBlock &entry = call.getFunction()->getEntryBlock();
  llvm::IRBuilder<> top(&entry, entry.getFirstInsertionPt());
  llvm::Value *slot = top.CreateAlloca(pointer->getType());
  b.CreateStore(pointer, slot);
  callRuntime(b, c, "swizzle_accessLanes", {slot, maskBits(*mask), site});
  return llvm::Error::success();
}

void Instrumentation::announceRange(llvm::Instruction &at, llvm::Value *pointer,
                                    llvm::Value *bytes, AccessKind kind) {
  if (isPrivate(pointer))
    return;
  callRuntime(b, c, "swizzle_accessRange",
              {plain(pointer), b.CreateZExtOrTrunc(bytes, b.getInt64Ty()),
               b.getInt32(uint32_t(kind)), siteOf(at, kind, 1)});
}

/// A counter that wraps around at its operand. Two of them are the same
/// function if their bounds are equal, and so commute; else they do not: 5 is
/// followed by 6 up to a bound of 7, and by 0 up to one of 4.
bool isCounter(const llvm::AtomicRMWInst &update) {
  using Update = llvm::AtomicRMWInst;
  return (update.getOperation() == Update::UIncWrap ||
          update.getOperation() == Update::UDecWrap) &&
         update.getValOperand()->getType()->getScalarSizeInBits() <= 64;
}

/// How an atomic update whose old value nobody uses commutes with its like;
/// empty if it does not, or if other workgroups do not see it as atomic.
std::string commutesAs(const llvm::AtomicRMWInst &update) {
  using Update = llvm::AtomicRMWInst;
  llvm::StringRef scope = update.getContext()
                              .getSyncScopeName(update.getSyncScopeID())
                              .value_or("");
  for (llvm::StringRef narrow : {"workgroup", "wavefront", "singlethread",
                                 "block", "cta", "warp", "cluster"})
    if (scope.starts_with(narrow))
      return "";
  Update::BinOp operation = update.getOperation();
  switch (operation) {
  case Update::Add:
  case Update::And:
  case Update::Or:
  case Update::Xor:
  case Update::Max:
  case Update::Min:
  case Update::UMax:
  case Update::UMin:
  case Update::USubSat:
  case Update::FAdd:
  case Update::FMax:
  case Update::FMin:
  case Update::FMaximum:
  case Update::FMinimum:
    break;
  // A subtraction adds the negated number.
  case Update::Sub:
    operation = Update::Add;
    break;
  case Update::FSub:
    operation = Update::FAdd;
    break;
  default:
    if (!isCounter(update))
      return "";
  }
  if (!update.use_empty())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << Update::getOperationName(operation) << ' '
     << *update.getValOperand()->getType();
  return text;
}

void Instrumentation::announceUpdate(llvm::AtomicRMWInst &update) {
  llvm::Value *pointer = update.getPointerOperand();
  if (isPrivate(pointer))
    return;
  llvm::Value *operand = update.getValOperand();
  llvm::Type *type = operand->getType();
  llvm::SmallVector<llvm::Value *, 3> what{
      plain(pointer), siteOf(update, AccessKind::Atomic, bytesOf(type))};
  HostSite &site = c.sites.back();
  // The least of some numbers is one of them, in whatever order they come.
  site.floatAtomic = update.getOperation() == llvm::AtomicRMWInst::FAdd ||
                     update.getOperation() == llvm::AtomicRMWInst::FSub;
  site.commutesAs = commutesAs(update);
  site.commutesByOperand = !site.commutesAs.empty() && isCounter(update);
  if (site.commutesByOperand)
    what.push_back(b.CreateZExt(operand, b.getInt64Ty()));
  callRuntime(
      b, c, site.commutesByOperand ? "swizzle_update" : "swizzle_access", what);
}

llvm::Error Instrumentation::instrumentIntrinsic(llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_gather:
    return announceMasked(call, call.getArgOperand(0), call.getType(),
                          AccessKind::Read);
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_scatter:
    return announceMasked(call, call.getArgOperand(1),
                          call.getArgOperand(0)->getType(), AccessKind::Write);
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::debugtrap:
  case llvm::Intrinsic::ubsantrap:
    callRuntime(b, c, "swizzle_trap", {siteOf(call, AccessKind::Read, 0)});
    call.eraseFromParent();
    return llvm::Error::success();
  // Assumptions and lifetimes of arrays change no result.
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
    call.eraseFromParent();
    return llvm::Error::success();
  case llvm::Intrinsic::stacksave:
  case llvm::Intrinsic::stackrestore:
    return llvm::Error::success();
  default:
    break;
  }
  if (auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(&call))
    announceRange(call, transfer->getSource(), transfer->getLength(),
                  AccessKind::Read);
  if (auto *range = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&call)) {
    announceRange(call, range->getDest(), range->getLength(),
                  AccessKind::Write);
    return llvm::Error::success();
  }
  // Of the rest, what has no pointer touches nothing.
  bool touches = call.mayReadOrWriteMemory() && !call.isAssumeLikeIntrinsic() &&
                 llvm::any_of(call.args(), [](const llvm::Use &use) {
                   return use->getType()->isPtrOrPtrVectorTy();
                 });
  return touches ? makeUnchecked(c.originOf(call)) : llvm::Error::success();
}

llvm::Error Instrumentation::instrumentCall(llvm::CallBase &call) {
  if (call.isInlineAsm())
    return makeUnchecked(c.originOf(call), "inline assembly");
  auto *plainCall = llvm::dyn_cast<llvm::CallInst>(&call);
  llvm::Function *callee = call.getCalledFunction();
  if (!plainCall || !callee)
    return makeUnchecked(c.originOf(call), "a call through a pointer");
  if (!callee->isDeclaration())
    return llvm::Error::success();
  llvm::Expected<bool> emulated = emulateCall(*plainCall, c);
  if (!emulated)
    return emulated.takeError();
  if (*emulated)
    return llvm::Error::success();
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return instrumentIntrinsic(*intrinsic);
  if (isLibraryFunction(callee->getName()))
    return llvm::Error::success();
  if (callee->getName().starts_with("swizzle."))
    return makeUnchecked(c.originOf(call));
  return llvm::make_error<UncheckedError>(
      "a call of " + callee->getName().str() + ", which is not there, at " +
      c.originOf(call).location);
}

llvm::Error Instrumentation::instrument(llvm::Instruction &at) {
  b.SetInsertPoint(&at);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&at)) {
    announce(at, load->getPointerOperand(), AccessKind::Read, load->getType());
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&at)) {
    announce(at, store->getPointerOperand(), AccessKind::Write,
             store->getValueOperand()->getType());
  } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&at)) {
    announceUpdate(*update);
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&at)) {
    if (HostSite *site =
            announce(at, exchange->getPointerOperand(), AccessKind::Atomic,
                     exchange->getNewValOperand()->getType()))
      site->compares = true;
  } else if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&at)) {
    return placeArray(*array, c);
  } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&at)) {
    return instrumentCall(*call);
  } else if (llvm::isa<llvm::VAArgInst, llvm::IndirectBrInst>(at)) {
    return makeUnchecked(c.originOf(at));
  }
  return llvm::Error::success();
}

/// Code must mean the same in original and variant, whatever stands around it:
/// what overflows has a value, and numbers are as the standard has them.
void Instrumentation::forgetPromises(llvm::Function &function) {
  if (function.isIntrinsic())
    return;
  auto forget = [&](auto &of) {
    llvm::SmallVector<std::pair<unsigned, llvm::Type *>> copied;
    for (unsigned i = 0; i < of.arg_size(); ++i)
      if (llvm::Type *type = of.getAttributes().getParamByValType(i))
        copied.push_back({i, type});
    of.setAttributes({});
    of.setCallingConv(llvm::CallingConv::C);
    for (auto [i, type] : copied)
      of.addParamAttr(
          i, llvm::Attribute::getWithByValType(module.getContext(), type));
  };
  forget(function);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    instruction.dropPoisonGeneratingFlags();
    if (llvm::isa<llvm::FPMathOperator>(instruction))
      instruction.copyFastMathFlags(llvm::FastMathFlags());
    instruction.dropPoisonGeneratingMetadata();
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      forget(*call);
  }
}

llvm::Error Instrumentation::run() {
  for (llvm::Function &function : module)
    forgetPromises(function);
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::Instruction *> all;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      all.push_back(&instruction);
    for (llvm::Instruction *instruction : all)
      if (llvm::Error error = instrument(*instruction))
        return error;
  }
  if (c.sites.size() > UINT16_MAX)
    return llvm::make_error<UncheckedError>(
        "more than 65535 operations touch memory");
  return llvm::Error::success();
}

} // namespace

llvm::Error instrument(llvm::Module &module, Compilation &compilation) {
  if (llvm::Error error = Instrumentation(module, compilation).run())
    return error;
  return placeGlobals(module, compilation);
}

} // namespace swizzle::host
