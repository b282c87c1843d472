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

#include "Compile/Compilation.h"
#include "ShownMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace swizzle::host {

namespace {

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
      extents[name.ends_with("y")   ? 1
              : name.ends_with("z") ? 2
                                    : 0] = options.openGridExtent;
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
  Extents block =
      attributeOf(kernel, {"known_block_size", "gpu.known_block_size",
                           "nvvm.reqntid", "rocdl.reqd_work_group_size"});
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
