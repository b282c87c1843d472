//===- MadeMaps.cpp - Tensor maps that a kernel makes ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Triton's `tl.make_tensor_descriptor` fills a map in workgroup memory, field
// by field and by one thread, and copies it to memory of its own, from where
// copies use it:
//
//   tensormap.replace.tile.global_address [%shared], %a      and so on
//   tensormap.cp_fenceproxy [%map], [%shared], 128
//   cp.async.bulk.tensor.2d [%to], [%map, {%k, %row}], [%barrier]
//
// In front of each copy goes a call that says what the map is of, outermost
// dimension first, so that the analysis need not follow memory:
//
//   call void @swizzle.ptx.map.2.2.0(%map, %a, extents, strides in bytes, box)
//
// That is done where the map is made once, outside of loops, before the copy,
// and where nothing else happens to the memory that it lies in.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/Import/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include <map>
#include <vector>

using namespace llvm;

namespace swizzle::importing {

namespace {
/// A place in memory: `offset` bytes behind base[index + step], where index and
/// step are added before they are widened.
struct Place {
  Value *base = nullptr, *index = nullptr;
  unsigned widened = 0; ///< the opcode, 0 if it is wide already
  int64_t step = 0, offset = 0;

  bool operator==(const Place &other) const {
    return base == other.base && index == other.index &&
           widened == other.widened && step == other.step &&
           offset == other.offset;
  }
  bool operator!=(const Place &other) const { return !(*this == other); }

  /// True if so many bytes here and there are seen not to overlap.
  bool isApart(const Place &other, int64_t bytes) const {
    if (base != other.base || index != other.index)
      return false;
    if (step == other.step)
      return std::abs(offset - other.offset) >= bytes;
    // The sums differ by as much, or wrap around.
    return offset == other.offset && std::abs(step - other.step) >= bytes &&
           std::abs(step - other.step) < (1 << 30);
  }
};

/// One statement about a tensor map, within an assembly without results.
struct MapStatement {
  CallInst *call = nullptr;
  PtxStatement statement;

  Value *operand(unsigned index) const {
    const PtxOperand &operand = statement.operands[index];
    return call->getArgOperand(operand.registers.front());
  }
};

/// What was set, by field and dimension.
using Fields = std::map<std::pair<std::string, int64_t>, Value *>;

class MapFinder {
public:
  explicit MapFinder(Function &function)
      : function(function), dominance(function), loops(dominance) {}

  void run();

private:
  void collect();
  bool isOwn(Value *memory, SmallPtrSetImpl<Value *> &seen) const;
  bool canTellApart() const;
  Fields fieldsOf(const MapStatement &copied) const;
  bool addField(const MapStatement &replaced, Fields &fields) const;
  Value *valueBefore(Value *value, Instruction *before, unsigned depth = 0);
  void announce(const MapStatement &use, unsigned mapOperand,
                const Fields &fields);

  Place placeOf(Value *pointer) const;

  Function &function;
  DominatorTree dominance;
  LoopInfo loops;
  std::vector<MapStatement> copied; ///< tensormap.cp_fenceproxy
  std::vector<MapStatement> uses;   ///< cp.async.bulk.tensor
  DenseMap<CallInst *, MapStatement> replaced;
};
} // namespace

Place MapFinder::placeOf(Value *pointer) const {
  const DataLayout &layout = function.getParent()->getDataLayout();
  Place place;
  place.base = GetPointerBaseWithConstantOffset(pointer, place.offset, layout)
                   ->stripPointerCasts();
  auto *step = dyn_cast<GetElementPtrInst>(place.base);
  if (!step || step->getNumIndices() != 1 ||
      layout.getTypeAllocSize(step->getSourceElementType()) != 1)
    return place;
  Value *index = step->getOperand(1);
  if (isa<SExtInst, ZExtInst>(index)) {
    place.widened = cast<Instruction>(index)->getOpcode();
    index = cast<Instruction>(index)->getOperand(0);
  }
  if (auto *sum = dyn_cast<BinaryOperator>(index);
      sum && sum->getOpcode() == Instruction::Add)
    if (auto *number = dyn_cast<ConstantInt>(sum->getOperand(1));
        number && number->getBitWidth() <= 64) {
      place.step = number->getSExtValue();
      index = sum->getOperand(0);
    }
  place.index = index;
  place.base = step->getPointerOperand()->stripPointerCasts();
  return place;
}

/// The statements of inline PTX without results; none of other calls.
static std::vector<MapStatement> statementsOf(Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  if (!call || !call->isInlineAsm() || !call->getType()->isVoidTy())
    return {};
  StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
  if (!text.contains("tensor"))
    return {};
  Expected<PtxText> read = parsePtx(text);
  if (!read) {
    consumeError(read.takeError()); // it refuses its kernel elsewhere
    return {};
  }
  std::vector<MapStatement> statements;
  for (PtxStatement &statement : read->statements) {
    for (const PtxOperand &operand : statement.operands)
      for (unsigned number : operand.registers)
        if (number >= call->arg_size())
          return {};
    statements.push_back({call, std::move(statement)});
  }
  return statements;
}

static bool beginsWith(const PtxStatement &statement,
                       ArrayRef<StringRef> words) {
  return ArrayRef<StringRef>(statement.opcode).take_front(words.size()) ==
         words;
}

static bool isAddress(const MapStatement &one, unsigned index) {
  return index < one.statement.operands.size() &&
         one.statement.operands[index].kind == PtxOperand::Address &&
         one.statement.operands[index].number == 0 &&
         one.operand(index)->getType()->isPointerTy();
}

/// True if `predicate` holds for the thread with id 0: it compares that id, or
/// bits of it, with a number.
static bool holdsForFirstThread(Value *predicate) {
  auto *compares = dyn_cast<ICmpInst>(predicate);
  auto *bound =
      compares ? dyn_cast<ConstantInt>(compares->getOperand(1)) : nullptr;
  if (!bound)
    return false;
  Value *id = compares->getOperand(0);
  while (auto *bits = dyn_cast<BinaryOperator>(id)) {
    if (bits->getOpcode() != Instruction::And &&
        bits->getOpcode() != Instruction::LShr)
      return false;
    id = bits->getOperand(0);
  }
  auto *call = dyn_cast<IntrinsicInst>(id);
  return call &&
         call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x &&
         ICmpInst::compare(APInt::getZero(bound->getBitWidth()),
                           bound->getValue(), compares->getPredicate());
}

/// True if the first thread does what the statement says.
static bool isDone(const MapStatement &one) {
  return !one.statement.predicate ||
         (!one.statement.negated && holdsForFirstThread(one.call->getArgOperand(
                                        *one.statement.predicate)));
}

void MapFinder::collect() {
  for (Instruction &instruction : instructions(function)) {
    std::vector<MapStatement> statements = statementsOf(instruction);
    if (statements.size() != 1)
      continue;
    MapStatement &one = statements.front();
    bool isCopied = beginsWith(one.statement, {"tensormap", "cp_fenceproxy"});
    if (isCopied && isAddress(one, 0) && isAddress(one, 1) && isDone(one))
      copied.push_back(std::move(one));
    else if (beginsWith(one.statement, {"tensormap", "replace", "tile"}) &&
             isAddress(one, 0) && isDone(one))
      replaced[one.call] = std::move(one);
    else if (beginsWith(one.statement, {"cp", "async", "bulk", "tensor"}))
      uses.push_back(std::move(one));
  }
}

/// True if nothing is done with `memory` and what is derived from it but to
/// keep maps there.
bool MapFinder::isOwn(Value *memory, SmallPtrSetImpl<Value *> &seen) const {
  if (!seen.insert(memory).second)
    return true;
  return all_of(memory->users(), [&](User *user) {
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
      return isOwn(user, seen);
    auto *call = dyn_cast<CallInst>(user);
    if (!call)
      return false;
    // One of the copies that are known, or a use of a map, by its coordinates.
    for (const MapStatement &one : copied)
      if (one.call == call)
        return one.operand(1) != memory;
    std::vector<MapStatement> statements = statementsOf(*call);
    return !statements.empty() && all_of(statements, [&](MapStatement &one) {
      const PtxStatement &statement = one.statement;
      if (beginsWith(statement, {"cp", "async", "bulk", "commit_group"}) ||
          beginsWith(statement, {"cp", "async", "bulk", "wait_group"}) ||
          beginsWith(statement, {"fence", "proxy"}))
        return true;
      bool usesMaps =
          beginsWith(statement, {"cp", "async", "bulk", "tensor"}) ||
          beginsWith(statement, {"cp", "async", "bulk", "prefetch", "tensor"});
      return usesMaps &&
             all_of(statement.operands, [&](const PtxOperand &operand) {
               return operand.registers.empty() ||
                      operand.registers.size() > 1 ||
                      call->getArgOperand(operand.registers.front()) != memory;
             });
    });
  });
}

/// True if all maps lie apart in memory of their own.
bool MapFinder::canTellApart() const {
  constexpr int64_t kMapBytes = 128;
  SmallVector<Place> places;
  for (const MapStatement &one : copied) {
    Place place = placeOf(one.operand(0));
    if (!all_of(places, [&](const Place &other) {
          return place.isApart(other, kMapBytes);
        }))
      return false;
    places.push_back(place);
  }
  Value *memory = places.front().base;
  while (auto *step = dyn_cast<GetElementPtrInst>(memory))
    memory = step->getPointerOperand()->stripPointerCasts();
  SmallPtrSet<Value *, 16> seen;
  return isa<Argument>(memory) && isOwn(memory, seen);
}

/// Takes over what a statement sets, unless that was set after it; false if it
/// is not known what it sets.
bool MapFinder::addField(const MapStatement &one, Fields &fields) const {
  ArrayRef<PtxOperand> operands = one.statement.operands;
  if (one.statement.opcode.size() < 4 || operands.size() < 2)
    return false;
  // A dimension stands before the number that is set.
  int64_t dimension = 0;
  if (operands.size() == 3) {
    if (operands[1].kind != PtxOperand::Number)
      return false;
    dimension = operands[1].number;
  }
  const PtxOperand &last = operands.back();
  Value *value = nullptr;
  if (last.kind == PtxOperand::Number)
    value =
        ConstantInt::get(Type::getInt64Ty(function.getContext()), last.number);
  else if (last.kind == PtxOperand::Register)
    value = one.operand(operands.size() - 1);
  if (!value)
    return false;
  fields.try_emplace({one.statement.opcode[3].str(), dimension}, value);
  return true;
}

/// True for what leaves memory as it is, or orders threads.
static bool keepsMemory(const Instruction &instruction) {
  if (!instruction.mayWriteToMemory())
    return true;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && is_contained({Intrinsic::nvvm_bar_warp_sync,
                               Intrinsic::nvvm_barrier_cta_sync_aligned_all},
                              call->getIntrinsicID());
}

/// The fields of the map that is copied there: set in front of it, by one
/// thread.
Fields MapFinder::fieldsOf(const MapStatement &one) const {
  Place from = placeOf(one.operand(1));
  Fields fields;
  // False where something else may be written.
  auto readBackwards = [&](auto begin, auto end) {
    for (Instruction &instruction : make_range(begin, end)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      auto found = call ? replaced.find(call) : replaced.end();
      if (found == replaced.end()) {
        if (!keepsMemory(instruction))
          return false;
        continue;
      }
      if (placeOf(found->second.operand(0)) != from ||
          !addField(found->second, fields))
        return false;
    }
    return true;
  };
  BasicBlock *block = one.call->getParent();
  if (!readBackwards(std::next(one.call->getReverseIterator()), block->rend()))
    return fields;
  for (BasicBlock *before : predecessors(block)) {
    BasicBlock *above = before->getSinglePredecessor();
    auto *branch =
        above ? dyn_cast<BranchInst>(above->getTerminator()) : nullptr;
    // Nothing but that branch leads here: no other arm sets fields, too.
    bool isAlone = all_of(predecessors(block), [&](BasicBlock *other) {
      return other == before || other == above;
    });
    if (!branch || !isAlone || before->getSingleSuccessor() != block)
      continue;
    bool isFirst = branch->isUnconditional() ||
                   (branch->getSuccessor(0) == before &&
                    branch->getSuccessor(1) != before &&
                    holdsForFirstThread(branch->getCondition()));
    if (isFirst)
      readBackwards(before->rbegin(), before->rend());
    return fields;
  }
  return fields;
}

/// `value` as it can be had in front of `before`; null if it cannot.
Value *MapFinder::valueBefore(Value *value, Instruction *before,
                              unsigned depth) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || dominance.dominates(instruction, before))
    return value;
  if (depth > 8 || !isSafeToSpeculativelyExecute(instruction) ||
      instruction->mayReadOrWriteMemory() || isa<PHINode>(instruction))
    return nullptr;
  SmallVector<Value *> operands;
  for (Value *operand : instruction->operands()) {
    operands.push_back(valueBefore(operand, before, depth + 1));
    if (!operands.back())
      return nullptr;
  }
  Instruction *copy = instruction->clone();
  for (auto [index, operand] : enumerate(operands))
    copy->setOperand(index, operand);
  copy->insertBefore(before->getIterator());
  return copy;
}

/// Bytes of an element, by the number that PTX has for its type; 0 for others.
static int64_t elementBytes(int64_t type) {
  constexpr int64_t kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
  return type >= 0 && type < int64_t(std::size(kBytes)) ? kBytes[type] : 0;
}

/// Says in front of a copy what its map is of, if all that matters is known.
void MapFinder::announce(const MapStatement &use, unsigned mapOperand,
                         const Fields &fields) {
  auto field = [&](StringRef name, int64_t dimension = 0) -> Value * {
    auto found = fields.find({name.str(), dimension});
    return found == fields.end() ? nullptr : found->second;
  };
  auto constant = [&](StringRef name, int64_t dimension = 0) {
    auto *number = dyn_cast_or_null<ConstantInt>(field(name, dimension));
    return number ? number->getSExtValue() : -1;
  };
  int64_t rank = constant("rank") + 1,
          bytes = elementBytes(constant("elemtype"));
  Value *address = field("global_address");
  address = address ? valueBefore(address, use.call) : nullptr;
  if (!address || !address->getType()->isPointerTy() || rank < 1 || rank > 5 ||
      !bytes ||
      (field("interleave_layout") && constant("interleave_layout") != 0))
    return;
  Instruction *before = use.call;
  IRBuilder<> builder(before);
  SmallVector<Value *> arguments = {use.operand(mapOperand), address};
  auto add = [&](StringRef name, int64_t dimension) {
    Value *value = field(name, dimension);
    value = value ? valueBefore(value, before) : nullptr;
    if (!value || !value->getType()->isIntegerTy())
      return false;
    arguments.push_back(builder.CreateZExtOrTrunc(value, builder.getInt64Ty()));
    return true;
  };
  for (int64_t dimension = rank; dimension-- > 0;)
    if (constant("element_stride", dimension) != 1 ||
        !add("global_dim", dimension))
      return;
  // Of the innermost one, elements follow each other.
  for (int64_t dimension = rank - 1; dimension-- > 0;)
    if (!add("global_stride", dimension))
      return;
  arguments.push_back(builder.getInt64(bytes));
  for (int64_t dimension = rank; dimension-- > 0;)
    if (constant("box_dim", dimension) < 1 || !add("box_dim", dimension))
      return;
  SmallVector<Type *> types;
  for (Value *&argument : arguments) {
    if (argument->getType()->isPointerTy())
      argument = builder.CreateAddrSpaceCast(argument, builder.getPtrTy());
    types.push_back(argument->getType());
  }
  auto *signature = FunctionType::get(builder.getVoidTy(), types, false);
  FunctionCallee callee = function.getParent()->getOrInsertFunction(
      (kPtxMarker + "map." + Twine(rank)).str(), signature);
  auto *marker = cast<Function>(callee.getCallee());
  marker->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  marker->setDoesNotThrow();
  marker->setWillReturn();
  builder.CreateCall(callee, arguments);
}

void MapFinder::run() {
  collect();
  if (copied.empty() || uses.empty() || !canTellApart())
    return;
  for (const MapStatement &one : copied) {
    Place place = placeOf(one.operand(0));
    SmallVector<std::pair<const MapStatement *, unsigned>> ofThis;
    for (const MapStatement &use : uses)
      // The map comes with coordinates.
      for (auto [index, operand] : enumerate(use.statement.operands))
        if (operand.kind == PtxOperand::Address &&
            operand.registers.size() > 1 &&
            use.operand(index)->getType()->isPointerTy() &&
            placeOf(use.operand(index)) == place)
          ofThis.push_back({&use, index});
    bool isMadeBefore = all_of(ofThis, [&](const auto &use) {
      return dominance.dominates(one.call, use.first->call);
    });
    if (!isMadeBefore || loops.getLoopFor(one.call->getParent()))
      continue;
    Fields fields = fieldsOf(one);
    for (auto [use, index] : ofThis)
      announce(*use, index, fields);
  }
}

void announceMadeMaps(Module &module) {
  // In another function, memory of the kernel's own may be its caller's as
  // well.
  for (Function &function : module)
    if (!function.isDeclaration() &&
        function.getCallingConv() == CallingConv::PTX_Kernel)
      MapFinder(function).run();
}

} // namespace swizzle::importing
