//===- ReadLaunches.cpp - How a module launches a kernel ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand that is a view is followed to the allocation that it shows. Two
// operands that show one allocation become one memory:
//
//   %a = memref.alloc() : memref<64xf32>
//   %b = memref.subview %a[0] [32] [1]
//   gpu.launch_func @m::@k ... args(%a, %b)      argument 1 is argument 0's
//
//===----------------------------------------------------------------------===//

#include "ReadLaunches.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "../Compile/Compilation.h"

using namespace mlir;

namespace swizzle::host {

namespace {

using Extents = SmallVector<int64_t, 3>;
constexpr int64_t kOpen = ShapedType::kDynamic;

/// An integer of the host program, if it is constant.
std::optional<int64_t> constantOf(Value value, int depth = 0) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64
               ? std::optional(constant.getSExtValue())
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op || depth > 32 || op->getNumRegions() || !isMemoryEffectFree(op) ||
      !op->getNumOperands())
    return std::nullopt;
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = constantOf(dim.getIndex(), depth + 1);
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (!index || !type || *index < 0 || *index >= type.getRank())
      return std::nullopt;
    if (!type.isDynamicDim(*index))
      return type.getDimSize(*index);
    auto alloc = dim.getSource().getDefiningOp<memref::AllocOp>();
    return alloc ? constantOf(
                       alloc.getDynamicSizes()[type.getDynamicDimIndex(*index)],
                       depth + 1)
                 : std::nullopt;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> input = constantOf(operand, depth + 1);
    if (!input || !operand.getType().isIntOrIndex())
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), *input));
  }
  // Folding may fold in place, so it is done on a copy.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> folded;
  std::optional<int64_t> result;
  if (succeeded(copy->fold(operands, folded)) &&
      folded.size() == op->getNumResults()) {
    OpFoldResult mine = folded[cast<OpResult>(value).getResultNumber()];
    if (auto attribute = dyn_cast<Attribute>(mine)) {
      if (auto integer = dyn_cast<IntegerAttr>(attribute))
        result = integer.getValue().getSExtValue();
    } else {
      result = constantOf(cast<Value>(mine), depth + 1);
    }
  }
  copy->destroy();
  return result;
}

int64_t constantOf(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return constantOf(cast<Value>(value), 0).value_or(kOpen);
}

/// What an operand of a launch shows.
struct Shown {
  const void *memory = nullptr; ///< the same for the same allocation
  int64_t byteOffset = 0;       ///< of the descriptor's aligned pointer
  Extents shape, strides;
  int64_t offset = kOpen;
};

/// The layout of a memref as far as its type has it.
void readType(MemRefType type, Shown &shown) {
  shown.shape.assign(type.getShape().begin(), type.getShape().end());
  SmallVector<int64_t> strides;
  if (succeeded(type.getStridesAndOffset(strides, shown.offset)))
    shown.strides.assign(strides.begin(), strides.end());
}

/// Operands of views that their types leave open.
void readView(memref::SubViewOp view, const Shown &source, Shown &shown) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  int64_t offset = source.offset;
  auto add = [&](int64_t index, int64_t stride) {
    offset = offset == kOpen || index == kOpen || stride == kOpen
                 ? kOpen
                 : offset + index * stride;
  };
  unsigned kept = 0;
  auto offsets = view.getMixedOffsets(), sizes = view.getMixedSizes(),
       steps = view.getMixedStrides();
  for (unsigned dim = 0; dim < offsets.size(); ++dim) {
    int64_t stride =
        dim < source.strides.size() ? source.strides[dim] : kOpen;
    add(constantOf(offsets[dim]), stride);
    if (dropped.test(dim))
      continue;
    int64_t step = constantOf(steps[dim]);
    if (shown.shape[kept] == kOpen)
      shown.shape[kept] = constantOf(sizes[dim]);
    if (kept < shown.strides.size() && shown.strides[kept] == kOpen &&
        step != kOpen && stride != kOpen)
      shown.strides[kept] = step * stride;
    ++kept;
  }
  if (shown.offset == kOpen)
    shown.offset = offset;
}

std::optional<Shown> show(Value value);

std::optional<Shown> showView(Operation *op, Value source) {
  std::optional<Shown> shown = show(source);
  if (!shown)
    return std::nullopt;
  Shown from = *shown;
  readType(cast<MemRefType>(op->getResult(0).getType()), *shown);
  auto takeOver = [](Extents &open, const Extents &known) {
    for (size_t i = 0; i < open.size() && i < known.size(); ++i)
      if (open[i] == kOpen)
        open[i] = known[i];
  };
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op)) {
    takeOver(shown->shape, from.shape);
    takeOver(shown->strides, from.strides);
    if (shown->offset == kOpen)
      shown->offset = from.offset;
  } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    readView(view, from, *shown);
  } else if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
    Extents sizes, strides;
    for (OpFoldResult size : view.getMixedSizes())
      sizes.push_back(constantOf(size));
    for (OpFoldResult stride : view.getMixedStrides())
      strides.push_back(constantOf(stride));
    takeOver(shown->shape, sizes);
    takeOver(shown->strides, strides);
    if (shown->offset == kOpen)
      shown->offset = constantOf(view.getMixedOffsets().front());
  } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
    std::optional<int64_t> shift = constantOf(view.getByteShift(), 0);
    if (!shift)
      return std::nullopt;
    shown->byteOffset += *shift;
    unsigned next = 0;
    for (int64_t &extent : shown->shape)
      if (extent == kOpen)
        extent = constantOf(view.getSizes()[next++], 0).value_or(kOpen);
  }
  return shown;
}

std::optional<Shown> show(Value value) {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<MemRefType>(value.getType());
  Shown shown;
  shown.memory = value.getAsOpaquePointer();
  if (type)
    readType(type, shown);
  if (!op) // an argument of the function, but not of a loop or a branch
    return isa<FunctionOpInterface>(
               cast<BlockArgument>(value).getOwner()->getParentOp()) &&
                   cast<BlockArgument>(value).getOwner()->isEntryBlock()
               ? std::optional(shown)
               : std::nullopt;
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    shown.memory = global.getNameAttr().getAsOpaquePointer();
    return shown;
  }
  if (auto global = dyn_cast<LLVM::AddressOfOp>(op)) {
    shown.memory = global.getGlobalNameAttr().getAsOpaquePointer();
    return shown;
  }
  if (isa<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(op)) {
    unsigned next = 0;
    OperandRange sizes = isa<gpu::AllocOp>(op)
                             ? cast<gpu::AllocOp>(op).getDynamicSizes()
                         : isa<memref::AllocOp>(op)
                             ? cast<memref::AllocOp>(op).getDynamicSizes()
                             : cast<memref::AllocaOp>(op).getDynamicSizes();
    for (int64_t &extent : shown.shape)
      if (extent == kOpen)
        extent = constantOf(sizes[next++], 0).value_or(kOpen);
    return shown;
  }
  if (isa<LLVM::CallOp, LLVM::AllocaOp>(op))
    return shown; // memory that was just made, for want of better knowledge
  if (isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
    return show(op->getOperand(0));
  if (auto view = dyn_cast<ViewLikeOpInterface>(op);
      view && type && isa<MemRefType>(view.getViewSource().getType()))
    return showView(op, view.getViewSource());
  return std::nullopt;
}

/// Three extents from an array attribute, if the kernel has one of `names`.
Extents attributeOf(FunctionOpInterface kernel, ArrayRef<StringRef> names) {
  Extents extents;
  for (StringRef name : names)
    if (auto array = kernel->getAttrOfType<DenseI32ArrayAttr>(name);
        array && extents.empty())
      extents.assign(array.asArrayRef().begin(), array.asArrayRef().end());
  if (extents.empty())
    return Extents(3, kOpen);
  extents.resize(3, 1);
  return extents;
}

class Reader {
public:
  Reader(FunctionOpInterface kernel, const RaceOptions &options)
      : kernel(kernel), options(options) {}

  llvm::Expected<std::vector<HostOptions>> run();

private:
  std::string agree(const char *what, Extents &extents, const Extents &with,
                    const std::string &where);
  llvm::Expected<HostOptions> read(gpu::LaunchFuncOp launch);
  llvm::Error readArguments(gpu::LaunchFuncOp launch, HostOptions &into);
  Extents openGrid();

  FunctionOpInterface kernel;
  const RaceOptions &options;
};

std::string textOf(const Extents &extents) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : "x") +
            (extent == kOpen ? "?" : std::to_string(extent));
  return text;
}

/// Fills what is open in `extents`; says so if the two contradict each other.
std::string Reader::agree(const char *what, Extents &extents,
                          const Extents &with, const std::string &where) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (extents[axis] == kOpen)
      extents[axis] = with[axis];
    else if (with[axis] != kOpen && with[axis] != extents[axis])
      return std::string(what) + " " + textOf(with) + " " + where +
             " contradicts " + textOf(extents) + " of " +
             kernel.getName().str();
  }
  return "";
}

/// For each axis whose workgroup id somebody reads a few workgroups, else one.
Extents Reader::openGrid() {
  Extents extents(3, 1);
  Operation *scope = kernel->getParentOp() ? kernel->getParentOp() : kernel;
  scope->walk([&](Operation *op) {
    if (isa<gpu::BlockIdOp>(op))
      extents[unsigned(cast<gpu::BlockIdOp>(op).getDimension())] =
          options.openGridExtent;
    else if (isa<gpu::GlobalIdOp>(op))
      extents[unsigned(cast<gpu::GlobalIdOp>(op).getDimension())] =
          options.openGridExtent;
    StringRef name = op->getName().getStringRef();
    if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
      name = call.getIntrin();
    if (name.contains("ctaid") || name.contains("workgroup.id"))
      extents[name.ends_with("y") ? 1 : name.ends_with("z") ? 2 : 0] =
          options.openGridExtent;
  });
  return extents;
}

llvm::Error Reader::readArguments(gpu::LaunchFuncOp launch, HostOptions &into) {
  std::map<const void *, unsigned> first;
  std::vector<Shown> all;
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    HostArgument &argument = into.arguments[index];
    all.emplace_back();
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type && !isa<LLVM::LLVMPointerType>(operand.getType())) {
      if (!argument.value && operand.getType().isIntOrIndex())
        argument.value = constantOf(operand, 0);
      continue;
    }
    std::optional<Shown> shown = show(operand);
    if (!shown) {
      Operation *op = operand.getDefiningOp();
      return llvm::make_error<UncheckedError>(
          "the memory that the launch at " + describe(launch.getLoc()) +
          " passes as argument " + std::to_string(index) + " is made by " +
          (op ? "op " + op->getName().getStringRef().str() : "a branch"));
    }
    all.back() = *shown;
    if (type && argument.shape.empty()) {
      argument.shape.assign(shown->shape.begin(), shown->shape.end());
      argument.strides.assign(shown->strides.begin(), shown->strides.end());
      if (shown->offset != kOpen)
        argument.offset = shown->offset;
    }
    auto [found, isNew] = first.try_emplace(shown->memory, index);
    if (isNew || argument.sameAs)
      continue;
    argument.sameAs = found->second;
    argument.byteOffset = shown->byteOffset - all[found->second].byteOffset;
    for (unsigned i : {found->second, unsigned(index)})
      if (type && all[i].offset == kOpen)
        return llvm::make_error<UncheckedError>(
            "arguments " + std::to_string(found->second) + " and " +
            std::to_string(index) + " of the launch at " +
            describe(launch.getLoc()) +
            " are one memory, but where they lie in it is not constant");
  }
  return llvm::Error::success();
}

llvm::Expected<HostOptions> Reader::read(gpu::LaunchFuncOp launch) {
  HostOptions result = options.host;
  result.readModel = false;
  Extents grid =
      attributeOf(kernel, {"known_grid_size", "gpu.known_grid_size"});
  Extents block = attributeOf(kernel, {"known_block_size",
                                       "gpu.known_block_size", "nvvm.reqntid",
                                       "rocdl.reqd_work_group_size"});
  if (launch) {
    auto valuesOf = [](gpu::KernelDim3 dims) {
      return Extents{constantOf(dims.x, 0).value_or(kOpen),
                     constantOf(dims.y, 0).value_or(kOpen),
                     constantOf(dims.z, 0).value_or(kOpen)};
    };
    std::string where = "of the launch at " + describe(launch.getLoc());
    std::string conflict =
        agree("grid", grid, valuesOf(launch.getGridSizeOperandValues()), where);
    if (conflict.empty())
      conflict = agree("block", block,
                       valuesOf(launch.getBlockSizeOperandValues()), where);
    if (!conflict.empty())
      return llvm::make_error<UncheckedError>(conflict);
    if (llvm::Error error = readArguments(launch, result))
      return error;
    if (Value bytes = launch.getDynamicSharedMemorySize())
      if (std::optional<int64_t> known = constantOf(bytes, 0))
        result.dynamicWorkgroupBytes = *known;
  }
  auto toExtents = [](const std::optional<Grid> &given) {
    return given ? Extents{given->x(), given->y(), given->z()}
                 : Extents(3, kOpen);
  };
  std::string conflict =
      agree("grid", grid, toExtents(result.grid), "of the options");
  if (conflict.empty())
    conflict = agree("block", block, toExtents(result.block), "of the options");
  if (!conflict.empty())
    return llvm::createStringError(conflict);
  Extents open = openGrid();
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid[axis] == kOpen)
      grid[axis] = open[axis];
    if (block[axis] == kOpen)
      block[axis] = axis == 0 ? 64 : 1;
  }
  result.grid = Grid(grid[0], grid[1], grid[2]);
  result.block = Grid(block[0], block[1], block[2]);
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref)
      continue;
    std::vector<int64_t> &shape = result.arguments[index].shape;
    if (shape.empty())
      shape.assign(memref.getShape().begin(), memref.getShape().end());
    for (int64_t &extent : shape)
      if (extent == kOpen)
        extent = options.openExtent;
  }
  return result;
}

llvm::Expected<std::vector<HostOptions>> Reader::run() {
  std::vector<HostOptions> result;
  Operation *root = kernel;
  while (root->getParentOp())
    root = root->getParentOp();
  SmallVector<gpu::LaunchFuncOp> launches;
  root->walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelName().getValue() == kernel.getName() &&
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()) ==
            kernel.getOperation())
      launches.push_back(launch);
  });
  if (launches.empty())
    launches.emplace_back();
  for (gpu::LaunchFuncOp launch : launches) {
    llvm::Expected<HostOptions> one = read(launch);
    if (!one)
      return one.takeError();
    result.push_back(std::move(*one));
  }
  return result;
}

} // namespace

llvm::Expected<std::vector<HostOptions>>
readLaunches(FunctionOpInterface kernel, const RaceOptions &options) {
  return Reader(kernel, options).run();
}

} // namespace swizzle::host
