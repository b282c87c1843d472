//===- AddressBits.cpp - Where a buffer is aligned to ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels look at the lowest bits of an address, to move several numbers at once
// where it is aligned, or to begin where it is:
//
//   %i = ptrtoint %row             arg0 + 4*n*x
//   %t = trunc %i to i32
//   %s = lshr i32 %t, 2
//   %m = and i32 %s, 3             n*x mod 4, if arg0 is aligned to 16 bytes
//   %d = and i64 %i, -16           arg0 + 4*n*x - 4*n*x mod 16, if it is
//
// The model is of a launch that passes aligned buffers, as nominal sizes are of
// some launch. Unless the argument promises it, that is listed under `assumed`.
// In a reading that is to hold for whatever is passed, nothing is known but that.
// Where a launch passes a place within some memory, it is the memory that is
// aligned.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace swizzle::analysis {

namespace {
/// What allocators of all vendors align to has no more bits than this.
constexpr unsigned kMostBits = 8;

/// The lowest bits of numbers that are made of addresses.
class LowBits {
public:
  explicit LowBits(KernelReader &reader)
      : reader(reader), scalars(reader.scalars) {}

  /// The lowest `count` bits of `value` as a number that is not negative; null
  /// if they are not known.
  CasesRef of(Value value, unsigned count, unsigned depth = 8);
  /// Lists as assumed what buffers that were met are aligned to, unless they
  /// promise it; false where nothing is assumed.
  bool assumeAligned();

  bool meetsAddress = false; ///< some of the bits are those of an address
  bool maybePoison = false;

private:
  CasesRef ofOperation(Operation *op, unsigned count, unsigned depth);
  CasesRef modulo(const CasesRef &number, unsigned count) {
    return scalars.floorRemainder(number,
                                  scalars.constant(int64_t(1) << count));
  }
  bool isPassed(const AbstractValue &address) const;
  std::optional<int64_t> promisedStart(const Buffer &buffer,
                                       unsigned count) const;
  int64_t startOf(const Buffer &buffer, unsigned count) const;

  KernelReader &reader;
  Scalars &scalars;
  SmallVector<std::pair<uint32_t, unsigned>> buffers; ///< and bits of each
};
} // namespace

/// True if `op` may promise something of all bits, which cannot be seen in some
/// of them.
static bool hasPromise(Operation *op) {
  return isa<LLVM::IntegerOverflowFlagsInterface, LLVM::ExactFlagInterface,
             LLVM::DisjointFlagInterface, LLVM::NonNegFlagInterface>(op);
}

/// True for an address in a buffer that was passed.
bool LowBits::isPassed(const AbstractValue &address) const {
  if (!address.isGlobal() || !address.single() ||
      address.buffer >= reader.model.buffers.size())
    return false;
  const Buffer &buffer = reader.model.buffers[address.buffer];
  return buffer.argument >= 0 || buffer.isClaimed;
}

/// Where `buffer` starts, up to multiples of 2^count bytes, as one of the
/// arguments that lead to it promises; nullopt if none does.
std::optional<int64_t> LowBits::promisedStart(const Buffer &buffer,
                                              unsigned count) const {
  SmallVector<int> arguments = {buffer.argument};
  llvm::append_range(arguments, buffer.otherArguments);
  FunctionOpInterface kernel = reader.kernel;
  for (int argument : arguments) {
    if (argument < 0 || unsigned(argument) >= kernel.getNumArguments())
      continue;
    auto promised = kernel.getArgAttrOfType<IntegerAttr>(
        argument, LLVM::LLVMDialect::getAlignAttrName());
    if (!promised || promised.getInt() < (int64_t(1) << count))
      continue;
    Value passed = reader.passedMemory(argument);
    return passed ? -reader.bytesIntoBuffer(passed) : 0;
  }
  return std::nullopt;
}

/// The same, or as it is assumed.
int64_t LowBits::startOf(const Buffer &buffer, unsigned count) const {
  if (std::optional<int64_t> promised = promisedStart(buffer, count))
    return *promised;
  Value passed =
      buffer.argument < 0 ? Value() : reader.passedMemory(buffer.argument);
  return passed ? reader.bytesBeforeBuffer(passed) : 0;
}

bool LowBits::assumeAligned() {
  for (auto [index, count] : buffers) {
    const Buffer &buffer = reader.model.buffers[index];
    if (promisedStart(buffer, count))
      continue;
    if (reader.sizes.everyGrid)
      return false;
    bool isSeen = buffer.argument >= 0 && reader.passedMemory(buffer.argument);
    reader.assume((isSeen ? "the memory that is passed for " : "") +
                      buffer.name + " is aligned to " +
                      std::to_string(int64_t(1) << count) + " bytes (nominal)",
                  /*isLaunched=*/true);
  }
  return true;
}

CasesRef LowBits::of(Value value, unsigned count, unsigned depth) {
  AbstractValue known = reader.get(value);
  maybePoison |= known.maybePoison;
  if (known.isNumber() && known.single())
    return modulo(known.single(), count);
  if (isPassed(known)) {
    meetsAddress = true;
    buffers.push_back({known.buffer, count});
    int64_t start = startOf(reader.model.buffers[known.buffer], count);
    CasesRef address = scalars.add(known.single(), scalars.constant(start));
    return address ? modulo(address, count) : nullptr;
  }
  Operation *op = value.getDefiningOp();
  return op && depth > 0 && value.getType().isInteger()
             ? ofOperation(op, count, depth - 1)
             : scalars.fail("bits of an address that is not known");
}

CasesRef LowBits::ofOperation(Operation *op, unsigned count, unsigned depth) {
  using Function = CasesRef (Scalars::*)(const CasesRef &, const CasesRef &);
  Function apply = isa<LLVM::AddOp>(op)   ? &Scalars::add
                   : isa<LLVM::SubOp>(op) ? &Scalars::subtract
                   : isa<LLVM::AndOp>(op) ? &Scalars::bitAnd
                   : isa<LLVM::OrOp>(op)  ? &Scalars::bitOr
                   : isa<LLVM::XOrOp>(op) ? &Scalars::bitXor
                                          : nullptr;
  maybePoison |= hasPromise(op);
  if (apply) {
    CasesRef a = of(op->getOperand(0), count, depth);
    CasesRef b = a ? of(op->getOperand(1), count, depth) : nullptr;
    CasesRef both = b ? (scalars.*apply)(a, b) : nullptr;
    return both ? modulo(both, count) : nullptr;
  }
  if (isa<LLVM::TruncOp, LLVM::ZExtOp, LLVM::SExtOp>(op)) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    if (from.isInteger() && from.getIntOrFloatBitWidth() >= count &&
        to.getIntOrFloatBitWidth() >= count)
      return of(op->getOperand(0), count, depth);
  }
  APInt shift;
  if (isa<LLVM::LShrOp, LLVM::AShrOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&shift)) &&
      shift.ult(kMostBits) && count + shift.getZExtValue() <= kMostBits) {
    unsigned dropped = shift.getZExtValue();
    CasesRef bits = of(op->getOperand(0), count + dropped, depth);
    return bits ? scalars.shiftRight(bits, scalars.constant(dropped)) : nullptr;
  }
  return scalars.fail("bits of an address that is not known");
}

/// Which bits of its first operand `op` asks for, as a mask.
static std::optional<APInt> maskOf(Operation *op) {
  if (isa<LLVM::TruncOp>(op))
    return op->getResult(0).getType().isInteger(1) ? std::optional(APInt(64, 1))
                                                   : std::nullopt;
  APInt constant;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return std::nullopt;
  if (!isa<LLVM::URemOp>(op))
    return constant;
  return constant.isPowerOf2() ? std::optional(constant - 1) : std::nullopt;
}

bool readAddressBits(KernelReader &reader, Operation *op) {
  if (!isa<LLVM::AndOp, LLVM::URemOp, LLVM::TruncOp, LLVM::PtrMaskOp>(op))
    return false;
  AbstractValue value = reader.get(op->getOperand(0));
  std::optional<APInt> mask = maskOf(op);
  if (!mask || value.isNumber())
    return false;
  // All but the lowest bits: the address itself, further down.
  bool goesDown = isa<LLVM::AndOp, LLVM::PtrMaskOp>(op) &&
                  mask->isNegatedPowerOf2() && mask->countr_zero() > 0;
  unsigned count = goesDown ? mask->countr_zero() : mask->getActiveBits();
  if (count == 0 || count > kMostBits)
    return false;
  LowBits finder(reader);
  CasesRef bits = finder.of(op->getOperand(0), count);
  if (!bits || !finder.meetsAddress)
    return false;
  if (goesDown) {
    // What bounds a buffer resource speaks of its own offsets.
    if (!value.isPointer() || value.records || value.checked)
      return false;
    value.lanes = {reader.scalars.subtract(value.single(), bits)};
    value.reason = reader.scalars.reason;
  } else if (isa<LLVM::PtrMaskOp>(op)) {
    return false;
  } else {
    bits = reader.scalars.bitAnd(
        bits, reader.scalars.constant(int64_t(mask->getZExtValue())));
    value = AbstractValue::of(bits, reader.scalars.reason);
  }
  value.maybePoison = finder.maybePoison || hasPromise(op);
  if (!finder.assumeAligned())
    return false;
  reader.set(op->getResult(0), std::move(value));
  return true;
}

} // namespace swizzle::analysis
