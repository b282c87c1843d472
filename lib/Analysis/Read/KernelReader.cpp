//===- KernelReader.cpp - Symbolic execution of a kernel ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry, and what the walk over operations (Walk.cpp) asks for. The extents
// of the launch come from what is known, else from the launch under nominal
// sizes, else they are nominal themselves. After the walk, every memory
// operation that it has not met is written down as one that is never reached;
// if the kernel was too large to be read to the end, none of them counts as
// modelled.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "Cost/RegisterPressure.h"
#include "Memory/TypeLayout.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::analysis {

static constexpr const char *kTooLarge =
    "the kernel is too large, or its calls are nested too deeply, to be read "
    "to its end";

/// The axes whose workgroup (or thread) id is read in `root`.
static std::array<bool, 3> axesRead(Operation *root, bool workgroup) {
  std::array<bool, 3> read{false, false, false};
  root->walk([&](Operation *op) {
    if (op->getNumResults() != 1 || op->getNumOperands() != 0)
      return;
    std::string text = canonicalName(op);
    StringRef name = text;
    bool matches = workgroup
                       ? name.consume_front(kIdMarker)
                       : name.consume_front("rocdl.workitem.id.") ||
                             name.consume_front("nvvm.read.ptx.sreg.tid.");
    if (matches && !name.empty() && name[0] >= 'x' && name[0] <= 'z')
      read[name[0] - 'x'] = true;
  });
  return read;
}

/// 64 workgroups along each axis whose id is read.
static Grid nominalGrid(Operation *lowered) {
  std::array<bool, 3> ids = axesRead(lowered, true);
  Grid grid;
  for (unsigned axis = 0; axis < 3; ++axis)
    grid[axis] = ids[axis] ? kNominalGridExtent : 1;
  return grid;
}

/// As many workgroups as can be launched along each axis whose id is read and
/// whose extent is not known. HIP says that it takes 65536 along the second and
/// third, but does not hold to it.
static Grid largestGrid(Operation *lowered, Grid known) {
  std::array<bool, 3> ids = axesRead(lowered, true);
  int64_t further = vendorOf(lowered) == "nvidia" ? 65535 : INT32_MAX;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (known[axis] == kUnknownExtent)
      known[axis] = !ids[axis] ? 1 : axis == 0 ? INT32_MAX : further;
  return known;
}

/// 256 threads, or the `most` that are allowed (0: any number), over the axes
/// whose thread id is read.
static Grid nominalBlock(Operation *lowered, int64_t most) {
  std::array<bool, 3> ids = axesRead(lowered, false);
  int64_t used = llvm::count(ids, true);
  int64_t left = most ? std::min<int64_t>(most, 256) : 256;
  Grid block;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (ids[axis]) {
      block[axis] = used-- == 1 ? left : std::min<int64_t>(left, 32);
      left /= block[axis];
    }
  return block;
}

/// What is known of `extents`, else what the launch evaluates to under nominal
/// sizes, else a nominal extent.
static Grid fillIn(Grid extents, HostValues &host,
                   std::optional<gpu::KernelDim3> launched, Grid nominal,
                   StringRef what, KernelModel &model) {
  // Data of nominal sizes may be more than can be launched for.
  __int128 workgroups = 1;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (extents[axis] != kUnknownExtent)
      workgroups *= extents[axis];
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (extents[axis] != kUnknownExtent)
      continue;
    std::optional<HostValue> value;
    if (launched)
      value = host.evaluate(axis == 0   ? launched->x
                            : axis == 1 ? launched->y
                                        : launched->z);
    bool usable = value && value->value > 0 && value->value <= INT32_MAX &&
                  // no block is as large as data may be
                  (!value->nominal ||
                   (what == "grid" && workgroups * value->value <= INT32_MAX));
    extents[axis] = usable ? value->value : nominal[axis];
    workgroups *= extents[axis];
    model.isLaunched &= usable && !value->nominal;
    model.assumed.push_back(
        what.str() + " " + "xyz"[axis] + " = " + std::to_string(extents[axis]) +
        (!usable          ? " (nominal)"
         : value->nominal ? " (from the launch, with nominal "
                            "sizes)"
                          : " (from one of the launches)"));
  }
  return extents;
}

/// Bytes of workgroup memory that `launch` adds, else those that somebody
/// claims.
static int64_t dynamicWorkgroupBytes(gpu::LaunchFuncOp launch, HostValues &host,
                                     const LaunchSizes &sizes) {
  Value bytes = launch ? launch.getDynamicSharedMemorySize() : Value();
  std::optional<HostValue> value = bytes ? host.evaluate(bytes) : std::nullopt;
  return value && !value->nominal ? std::max<int64_t>(value->value, 0)
                                  : sizes.dynamicWorkgroupBytes;
}

KernelModel createModel(FunctionOpInterface kernel, Operation *lowered,
                        const LaunchSizes &sizes, HostValues &host,
                        gpu::LaunchFuncOp launch) {
  std::optional<gpu::KernelDim3> grid, block;
  if (launch) {
    grid = launch.getGridSizeOperandValues();
    block = launch.getBlockSizeOperandValues();
  }
  KernelModel filled;
  filled.isLaunched = true; // until something is assumed that no launch has
  // A whole grid is compared with the launch's at run time, a part is not.
  if (sizes.gridIsAssumption() && !sizes.grid.isStatic())
    for (unsigned axis = 0; axis < 3; ++axis)
      if (sizes.grid[axis] != kUnknownExtent)
        filled.assumed.push_back(std::string("grid ") + "xyz"[axis] + " = " +
                                 std::to_string(sizes.grid[axis]) +
                                 " (claimed)");
  bool every = sizes.everyGrid && lowered;
  Grid workgroups =
      fillIn(every ? largestGrid(lowered, sizes.grid) : sizes.grid, host, grid,
             lowered ? nominalGrid(lowered) : Grid(), "grid", filled);
  Grid threads =
      fillIn(sizes.block, host, block,
             lowered ? nominalBlock(lowered, sizes.mostThreads) : Grid(),
             "block", filled);
  KernelModel model = KernelModel::create(workgroups, threads);
  model.assumed = std::move(filled.assumed);
  model.isLaunched = filled.isLaunched;
  model.dynamicWorkgroupBytes = dynamicWorkgroupBytes(launch, host, sizes);
  model.workgroupMemoryBytes = model.dynamicWorkgroupBytes;
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
  if (double instructions = closeBody())
    emit({Issue{instructions}});
  coverEverything();
  model.registersPerThread = sizes.registers;
  if (!sizes.registers)
    model.dataRegisters =
        estimateDataRegisters(kernel, [this] { return subgroupSize(); });
  return model;
}

/// True for a call of a function whose body is read in its place.
static bool callsBody(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  bool indirect = false;
  FunctionOpInterface callee =
      call ? resolveCallee(call, indirect) : FunctionOpInterface();
  return callee && !callee.isExternal();
}

/// True if a value of `type` may hold a pointer.
static bool mayPoint(Type type) {
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::any_of(record.getBody(), mayPoint);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return mayPoint(array.getElementType());
  return isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(type));
}

/// True if several pointers come to `argument` of a block.
static bool meetsPointers(BlockArgument argument) {
  Block *block = argument.getOwner();
  Value only;
  for (auto from = block->pred_begin(); from != block->pred_end(); ++from) {
    auto branch = dyn_cast<BranchOpInterface>((*from)->getTerminator());
    Value passed = branch
                       ? branch.getSuccessorOperands(
                             from.getSuccessorIndex())[argument.getArgNumber()]
                       : Value();
    Value root = passed ? rootOf(passed) : Value();
    if (!root || (only && root != only && root != argument))
      return true;
    if (root != argument)
      only = root;
  }
  return false;
}

/// True if `op` may choose among buffers, by sizes that are assumed: it
/// selects, returns or takes pointers apart, or branches to where several meet.
static bool choosesMemory(Operation *op) {
  if (auto select = dyn_cast<LLVM::SelectOp>(op))
    return mayPoint(select.getType()) &&
           rootOf(select.getTrueValue()) != rootOf(select.getFalseValue());
  if (isa<LLVM::PtrToIntOp>(op))
    return true;
  if (isa<CallOpInterface>(op))
    return llvm::any_of(op->getResultTypes(), mayPoint);
  return llvm::any_of(op->getSuccessors(), [](Block *to) {
    return llvm::any_of(to->getArguments(), [](BlockArgument argument) {
      return mayPoint(argument.getType()) && meetsPointers(argument);
    });
  });
}

void KernelReader::coverEverything() {
  bool complete = work < kMaxWork;
  if (!complete)
    blocked = kTooLarge; // in no body, so nothing of it is assumed
  for (FunctionOpInterface function : reachableFunctions(lowered.function))
    function->walk([&](Operation *op) {
      const OperationEffect &effect = effectOf(op);
      bool touches = effect.kind == OperationKind::Access ||
                     effect.kind == OperationKind::Atomic ||
                     (effect.kind == OperationKind::Refused && effect.read);
      if (touches && !complete)
        notModelled(op, {}, effect.access, kTooLarge, updateOf(op));
      else if (!met.contains(op) &&
               (touches || (!model.assumed.empty() && callsBody(op))))
        noteUnreached(op);
      // With other sizes, it may be another buffer that is met.
      else if (!model.assumed.empty() && choosesMemory(op))
        noteUnreached(op, "what else is chosen by ");
    });
}

void KernelReader::noteUnreached(Operation *op, StringRef what) {
  if (what.empty() && !unreachedOps.insert(op).second)
    return;
  std::string text =
      what.str() + describe(op) + " at " + describeLocation(op->getLoc());
  if (unreachedTexts.insert(text).second)
    model.unreached.push_back(std::move(text));
}

void KernelReader::coverCall(FunctionOpInterface callee) {
  auto [known, isNew] = coveredByCalls.try_emplace(callee);
  if (isNew)
    callee->walk([&, &list = known->second](Operation *op) {
      OperationKind kind = effectOf(op).kind;
      if (kind == OperationKind::Access || kind == OperationKind::Atomic ||
          callsBody(op))
        list.push_back(op);
    });
  for (Operation *op : known->second)
    if (!met.contains(op))
      noteUnreached(op);
}

bool KernelReader::spendWork(Operation *op) {
  if (domain.work() > kMaxDomainWork)
    work = kMaxWork;
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
  if (auto constant = value.getDefiningOp<LLVM::ConstantOp>())
    return values[value] = constantOf(constant);
  return AbstractValue::unknown("a value that the analysis does not follow");
}

CasesRef KernelReader::scalar(Value value) {
  AbstractValue abstract = get(value);
  if (abstract.isNumber() && abstract.single())
    return abstract.single();
  return scalars.fail(abstract.isUnknown() ? abstract.reason
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

void KernelReader::assume(std::string text, bool isLaunched) {
  model.isLaunched &= isLaunched;
  if (!llvm::is_contained(model.assumed, text))
    model.assumed.push_back(std::move(text));
}

MemorySpace KernelReader::spaceOf(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  if (!pointer)
    return MemorySpace::Global;
  unsigned space = pointer.getAddressSpace();
  return space == 3   ? MemorySpace::Workgroup
         : space == 5 ? MemorySpace::Private
                      : MemorySpace::Global;
}

int64_t KernelReader::bytesOf(Type type) const {
  DataLayout layout = DataLayout::closest(lowered.function);
  return std::max<int64_t>(extentOf(layout, type).size, 1);
}

std::optional<AbstractValue> KernelReader::pointer(Value value) {
  AbstractValue abstract = get(value);
  if (abstract.isPointer())
    return abstract;
  MemorySpace space = spaceOf(getElementTypeOrSelf(value.getType()));
  if (space != MemorySpace::Global)
    return AbstractValue::local(space);
  reason = abstract.isUnknown() ? abstract.reason : "not an address";
  return std::nullopt;
}

std::string describeLocation(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  return file ? (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                 ":" + Twine(file.getColumn()))
                    .str()
              : "unknown";
}

std::string KernelReader::describe(Operation *op,
                                   const std::optional<AbstractValue> &view) {
  StringRef user = originalOperation(op->getLoc());
  std::string text = canonicalName(op);
  if (StringRef(text).starts_with("swizzle.ptx."))
    text = "inline PTX";
  else if (!user.empty() && user != LLVM::CallIntrinsicOp::getOperationName())
    text = user.str();
  if (view && view->space == MemorySpace::Global &&
      view->buffer < model.buffers.size())
    text += " of " + model.buffers[view->buffer].name;
  return text;
}

} // namespace swizzle::analysis
