//===- AssumedAddress.cpp - Addresses that rest on loaded values ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table says where data lies: pages of a cache, rows of a gather. What it
// says is not known, but that equal places of the table say the same is, and so
// which workgroups read the same data. An address that is not affine is
// computed once more with a variable in place of each number that was loaded,
// and the access goes into the model as an assumed one, for the simulator and
// the planner.
//
//   %page = load %table[4*z]
//   %v = load %cache[4096 * %page]     read cache[4096*table[4*z]], assumed
//
// Where a loaded number decides between two addresses, the accesses stand under
// a guard on its variable. Nothing but these accesses and guards depends on
// such variables: what is proved rests on the access as one that is not
// modelled.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

using namespace mlir;

namespace swizzle::analysis {

/// Values of a table are assumed to be below this. A power of two.
static constexpr int64_t kMaxExtent = int64_t(1) << 24;

namespace {
/// Computes one address again, and forgets what it computed.
class AssumedAddress {
public:
  explicit AssumedAddress(KernelReader &reader) : reader(reader) {}
  ~AssumedAddress() {
    for (auto &[value, before] : changed)
      reader.set(value, std::move(before));
  }

  /// What `pointer` points to under assumed numbers; null lanes if that does
  /// not make it affine.
  AbstractValue compute(Value pointer) {
    recompute(pointer, kMaxDepth);
    return reader.get(pointer);
  }

private:
  static constexpr unsigned kMaxDepth = 32;

  static bool isKnown(const AbstractValue &value) {
    return value.isNumber() || (value.isPointer() && value.single());
  }

  void recompute(Value value, unsigned depth) {
    Operation *op = value.getDefiningOp();
    AbstractValue before = reader.get(value);
    if (!op || depth == 0 || isKnown(before) || op->getNumResults() != 1 ||
        llvm::is_contained(failed, value))
      return;
    std::optional<MemoryInstruction> load = asMemoryInstruction(op);
    if (load && load->kind == AccessKind::Read && !load->isVolatile &&
        !load->ordered) {
      recompute(load->pointer, depth - 1);
      take(value, std::move(before), [&] {
        if (std::optional<AbstractValue> number = numberAt(*load))
          reader.set(value, std::move(*number));
      });
    } else if (classify(op).kind == OperationKind::Pure ||
               isa<LLVM::GEPOp>(op)) {
      for (Value operand : op->getOperands())
        recompute(operand, depth - 1);
      take(value, std::move(before), [&] { reader.readOperation(op); });
    }
  }

  /// Lets `read` say what `value` is, which was `before`.
  void take(Value value, AbstractValue before,
            llvm::function_ref<void()> read) {
    read();
    if (!isKnown(reader.get(value)))
      failed.push_back(value);
    changed.emplace_back(value, std::move(before));
  }

  /// A variable for what a load of one integer finds.
  std::optional<AbstractValue> numberAt(const MemoryInstruction &load) {
    auto type = dyn_cast<IntegerType>(load.type);
    AbstractValue place = reader.get(load.pointer);
    CasesRef offset = place.isGlobal() ? place.single() : nullptr;
    if (!type || type.getWidth() < 8 || !offset || !offset->isLeaf())
      return std::nullopt;
    // None is negative.
    int64_t most =
        std::min(kMaxExtent, int64_t(1) << std::min(type.getWidth() - 1, 62u));
    std::optional<VariableId> id = reader.domain.addLoaded(
        place.buffer, offset->form, reader.bytesOf(type), most);
    if (!id)
      return std::nullopt;
    return AbstractValue::of(std::vector{reader.variable(*id)});
  }

  KernelReader &reader;
  std::vector<std::pair<Value, AbstractValue>> changed;
  SmallVector<Value> failed;
};
} // namespace

bool assumeAccess(KernelReader &reader, Operation *op, Value pointer,
                  const KernelReader::Footprint &footprint) {
  AbstractValue place;
  reader.dryRun([&] { place = AssumedAddress(reader).compute(pointer); });
  CasesRef offset = place.isGlobal() ? place.single() : nullptr;
  if (!offset)
    return false;
  reader.forEachCase(offset, [&](const AffineForm &address) {
    Access access = reader.makeAccess(op, place.buffer, address, footprint);
    access.assumed = true;
    reader.emit({std::move(access)});
    return AbstractValues();
  });
  return true;
}

} // namespace swizzle::analysis
