//===- AssumedAddress.cpp - Addresses that rest on loaded values ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table says where data lies: pages of a cache, rows of a gather, vertices of
// a graph. What it says is not known, but that equal places of the table say
// the same is, and so which workgroups touch the same data. An address that is
// not affine is computed once more with a variable in place of each number that
// was loaded, and the access goes into the model as an assumed one, for the
// simulator and the planner.
//
//   %page = load %table[4*z]
//   %v = load %cache[4096 * %page]     read cache[4096*table[4*z]], assumed
//
// A table that says where rows begin is taken to lay them out one after the
// other, values[4*(16*x) + 4*i]. Where something is added to a number that goes
// further than to the next number, numbers are taken to lie as far apart:
//
//   load tokens[4 * (starts[z] + y)]   read tokens[4*64*starts[4*z] + 4*y]
//
// Where a loaded number decides between two addresses, the accesses stand under
// a guard on its variable; what is loaded under a mask, and a constant where
// that is off, is taken for the former. What a loop carries counts from what was
// loaded before it:
//
//   for (k = rows[x]; ...; ++k)
//     load values[4*k]                 read values[4*rows[4*x] + 4*i], assumed
//
// Nothing but these accesses and guards depends on such variables: what is
// proved rests on the access as one that is not modelled.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"
#include "Spacing.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

#include <set>

using namespace mlir;

namespace swizzle::analysis {

/// Numbers in tables are assumed to be below two to the power of this.
static constexpr unsigned kMostBits = 24;
/// Updates are atomic because several of them meet: as many places of a table
/// lead to one.
static constexpr int64_t kUpdatesThatMeet = 8;

/// What the loops that start from `number` add to it in a turn, at most.
static int64_t stepFrom(Value number) {
  constexpr int64_t mostStep = 4096;
  constexpr size_t mostValues = 64;
  int64_t step = 1;
  llvm::SetVector<Value> values;
  values.insert(number);
  for (size_t i = 0; i < values.size() && values.size() < mostValues; ++i) {
    Value value = values[i];
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::AddOp,
              LLVM::ExtractElementOp>(user))
        values.insert(user->getResult(0));
      auto branch = dyn_cast<BranchOpInterface>(user);
      std::optional<BlockArgument> argument =
          branch ? branch.getSuccessorBlockArgument(use.getOperandNumber())
                 : std::nullopt;
      if (!argument)
        continue;
      values.insert(*argument);
      // What it becomes in the next turn.
      APInt added;
      auto sum = value.getDefiningOp<LLVM::AddOp>();
      if (sum && sum.getLhs() == *argument &&
          matchPattern(sum.getRhs(), m_ConstantInt(&added)) &&
          added.abs().ule(mostStep))
        step = std::max<int64_t>(step, added.abs().getZExtValue());
    }
  }
  return step;
}

namespace {
/// Computes one address again, and forgets what it computed.
class AssumedAddress {
public:
  /// Of an access of `kind`, with numbers in tables that are below two to the
  /// power of `bits`.
  AssumedAddress(KernelReader &reader, AccessKind kind, unsigned bits)
      : reader(reader), bits(bits),
        placesOfOne(kind == AccessKind::Atomic ? kUpdatesThatMeet : 1) {}
  ~AssumedAddress() { forget(0); }

  /// `address` under assumed numbers; null lanes if that does not make it
  /// affine.
  AbstractValue compute(const AddressSource &address) {
    for (Value value : address.restsOn)
      recompute(value, kMaxDepth);
    return address.read();
  }
  /// Buffers that were taken to say where rows start.
  std::set<uint32_t> rowTables;
  std::vector<Rows> rowsMet;

private:
  static constexpr unsigned kMaxDepth = 32, kMaxSteps = 4096;

  static bool isKnown(const AbstractValue &value) {
    return (value.isNumber() || (value.isPointer() && value.single())) &&
           !llvm::is_contained(value.lanes, nullptr);
  }
  bool isKnown(Value value) { return isKnown(reader.get(value)); }

  void take(Value value, AbstractValue known) {
    changed.emplace_back(value, reader.get(value));
    reader.set(value, std::move(known));
  }
  /// Forgets what was computed beyond the first `count` values.
  void forget(size_t count) {
    for (; changed.size() > count; changed.pop_back()) {
      auto &[value, before] = changed.back();
      reader.set(value, std::move(before));
      tried.erase(value);
    }
  }

  void recompute(Value value, unsigned depth) {
    Operation *op = value.getDefiningOp();
    // What comes later in a turn was computed in another one, or in a trial.
    bool isOld = op && around && around->contains(op->getBlock());
    if (depth == 0 || steps == kMaxSteps || (!isOld && isKnown(value)) ||
        !tried.insert(value).second)
      return;
    ++steps;
    if (isOld)
      take(value, AbstractValue::unknown("of another turn"));
    if (!op)
      return recomputeArgument(cast<BlockArgument>(value), depth);
    if (op->getNumResults() != 1)
      return;
    std::optional<MemoryInstruction> load = asMemoryInstruction(op);
    if (load && load->kind == AccessKind::Read && !load->isVolatile &&
        !load->ordered) {
      {
        llvm::SaveAndRestore inTable(tablesBehind, tablesBehind + 1);
        recompute(load->pointer, depth - 1);
      }
      if (auto numbers = numbersAt(reader.get(load->pointer), value))
        take(value, std::move(*numbers));
    } else if (placeOfBufferLoad(reader, op)) {
      {
        llvm::SaveAndRestore inTable(tablesBehind, tablesBehind + 1);
        for (Value operand : op->getOperands())
          recompute(operand, depth - 1);
      }
      if (auto numbers = numbersAt(*placeOfBufferLoad(reader, op), value))
        take(value, std::move(*numbers));
    } else if (reader.effectOf(op).kind == OperationKind::Pure ||
               isa<LLVM::GEPOp>(op)) {
      for (Value operand : op->getOperands())
        recompute(operand, depth - 1);
      take(value, reader.get(value));
      llvm::SaveAndRestore alone(reader.followsTests, false);
      reader.readOperation(op);
      if (auto select = dyn_cast<LLVM::SelectOp>(op); select && !isKnown(value))
        takeOneOf(value, {select.getTrueValue(), select.getFalseValue()});
    }
  }

  /// The only one of `values`; or of several the first that is no constant, if
  /// it is known and others differ from it by a constant: what is loaded under a
  /// mask, or comes out of the turns that are left over where a loop is unrolled.
  void takeOneOf(Value value, ArrayRef<Value> values) {
    auto isConstant = [](Value one) {
      Operation *op = one.getDefiningOp();
      return op && op->hasTrait<OpTrait::ConstantLike>();
    };
    Value first = values.size() == 1 ? values.front() : Value();
    for (Value one : values) {
      if (one == first || (values.size() > 1 && isConstant(one)))
        continue;
      if (!isKnown(one) || (first && !differByConstant(first, one)))
        return;
      if (!first)
        first = one;
    }
    if (first && isKnown(first))
      take(value, reader.get(first));
  }

  bool differByConstant(Value a, Value b) {
    AbstractValue one = reader.get(a), other = reader.get(b);
    CasesRef gap = one.single() && other.single() && one.kind == other.kind &&
                           one.buffer == other.buffer
                       ? reader.scalars.subtract(one.single(), other.single())
                       : nullptr;
    return gap && reader.scalars.constantOf(gap);
  }

  void recomputeArgument(BlockArgument argument, unsigned depth) {
    Block *block = argument.getOwner();
    KernelReader::Turns *turns = nullptr;
    if (auto loop = reader.openLoops.find(block);
        loop != reader.openLoops.end()) {
      turns = loop->second;
      if (!turns) // what a loop that is over carried
        return;
    }
    SmallVector<Value> incoming, carried;
    for (auto way = block->pred_begin(); way != block->pred_end(); ++way) {
      auto branch = dyn_cast<BranchOpInterface>((*way)->getTerminator());
      if (!branch)
        return;
      Value value = branch.getSuccessorOperands(
          way.getSuccessorIndex())[argument.getArgNumber()];
      if (!value)
        return;
      bool isBack = turns && turns->latches.contains(*way);
      (isBack ? carried : incoming).push_back(value);
    }
    for (Value value : incoming)
      recompute(value, depth - 1);
    takeOneOf(argument, incoming);
    if (turns && isKnown(argument))
      carry(argument, carried, *turns, depth);
  }

  /// Adds to `argument`, which is what the first turn gets, what the turns
  /// before this one add, each the same constant.
  void carry(BlockArgument argument, ArrayRef<Value> next,
             const KernelReader::Turns &turns, unsigned depth) {
    Scalars &scalars = reader.scalars;
    AbstractValue moved = reader.get(argument);
    CasesRef first = moved.single();
    size_t count = changed.size();
    unsigned before = numbersTaken;
    std::optional<int64_t> step;
    bool isSame = first && turns.turn;
    // The address that is asked for may be what the next turn gets.
    auto others = std::exchange(tried, {});
    llvm::SaveAndRestore<const llvm::SmallPtrSetImpl<Block *> *> inLoop(
        around, &turns.blocks);
    for (Value value : next) {
      if (!isSame)
        break;
      recompute(value, depth - 1);
      CasesRef after = reader.get(value).single();
      CasesRef added = after ? scalars.subtract(after, first) : nullptr;
      std::optional<int64_t> constant =
          added ? scalars.constantOf(added) : std::nullopt;
      isSame = constant && (!step || step == constant) &&
               numbersTaken == before; // else it is a chain
      step = constant;
    }
    forget(count);
    tried = std::move(others);
    moved.lanes.assign(
        1, isSame && step ? scalars.add(first, scalars.scale(turns.turn, *step))
                          : nullptr);
    take(argument, std::move(moved));
  }

  /// Variables for what a load of integers at `place`, which is `loaded`, finds.
  std::optional<AbstractValue> numbersAt(const AbstractValue &place,
                                         Value loaded) {
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(loaded.getType()));
    auto vector = dyn_cast<VectorType>(loaded.getType());
    CasesRef offset = place.isGlobal() ? place.single() : nullptr;
    if (!type || type.getWidth() % 8 != 0 || !offset || !offset->isLeaf() ||
        (vector && vector.getRank() != 1))
      return std::nullopt;
    int64_t count = vector ? vector.getNumElements() : 1;
    if (count > kMaxLanes)
      return std::nullopt;
    // None is negative. Of what lies in rows, as many as there are rows.
    int64_t most = int64_t(1) << std::min(type.getWidth() - 1, bits);
    if (rows > 0)
      most = std::min(most, int64_t(llvm::bit_ceil(uint64_t(rows))));
    ++numbersTaken;
    int64_t bytes = reader.bytesOf(type);
    std::vector<CasesRef> lanes;
    for (int64_t lane = 0; lane < count; ++lane) {
      AffineForm where =
          keepApart(reader, offset->form,
                    roomIn(reader, place.buffer) - count * bytes) +
          makeConstant(lane * bytes);
      if (CasesRef start = rowAt(loaded, place.buffer, where, most)) {
        lanes.push_back(std::move(start));
        continue;
      }
      std::optional<VariableId> id = reader.domain.addLoaded(
          place.buffer, where, bytes, tablesBehind ? 1 : placesOfOne, most);
      if (!id)
        return std::nullopt;
      lanes.push_back(reader.variable(*id));
    }
    return AbstractValue::of(std::move(lanes));
  }

  /// Where a row starts, if `where` in `buffer` says that: what lies behind it
  /// says where the row ends, and is where the next row starts for another
  /// thread or workgroup. Rows are as long as loops over them are taken to be.
  CasesRef rowAt(Value loaded, uint32_t buffer, const AffineForm &where,
                 int64_t most) {
    int64_t bytes = reader.bytesOf(getElementTypeOrSelf(loaded.getType()));
    bool isDense = llvm::any_of(where.terms, [&](const Term &term) {
      return term.coefficient == bytes;
    });
    if (!isDense || !llvm::is_contained(reader.endsRead.lookup(buffer),
                                        where + makeConstant(bytes)))
      return nullptr;
    std::optional<AffineForm> row = reader.domain.floorDivide(where, bytes);
    if (!row)
      return nullptr;
    int64_t length = KernelReader::kAssumedTurns * stepFrom(loaded);
    CasesRef start = reader.scalars.leaf(*row * length);
    if (reader.scalars.range(start).high >= most)
      return nullptr;
    rowTables.insert(buffer);
    rowsMet.push_back({*row, length});
    rows = reader.domain.range(*row).high + 1;
    return start;
  }

  KernelReader &reader;
  unsigned bits;
  int64_t placesOfOne;       ///< that hold the same number, of the last table
  unsigned tablesBehind = 0; ///< that the one at hand leads into
  std::vector<std::pair<Value, AbstractValue>> changed;
  llvm::SmallDenseSet<Value> tried;
  unsigned steps = 0, numbersTaken = 0; ///< the latter from memory
  /// The loop of which the next turn is computed.
  const llvm::SmallPtrSetImpl<Block *> *around = nullptr;
  int64_t rows = 0; ///< of the table that was taken last; 0: none
};
} // namespace

namespace {
/// Where a pointer points to under assumed numbers, and what else that assumes.
struct AssumedPlace {
  AbstractValue place;
  std::set<uint32_t> rowTables;
  std::vector<Rows> rows;
};
} // namespace

/// The same under numbers below two to the power of `bits`; nullopt if that does
/// not make it affine.
static std::optional<AssumedPlace> placeUnder(KernelReader &reader,
                                              const AddressSource &address,
                                              AccessKind kind, unsigned bits) {
  AssumedPlace result;
  reader.dryRun([&] {
    AssumedAddress assumed(reader, kind, bits);
    result.place = assumed.compute(address);
    result.rowTables = assumed.rowTables;
    result.rows = assumed.rowsMet;
  });
  if (!result.place.isGlobal() || !result.place.single())
    return std::nullopt;
  return result;
}

/// The same under numbers that are as large as leave `bytes` at the pointer
/// within its buffer, and sums within their types.
static std::optional<AssumedPlace> placeWithin(KernelReader &reader,
                                               const AddressSource &address,
                                               AccessKind kind, int64_t bytes) {
  bool isAffine = false;
  auto fits = [&](unsigned bits) {
    size_t variables = reader.domain.variableCount();
    std::optional<AssumedPlace> found = placeUnder(reader, address, kind, bits);
    bool isWithin = false;
    if (found) {
      int64_t size = reader.model.buffers[found->place.buffer].bytes;
      Interval range = reader.scalars.range(found->place.single());
      isWithin = size < 0 || range.high <= size - bytes;
      isAffine = true;
    }
    reader.domain.dropVariables(variables);
    return isWithin;
  };
  if (fits(kMostBits))
    return placeUnder(reader, address, kind, kMostBits);
  unsigned low = 1, high = kMostBits;
  if (!fits(low))
    return isAffine ? placeUnder(reader, address, kind, kMostBits)
                    : std::nullopt;
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return placeUnder(reader, address, kind, low);
}

bool assumeAccess(KernelReader &reader, Operation *op,
                  const AddressSource &source, AccessKind kind,
                  const KernelReader::Footprint &footprint) {
  if (!reader.isStated() || reader.isTrial() || reader.sizes.anyWay)
    return false;
  std::optional<AssumedPlace> found =
      placeWithin(reader, source, kind, footprint.bytes);
  if (!found)
    return false;
  reader.model.rowTables.insert(found->rowTables.begin(),
                                found->rowTables.end());
  const AbstractValue &place = found->place;
  int64_t room = roomIn(reader, place.buffer) - footprint.bytes;
  std::optional<int64_t> records = reader.scalars.constantOf(place.records);
  std::optional<int64_t> start = reader.scalars.constantOf(place.start);
  reader.forEachCase(place.single(), [&](const AffineForm &address) {
    // Compilers turn a lane off by an offset beyond the resource. What would be
    // written there is judged all the same.
    if (kind == AccessKind::Read && place.checked && address.terms.empty() &&
        start &&
        (address.constant < *start ||
         (records && address.constant - *start >= *records)))
      return AbstractValues();
    AffineForm apart = keepApart(reader, address, room);
    for (const Rows &rows : found->rows)
      apart = lengthen(reader, std::move(apart), rows, room);
    Access access = reader.makeAccess(op, place.buffer, apart, footprint);
    access.kind = kind;
    access.assumed = true;
    reader.emit({std::move(access)});
    return AbstractValues();
  });
  return true;
}

} // namespace swizzle::analysis
