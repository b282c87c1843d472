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
#include "Compile/Compilation.h"

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
  Emulation(llvm::CallInst &call, Compilation &c)
      : call(call), c(c), layout(call.getModule()->getDataLayout()), b(&call) {}

  llvm::Expected<bool> run();

private:
  llvm::Error emulate(const IntrinsicRow &row);
  void readField(int64_t field);
  uint32_t layOut(IntrinsicCall &info);
  llvm::StringRef name() const { return call.getCalledFunction()->getName(); }

  llvm::CallInst &call;
  Compilation &c;
  const llvm::DataLayout &layout;
  llvm::IRBuilder<> b;
};

/// Places of operands and result; returns the size of the frame.
uint32_t Emulation::layOut(IntrinsicCall &info) {
  uint32_t bytes = 0;
  auto add = [&](llvm::Type *type) {
    IntrinsicCall::Place place;
    place.offset = llvm::alignTo(bytes, layout.getABITypeAlign(type));
    place.bytes = layout.getTypeStoreSize(type);
    bytes = place.offset + layout.getTypeAllocSize(type);
    return place;
  };
  for (llvm::Value *operand : call.args()) {
    info.operands.push_back(add(operand->getType()));
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
    info.constants.push_back(
        constant && constant->getBitWidth() <= 64
            ? std::optional<int64_t>(constant->getSExtValue())
            : std::nullopt);
  }
  bytes = llvm::alignTo(bytes, 64);
  if (!call.getType()->isVoidTy())
    info.result = add(call.getType());
  return bytes;
}

/// A number of the running thread.
void Emulation::readField(int64_t field) {
  llvm::Value *number = b.CreateLoad(
      b.getInt64Ty(),
      makeAddress(b, reinterpret_cast<const char *>(c.state) + field));
  call.replaceAllUsesWith(b.CreateZExtOrTrunc(number, call.getType()));
  call.eraseFromParent();
}

llvm::Error Emulation::emulate(const IntrinsicRow &row) {
  using Touches = IntrinsicRow::Touches;
  c.calls.emplace_back();
  IntrinsicCall &info = c.calls.back();
  info.row = &row;
  info.name = name().str();
  info.site = c.addSite(call,
                        row.touches >= Touches::Updates ? AccessKind::Atomic
                                                        : AccessKind::Read,
                        0);
  info.writeSite = info.site;
  if (row.touches == Touches::Writes || row.touches == Touches::Both)
    info.writeSite = c.addSite(call, AccessKind::Write, 0);
  uint32_t bytes = layOut(info);
  if (row.prepare)
    if (llvm::StringRef why = row.prepare(info, c); !why.empty())
      return makeUnchecked(c.originOf(call), info.name + ": " + why);
  if (row.touches == Touches::Updates && call.use_empty())
    c.sites[info.site].commutesAs = info.name;
  llvm::BasicBlock &entry = call.getFunction()->getEntryBlock();
  b.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  auto *frame = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), bytes));
  frame->setAlignment(llvm::Align(64));
  b.SetInsertPoint(&call);
  auto placeOf = [&](const IntrinsicCall::Place &place) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), frame, place.offset);
  };
  for (unsigned i = 0; i < call.arg_size(); ++i)
    b.CreateStore(call.getArgOperand(i), placeOf(info.operands[i]));
  callRuntime(b, c, "swizzle_emulate", {makeAddress(b, &info), frame});
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(b.CreateLoad(call.getType(), placeOf(info.result)));
  call.eraseFromParent();
  return llvm::Error::success();
}

llvm::Expected<bool> Emulation::run() {
  if (const IntrinsicRow *row = findRow(name())) {
    if (row->field >= 0) {
      readField(row->field);
      return true;
    }
    if (row->run) {
      if (llvm::Error error = emulate(*row))
        return std::move(error);
      return true;
    }
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(llvm::Constant::getNullValue(call.getType()));
    call.eraseFromParent();
    return true;
  }
  if (std::string library = libraryName(name()); !library.empty()) {
    call.setCalledFunction(
        call.getModule()->getOrInsertFunction(library, call.getFunctionType()));
    return true;
  }
  for (llvm::StringRef vendor : {"llvm.nvvm.", "llvm.amdgcn.", "llvm.r600."})
    if (name().starts_with(vendor))
      return makeUnchecked(c.originOf(call),
                           c.originOf(call).op == name() ? "" : name());
  // Of another target: the host has no code for it.
  if (llvm::Intrinsic::isTargetIntrinsic(call.getIntrinsicID()))
    return makeUnchecked(c.originOf(call), name());
  return false;
}

} // namespace

llvm::Expected<bool> emulateCall(llvm::CallInst &call,
                                 Compilation &compilation) {
  return Emulation(call, compilation).run();
}

} // namespace swizzle::host
