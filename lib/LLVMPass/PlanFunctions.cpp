//===- PlanFunctions.cpp - Decide about the kernels of a module -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two readings of each kernel: of the module as it was when the pipeline began,
// for what it reads and writes, and of the module as it is, for whether its
// order may be changed. The second alone decides.
//
//===----------------------------------------------------------------------===//

#include "PlanFunctions.h"

#include "HiddenIds.h"
#include "Launches.h"
#include "Machine.h"
#include "Remarks.h"
#include "swizzle/Analysis/Describe/ReadFacts.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Import/ImportModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::llvmpass {

bool PlannedFunction::isRemapped() const {
  return any_of(plans, [](const PlannedKernel &plan) {
    return plan.decision.remap.has_value();
  });
}

SmallVector<Function *> findKernels(Module &module) {
  SmallVector<Function *> kernels;
  for (Function &function : module) {
    CallingConv::ID convention = function.getCallingConv();
    if (!function.isDeclaration() &&
        (convention == CallingConv::AMDGPU_KERNEL ||
         convention == CallingConv::PTX_Kernel))
      kernels.push_back(&function);
  }
  return kernels;
}

namespace {
class ModuleReader {
public:
  ModuleReader(const PassSettings &settings) : settings(settings) {
    context.disableMultithreading();
  }

  Error read(Module &module, StringRef early);
  Expected<PlannedFunction> planOne(Function &kernel);

private:
  Expected<TargetChip> chipFor(const Function &kernel);
  PlannedKernel planFor(Function &kernel, const TargetChip &chip,
                        const LaunchClaim &claim, std::optional<Grid> grid,
                        PlannedFunction &planned);

  const PassSettings &settings;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> now, before;
};
} // namespace

Error ModuleReader::read(Module &module, StringRef early) {
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> imported =
      importBitcode(copyAsBitcode(module), context);
  if (!imported)
    return imported.takeError();
  now = std::move(*imported);
  if (early.empty())
    return Error::success();
  imported = importBitcode(early, context);
  if (!imported)
    return imported.takeError();
  before = std::move(*imported);
  return Error::success();
}

/// The chip of the options, else the usual one of the function's target.
Expected<TargetChip> ModuleReader::chipFor(const Function &kernel) {
  TargetChip chip;
  Expected<std::optional<ChipChoice>> choice =
      chooseChip(settings.chip, settings.hardwareFile, *now);
  if (!choice)
    return choice.takeError();
  if (*choice) {
    const HardwareSpec &hardware = (*choice)->hardware;
    if (Error error = checkVendor(*now, hardware.vendor, hardware.name)) {
      chip.problem = toString(std::move(error));
      return chip;
    }
    chip.hardware = std::move((*choice)->hardware);
    chip.source = std::move((*choice)->source);
    return chip;
  }
  StringRef target = kernel.getFnAttribute("target-cpu").getValueAsString();
  if (target.empty())
    target = settings.target;
  if (std::optional<HardwareSpec> usual = findChipForTarget(target)) {
    chip.hardware = std::move(*usual);
    chip.source = "target";
  } else {
    chip.unknownTarget = target.str();
  }
  return chip;
}

static mlir::FunctionOpInterface lookUp(mlir::ModuleOp module, StringRef name) {
  if (!module)
    return nullptr;
  auto function = module.lookupSymbol<mlir::LLVM::LLVMFuncOp>(name);
  if (!function || function.isExternal())
    return nullptr;
  return mlir::cast<mlir::FunctionOpInterface>(function.getOperation());
}

/// Notes on the arguments of `function` what somebody says is passed.
static void noteArguments(mlir::FunctionOpInterface function,
                          const LaunchClaim &claim) {
  if (!function)
    return;
  mlir::Builder builder(function.getContext());
  size_t count =
      std::min<size_t>(claim.args.size(), function.getNumArguments());
  for (size_t index = 0; index < count; ++index)
    if (claim.args[index])
      function.setArgAttr(index, kClaimedArgument,
                          builder.getI64IntegerAttr(*claim.args[index]));
  for (const auto &[index, members] : claim.members) {
    if (index >= function.getNumArguments())
      continue;
    SmallVector<mlir::Attribute> claims;
    for (const std::optional<int64_t> &member : members)
      claims.push_back(member ? builder.getI64IntegerAttr(*member)
                              : mlir::Attribute(builder.getUnitAttr()));
    function.setArgAttr(index, kClaimedArgument, builder.getArrayAttr(claims));
  }
  for (const auto &[index, map] : claim.tensorMaps) {
    if (index >= function.getNumArguments())
      continue;
    SmallVector<int64_t> numbers = {map.elementBytes};
    for (const std::vector<int64_t> *part :
         {&map.extents, &map.strides, &map.box})
      append_range(numbers, *part);
    function.setArgAttr(index, kClaimedTensorMap,
                        builder.getDenseI64ArrayAttr(numbers));
  }
}

/// Makes a refusal of the verdict, if there is a reason.
static void refuse(KernelVerdict &verdict,
                   const std::pair<std::string, std::string> &why) {
  if (why.first.empty())
    return;
  std::tie(verdict.code, verdict.message) = why;
  verdict.counterexample.clear();
}

PlannedKernel ModuleReader::planFor(Function &kernel, const TargetChip &chip,
                                    const LaunchClaim &claim,
                                    std::optional<Grid> grid,
                                    PlannedFunction &planned) {
  FactsOptions options;
  options.grid = grid;
  options.block = claim.block;
  options.registers = claim.registers;
  options.dynamicWorkgroupBytes = claim.dynamicWorkgroupBytes;
  options.strict = settings.planning.strict;
  options.imported = true;
  if (chip.hardware)
    options.subgroup = chip.hardware->waveSize;
  PlannedKernel result;
  result.chip = chip;
  mlir::FunctionOpInterface function = lookUp(*now, kernel.getName());
  if (!function) {
    result.facts.name = kernel.getName().str();
    result.facts.verdict.code = "no-body";
    result.facts.verdict.message = "nothing of the kernel is left to read";
    result.decision = plan(result.facts, chip, settings.planning);
    return result;
  }
  LocatedFacts judged = readFacts(function, options);
  if (auto place = judged.location->findInstanceOf<mlir::FileLineColLoc>()) {
    planned.line = place.getLine();
    planned.column = place.getColumn();
  }
  KernelVerdict verdict = std::move(judged.facts.verdict);
  if (verdict.legal())
    refuse(verdict, findHiddenId(kernel));
  refuse(verdict, whyNotRemappable(kernel));
  // Whatever is claimed: a remap of an unknown grid reads its extents.
  if (verdict.legal() && !canReadSizes(kernel))
    refuse(verdict,
           {"no-sizes",
            "the sizes of a launch cannot be read at run time: not in code "
            "objects before version 5 (compile with -mcode-object-version=5), "
            "nor where amdgpu-implicitarg-num-bytes leaves them out"});
  result.facts = std::move(judged.facts);
  if (mlir::FunctionOpInterface original = lookUp(*before, kernel.getName())) {
    LocatedFacts first = readFacts(original, options);
    // A database knows the kernel by one of the two, whichever is planned by.
    result.facts.hash = first.facts.hash;
    if (first.facts.model.unseen().size() <= result.facts.model.unseen().size())
      result.facts = std::move(first.facts);
  }
  result.facts.verdict = std::move(verdict);
  result.decision = plan(result.facts, chip, settings.planning);
  if (before && result.decision.reasonCode == "database-miss")
    result.decision.notes.push_back(
        "the database knows kernels as they are before the compiler's passes; "
        "clang writes them so for tuning with -Xclang -disable-llvm-passes");
  return result;
}

Expected<PlannedFunction> ModuleReader::planOne(Function &kernel) {
  PlannedFunction planned;
  planned.function = &kernel;
  Expected<TargetChip> chip = chipFor(kernel);
  if (!chip)
    return chip.takeError();
  LaunchClaim claim = findClaim(kernel, settings);
  noteArguments(lookUp(*now, kernel.getName()), claim);
  noteArguments(lookUp(*before, kernel.getName()), claim);
  if (claim.grids.empty())
    planned.plans.push_back(
        planFor(kernel, *chip, claim, std::nullopt, planned));
  for (const Grid &grid : claim.grids)
    planned.plans.push_back(planFor(kernel, *chip, claim, grid, planned));
  return std::move(planned);
}

Expected<std::vector<PlannedFunction>>
planFunctions(Module &module, StringRef early, const PassSettings &settings) {
  std::vector<PlannedFunction> planned;
  SmallVector<Function *> kernels = findKernels(module);
  if (kernels.empty())
    return std::move(planned);
  ModuleReader reader(settings);
  if (Error error = reader.read(module, early)) {
    diagnose(module, DS_Warning,
             "swizzle: all kernels stay as they are: " +
                 toString(std::move(error)));
    return std::move(planned);
  }
  for (Function *kernel : kernels) {
    Expected<PlannedFunction> one = reader.planOne(*kernel);
    if (!one)
      return one.takeError();
    planned.push_back(std::move(*one));
  }
  return std::move(planned);
}

} // namespace swizzle::llvmpass
