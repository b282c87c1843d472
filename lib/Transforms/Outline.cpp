//===- Outline.cpp - Launch bodies as kernels, some of them ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outlining itself is upstream's pass, which takes all launches that it sees.
// So those that shall stay are taken out of their blocks while it runs and put
// back where a marker was left for them. It puts kernels into the module that
// it runs on, where launches of a module within would not find them: each
// module with launches is given to it, the innermost first. Which kernel a
// launch became is told by its location, tagged for the while and restored
// after.
//
//===----------------------------------------------------------------------===//

#include "Outline.h"

#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace swizzle {

SmallVector<gpu::LaunchOp> findLaunchOps(ModuleOp module) {
  SmallVector<gpu::LaunchOp> launches;
  module.walk<WalkOrder::PreOrder>([&](gpu::LaunchOp launch) {
    launches.push_back(launch);
    return WalkResult::skip(); // a launch by a kernel is part of that
  });
  return launches;
}

static constexpr llvm::StringLiteral kTag("swizzle.launch.");

/// The index of the launch whose tag `loc` carries.
static std::optional<unsigned> readTag(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  if (!name)
    return std::nullopt;
  StringRef text = name.getName().getValue();
  unsigned index;
  if (!text.consume_front(kTag) || text.getAsInteger(10, index))
    return std::nullopt;
  return index;
}

LogicalResult outlineLaunches(ModuleOp module, ArrayRef<bool> wanted,
                              SmallVectorImpl<gpu::GPUFuncOp> &kernels) {
  SmallVector<gpu::LaunchOp> launches = findLaunchOps(module);
  kernels.assign(launches.size(), nullptr);
  SmallVector<Location> locations;
  for (gpu::LaunchOp launch : launches)
    locations.push_back(launch.getLoc());

  SmallVector<std::pair<Operation *, Operation *>> parked;
  for (auto [index, launch] : llvm::enumerate(launches)) {
    if (!wanted[index]) {
      OpBuilder builder(launch);
      Operation *marker =
          ub::PoisonOp::create(builder, launch.getLoc(), builder.getI1Type());
      launch->remove();
      parked.push_back({launch, marker});
      continue;
    }
    launch->setLoc(
        NameLoc::get(StringAttr::get(module.getContext(), kTag + Twine(index)),
                     launch.getLoc()));
  }
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  // The operations taken out may define values that are used.
  manager.enableVerifier(false);
  manager.addPass(createGpuKernelOutliningPass());
  LogicalResult result = success();
  module.walk<WalkOrder::PostOrder>([&](ModuleOp inner) {
    bool launches = false;
    inner.walk([&](gpu::LaunchOp launch) {
      launches |= launch->getParentOfType<ModuleOp>() == inner;
    });
    if (launches && succeeded(result))
      result = manager.run(inner);
  });
  for (auto &[launch, marker] : parked) {
    marker->getBlock()->getOperations().insert(marker->getIterator(), launch);
    marker->erase();
  }
  module.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (auto index = readTag(argument.getLoc());
            index && *index < locations.size())
          argument.setLoc(locations[*index]);
    std::optional<unsigned> index = readTag(op->getLoc());
    if (!index || *index >= locations.size())
      return;
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
      kernels[*index] = kernel;
    op->setLoc(locations[*index]);
  });
  return result;
}

} // namespace swizzle
