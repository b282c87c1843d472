//===- Legality.cpp - May this kernel's workgroups be renumbered? -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two workgroups communicate if one may write a byte that the other reads or
// writes. A kernel whose workgroups do not communicate, except by commuting
// atomics whose old value nobody uses, computes the same under every
// permutation of the ids, provided that every use of an id sees the permuted
// one. What single operations do was judged when the kernel was read; here the
// readings of ids are collected, in the IR that will be rewritten, and plain
// loads and stores are asked whether they stay apart (Independence.cpp).
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Legality/Legality.h"
#include "swizzle/Analysis/Describe/Kernels.h"

#include "../Read/Launch/Launches.h"
#include "../Sites/AccessSites.h"
#include "EveryGrid.h"
#include "Meetings.h"
#include "Overlaps.h"
#include "swizzle/Analysis/Legality/Independence.h"
#include "swizzle/IR/AppliedTag.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/Kernel/ExistingRemap.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace swizzle {

using namespace analysis;

namespace {
/// Keeps the first reason to refuse.
struct Judge {
  KernelLegality &legality;

  void refuse(Location location, StringRef code, const Twine &message) {
    if (!legality.refusal)
      legality.refusal =
          KernelRefusal{code.str(), message.str(), std::string(), location};
  }
};
} // namespace

/// True for an attribute that says how large clusters may be, in the spelling
/// of LLVM or of MLIR: a launch without any is none.
static bool boundsClusters(StringRef attribute) {
  return attribute == "nvvm.maxclusterrank" ||
         attribute == "nvvm.cluster_max_blocks";
}

/// True if the attributes that `op` hands on to LLVM form clusters.
static bool passesClustersOn(Operation *op) {
  auto passthrough = op->getAttrOfType<ArrayAttr>("passthrough");
  if (!passthrough)
    return false;
  return llvm::any_of(passthrough, [](Attribute entry) {
    StringAttr value;
    if (auto pair = dyn_cast<ArrayAttr>(entry); pair && !pair.empty()) {
      value = pair.size() > 1 ? dyn_cast<StringAttr>(pair[1]) : nullptr;
      entry = pair[0];
    }
    auto name = dyn_cast<StringAttr>(entry);
    if (!name || !name.getValue().contains("cluster"))
      return false;
    // LLVM, "User Guide for AMDGPU Backend": 0,0,0 is none. One of one
    // workgroup groups nothing either.
    if (name == "amdgpu-cluster-dims" && value)
      return value != "0,0,0" && value != "1,1,1";
    if (name == "nvvm.cluster_dim" && value)
      return value != "1" && value != "1,1" && value != "1,1,1";
    if (boundsClusters(name.getValue()))
      return false;
    // "amdgpu-no-cluster-id-x" says that there is none.
    return !name.getValue().starts_with("amdgpu-no-");
  });
}

/// Launches in clusters, or of a cooperative kernel, say so on the kernel or on
/// the launch.
static void judgeLaunches(FunctionOpInterface kernel, const ModuleFacts &module,
                          Judge &judge) {
  auto judgeAttributes = [&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs()) {
      StringRef name = attr.getName().getValue();
      if (name == "operandSegmentSizes")
        continue;
      auto dims = dyn_cast<DenseI32ArrayAttr>(attr.getValue());
      bool isOfOne = name == "nvvm.cluster_dim" && dims &&
                     llvm::all_of(dims.asArrayRef(),
                                  [](int32_t extent) { return extent == 1; });
      if (name.contains("cluster") && !boundsClusters(name) && !isOfOne)
        judge.refuse(op->getLoc(), "cluster",
                     "'" + name +
                         "' groups workgroups into clusters, which would have "
                         "to move as a whole");
      if (name.contains("cooperative"))
        judge.refuse(op->getLoc(), "cooperative",
                     "'" + name +
                         "' says that workgroups may wait for each other");
    }
  };
  judgeAttributes(kernel);
  if (passesClustersOn(kernel))
    judge.refuse(kernel.getLoc(), "cluster",
                 "'passthrough' groups workgroups into clusters, which would "
                 "have to move as a whole");
  for (gpu::LaunchFuncOp launch : module.launchesOf(kernel)) {
    if (launch.hasClusterSize())
      judge.refuse(launch.getLoc(), "cluster",
                   "the kernel is launched in clusters of workgroups, which "
                   "would have to move as a whole");
    judgeAttributes(launch);
  }
}

/// True if the last workgroup along an axis of an AMD launch may be smaller
/// than the others: as LLVM has it where nothing is said, and MLIR's own
/// kernels where they say so.
static bool mayBeUneven(FunctionOpInterface kernel) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(kernel.getOperation());
  if (function && function.getCConv() == LLVM::CConv::PTX_Kernel)
    return false;
  if (auto said =
          kernel->getAttrOfType<BoolAttr>("rocdl.uniform_work_group_size"))
    return !said.getValue();
  if (StringRef said = readPassedThrough(kernel, "uniform-work-group-size");
      !said.empty())
    return said == "false";
  return function && function.getCConv() == LLVM::CConv::AMDGPU_KERNEL &&
         !kernel->hasAttr("rocdl.kernel");
}

/// A call runs the kernel's code for the workgroups of another kernel.
static void judgeCallers(FunctionOpInterface kernel, const ModuleFacts &module,
                         Judge &judge) {
  for (CallOpInterface call : module.callsOf(kernel))
    if (!kernel->isAncestor(call))
      judge.refuse(call->getLoc(), "called",
                   "it is called as a function, too, and computes with the "
                   "workgroup ids of its caller there");
}

/// Lists of what has to be kept take addresses, and call nothing.
static bool isListOfUsed(Operation *user) {
  auto global = user->getParentOfType<LLVM::GlobalOp>();
  return global && (global.getSymName() == "llvm.used" ||
                    global.getSymName() == "llvm.compiler.used");
}

/// Through its address, device code may call the kernel as well, unless its
/// calling convention is one that nothing can be called by: then it launches
/// it.
static void judgeAddresses(FunctionOpInterface kernel,
                           const ModuleFacts &module, Judge &judge) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(kernel.getOperation());
  if (function && function.getCConv() != LLVM::CConv::C)
    return;
  if (module.isBesideUnknown(kernel))
    return judge.refuse(kernel.getLoc(), "called",
                        "its module has an operation that is not known, which "
                        "may take its address");
  for (Operation *address : module.addressesOf(kernel))
    if (!isListOfUsed(address))
      judge.refuse(address->getLoc(), "called",
                   "its address is taken, so that it may be called as a "
                   "function, too, with the workgroup ids of its caller");
}

/// Plain accesses under one launch, of a kernel with `readings` of ids; false
/// if two workgroups meet. Sets `restsOnSizes` if they may meet for the sizes
/// that were assumed.
static bool judgeModel(FunctionOpInterface kernel, const KernelModel &model,
                       bool isVisible, ArrayRef<IdReading> readings,
                       KernelLegality &legality, bool &restsOnSizes) {
  std::optional<KernelModel> once = withoutCopies(model, readings);
  Independence independence = judgeIndependence(once ? *once : model);
  restsOnSizes |= independence.restsOnSizes;
  if (auto refusal = refuseWhatMeets(kernel, model, independence)) {
    legality.refusal = std::move(refusal);
    return false;
  }
  llvm::append_range(independence.assumptions,
                     assumeNoAliasing(kernel, model, isVisible));
  for (std::string &phrase : independence.assumptions)
    if (!llvm::is_contained(legality.assumptions, phrase))
      legality.assumptions.push_back(std::move(phrase));
  return true;
}

/// Under each launch.
static SmallVector<const KernelModel *> modelsOf(const KernelReading &reading) {
  SmallVector<const KernelModel *> models = {&reading.model};
  for (const KernelModel &other : reading.others)
    models.push_back(&other);
  return models;
}

/// Where workgroups stay apart on every grid, only buffers may still overlap:
/// those that a launch has, and those that are written on large grids alone.
static void assumeOnEveryGrid(FunctionOpInterface kernel,
                              const KernelReading &reading,
                              const LaunchSizes &sizes,
                              const ModuleFacts &module,
                              KernelLegality &legality) {
  std::optional<KernelModel> largest =
      proveOnEveryGrid(kernel, sizes, reading, module);
  if (!largest)
    return;
  legality.assumptions =
      assumeNoAliasing(kernel, reading.model, sizes.isVisible);
  auto add = [&](const KernelModel &model) {
    for (std::string &phrase : assumeNoAliasing(kernel, model, sizes.isVisible))
      if (!llvm::is_contained(legality.assumptions, phrase))
        legality.assumptions.push_back(std::move(phrase));
  };
  add(*largest);
  llvm::for_each(reading.others, add);
}

/// True if workgroups stay apart on the grid as it is, whatever is passed for
/// the sizes that nobody gave: only buffers may still overlap, then.
static bool assumeForAllArguments(FunctionOpInterface kernel,
                                  const KernelReading &reading,
                                  const LaunchSizes &sizes,
                                  const ModuleFacts &module,
                                  KernelLegality &legality) {
  if (!reading.others.empty())
    return false;
  std::optional<KernelModel> certain =
      readForAllArguments(kernel, sizes, module, /*anyWay=*/true);
  // A buffer that a launch passes twice is two here.
  if (!certain || certain->buffers.size() != reading.model.buffers.size())
    return false;
  KernelLegality verdict;
  bool restsOnSizes = false;
  if (!judgeModel(kernel, *certain, sizes.isVisible, legality.readings, verdict,
                  restsOnSizes))
    return false;
  std::vector<std::string> overlaps =
      assumeNoAliasing(kernel, *certain, sizes.isVisible);
  if (!llvm::all_of(verdict.assumptions, [&](const std::string &phrase) {
        return llvm::is_contained(overlaps, phrase);
      }))
    return false;
  legality.assumptions = std::move(verdict.assumptions);
  return true;
}

/// A meeting of accesses that no assumed size matters to is one whatever it is:
/// on the grid as it is, or on that of a launch in the module.
static std::optional<KernelRefusal>
refuseForAllArguments(FunctionOpInterface kernel, const LaunchSizes &sizes,
                      const ModuleFacts &module, ArrayRef<IdReading> readings) {
  for (const LaunchSizes &launched :
       sizes.grid.isStatic() && sizes.block.isStatic()
           ? SmallVector<LaunchSizes>{sizes}
           : sizesOfLaunches(kernel, sizes, module)) {
    auto certain = readForAllArguments(kernel, launched, module,
                                       /*anyWay=*/false);
    KernelLegality verdict;
    bool restsOnSizes = false;
    if (certain)
      judgeModel(kernel, *certain, sizes.isVisible, readings, verdict,
                 restsOnSizes);
    if (verdict.refusal && !verdict.refusal->counterexample.empty())
      return std::move(verdict.refusal);
  }
  return std::nullopt;
}

/// Whether a kernel without a reading of an id could have one.
static std::string describeMissingId(const Grid &grid) {
  if (!grid.isStatic())
    return "its grid is not known here: if it has more than one workgroup, all "
           "of them do the same, and none has a place to be moved to";
  if (grid.count() == 1)
    return "it cannot have one that matters, as its grid is one workgroup";
  return "it could have one, as its grid is " + toString(grid) +
         ", but as it is all workgroups do the same, and none has a place to "
         "be moved to";
}

KernelLegality judgeKernel(FunctionOpInterface kernel,
                           const KernelReading &reading,
                           const LaunchSizes &sizes,
                           const LegalityOptions &options) {
  return judgeKernel(kernel, reading, sizes, options, ModuleFacts(kernel));
}

KernelLegality judgeKernel(FunctionOpInterface kernel,
                           const KernelReading &reading,
                           const LaunchSizes &sizes,
                           const LegalityOptions &options,
                           const ModuleFacts &module) {
  KernelLegality legality;
  Judge judge{legality};
  Location location = kernel.getLoc();
  if (kernel.isExternal()) {
    judge.refuse(location, "no-body", "the kernel has no body here");
    return legality;
  }
  bool carriesRemap = timesRemapped(kernel) > 0;
  kernel.getFunctionBody().walk([&](RemapOp) { carriesRemap = true; });
  if (carriesRemap && !options.compose)
    judge.refuse(location, "already-remapped",
                 "the kernel carries a remap already; `compose` goes on from "
                 "it");
  judgeLaunches(kernel, module, judge);
  if (mayBeUneven(kernel))
    judge.refuse(
        location, "uneven-workgroups",
        "workgroups may differ in size ('uniform-work-group-size' is not "
        "true), and the smaller one has to stay the last");
  judgeCallers(kernel, module, judge);
  judgeAddresses(kernel, module, judge);
  if (!sizes.contradiction.empty())
    judge.refuse(location, "contradiction", sizes.contradiction);
  if (!legality.refusal && reading.refusal)
    legality.refusal = reading.refusal;
  legality.notes = reading.notes;
  if (legality.refusal)
    return legality;
  for (FunctionOpInterface function : reachableFunctions(kernel))
    llvm::append_range(legality.readings, findIdReadings(function));
  if (legality.readings.empty()) {
    judge.refuse(location, "no-id",
                 "the kernel reads no workgroup id; " +
                     describeMissingId(sizes.grid));
    return legality;
  }
  bool restsOnSizes = false;
  for (const KernelModel *model : modelsOf(reading))
    if (!judgeModel(kernel, *model, sizes.isVisible, legality.readings,
                    legality, restsOnSizes))
      return legality;
  if (auto refusal = refuseElsewhere(kernel, reading, legality.readings)) {
    legality.refusal = std::move(refusal);
    return legality;
  }
  if (restsOnSizes)
    if (std::optional<KernelRefusal> refusal =
            refuseForAllArguments(kernel, sizes, module, legality.readings)) {
      legality.refusal = std::move(refusal);
      return legality;
    }
  if (!legality.assumptions.empty() &&
      !assumeForAllArguments(kernel, reading, sizes, module, legality)) {
    if (restsOnSizes)
      legality.refusal =
          refuseForOtherSizes(kernel, reading, legality.readings);
    if (legality.refusal)
      return legality;
    assumeOnEveryGrid(kernel, reading, sizes, module, legality);
  }
  if (reading.waysLeft && !legality.assumptions.empty())
    legality.assumptions.push_back(
        "workgroups stay apart on ways through the kernel that numbers or "
        "pointers may let it take and that were not looked at (there are too "
        "many)");
  if (isKernelByUse(kernel))
    legality.assumptions.push_back(
        "the function is launched as a kernel, and nothing outside of the "
        "module calls it");
  // A whole block can be compared with the launch's at run time, a part cannot.
  if (sizes.blockIsAssumption() && !sizes.block.isStatic())
    legality.assumptions.push_back("the block is " + toString(sizes.block));
  legality.existingRemap = findExistingRemap(reading.model);
  if (options.strict && !legality.assumptions.empty())
    judge.refuse(location, "assumption",
                 "`strict` is given, and it is only assumed that " +
                     legality.assumptions.front());
  return legality;
}

} // namespace swizzle
