//===- KernelReader.cpp - Symbolic reading of a kernel --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
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

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace swizzle {

/// Extents of the model: what is known, else what the launch evaluates to under
/// nominal sizes, else a nominal extent along each axis whose id is read.
static void fillIn(Grid &extents, const std::optional<Grid> &launched,
                   const Grid &nominal, const char *what,
                   std::vector<std::string> &assumed) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (extents[axis] != kUnknownExtent)
      continue;
    bool fromLaunch = launched && (*launched)[axis] > 0;
    extents[axis] = fromLaunch ? (*launched)[axis] : nominal[axis];
    assumed.push_back(
        std::string(what) + " " + "xyz"[axis] + " = " +
        std::to_string(extents[axis]) +
        (fromLaunch ? " (from the launch, with nominal sizes)" : " (nominal)"));
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

static std::optional<Grid> evaluateExtents(HostValues &host,
                                           gpu::LaunchFuncOp launch,
                                           gpu::KernelDim3 operands) {
  if (!launch)
    return std::nullopt;
  Grid grid(kUnknownExtent, kUnknownExtent, kUnknownExtent);
  Value values[] = {operands.x, operands.y, operands.z};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (std::optional<HostValue> value = host.evaluate(values[axis]);
        value && value->value > 0 && value->value <= INT32_MAX)
      grid[axis] = value->value;
  return grid;
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
  fillIn(grid,
         launch
             ? evaluateExtents(host, launch, launch.getGridSizeOperandValues())
             : std::nullopt,
         nominalGrid, "grid", assumed);
  fillIn(block,
         launch
             ? evaluateExtents(host, launch, launch.getBlockSizeOperandValues())
             : std::nullopt,
         nominalBlock, "block", assumed);
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
// Arguments
//===----------------------------------------------------------------------===//

AbstractValue KernelReader::bindMemRef(Value argument, unsigned index) {
  auto type = cast<MemRefType>(argument.getType());
  std::string name = "arg" + std::to_string(index);
  Buffer buffer;
  buffer.name = name;
  buffer.argument = index;
  buffer.elementBytes = bytesOf(type.getElementType());
  MemoryView view;
  view.space = MemorySpace::Global;
  view.buffer = model.buffers.size();
  view.elementBytes = buffer.elementBytes;

  std::vector<int64_t> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t extent = type.getDimSize(dim);
    if (type.isDynamicDim(dim)) {
      HostValue known{nominalExtent(type.getRank(), dim), true};
      if (launch && index < launch.getNumKernelOperands())
        known = host.dimension(launch.getKernelOperand(index), dim);
      extent = known.value;
      assume("dim " + std::to_string(dim) + " of " + name + " = " +
             std::to_string(extent) +
             (known.nominal ? " (nominal)" : " (from the launch)"));
    }
    extents.push_back(extent);
    view.sizes.push_back(scalars_.constant(extent));
  }
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset))) {
    view.reason = "the layout of " + name + " has no strides";
    view.strides.resize(type.getRank());
    model.buffers.push_back(buffer);
    return AbstractValue::of(std::move(view));
  }
  if (ShapedType::isDynamic(offset)) {
    offset = 0;
    assume("offset of " + name + " = 0 (nominal)");
  }
  // A dynamic stride is taken to be that of contiguous data.
  int64_t contiguous = 1, last = offset;
  std::vector<int64_t> concrete(type.getRank());
  bool identity = type.getLayout().isIdentity();
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    concrete[dim] = strides[dim];
    if (ShapedType::isDynamic(strides[dim])) {
      concrete[dim] = contiguous;
      if (!identity)
        assume("stride " + std::to_string(dim) + " of " + name + " = " +
               std::to_string(contiguous) + " (nominal)");
    }
    if (__builtin_mul_overflow(
            concrete[dim], std::max<int64_t>(extents[dim], 1), &contiguous) ||
        contiguous >= (int64_t(1) << 50))
      contiguous = int64_t(1) << 50;
    int64_t reach;
    if (__builtin_mul_overflow(
            concrete[dim], std::max<int64_t>(extents[dim] - 1, 0), &reach) ||
        __builtin_add_overflow(last, reach, &last))
      last = -1;
  }
  for (int64_t stride : concrete)
    view.strides.push_back(scalars_.constant(stride));
  if (last >= 0 &&
      !__builtin_mul_overflow(last + 1, buffer.elementBytes, &buffer.bytes) &&
      buffer.bytes < (int64_t(1) << 60)) {
    if (llvm::is_contained(extents, 0))
      buffer.bytes = 0;
  } else {
    buffer.bytes = -1;
  }
  view.offset = scalars_.scale(scalars_.constant(offset), view.elementBytes);
  view.reason = scalars_.reason;
  model.buffers.push_back(buffer);
  return AbstractValue::of(std::move(view));
}

void KernelReader::bindArguments() {
  auto attributed = [&](MemRefType type) {
    if (spaceOf(type) == MemorySpace::Workgroup && type.hasStaticShape())
      model.workgroupMemoryBytes +=
          type.getNumElements() * bytesOf(type.getElementType());
  };
  Block &entry = kernel.getFunctionBody().front();
  unsigned count = kernel.getNumArguments();
  for (auto [index, argument] : llvm::enumerate(entry.getArguments())) {
    Type type = argument.getType();
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (spaceOf(type) == MemorySpace::Global && index < count) {
        set(argument, bindMemRef(argument, index));
      } else {
        attributed(memref);
        MemoryView local;
        local.space = spaceOf(type);
        set(argument, AbstractValue::of(std::move(local)));
      }
    } else if (isa<LLVM::LLVMPointerType>(type)) {
      MemoryView view;
      view.space = spaceOf(type);
      if (view.space == MemorySpace::Global) {
        view.buffer = model.buffers.size();
        view.offset = scalars_.constant(0);
        Buffer buffer;
        buffer.name = "arg" + std::to_string(index);
        buffer.argument = index;
        model.buffers.push_back(buffer);
      }
      set(argument, AbstractValue::of(std::move(view)));
    } else if (type.isIntOrIndex() && !type.isInteger(1)) {
      bindScalar(argument, index);
    } else {
      set(argument, AbstractValue::unknown("argument " + std::to_string(index) +
                                           " is not a size"));
    }
  }
}

void KernelReader::bindScalar(Value argument, unsigned index) {
  HostValue known{kNominalExtent, true};
  if (launch && index < launch.getNumKernelOperands()) {
    std::optional<HostValue> operand =
        host.evaluate(launch.getKernelOperand(index));
    if (!operand) {
      set(argument,
          AbstractValue::unknown("argument " + std::to_string(index) +
                                 " is not a size that the launch tells"));
      return;
    }
    known = *operand;
  }
  // An argument narrower than the nominal extent cannot hold it.
  unsigned bits = argument.getType().isIndex()
                      ? 64
                      : argument.getType().getIntOrFloatBitWidth();
  if (bits < 16) {
    set(argument, AbstractValue::unknown("argument " + std::to_string(index) +
                                         " is not a size"));
    return;
  }
  if (std::abs(known.value) >= (int64_t(1) << 50)) {
    set(argument, AbstractValue::unknown("argument " + std::to_string(index) +
                                         " exceeds 2^50"));
    return;
  }
  assume("arg" + std::to_string(index) + " = " + std::to_string(known.value) +
         (known.nominal ? " (nominal)" : " (from the launch)"));
  set(argument, scalars_.constant(known.value));
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void KernelReader::readBody(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      readOperation(&op);
}

AbstractValues KernelReader::readRegion(Region &region) {
  if (region.hasOneBlock()) {
    readBody(region.front());
    return yielded(region.front().getTerminator());
  }
  unmodelled("unstructured control flow", [&] {
    for (Block &block : region)
      readBody(block);
  });
  return {};
}

AbstractValues KernelReader::yielded(Operation *terminator) {
  AbstractValues result;
  for (Value value : terminator->getOperands())
    result.push_back(get(value));
  return result;
}

void KernelReader::readOperation(Operation *op) {
  if (readId(op) || readInteger(op) || readIndexArithmetic(op) ||
      readControlFlow(op) || readCall(op) || readView(op) || readAccess(op) ||
      readTransfer(op) || readVector(op) || readMatrix(op) || readLinalg(op) ||
      readCompute(op))
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
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType, LLVM::LLVMPointerType>(operand.getType()))
      continue;
    auto view = memory(operand);
    if (view && view->space != MemorySpace::Global)
      continue;
    notModelled(op, view.get(), AccessKind::Read,
                name + " is not an operation that the analysis knows");
  }
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
