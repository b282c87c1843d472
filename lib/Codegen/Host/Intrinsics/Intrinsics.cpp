//===- Intrinsics.cpp - Calls of GPU intrinsics, replaced -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Intrinsics.h. Operands lie in the frame one after the other, each aligned
// as its type: registers of one fragment of a matrix, which are operands of one
// type in a row, are one array there.
//
//===----------------------------------------------------------------------===//

#include "Intrinsics.h"
#include "../Lowering.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace swizzle::host {

const IntrinsicRow *findRow(llvm::StringRef name) {
  for (llvm::ArrayRef<IntrinsicRow> rows :
       {laneRows(), memoryRows(), matrixRows(), mathRows()})
    for (const IntrinsicRow &row : rows) {
      llvm::StringRef pattern = row.name;
      if (pattern.consume_back("*") ? name.starts_with(pattern)
                                    : name == pattern)
        return &row;
    }
  return nullptr;
}

namespace {

class Emulation {
public:
  Emulation(llvm::Module &module, Compilation &c)
      : module(module), c(c), layout(module.getDataLayout()),
        b(module.getContext()) {}

  llvm::Error run();

private:
  llvm::Error replace(llvm::CallInst *call);
  llvm::Error emulate(llvm::CallInst *call, const IntrinsicRow &row);
  void readField(llvm::CallInst *call, int64_t field);
  void layOut(llvm::CallInst *call, IntrinsicCall &info, uint32_t &bytes);
  uint32_t addSite(llvm::CallInst *call, AccessKind kind);
  llvm::Constant *address(const void *pointer) {
    return llvm::ConstantExpr::getIntToPtr(
        b.getInt64(reinterpret_cast<uintptr_t>(pointer)), b.getPtrTy());
  }

  llvm::Module &module;
  Compilation &c;
  const llvm::DataLayout &layout;
  llvm::IRBuilder<> b;
};

std::string locationOf(const llvm::Instruction *instruction) {
  const llvm::DILocation *location = instruction->getDebugLoc();
  if (!location)
    return "unknown location";
  return (location->getFilename() + ":" + llvm::Twine(location->getLine()) +
          ":" + llvm::Twine(location->getColumn()))
      .str();
}

uint32_t Emulation::addSite(llvm::CallInst *call, AccessKind kind) {
  HostSite site;
  site.location = locationOf(call);
  site.op = call->getCalledFunction()->getName().str();
  site.kind = kind;
  c.sites.push_back(std::move(site));
  return c.sites.size() - 1;
}

void Emulation::layOut(llvm::CallInst *call, IntrinsicCall &info,
                       uint32_t &bytes) {
  bytes = 0;
  auto add = [&](llvm::Type *type) {
    IntrinsicCall::Place place;
    place.offset = llvm::alignTo(bytes, layout.getABITypeAlign(type));
    place.bytes = layout.getTypeStoreSize(type);
    bytes = place.offset + layout.getTypeAllocSize(type);
    return place;
  };
  for (llvm::Value *operand : call->args()) {
    info.operands.push_back(add(operand->getType()));
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
    info.constants.push_back(
        constant && constant->getBitWidth() <= 64
            ? std::optional<int64_t>(constant->getSExtValue())
            : std::nullopt);
  }
  bytes = llvm::alignTo(bytes, 64);
  if (!call->getType()->isVoidTy())
    info.result = add(call->getType());
}

/// A number of the running thread.
void Emulation::readField(llvm::CallInst *call, int64_t field) {
  b.SetInsertPoint(call);
  llvm::Value *number = b.CreateLoad(
      b.getInt64Ty(),
      address(reinterpret_cast<const char *>(c.state) + field));
  call->replaceAllUsesWith(b.CreateZExtOrTrunc(number, call->getType()));
  call->eraseFromParent();
}

llvm::Error Emulation::emulate(llvm::CallInst *call, const IntrinsicRow &row) {
  std::string name = call->getCalledFunction()->getName().str();
  using Touches = IntrinsicRow::Touches;
  c.calls.emplace_back();
  IntrinsicCall &info = c.calls.back();
  info.row = &row;
  info.name = name;
  info.site = addSite(call, row.touches >= Touches::Updates ? AccessKind::Atomic
                                                            : AccessKind::Read);
  info.writeSite = info.site;
  if (row.touches == Touches::Writes || row.touches == Touches::Both)
    info.writeSite = addSite(call, AccessKind::Write);
  uint32_t bytes = 0;
  layOut(call, info, bytes);
  if (row.prepare)
    if (llvm::StringRef why = row.prepare(info, c); !why.empty())
      return llvm::make_error<UncheckedError>("op " + name + " at " +
                                              locationOf(call) + ": " +
                                              why.str());
  if (row.touches == Touches::Updates && call->use_empty())
    c.sites[info.site].commutesAs = c.sites[info.site].op;
  llvm::Function *function = call->getFunction();
  b.SetInsertPoint(&*function->getEntryBlock().getFirstInsertionPt());
  auto *frame = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), bytes));
  frame->setAlignment(llvm::Align(64));
  b.SetInsertPoint(call);
  auto placeOf = [&](const IntrinsicCall::Place &place) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), frame, place.offset);
  };
  for (unsigned i = 0; i < call->arg_size(); ++i)
    b.CreateStore(call->getArgOperand(i), placeOf(info.operands[i]));
  llvm::FunctionCallee runtime = module.getOrInsertFunction(
      "swizzle_emulate", b.getVoidTy(), b.getPtrTy(), b.getPtrTy(),
      b.getPtrTy());
  b.CreateCall(runtime, {address(c.workgroup), address(&info), frame});
  if (!call->getType()->isVoidTy())
    call->replaceAllUsesWith(
        b.CreateLoad(call->getType(), placeOf(info.result)));
  call->eraseFromParent();
  return llvm::Error::success();
}

llvm::Error Emulation::replace(llvm::CallInst *call) {
  llvm::Function *callee = call->getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return llvm::Error::success();
  llvm::StringRef name = callee->getName();
  if (const IntrinsicRow *row = findRow(name)) {
    if (row->field >= 0) {
      readField(call, row->field);
      return llvm::Error::success();
    }
    if (row->run)
      return emulate(call, *row);
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
    return llvm::Error::success();
  }
  if (std::string library = libraryName(name); !library.empty()) {
    call->setCalledFunction(module.getOrInsertFunction(
        library, callee->getFunctionType()));
    return llvm::Error::success();
  }
  if (name.starts_with("llvm.nvvm.") || name.starts_with("llvm.amdgcn.") ||
      name.starts_with("llvm.r600."))
    return llvm::make_error<UncheckedError>("op " + name.str() + " at " +
                                            locationOf(call));
  return llvm::Error::success();
}

llvm::Error Emulation::run() {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call)
          continue;
        if (call->isInlineAsm())
          return llvm::make_error<UncheckedError>("inline assembly at " +
                                                  locationOf(call));
        if (llvm::Error error = replace(call))
          return error;
      }
  return llvm::Error::success();
}

} // namespace

llvm::Error emulateIntrinsics(llvm::Module &module, Compilation &compilation) {
  return Emulation(module, compilation).run();
}

} // namespace swizzle::host
