//===- KernelReader.cpp - Symbolic reading of a kernel --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry: binds the kernel's arguments to buffers and nominal sizes, then
// walks its operations. An operation that no family knows is harmless if it has
// no effect on memory; otherwise the global memory it is handed is listed as
// not modelled.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"
#include "RegisterPressure.h"

#include "Effects.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace swizzle {

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

/// The axis that `op` reads, if it reads a workgroup (or thread) id.
static std::optional<unsigned> axisRead(Operation *op, bool workgroup) {
  StringRef name = op->getName().getStringRef();
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
    return unsigned(id.getDimension());
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return workgroup ? std::optional<unsigned>(unsigned(id.getDimension()))
                     : std::nullopt;
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return workgroup ? std::nullopt
                     : std::optional<unsigned>(unsigned(id.getDimension()));
  bool matches = workgroup ? name.consume_front("rocdl.workgroup.id.") ||
                                 name.consume_front("nvvm.read.ptx.sreg.ctaid.")
                           : name.consume_front("rocdl.workitem.id.") ||
                                 name.consume_front("nvvm.read.ptx.sreg.tid.");
  if (matches && name.size() == 1)
    return name[0] - 'x';
  return std::nullopt;
}

static std::array<bool, 3> axesRead(Operation *root, bool workgroup) {
  std::array<bool, 3> read{false, false, false};
  root->walk([&](Operation *op) {
    if (std::optional<unsigned> axis = axisRead(op, workgroup);
        axis && *axis < 3)
      read[*axis] = true;
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
        value && value->value > 0 && value->value <= INT32_MAX)
      extents[axis] = value;
  return extents;
}

static KernelModel createModel(FunctionOpInterface kernel,
                               const LaunchSizes &sizes, HostValues &host,
                               gpu::LaunchFuncOp launch) {
  Grid grid = sizes.grid, block = sizes.block;
  std::vector<std::string> assumed;
  std::array<bool, 3> ids = axesRead(kernel, true);
  std::array<bool, 3> threads = axesRead(kernel, false);
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

static gpu::LaunchFuncOp firstLaunch(FunctionOpInterface kernel) {
  SmallVector<gpu::LaunchFuncOp> launches = findLaunches(kernel);
  return launches.empty() ? gpu::LaunchFuncOp() : launches.front();
}

KernelReader::KernelReader(FunctionOpInterface kernel, const LaunchSizes &sizes)
    : kernel(kernel), sizes(sizes),
      model(createModel(kernel, sizes, host, firstLaunch(kernel))),
      domain(model), scalars_(domain), launch(firstLaunch(kernel)) {}

KernelModel KernelReader::run() {
  out = &model.body;
  if (kernel.getFunctionBody().empty())
    return model;
  bindArguments();
  readRegion(kernel.getFunctionBody());
  model.registersPerThread =
      estimateRegisters(kernel, [this] { return subgroupSize(); });
  return model;
}

llvm::DenseMap<Value, AffineForm> KernelReader::forms() const {
  llvm::DenseMap<Value, AffineForm> result;
  for (const auto &[value, abstract] : values)
    if (abstract.isScalar() && abstract.scalar->isLeaf())
      result[value] = abstract.scalar->form;
  return result;
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
        scalars_.constant(value.getType().isInteger(1)
                              ? int64_t(constant.getZExtValue())
                              : constant.getSExtValue()),
        "");
  return AbstractValue::unknown("a value that the analysis does not follow");
}

CasesRef KernelReader::scalar(Value value) {
  AbstractValue abstract = get(value);
  if (abstract.isScalar())
    return abstract.scalar;
  return scalars_.fail(abstract.kind == AbstractValue::Kind::Unknown
                           ? abstract.reason
                           : "not an integer");
}

CasesRef KernelReader::scalar(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return scalars_.constant(cast<IntegerAttr>(attribute).getInt());
  return scalar(cast<Value>(value));
}

SmallVector<CasesRef> KernelReader::scalars(ValueRange range) {
  SmallVector<CasesRef> result;
  for (Value value : range) {
    result.push_back(scalar(value));
    if (!result.back())
      break; // `reason` speaks of this one
  }
  result.resize(range.size());
  return result;
}

void KernelReader::set(Value value, AbstractValue abstract) {
  values[value] = std::move(abstract);
}

void KernelReader::set(Value value, CasesRef scalar) {
  values[value] = AbstractValue::of(std::move(scalar), scalars_.reason);
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
  if (std::find(model.assumed.begin(), model.assumed.end(), text) ==
      model.assumed.end())
    model.assumed.push_back(std::move(text));
}

MemorySpace KernelReader::spaceOf(Type type) {
  Attribute space;
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    space = memref.getMemorySpace();
  else if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    space = IntegerAttr::get(IntegerType::get(type.getContext(), 64),
                             pointer.getAddressSpace());
  if (auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space)) {
    if (named.getValue() == gpu::AddressSpace::Workgroup)
      return MemorySpace::Workgroup;
    if (named.getValue() == gpu::AddressSpace::Private)
      return MemorySpace::Private;
  }
  if (auto number = dyn_cast_or_null<IntegerAttr>(space)) {
    if (number.getInt() == 3)
      return MemorySpace::Workgroup;
    if (number.getInt() == 5)
      return MemorySpace::Private;
  }
  return MemorySpace::Global;
}

int64_t KernelReader::bytesOf(Type type) const {
  if (type.isIndex())
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * bytesOf(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(type)) {
    // Padded to a power of two, as LLVM lays vectors out in memory.
    int64_t bits = vector.getNumElements();
    Type element = vector.getElementType();
    bits *= element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                   : 8 * bytesOf(element);
    return llvm::PowerOf2Ceil(std::max<int64_t>((bits + 7) / 8, 1));
  }
  if (type.isIntOrFloat())
    return llvm::PowerOf2Ceil(
        std::max<int64_t>((type.getIntOrFloatBitWidth() + 7) / 8, 1));
  return 8;
}

std::shared_ptr<const MemoryView> KernelReader::memory(Value value) {
  AbstractValue abstract = get(value);
  if (abstract.isMemory())
    return abstract.memory;
  MemorySpace space = spaceOf(value.getType());
  if (space != MemorySpace::Global) {
    MemoryView local;
    local.space = space;
    return std::make_shared<const MemoryView>(std::move(local));
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

std::string KernelReader::describe(Operation *op, const MemoryView *view) {
  std::string text = op->getName().getStringRef().str();
  if (view && view->buffer < model.buffers.size())
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

/// What an operation that no family knows does to global memory: a write,
/// unless it is known to do less.
static AccessKind unknownAccess(Operation *op, EffectKind effect) {
  if (effect == EffectKind::Atomic || effect == EffectKind::FloatAtomic)
    return AccessKind::Atomic;
  if (effect == EffectKind::Harmless)
    return AccessKind::Read;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && !effects.hasEffect<MemoryEffects::Write>()
             ? AccessKind::Read
             : AccessKind::Write;
}

void KernelReader::readOperation(Operation *op) {
  if (readId(op) || readInteger(op) || readIndexArithmetic(op) ||
      readControlFlow(op) || readCall(op) || readView(op) || readAccess(op) ||
      readPointer(op) || readTransfer(op) || readVector(op) || readMatrix(op) ||
      readLinalg(op) || readCompute(op))
    return;
  std::string name = op->getName().getStringRef().str();
  setUnknown(op, originOf(op, "result of " + name));
  if (isMemoryEffectFree(op))
    return;
  for (Region &region : op->getRegions())
    unmodelled("inside " + name, [&] {
      for (Block &block : region)
        readBody(block);
    });
  std::string why = name + " is not an operation that the analysis knows";
  EffectKind effect = classify(op).kind;
  AccessKind kind = unknownAccess(op, effect);
  bool isListed = false;
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType, LLVM::LLVMPointerType>(operand.getType()))
      continue;
    isListed = true;
    auto view = memory(operand);
    if (view && view->space != MemorySpace::Global)
      continue;
    notModelled(op, view.get(), kind, why);
  }
  // Memory that is named by a descriptor.
  bool touches = effect == EffectKind::Access || effect == EffectKind::Atomic ||
                 effect == EffectKind::FloatAtomic;
  if (touches && !isListed)
    notModelled(op, nullptr, kind, why);
}

KernelModel buildKernelModel(FunctionOpInterface kernel,
                             const LaunchSizes &sizes) {
  return KernelReader(kernel, sizes).run();
}

KernelModel buildKernelModel(FunctionOpInterface kernel,
                             const LaunchSizes &sizes,
                             llvm::DenseMap<Value, AffineForm> &forms) {
  KernelReader reader(kernel, sizes);
  KernelModel model = reader.run();
  forms = reader.forms();
  return model;
}

} // namespace swizzle
