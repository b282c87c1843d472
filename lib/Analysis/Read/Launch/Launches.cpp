//===- Launches.cpp - What the host side says about a kernel --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launch sizes. A kernel counts as visible outside its module unless it or its
// gpu.module has private visibility: a loaded module can be asked for any
// public kernel by name, so public kernels may be launched by somebody who is
// not seen here. Sizes that come from launches are then an assumption; those in
// `known_grid_size` and `known_block_size` are facts whoever launches.
//
//===----------------------------------------------------------------------===//

#include "Launches.h"

#include "../KernelReader.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/Lowering/KernelMark.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <functional>

using namespace mlir;

namespace swizzle {

using namespace analysis;

int64_t analysis::nominalExtent(int64_t rank, int64_t dim) {
  int64_t fromInside = rank - 1 - dim;
  return fromInside < 2 ? kNominalExtent : fromInside == 2 ? 64 : 16;
}

HostValue HostValues::dimension(Value memref, int64_t dim) {
  auto type = dyn_cast<ShapedType>(memref.getType());
  if (!type || !type.hasRank() || dim < 0 || dim >= type.getRank())
    return {kNominalExtent, true};
  if (!type.isDynamicDim(dim))
    return {type.getDimSize(dim), false};
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return dimension(cast.getSource(), dim);
  OperandRange sizes(nullptr, 0);
  if (auto alloc = memref.getDefiningOp<memref::AllocOp>())
    sizes = alloc.getDynamicSizes();
  else if (auto alloc = memref.getDefiningOp<gpu::AllocOp>())
    sizes = alloc.getDynamicSizes();
  if (!sizes.empty()) {
    unsigned position = 0;
    for (int64_t i = 0; i < dim; ++i)
      position += type.isDynamicDim(i);
    if (std::optional<HostValue> size = evaluate(sizes[position]))
      return *size;
  }
  if (auto view = memref.getDefiningOp<OffsetSizeAndStrideOpInterface>()) {
    auto mixed = view.getMixedSizes();
    if (mixed.size() == size_t(type.getRank())) {
      if (auto attr = dyn_cast<Attribute>(mixed[dim]))
        return {cast<IntegerAttr>(attr).getInt(), false};
      if (std::optional<HostValue> size = evaluate(cast<Value>(mixed[dim])))
        return *size;
    }
  }
  return {nominalExtent(type.getRank(), dim), true};
}

/// Folds the operation of `result` with the operands' values.
std::optional<HostValue> HostValues::fold(OpResult result) {
  Operation *op = result.getOwner();
  SmallVector<Attribute> operands;
  bool nominal = false;
  for (Value operand : op->getOperands()) {
    std::optional<HostValue> input = evaluate(operand);
    if (!input)
      return std::nullopt;
    nominal |= input->nominal;
    operands.push_back(IntegerAttr::get(operand.getType(), input->value));
  }
  // Folding may fold in place, so it is done on a copy.
  Operation *copy = op->cloneWithoutRegions();
  SmallVector<OpFoldResult> folded;
  bool done = !operands.empty() && succeeded(copy->fold(operands, folded)) &&
              folded.size() == op->getNumResults();
  copy->destroy();
  if (!done)
    return std::nullopt;
  OpFoldResult mine = folded[result.getResultNumber()];
  Attribute constant = dyn_cast<Attribute>(mine);
  for (auto [operand, attribute] : llvm::zip(op->getOperands(), operands))
    if (mine == OpFoldResult(operand))
      constant = attribute;
  auto integer = dyn_cast_or_null<IntegerAttr>(constant);
  if (!integer || integer.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return HostValue{integer.getValue().getSExtValue(), nominal};
}

std::optional<HostValue> HostValues::evaluate(Value value) {
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  auto known = cache.find(value);
  if (known != cache.end())
    return known->second;
  std::optional<HostValue> result;
  APInt constant;
  Operation *op = value.getDefiningOp();
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.getSignificantBits() <= 64)
      result = HostValue{constant.getSExtValue(), false};
  } else if (!op) {
    // An argument of the host function is a size; one of an inner block is not.
    if (isa<FunctionOpInterface>(
            cast<BlockArgument>(value).getOwner()->getParentOp()))
      result = HostValue{kNominalExtent, true};
  } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
    if (std::optional<HostValue> index = evaluate(dim.getIndex());
        index && !index->nominal)
      result = dimension(dim.getSource(), index->value);
  } else if (op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
    result = fold(cast<OpResult>(value));
  }
  cache[value] = result;
  return result;
}

static std::string text(const Grid &grid) {
  std::string result;
  for (unsigned axis = 0; axis < 3; ++axis) {
    result += axis ? "x" : "";
    result += grid[axis] == kUnknownExtent ? "?" : std::to_string(grid[axis]);
  }
  return result;
}

/// Three extents from an array attribute, if `op` has it under `name`. Extents
/// below 1 are noted as `invalid`.
static std::optional<Grid> readExtents(Operation *op, StringRef name,
                                       std::string &invalid) {
  SmallVector<int64_t> extents;
  if (auto array = op->getAttrOfType<DenseI32ArrayAttr>(name))
    llvm::append_range(extents, array.asArrayRef());
  else if (auto array = op->getAttrOfType<DenseI64ArrayAttr>(name))
    llvm::append_range(extents, array.asArrayRef());
  if (extents.empty() || extents.size() > 3)
    return std::nullopt;
  if (llvm::any_of(extents, [](int64_t extent) { return extent < 1; })) {
    std::string all;
    for (int64_t extent : extents)
      all += (all.empty() ? "" : "x") + std::to_string(extent);
    invalid = (name + " is " + all + "; each extent must be at least 1").str();
    return std::nullopt;
  }
  extents.resize(3, 1);
  return Grid(extents[0], extents[1], extents[2]);
}

/// True unless the kernel, or something that it is in, is private, and nothing
/// but launches that are seen can get hold of it.
static bool isVisibleOutside(FunctionOpInterface kernel,
                             const ModuleFacts &module) {
  for (Operation *op = kernel; op->getParentOp(); op = op->getParentOp()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (symbol && symbol.isPrivate() && module.isOnlyLaunched(op))
      return false;
  }
  return true;
}

static Grid launchExtents(HostValues &host, gpu::KernelDim3 operands) {
  Grid grid(kUnknownExtent, kUnknownExtent, kUnknownExtent);
  Value values[] = {operands.x, operands.y, operands.z};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (std::optional<HostValue> value = host.evaluate(values[axis]);
        value && !value->nominal && value->value >= 0 &&
        value->value <= INT32_MAX)
      grid[axis] = value->value;
  return grid;
}

SmallVector<LaunchSizes> analysis::sizesOfLaunches(FunctionOpInterface kernel,
                                                   const LaunchSizes &known,
                                                   const ModuleFacts &module) {
  SmallVector<LaunchSizes> found;
  auto fill = [](Grid &extents, const Grid &launched) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (extents[axis] == kUnknownExtent)
        extents[axis] = launched[axis];
  };
  HostValues host;
  for (gpu::LaunchFuncOp launch : module.launchesOf(kernel)) {
    LaunchSizes sizes = known;
    fill(sizes.grid, launchExtents(host, launch.getGridSizeOperandValues()));
    fill(sizes.block, launchExtents(host, launch.getBlockSizeOperandValues()));
    bool isNew = llvm::none_of(found, [&](const LaunchSizes &other) {
      return other.grid == sizes.grid && other.block == sizes.block;
    });
    if (isNew && sizes.grid.isStatic() && sizes.block.isStatic() &&
        found.size() < kMostLaunches)
      found.push_back(std::move(sizes));
  }
  return found;
}

/// What is said of one of grid and block.
namespace {
struct Evidence {
  const char *what;
  std::optional<Grid> attribute;
  SmallVector<std::pair<Location, Grid>> launches;
  std::optional<Grid> option;
  /// Why nobody can launch such extents; empty if somebody can.
  std::function<std::string(const Grid &)> whyNone;
};
} // namespace

static bool contradict(const Grid &a, const Grid &b) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (a[axis] != kUnknownExtent && b[axis] != kUnknownExtent &&
        a[axis] != b[axis])
      return true;
  return false;
}

static void append(std::string &text, const std::string &line) {
  text += (text.empty() ? "" : "; ") + line;
}

/// What the kernel's attributes and its launches say.
static void decideByModule(const Evidence &evidence, Grid &extents,
                           SizeSource &source, LaunchSizes &sizes) {
  std::string what = evidence.what;
  for (const auto &[location, grid] : evidence.launches)
    if (std::string why = evidence.whyNone(grid); !why.empty())
      sizes.contradiction = "the launch at " + describeLocation(location) +
                            " has " + what + " " + text(grid) + ", but " + why;
  if (evidence.attribute) {
    if (std::string why = evidence.whyNone(*evidence.attribute); !why.empty())
      sizes.contradiction = "the kernel's attribute says " + what + " " +
                            text(*evidence.attribute) + ", but " + why;
    extents = *evidence.attribute;
    source = SizeSource::KernelAttribute;
    for (const auto &[location, grid] : evidence.launches)
      if (contradict(extents, grid))
        sizes.contradiction = "the launch at " + describeLocation(location) +
                              " has " + what + " " + text(grid) +
                              ", but the kernel's attribute says " +
                              text(extents);
    return;
  }
  if (evidence.launches.empty())
    return;
  const auto &[firstLocation, first] = evidence.launches.front();
  extents = first;
  for (const auto &[location, grid] : evidence.launches) {
    if (contradict(grid, extents))
      append(sizes.note, "launches disagree on the " + what + ": " +
                             text(first) + " at " +
                             describeLocation(firstLocation) + ", " +
                             text(grid) + " at " + describeLocation(location));
    // An extent is known if every launch has it, and the same.
    for (unsigned axis = 0; axis < 3; ++axis)
      if (grid[axis] != extents[axis])
        extents[axis] = kUnknownExtent;
  }
  if (llvm::any_of(extents.extent,
                   [](int64_t extent) { return extent != kUnknownExtent; }))
    source = sizes.isVisible ? SizeSource::VisibleLaunches
                             : SizeSource::PrivateLaunches;
}

/// The option fills in what the module leaves open.
static void decide(const Evidence &evidence, Grid &extents, SizeSource &source,
                   LaunchSizes &sizes) {
  decideByModule(evidence, extents, source, sizes);
  if (!evidence.option)
    return;
  const Grid &option = *evidence.option;
  if (std::string why = evidence.whyNone(option); !why.empty())
    return append(sizes.ignoredOption, std::string("the option's ") +
                                           evidence.what + " " + text(option) +
                                           " is ignored: " + why);
  if (contradict(extents, option))
    return append(sizes.ignoredOption,
                  std::string("the option's ") + evidence.what + " " +
                      text(option) + " contradicts " + text(extents) +
                      (source == SizeSource::KernelAttribute
                           ? " of the kernel's attribute"
                           : " of its launches") +
                      " and is ignored");
  for (unsigned axis = 0; axis < 3; ++axis)
    if (extents[axis] == kUnknownExtent && option[axis] != kUnknownExtent) {
      extents[axis] = option[axis];
      source = SizeSource::Option;
    }
}

/// The numbers of "1,256"; empty if it is anything else.
static SmallVector<int64_t> readNumbers(StringRef text) {
  SmallVector<int64_t> numbers;
  for (StringRef part : llvm::split(text, ','))
    if (part.trim().getAsInteger(10, numbers.emplace_back()))
      return {};
  return numbers;
}

/// What the kernel says of the threads of a workgroup to the back end of the
/// vendor that it is compiled for; 0 if it says nothing. A launch of more
/// fails.
static int64_t findMostThreads(FunctionOpInterface kernel) {
  constexpr int64_t most = 1 << 16;
  auto isExtent = [](int64_t extent) { return extent >= 1 && extent <= most; };
  StringRef vendor = vendorOf(kernel);
  if (vendor == "nvidia") {
    SmallVector<int64_t> extents;
    if (auto array = kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.maxntid"))
      llvm::append_range(extents, array.asArrayRef());
    else
      extents = readNumbers(readPassedThrough(kernel, "nvvm.maxntid"));
    if (extents.empty() || extents.size() > 3 ||
        !llvm::all_of(extents, isExtent))
      return 0;
    int64_t threads = 1;
    for (int64_t extent : extents)
      threads *= extent;
    return threads;
  }
  if (vendor != "amd")
    return 0;
  SmallVector<int64_t> range;
  if (auto text =
          kernel->getAttrOfType<StringAttr>("rocdl.flat_work_group_size"))
    range = readNumbers(text);
  else
    range =
        readNumbers(readPassedThrough(kernel, "amdgpu-flat-work-group-size"));
  bool isRange = range.size() == 2 && range[0] <= range[1] &&
                 llvm::all_of(range, isExtent);
  return isRange ? range[1] : 0;
}

/// Why nobody can launch a grid of `extents`.
static std::string whyNoGrid(StringRef vendor, const Grid &extents) {
  // "Maximum y- or z-dimension of a grid of thread blocks", the same for all
  // compute capabilities (CUDA C++ programming guide, technical
  // specifications).
  constexpr int64_t most = 65535;
  if (vendor != "nvidia" || (extents[1] <= most && extents[2] <= most))
    return "";
  return "CUDA launches " + std::to_string(most) +
         " workgroups along y and along z at most";
}

/// Why nobody can launch a block of `extents`, if the kernel promises to be
/// launched with `promised` threads at most; 0: it does not.
static std::string whyNoBlock(StringRef vendor, int64_t promised,
                              const Grid &extents) {
  // "Maximum number of threads per block" of the same specifications, and the
  // largest flat workgroup size of all of AMD's (LLVM, "User Guide for AMDGPU
  // Backend").
  constexpr int64_t most = 1024;
  __int128 threads = 1;
  for (int64_t extent : extents.extent)
    threads *= std::max<int64_t>(extent, 1); // one at least where not known
  if (promised && threads > promised)
    return "the kernel's attributes promise " + std::to_string(promised) +
           " threads at most";
  if (!vendor.empty() && threads > most)
    return "no workgroup has more than " + std::to_string(most) + " threads";
  return "";
}

/// Attributes that say which block every launch has. A vendor holds launches to
/// its own alone.
static SmallVector<StringRef> blockAttributes(FunctionOpInterface kernel) {
  SmallVector<StringRef> names = {"known_block_size", "gpu.known_block_size"};
  std::optional<GpuVendor> marked = vendorOfMark(kernel);
  StringRef compiledFor = vendorOf(kernel);
  if (marked != GpuVendor::AMD && compiledFor != "amd")
    names.push_back("nvvm.reqntid");
  if (marked != GpuVendor::NVIDIA && compiledFor != "nvidia")
    names.push_back("rocdl.reqd_work_group_size");
  return names;
}

LaunchSizes findLaunchSizes(FunctionOpInterface kernel,
                            std::optional<Grid> gridOption,
                            std::optional<Grid> blockOption) {
  return findLaunchSizes(kernel, gridOption, blockOption, ModuleFacts(kernel));
}

LaunchSizes findLaunchSizes(FunctionOpInterface kernel,
                            std::optional<Grid> gridOption,
                            std::optional<Grid> blockOption,
                            const ModuleFacts &module) {
  LaunchSizes sizes;
  sizes.mostThreads = findMostThreads(kernel);
  auto attribute = [&](ArrayRef<StringRef> names) -> std::optional<Grid> {
    std::optional<Grid> known;
    StringRef first;
    for (StringRef name : names) {
      std::optional<Grid> extents = readExtents(kernel, name, sizes.invalid);
      if (extents && known && contradict(*known, *extents))
        sizes.contradiction = (first + " says " + text(*known) + ", " + name +
                               " " + text(*extents))
                                  .str();
      if (known || !extents)
        continue;
      known = extents;
      first = name;
    }
    return known;
  };
  StringRef vendor = vendorOf(kernel);
  Evidence grid{
      "grid",
      attribute({"known_grid_size", "gpu.known_grid_size"}),
      {},
      gridOption,
      [&](const Grid &extents) { return whyNoGrid(vendor, extents); }};
  Evidence block{"block",
                 attribute(blockAttributes(kernel)),
                 {},
                 blockOption,
                 [&](const Grid &extents) {
                   return whyNoBlock(vendor, sizes.mostThreads, extents);
                 }};
  HostValues host;
  for (gpu::LaunchFuncOp launch : module.launchesOf(kernel)) {
    Location location = launch.getLoc();
    grid.launches.push_back(
        {location, launchExtents(host, launch.getGridSizeOperandValues())});
    block.launches.push_back(
        {location, launchExtents(host, launch.getBlockSizeOperandValues())});
  }
  sizes.isVisible = isVisibleOutside(kernel, module);
  decide(grid, sizes.grid, sizes.gridSource, sizes);
  decide(block, sizes.block, sizes.blockSource, sizes);
  return sizes;
}

} // namespace swizzle
