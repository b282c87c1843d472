//===- IndexUses.cpp - Numbers that kernels use as indices ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every address is taken apart into the sum that it is; loaded numbers in it
// must leave room for the rest of the sum.
//
//===----------------------------------------------------------------------===//

#include "IndexUses.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/ScopeExit.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::host {

namespace {

/// Indices into memory that nobody gives a size stay below this.
constexpr int64_t kOpenIndices = 1024;
/// Bounds of loops that index nothing.
constexpr int64_t kIterations = 64;
constexpr int64_t kUnlimited = int64_t(1) << 60;
/// Where no range can be derived, the smallest numbers are the safest guess.
constexpr int64_t kSafe = 2;

class Inference {
public:
  Inference(const LoweredLaunch &launch, ArrayRef<LoweredArgument> arguments,
            ArrayRef<BufferExtents> buffers)
      : launch(launch), addresses(launch), arguments(arguments),
        buffers(buffers), uses(buffers.size()) {}

  std::vector<IndexUse> run();

private:
  struct Limits {
    int64_t low = 0, high = kSafe; ///< [low, high)
    int target = -1;
  };
  int bufferOf(Value root) const;
  IndexUse *useBehind(Value value);
  void visit(const LinearAddress &address, int64_t bytes);
  int64_t strideOf(const BufferExtents &buffer, int64_t factor,
                   int64_t &room) const;
  Limits limitsOf(const LinearAddress &address, size_t which, int target,
                  int64_t bytes) const;
  void constrain(Value value, Limits limits, bool isBound, int depth);
  void findBounds();

  const LoweredLaunch &launch;
  Addresses addresses;
  ArrayRef<LoweredArgument> arguments;
  ArrayRef<BufferExtents> buffers;
  std::vector<IndexUse> uses;
  /// Counters of loops, and what ends them.
  llvm::DenseMap<Value, SmallVector<Value, 1>> bounds;
  llvm::DenseSet<Value> active; ///< being followed
  int budget = 100000;          ///< of values that are followed
};

/// The argument of the original kernel whose memory begins at `root`.
int Inference::bufferOf(Value root) const {
  int index = addresses.argumentOf(root);
  if (index >= 0)
    return isa<LLVM::LLVMPointerType>(root.getType()) &&
                   index < int(arguments.size())
               ? int(arguments[index].argument)
               : -1;
  // Carried round a loop, or handed to a function: the memory is the same.
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return -1;
  for (Value value : addresses.incoming(argument))
    if (Value next = addresses.addressOf(value).root;
        next != root && addresses.argumentOf(next) >= 0)
      return bufferOf(next);
  return -1;
}

/// True for what reads memory at its first operand that is a pointer.
bool isLoad(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::MaskedLoadOp, LLVM::masked_gather>(op) ||
         StringRef(canonicalName(op)).starts_with("rocdl.raw.ptr.buffer.load");
}

/// The buffer that `value` was loaded from; null if it was not.
IndexUse *Inference::useBehind(Value value) {
  value = addresses.strip(value);
  if (auto extract = value.getDefiningOp<LLVM::ExtractElementOp>())
    value = addresses.strip(extract.getVector());
  Operation *op = value.getDefiningOp();
  if (!op || !isLoad(op))
    return nullptr;
  for (Value operand : op->getOperands())
    if (isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(operand.getType()))) {
      int buffer = bufferOf(addresses.addressOf(operand).root);
      return buffer < 0 ? nullptr : &uses[buffer];
    }
  return nullptr;
}

/// The stride of the dimension that a term with `factor` walks along, and how
/// many bytes that dimension has.
int64_t Inference::strideOf(const BufferExtents &buffer, int64_t factor,
                            int64_t &room) const {
  int64_t best = 0;
  room = buffer.open ? kUnlimited : buffer.bytes;
  for (auto [extent, stride] : llvm::zip(buffer.shape, buffer.strides))
    if (stride > best && stride <= std::abs(factor)) {
      best = stride;
      room = extent * stride;
    }
  return best;
}

/// What term `which` of `address` may be so that `bytes` bytes lie within.
Inference::Limits Inference::limitsOf(const LinearAddress &address,
                                      size_t which, int target,
                                      int64_t bytes) const {
  const BufferExtents &buffer = buffers[target];
  const LinearForm::Term &term = address.offset.terms[which];
  Limits limits;
  limits.target = target;
  if (term.factor <= 0)
    return limits;
  int64_t room = 0, stride = strideOf(buffer, term.factor, room);
  // What else moves along this dimension.
  LinearForm rest;
  int64_t outer = 0;
  for (int64_t other : buffer.strides)
    if (other > stride && (!outer || other < outer))
      outer = other;
  rest.constant = address.offset.constant;
  if (outer)
    rest.constant %= outer;
  if (stride)
    rest.constant -= rest.constant % stride;
  for (auto [i, other] : llvm::enumerate(address.offset.terms)) {
    int64_t ignored;
    if (i != which && strideOf(buffer, other.factor, ignored) == stride)
      rest.terms.push_back(other);
  }
  // A row is as long as its elements; what is inside an element of an outer
  // dimension is not counted against it.
  int64_t size = std::max<int64_t>(stride, 1) > bytes ? stride : bytes;
  std::optional<Interval> range = addresses.rangeOf(rest);
  if (!range)
    return limits;
  limits.low = range->low < 0 ? -(range->low / term.factor) : 0;
  if (limits.low * term.factor + range->low < 0)
    ++limits.low;
  int64_t last = (room - size - range->high) / term.factor;
  if (room - size - range->high < 0)
    last = -1;
  limits.high = last + 1;
  if (buffer.open)
    limits.high = std::min(limits.high, limits.low + kOpenIndices);
  if (limits.high <= limits.low)
    limits.high = limits.low + kSafe;
  return limits;
}

/// Numbers that `value` is made of shall stay within `limits`.
void Inference::constrain(Value value, Limits limits, bool isBound, int depth) {
  value = addresses.strip(value);
  if (depth > 16 || --budget < 0 || !active.insert(value).second)
    return;
  llvm::scope_exit leave([&] { active.erase(value); });
  if (IndexUse *use = useBehind(value)) {
    use->isIndex |= limits.target >= 0;
    use->isBound |= isBound;
    use->low = std::max(use->low, limits.low);
    use->high = std::min(use->high, limits.high);
    if (limits.target >= 0 &&
        !llvm::is_contained(use->indexed, unsigned(limits.target)))
      use->indexed.push_back(limits.target);
    return;
  }
  if (addresses.rangeOf(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto found = bounds.find(value);
    bool counts = found != bounds.end();
    for (Value before : addresses.incoming(argument))
      constrain(before, limits, isBound || counts, depth + 1);
    // The last one is where the next would begin.
    if (counts)
      for (Value bound : found->second)
        constrain(bound, limits, true, depth + 1);
    return;
  }
  LinearForm form = addresses.formOf(value);
  bool isSum = form.terms.size() != 1 || form.terms[0].value != value;
  if (isSum) {
    for (auto [i, term] : llvm::enumerate(form.terms)) {
      LinearForm rest = form;
      rest.terms.erase(rest.terms.begin() + i);
      std::optional<Interval> range = addresses.rangeOf(rest);
      Limits narrowed = limits;
      narrowed.high = limits.low + kSafe;
      if (range && term.factor == 1) {
        narrowed.low = std::max<int64_t>(limits.low - range->low, 0);
        narrowed.high = limits.high - range->high;
      }
      constrain(term.value, narrowed, isBound, depth + 1);
    }
    return;
  }
  // After other arithmetic, nothing is known.
  Limits safe{limits.low, limits.low + kSafe, limits.target};
  for (Value operand : value.getDefiningOp()->getOperands())
    if (operand.getType().isInteger())
      constrain(operand, safe, isBound, depth + 1);
}

void Inference::visit(const LinearAddress &address, int64_t bytes) {
  int target = bufferOf(address.root);
  if (target < 0)
    return;
  if (std::optional<Interval> range = addresses.rangeOf(address.offset))
    uses[target].reach = std::max(uses[target].reach, range->high + bytes);
  for (auto [i, term] : llvm::enumerate(address.offset.terms))
    constrain(term.value, limitsOf(address, i, target, bytes), false, 0);
}

/// Numbers that a counter is compared with end its loop.
void Inference::findBounds() {
  LLVM::LLVMFuncOp(launch.function)
      ->getParentOp()
      ->walk([&](LLVM::ICmpOp compare) {
        for (bool swapped : {false, true}) {
          Value counter = swapped ? compare.getRhs() : compare.getLhs();
          Value bound = swapped ? compare.getLhs() : compare.getRhs();
          for (const LinearForm::Term &term : addresses.formOf(counter).terms)
            if (auto argument = dyn_cast<BlockArgument>(term.value);
                argument && !argument.getOwner()->isEntryBlock() &&
                addresses.isCounter(argument))
              bounds[term.value].push_back(bound);
        }
      });
}

std::vector<IndexUse> Inference::run() {
  findBounds();
  Operation *module = launch.function->getParentOp();
  DataLayout layout = DataLayout::closest(launch.function);
  module->walk([&](LLVM::GEPOp gep) {
    int64_t bytes = 1;
    for (Operation *user : gep->getUsers()) {
      Type type;
      if (auto load = dyn_cast<LLVM::LoadOp>(user))
        type = load.getType();
      else if (auto store = dyn_cast<LLVM::StoreOp>(user))
        type = store.getAddr() == gep ? store.getValue().getType() : Type();
      else if (auto update = dyn_cast<LLVM::AtomicRMWOp>(user))
        type = update.getVal().getType();
      if (type)
        bytes = std::max<int64_t>(bytes, layout.getTypeSize(type));
    }
    visit(addresses.addressOf(gep), bytes);
  });
  // Offsets into buffer resources are operands of their own.
  module->walk([&](Operation *op) {
    if (!StringRef(canonicalName(op)).starts_with("rocdl.raw.ptr.buffer."))
      return;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (isa<LLVM::LLVMPointerType>(operand.getType()) &&
          i + 1 < op->getNumOperands()) {
        LinearAddress address = addresses.addressOf(operand);
        LinearForm offset = addresses.formOf(op->getOperand(i + 1));
        address.offset.constant += offset.constant;
        llvm::append_range(address.offset.terms, offset.terms);
        return visit(address, 1);
      }
  });
  // Loops whose counter indexes nothing.
  for (auto &[counter, ends] : bounds) {
    Limits limits{0, kUnlimited, -1};
    for (Value end : ends)
      if (useBehind(end))
        constrain(end, limits, true, 0);
    for (Value start : addresses.incoming(cast<BlockArgument>(counter)))
      if (useBehind(start))
        constrain(start, limits, true, 0);
  }
  for (IndexUse &use : uses)
    if (use.isBound && use.high >= kUnlimited / 2)
      use.high = use.low + kIterations;
  return std::move(uses);
}

} // namespace

std::vector<IndexUse> findIndexUses(const LoweredLaunch &launch,
                                    ArrayRef<LoweredArgument> arguments,
                                    ArrayRef<BufferExtents> buffers) {
  return Inference(launch, arguments, buffers).run();
}

} // namespace swizzle::host
