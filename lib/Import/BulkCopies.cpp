//===- BulkCopies.cpp - Copies by NVIDIA's hardware, as operations --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR writes these operations as intrinsics and does not read them back:
//
//   call @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(%to, %barrier, %map, %k, %row,
//                                                        i64 0, i1 0)
//   nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %barrier, box[%k, %row]
//
// Operands of an intrinsic, in its order:
//
//   tensor.g2s[.cta].MODE   to, barrier, map, coordinates, offsets (i16),
//                           [mask (i16)], hint, [has a mask], has a hint, [group]
//   tensor.s2g.MODE         from, map, coordinates, hint, has a hint
//   tensor.reduce.OP.MODE   the same
//   global.to.shared[.cta|.cluster]   to, barrier, from, size, [mask], ...
//   shared.cta.to.global    to, from, size, ...
//
// Source: LLVM, "User Guide for NVPTX Back-end".
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace swizzle::importing {

/// The operands from `first` on that are integers of `bits`.
static OperandRange integersFrom(OperandRange operands, unsigned first,
                                 unsigned bits) {
  OperandRange rest = operands.drop_front(first);
  return rest.take_front(
      llvm::find_if_not(
          rest,
          [&](Value operand) { return operand.getType().isInteger(bits); }) -
      rest.begin());
}

static bool isSet(Value flag) {
  APInt value;
  return !matchPattern(flag, m_ConstantInt(&value)) || !value.isZero();
}

/// "tile.2d" after "llvm.nvvm.cp.async.bulk.tensor.g2s.": the mode as the
/// dialect calls it, "tile".
static std::string modeOf(StringRef name) {
  std::string mode = name.rsplit('.').first.str();
  std::replace(mode.begin(), mode.end(), '.', '_');
  return mode;
}

static Operation *loadOf(OpBuilder &builder, Location loc, StringRef name,
                         OperandRange operands) {
  bool own = name.consume_front("cta.");
  std::optional<NVVM::TMALoadMode> mode =
      NVVM::symbolizeTMALoadMode(modeOf(name));
  unsigned numFlags = own ? 1 : 3;
  if (!mode || operands.size() < 5 + numFlags)
    return nullptr;
  OperandRange coordinates = integersFrom(operands, 3, 32);
  OperandRange offsets = integersFrom(operands, 3 + coordinates.size(), 16);
  Value mask;
  NVVM::CTAGroupKindAttr group;
  if (!own) {
    OperandRange flags = operands.take_back(numFlags);
    if (isSet(flags[0]))
      mask = offsets.back();
    offsets = offsets.drop_back();
    APInt number;
    if (!matchPattern(flags[2], m_ConstantInt(&number)) || number == 2)
      group = NVVM::CTAGroupKindAttr::get(builder.getContext(),
                                          NVVM::CTAGroupKind::CTA_2);
  }
  return NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      builder, loc, operands[0], operands[2], coordinates, operands[1], offsets,
      mask, /*l2CacheHint=*/Value(), *mode, own, group, /*predicate=*/Value());
}

static Operation *storeOf(OpBuilder &builder, Location loc, StringRef name,
                          OperandRange operands) {
  std::optional<NVVM::TMAStoreMode> mode =
      NVVM::symbolizeTMAStoreMode(modeOf(name));
  if (!mode || operands.size() < 5)
    return nullptr;
  return NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      builder, loc, operands[1], operands[0], integersFrom(operands, 2, 32),
      /*l2CacheHint=*/Value(), *mode, /*predicate=*/Value());
}

static Operation *reductionOf(OpBuilder &builder, Location loc, StringRef name,
                              OperandRange operands) {
  auto [word, rest] = name.split('.');
  std::optional<NVVM::TMAReduxKind> kind = NVVM::symbolizeTMAReduxKind(word);
  std::optional<NVVM::TMAStoreMode> mode =
      NVVM::symbolizeTMAStoreMode(modeOf(rest));
  if (!kind || !mode || operands.size() < 5)
    return nullptr;
  return NVVM::CpAsyncBulkTensorReduceOp::create(
      builder, loc, operands[1], operands[0], *kind, *mode,
      integersFrom(operands, 2, 32), /*l2CacheHint=*/Value());
}

/// The operation that stands for `call`; null if it is none of those above.
static Operation *operationFor(OpBuilder &builder, LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  OperandRange operands = call.getArgs();
  Location loc = call.getLoc();
  if (!name.consume_front("llvm.nvvm.cp.async.bulk."))
    return nullptr;
  if (name.consume_front("tensor.g2s."))
    return loadOf(builder, loc, name, operands);
  if (name.consume_front("tensor.s2g."))
    return storeOf(builder, loc, name, operands);
  if (name.consume_front("tensor.reduce."))
    return reductionOf(builder, loc, name, operands);
  if (name == "global.to.shared.cluster" && operands.size() == 8)
    return NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
        builder, loc, operands[0], operands[2], operands[1], operands[3],
        isSet(operands[6]) ? operands[4] : Value(), /*l2CacheHint=*/Value());
  if (name == "global.to.shared.cta" && operands.size() == 6)
    return NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
        builder, loc, operands[0], operands[2], operands[1], operands[3],
        /*multicastMask=*/Value(), /*l2CacheHint=*/Value());
  if (name == "shared.cta.to.global" && operands.size() == 5)
    return NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(
        builder, loc, operands[0], operands[1], operands[2],
        /*l2CacheHint=*/Value(), /*byteMask=*/Value());
  return nullptr;
}

void nameBulkCopies(ModuleOp module) {
  SmallVector<LLVM::CallIntrinsicOp> calls;
  module.walk([&](LLVM::CallIntrinsicOp call) { calls.push_back(call); });
  for (LLVM::CallIntrinsicOp call : calls) {
    OpBuilder builder(call);
    if (operationFor(builder, call))
      call.erase();
  }
}

} // namespace swizzle::importing
