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
#include "swizzle/Analysis/Describe/NoteClaims.h"
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
/// A module in the dialect that kernels are read in, with what all kernels are
/// asked about.
struct ImportedModule {
  explicit ImportedModule(mlir::OwningOpRef<mlir::ModuleOp> imported)
      : module(std::move(imported)), symbols(*module), facts(*module) {}

  /// Null if it has no body here.
  mlir::FunctionOpInterface lookUp(StringRef name) const {
    auto function = symbols.lookup<mlir::LLVM::LLVMFuncOp>(name);
    if (!function || function.isExternal())
      return nullptr;
    return mlir::cast<mlir::FunctionOpInterface>(function.getOperation());
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::SymbolTable symbols;
  ModuleFacts facts;
};

class ModuleReader {
public:
  ModuleReader(const PassSettings &settings) : settings(settings) {
    context.disableMultithreading();
  }

  Error read(Module &module, StringRef early);
  /// Reads what the options say of the chip. After `read`.
  Error chooseChipOfAll();
  PlannedFunction planOne(Function &kernel, const KernelNames &names);

private:
  TargetChip chipFor(const Function &kernel) const;
  PlannedKernel planFor(Function &kernel, const TargetChip &chip,
                        const LaunchClaim &claim, std::optional<Grid> grid,
                        SourcePlace &refused);

  const PassSettings &settings;
  mlir::MLIRContext context;
  std::optional<ImportedModule> now, before;
  std::optional<TargetChip> chipOfAll; ///< by the options or the module
};
} // namespace

Error ModuleReader::read(Module &module, StringRef early) {
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> imported =
      importBitcode(copyAsBitcode(module), context);
  if (!imported)
    return imported.takeError();
  now.emplace(std::move(*imported));
  if (early.empty())
    return Error::success();
  imported = importBitcode(early, context);
  if (!imported)
    return imported.takeError();
  before.emplace(std::move(*imported));
  return Error::success();
}

Error ModuleReader::chooseChipOfAll() {
  Expected<std::optional<ChipChoice>> choice =
      chooseChip(settings.chip, settings.hardwareFile, *now->module);
  if (!choice)
    return choice.takeError();
  if (!*choice)
    return Error::success();
  HardwareSpec &hardware = (*choice)->hardware;
  chipOfAll.emplace();
  if (Error error = checkVendor(*now->module, hardware.vendor, hardware.name)) {
    chipOfAll->problem = toString(std::move(error));
    return Error::success();
  }
  chipOfAll->hardware = std::move(hardware);
  chipOfAll->source = std::move((*choice)->source);
  return Error::success();
}

/// The chip of the options, else the usual one of the function's target.
TargetChip ModuleReader::chipFor(const Function &kernel) const {
  if (chipOfAll)
    return *chipOfAll;
  TargetChip chip;
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
                                    SourcePlace &refused) {
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
  mlir::FunctionOpInterface function = now->lookUp(kernel.getName());
  if (!function) {
    result.facts.name = kernel.getName().str();
    result.facts.verdict.code = "no-body";
    result.facts.verdict.message = "nothing of the kernel is left to read";
    result.decision = plan(result.facts, chip, settings.planning);
    return result;
  }
  LocatedFacts judged = readFacts(function, options, now->facts);
  if (auto place = judged.location->findInstanceOf<mlir::FileLineColLoc>()) {
    refused.file = place.getFilename().str();
    refused.line = place.getLine();
    refused.column = place.getColumn();
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
  if (mlir::FunctionOpInterface original =
          before ? before->lookUp(kernel.getName()) : nullptr) {
    LocatedFacts first = readFacts(original, options, before->facts);
    // A database knows the kernel by one of the two, whichever is planned by.
    result.facts.hash = first.facts.hash;
    auto missing = [](const KernelModel &model) {
      return std::pair(model.unseen().size(), model.notModelled.size());
    };
    if (missing(first.facts.model) <= missing(result.facts.model))
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

PlannedFunction ModuleReader::planOne(Function &kernel,
                                      const KernelNames &names) {
  PlannedFunction planned;
  planned.function = &kernel;
  TargetChip chip = chipFor(kernel);
  LaunchClaim claim = findClaim(kernel, names, settings);
  for (std::optional<ImportedModule> *module : {&now, &before})
    if (*module)
      if (auto function = (*module)->lookUp(kernel.getName()))
        for (std::string &problem : noteClaims(function, claim.args))
          if (!is_contained(planned.claimProblems, problem))
            planned.claimProblems.push_back(std::move(problem));
  auto planFor = [&](std::optional<Grid> grid) {
    SourcePlace &refused = planned.places.emplace_back();
    planned.plans.push_back(this->planFor(kernel, chip, claim, grid, refused));
  };
  if (claim.grids.empty())
    planFor(std::nullopt);
  for (const Grid &grid : claim.grids)
    planFor(grid);
  return planned;
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
  if (Error error = reader.chooseChipOfAll())
    return std::move(error);
  KernelNames names(module);
  for (Function *kernel : kernels)
    planned.push_back(reader.planOne(*kernel, names));
  return std::move(planned);
}

} // namespace swizzle::llvmpass
