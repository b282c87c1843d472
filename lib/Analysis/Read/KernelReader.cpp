//===- KernelReader.cpp - Symbolic execution of a kernel ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry, and the walk over operations. The extents of the launch come from
// what is known, else from the launch under nominal sizes, else they are nominal
// themselves. After the walk, every memory operation that it has not met is
// written down as one that is never reached; if the kernel was too large to be
// read to the end, none of them counts as modelled.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "RegisterPressure.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;

namespace swizzle {

/// Calls nest no deeper than this.
static constexpr size_t kMaxCallDepth = 256;
static constexpr const char *kTooLarge =
    "the kernel is too large, or its calls are nested too deeply, to be read "
    "to its end";

using LaunchedExtents = std::array<std::optional<HostValue>, 3>;

/// Extents of the model: what is known, else what the launch evaluates to under
/// nominal sizes, else a nominal extent along each axis whose id is read.
static void fillIn(Grid &extents, const LaunchedExtents &launched,
                   const Grid &nominal, const char *what,
                   std::vector<std::string> &assumed) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (extents[axis] != kUnknownExtent)
      continue;
    const std::optional<HostValue> &value = launched[axis];
    extents[axis] = value ? value->value : nominal[axis];
    assumed.push_back(std::string(what) + " " + "xyz"[axis] + " = " +
                      std::to_string(extents[axis]) +
                      (!value           ? " (nominal)"
                       : value->nominal ? " (from the launch, with nominal "
                                          "sizes)"
                                        : " (from one of the launches)"));
  }
}

/// The axes whose workgroup (or thread) id is read, by the kernel or by what it
/// calls.
static std::array<bool, 3> axesRead(Operation *root, bool workgroup) {
  std::array<bool, 3> read{false, false, false};
  root->walk([&](Operation *op) {
    if (op->getNumResults() != 1 || op->getNumOperands() != 0)
      return;
    std::string text = canonicalName(op);
    StringRef name = text;
    bool matches = workgroup ? name.consume_front(kIdMarker)
                             : name.consume_front("rocdl.workitem.id.") ||
                                   name.consume_front("nvvm.read.ptx.sreg.tid.");
    if (matches && !name.empty() && name[0] >= 'x' && name[0] <= 'z')
      read[name[0] - 'x'] = true;
  });
  return read;
}

static LaunchedExtents evaluateExtents(HostValues &host, bool grid,
                                       gpu::LaunchFuncOp launch) {
  LaunchedExtents extents;
  if (!launch)
    return extents;
  gpu::KernelDim3 operands = grid ? launch.getGridSizeOperandValues()
                                  : launch.getBlockSizeOperandValues();
  Value values[] = {operands.x, operands.y, operands.z};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (std::optional<HostValue> value = host.evaluate(values[axis]);
        value && value->value > 0 && value->value <= INT32_MAX &&
        (grid || !value->nominal)) // no block is as large as data may be
      extents[axis] = value;
  return extents;
}

static KernelModel createModel(FunctionOpInterface kernel, Operation *lowered,
                               const LaunchSizes &sizes, HostValues &host,
                               gpu::LaunchFuncOp launch) {
  Grid grid = sizes.grid, block = sizes.block;
  std::vector<std::string> assumed;
  std::array<bool, 3> ids = axesRead(lowered, true);
  std::array<bool, 3> threads = axesRead(lowered, false);
  Grid nominalGrid, nominalBlock;
  for (unsigned axis = 0; axis < 3; ++axis)
    nominalGrid[axis] = ids[axis] ? kNominalGridExtent : 1;
  // 256 threads over the axes whose thread id is read.
  unsigned used = threads[0] + threads[1] + threads[2];
  int64_t left = 256;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (threads[axis]) {
      nominalBlock[axis] = used == 1 ? left : std::min<int64_t>(left, 32);
      left /= nominalBlock[axis];
      --used;
    }
  fillIn(grid, evaluateExtents(host, true, launch), nominalGrid, "grid",
         assumed);
  fillIn(block, evaluateExtents(host, false, launch), nominalBlock, "block",
         assumed);
  KernelModel model = KernelModel::create(grid, block);
  model.assumed = std::move(assumed);
  for (unsigned axis = 0; axis < 3; ++axis)
    model.gridKnown[axis] = sizes.grid[axis] != kUnknownExtent;
  model.name = kernel.getName().str();
  if (auto module = kernel->getParentOfType<gpu::GPUModuleOp>())
    model.module = module.getName().str();
  return model;
}

KernelReader::KernelReader(FunctionOpInterface kernel, LoweredKernel &lowered,
                           const LaunchSizes &sizes, gpu::LaunchFuncOp launch)
    : kernel(kernel), lowered(lowered), sizes(sizes),
      model(createModel(kernel, *lowered.holder, sizes, host, launch)),
      domain(model), scalars(domain), launch(launch) {}

KernelModel KernelReader::run() {
  out = &model.body;
  if (lowered.function.getFunctionBody().empty())
    return model;
  bindArguments();
  readFunction(lowered.function.getFunctionBody());
  if (double instructions = issued.close())
    emit({Issue{instructions}});
  coverEverything();
  model.registersPerThread =
      estimateRegisters(kernel, [this] { return subgroupSize(); });
  return model;
}

/// The functions that a lowered kernel reaches, itself included.
static llvm::SetVector<Operation *> reachedFrom(LLVM::LLVMFuncOp kernel) {
  llvm::SetVector<Operation *> functions;
  functions.insert(kernel);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](CallOpInterface call) {
      bool indirect = false;
      if (FunctionOpInterface callee = resolveCallee(call, indirect))
        functions.insert(callee);
    });
  return functions;
}

void KernelReader::coverEverything() {
  bool complete = work < kMaxWork;
  if (!complete)
    blocked = kTooLarge;
  for (Operation *function : reachedFrom(lowered.function))
    function->walk([&](Operation *op) {
      OperationEffect effect = classify(op);
      bool unknown = effect.kind == OperationKind::Refused && !effect.read;
      if (effect.kind == OperationKind::Pure ||
          effect.kind == OperationKind::Local ||
          effect.kind == OperationKind::Prints ||
          effect.kind == OperationKind::Calls || unknown)
        return;
      if (!complete)
        notModelled(op, nullptr, effect.access, kTooLarge, updateOf(op));
      else if (!met.contains(op))
        model.unreached.push_back(describe(op, nullptr) + " at " +
                                  describeLocation(op->getLoc()));
    });
}

bool KernelReader::spendWork(Operation *op) {
  if (work >= kMaxWork) {
    setUnknown(op, kTooLarge);
    return false;
  }
  ++work;
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

AbstractValue KernelReader::get(Value value) {
  auto known = values.find(value);
  if (known != values.end())
    return known->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 60)
    return AbstractValue::of(
        scalars.constant(value.getType().isInteger(1)
                             ? int64_t(constant.getZExtValue())
                             : constant.getSExtValue()),
        "");
  return AbstractValue::unknown("a value that the analysis does not follow");
}

CasesRef KernelReader::scalar(Value value) {
  AbstractValue abstract = get(value);
  if (abstract.isScalar())
    return abstract.scalar;
  return scalars.fail(abstract.kind == AbstractValue::Kind::Unknown
                          ? abstract.reason
                          : "not an integer");
}

void KernelReader::set(Value value, AbstractValue abstract) {
  values[value] = std::move(abstract);
}

void KernelReader::set(Value value, CasesRef scalar) {
  values[value] = AbstractValue::of(std::move(scalar), scalars.reason);
}

void KernelReader::setUnknown(Operation *op, const std::string &why) {
  for (Value result : op->getResults())
    values[result] = AbstractValue::unknown(why);
}

std::string KernelReader::originOf(Operation *op, const std::string &fallback) {
  for (Value operand : op->getOperands()) {
    auto known = values.find(operand);
    if (known != values.end() && known->second.reason == kLoaded)
      return kLoaded;
  }
  return fallback;
}

void KernelReader::assume(std::string text) {
  if (!llvm::is_contained(model.assumed, text))
    model.assumed.push_back(std::move(text));
}

MemorySpace KernelReader::spaceOf(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  if (!pointer)
    return MemorySpace::Global;
  switch (pointer.getAddressSpace()) {
  case 3:
    return MemorySpace::Workgroup;
  case 5:
    return MemorySpace::Private;
  default:
    return MemorySpace::Global;
  }
}

int64_t KernelReader::bytesOf(Type type) const {
  DataLayout layout = DataLayout::closest(lowered.function);
  if (auto vector = dyn_cast<VectorType>(type)) {
    // Elements of less than a byte are packed.
    uint64_t bits =
        layout.getTypeSizeInBits(vector.getElementType()).getFixedValue();
    if (bits % 8 != 0)
      return (vector.getNumElements() * bits + 7) / 8;
    return vector.getNumElements() *
           int64_t(layout.getTypeSize(vector.getElementType()).getFixedValue());
  }
  return std::max<int64_t>(layout.getTypeSize(type).getFixedValue(), 1);
}

std::shared_ptr<const PointerValue> KernelReader::pointer(Value value) {
  AbstractValue abstract = get(value);
  if (abstract.isPointer())
    return abstract.pointer;
  Type type = value.getType();
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  MemorySpace space = spaceOf(type);
  if (space != MemorySpace::Global) {
    PointerValue local;
    local.space = space;
    return std::make_shared<const PointerValue>(std::move(local));
  }
  reason = abstract.kind == AbstractValue::Kind::Unknown ? abstract.reason
                                                         : "not an address";
  return nullptr;
}

std::string describeLocation(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
  if (auto named = dyn_cast<NameLoc>(location))
    return describeLocation(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return describeLocation(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location inner : fused.getLocations())
      if (std::string text = describeLocation(inner); text != "unknown")
        return text;
  return "unknown";
}

std::string KernelReader::describe(Operation *op, const PointerValue *view) {
  StringRef user = originalOperation(op->getLoc());
  std::string text = user.empty() ? canonicalName(op) : user.str();
  if (view && view->space == MemorySpace::Global &&
      view->buffer < model.buffers.size())
    text += " of " + model.buffers[view->buffer].name;
  return text;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void KernelReader::readBody(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      readOperation(&op);
}

AbstractValues KernelReader::yielded(Operation *terminator) {
  AbstractValues result;
  for (Value value : terminator->getOperands())
    result.push_back(get(value));
  return result;
}

/// Lists the memory that `op`, whose addresses nobody reads, may touch.
static void listOperands(KernelReader &reader, Operation *op,
                         const OperationEffect &effect) {
  reader.met.insert(op);
  bool refused = effect.kind == OperationKind::Refused;
  AccessKind kind = refused ? AccessKind::Write : effect.access;
  std::string why = refused ? "it is not known what it does"
                            : "its addresses are not read";
  bool isListed = false;
  for (Value operand : op->getOperands()) {
    if (!isa<LLVM::LLVMPointerType>(operand.getType()))
      continue;
    isListed = true;
    reader.notModelled(op, reader.pointer(operand).get(), kind, why,
                       updateOf(op));
  }
  // Memory that is named by a descriptor.
  if (!isListed && !refused)
    reader.notModelled(op, nullptr, kind, why, updateOf(op));
}

bool KernelReader::readChoice(Operation *op) {
  using Kind = AbstractValue::Kind;
  for (Value operand : op->getOperands()) {
    AbstractValue choice = get(operand);
    if (choice.kind != Kind::Choice)
      continue;
    auto side = [&](const AbstractValue &value) {
      set(operand, value);
      readOperation(op);
      AbstractValues results;
      for (Value result : op->getResults())
        results.push_back(get(result));
      return results;
    };
    AbstractValues results =
        guarded(choice.scalar, [&] { return side(*choice.yes); },
                [&] { return side(*choice.no); });
    set(operand, choice);
    for (auto [result, value] : llvm::zip(op->getResults(), results))
      set(result, value);
    return true;
  }
  return false;
}

void KernelReader::readOperation(Operation *op) {
  if (!spendWork(op) || readChoice(op))
    return;
  auto [entry, fresh] = effects.try_emplace(op);
  if (fresh)
    entry->second = classify(op);
  const OperationEffect effect = entry->second;
  if (effect.read) {
    effect.read(*this, op);
  } else if (effect.kind == OperationKind::Calls) {
    readCall(op);
  } else if (effect.kind != OperationKind::Pure || !readInteger(op)) {
    if (effect.kind == OperationKind::Access ||
        effect.kind == OperationKind::Atomic ||
        effect.kind == OperationKind::Refused)
      listOperands(*this, op, effect);
    readArithmetic(*this, op);
    setUnknown(op, originOf(op, "result of " + describe(op, nullptr)));
  }
  countIssued(op, effect);
}

void KernelReader::readCall(Operation *op) {
  bool indirect = false;
  auto call = cast<CallOpInterface>(op);
  FunctionOpInterface callee = resolveCallee(call, indirect);
  bool known = callee && !callee.isExternal() &&
               callee.getFunctionBody().getNumArguments() ==
                   call.getArgOperands().size();
  if (known && callStack.size() >= kMaxCallDepth)
    work = kMaxWork;
  if (known && work < kMaxWork &&
      !llvm::is_contained(callStack, callee.getOperation())) {
    callStack.push_back(callee);
    for (auto [argument, operand] :
         llvm::zip(callee.getFunctionBody().getArguments(),
                   call.getArgOperands()))
      set(argument, get(operand));
    AbstractValues results = readFunction(callee.getFunctionBody());
    callStack.pop_back();
    results.resize(op->getNumResults(),
                   AbstractValue::unknown("result of a call"));
    for (auto [result, value] : llvm::zip(op->getResults(), results))
      set(result, value);
    return;
  }
  std::string why = known ? "a recursive call, or calls nested too deeply"
                          : "a call of a function without a body";
  setUnknown(op, why);
  for (Value operand : call.getArgOperands()) {
    AbstractValue value = get(operand);
    if (value.isGlobal())
      notModelled(op, value.pointer.get(), AccessKind::Write, why);
  }
}

int64_t nominalSubgroupSize(FunctionOpInterface kernel) {
  return chooseVendor(kernel, std::nullopt) == GpuVendor::AMD ? 64 : 32;
}

} // namespace swizzle
