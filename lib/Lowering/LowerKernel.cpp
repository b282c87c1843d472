//===- LowerKernel.cpp - One kernel as the llvm dialect -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers a clone of the kernel for the first target that can have it, and says
// what stopped it if there is none.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Lowering/LowerKernel.h"
#include "swizzle/IR/OwnDiagnostics.h"

#include "Steps.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/IR/SwizzleDialect.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace swizzle {

char LoweringError::ID;

GpuVendor chooseVendor(FunctionOpInterface kernel,
                       std::optional<GpuVendor> fallback) {
  std::optional<GpuVendor> used;
  kernel->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "rocdl" || dialect == "amdgpu")
      used = GpuVendor::AMD;
    else if (dialect == "nvvm" || dialect == "nvgpu")
      used = GpuVendor::NVIDIA;
    // Upstream lowers these for NVIDIA only.
    else if (op->getName().getStringRef().starts_with("gpu.subgroup_mma_"))
      used = GpuVendor::NVIDIA;
    else if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op);
             intrinsic && intrinsic.getIntrin().starts_with("llvm.amdgcn."))
      used = GpuVendor::AMD;
    return used ? WalkResult::interrupt() : WalkResult::advance();
  });
  return used.value_or(fallback.value_or(GpuVendor::NVIDIA));
}

StringRef originalOperation(Location location) {
  StringRef name;
  location->walk([&](Location inner) {
    if (auto fused = dyn_cast<FusedLoc>(inner))
      if (auto noted = dyn_cast_or_null<StringAttr>(fused.getMetadata()))
        name = noted.getValue();
    return name.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return name;
}

Location originalLocation(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  if (fused && fused.getLocations().size() == 1 &&
      isa_and_nonnull<StringAttr>(fused.getMetadata()))
    return fused.getLocations().front();
  return location;
}

/// An operation that no conversion has lowered; null if there is none.
static Operation *findUnlowered(Operation *root) {
  Operation *found = nullptr;
  root->walk([&](Operation *op) {
    bool lowered = isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect,
                                   ROCDL::ROCDLDialect>(op->getDialect());
    if (lowered || isa<ModuleOp, gpu::GPUModuleOp>(op))
      return WalkResult::advance();
    // Casts between types stand around the operation that is meant.
    bool isCast = isa<UnrealizedConversionCastOp>(op);
    if (!found || !isCast)
      found = op;
    return isCast ? WalkResult::advance() : WalkResult::interrupt();
  });
  return found;
}

static std::vector<LoweredArgument>
describeArguments(FunctionOpInterface kernel) {
  using Role = LoweredArgument::Role;
  std::vector<LoweredArgument> arguments;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto add = [&, index = unsigned(index)](Role role, unsigned count = 1) {
      for (unsigned dim = 0; dim < count; ++dim)
        arguments.push_back({role, index, dim});
    };
    if (isa<UnrankedMemRefType>(type)) {
      add(Role::Unknown, 2);
    } else if (auto memref = dyn_cast<MemRefType>(type)) {
      for (Role role : {Role::Allocation, Role::Pointer, Role::Offset})
        add(role);
      for (Role role : {Role::Size, Role::Stride})
        add(role, memref.getRank());
    } else {
      add(Role::Same);
    }
  }
  return arguments;
}

/// Upstream gives functions without a body one that calls a wrapper.
static void dropWrapper(gpu::GPUModuleOp module, StringRef name) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  Operation *wrapper = module.lookupSymbol(("_mlir_ciface_" + name).str());
  if (!function || !wrapper || function.isExternal())
    return;
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  function.setLinkage(LLVM::Linkage::External);
  wrapper->erase();
}

static std::unique_ptr<LoweringError> unlowered(StringRef name,
                                                Location where) {
  return std::make_unique<LoweringError>(
      ("'" + name +
       "' is not known to be harmless: it has no lowering to the llvm dialect")
          .str(),
      where);
}

static bool hasAssembly(Operation *root) {
  return root->walk([](LLVM::InlineAsmOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Of a product with a sparse matrix, upstream makes assembly. It becomes the
/// intrinsic of its name:
///
///   "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$0,$1},...,0x0;"
///   llvm.nvvm.mma.sp.m16n8k16.row.col.f16.f16.f16.f16
///
/// That is all of the assembly, and it is handed registers alone.
static void nameSparseProducts(gpu::GPUModuleOp module) {
  module.walk([](LLVM::InlineAsmOp assembly) {
    auto [name, rest] = assembly.getAsmString().split(' ');
    bool isPlain = assembly.getNumResults() == 1 && rest.consume_back(";") &&
                   !rest.contains(';') &&
                   rest.find_first_of("%[@") == StringRef::npos &&
                   llvm::none_of(assembly.getOperandTypes(),
                                 llvm::IsaPred<LLVM::LLVMPointerType>);
    if (!name.consume_front("mma.sp.sync.aligned.") || !isPlain)
      return;
    OpBuilder builder(assembly);
    auto product = LLVM::CallIntrinsicOp::create(
        builder, assembly.getLoc(), assembly.getResult(0).getType(),
        builder.getStringAttr("llvm.nvvm.mma.sp." + name),
        assembly.getOperands());
    assembly.replaceAllUsesWith(product->getResults());
    assembly.erase();
  });
}

/// Lowers `module`; what stopped it, if something did.
static std::unique_ptr<LoweringError> tryToLower(gpu::GPUModuleOp module,
                                                 const LoweringTarget &target) {
  if (!findUnlowered(module))
    return nullptr;
  std::unique_ptr<LoweringError> failure;
  OwnDiagnostics handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !failure)
      failure = std::make_unique<LoweringError>(diagnostic.str(),
                                                diagnostic.getLocation());
    return success();
  });
  ModuleLoweringOptions how;
  how.unrollTransfers = true;
  if (failed(lowerGpuModule(module, target, how)))
    return failure ? std::move(failure)
                   : std::make_unique<LoweringError>(
                         "it cannot be lowered to the llvm dialect",
                         module.getLoc());
  nameSparseProducts(module);
  Operation *left = findUnlowered(module);
  if (!left)
    return nullptr;
  StringRef user = originalOperation(left->getLoc());
  return unlowered(user.empty() ? left->getName().getStringRef() : user,
                   left->getLoc());
}

/// What to lower for. A vendor's older and newer instructions exclude each
/// other, and a kernel does not say which of them it was written for: after the
/// architecture that is asked for, those of all known chips are tried.
static std::vector<LoweringTarget>
targetsFor(FunctionOpInterface kernel, const KernelLoweringOptions &options) {
  LoweringTarget target;
  target.vendor = chooseVendor(kernel, options.vendor);
  bool amd = target.vendor == GpuVendor::AMD;
  target.waveSize = options.waveSize ? options.waveSize : amd ? 64 : 32;
  std::vector<LoweringTarget> targets;
  if (!amd) // NVIDIA's conversions do not ask
    return {target};
  auto add = [&](const std::string &architecture) {
    auto same = [&](const LoweringTarget &other) {
      return other.arch == architecture;
    };
    target.arch = architecture;
    if (llvm::none_of(targets, same))
      targets.push_back(target);
  };
  if (!options.architecture.empty())
    add(options.architecture);
  for (const std::string &name : listChips())
    if (llvm::Expected<HardwareSpec> chip = findChip(name)) {
      if (chip->vendor == "amd")
        add(chip->target);
    } else {
      llvm::consumeError(chip.takeError()); // not possible: it is listed
    }
  return targets;
}

/// An operation of a dialect that no conversion here knows; trying to lower the
/// rest would only cost time.
static Operation *findForeign(const llvm::SetVector<Operation *> &symbols,
                              const DialectRegistry &known) {
  Operation *foreign = nullptr;
  for (Operation *symbol : symbols)
    symbol->walk([&](Operation *op) {
      StringRef dialect = op->getName().getDialectNamespace();
      if (!isa<RemapOp, UnrealizedConversionCastOp>(op) &&
          !llvm::is_contained(known.getDialectNames(), dialect))
        foreign = op;
      return foreign ? WalkResult::interrupt() : WalkResult::advance();
    });
  return foreign;
}

/// A register that is used as narrower than it is.
static std::unique_ptr<LoweringError>
findNarrowRegister(const llvm::SetVector<Operation *> &symbols) {
  std::unique_ptr<LoweringError> found;
  for (Operation *symbol : symbols)
    symbol->walk([&](Operation *op) {
      unsigned bits = bitsBeyondType(op);
      if (bits == 0)
        return WalkResult::advance();
      std::string wide = "i" + std::to_string(bits);
      found = std::make_unique<LoweringError>(
          ("'" + op->getName().getStringRef() + "' becomes a value of " + wide +
           " in LLVM IR, so that more is stored than its type says; read it "
           "as " +
           wide)
              .str(),
          op->getLoc());
      return WalkResult::interrupt();
    });
  return found;
}

llvm::Expected<LoweredKernel>
lowerKernel(FunctionOpInterface kernel, const KernelLoweringOptions &options) {
  // Passes that come here depend on these; tools may not.
  DialectRegistry registry;
  registerLoweringDialects(registry);
  registry.insert<DLTIDialect>();
  kernel->getContext()->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    kernel->getContext()->getOrLoadDialect(name);
  llvm::SetVector<Operation *> symbols = closureOf(kernel);
  if (Operation *foreign = findForeign(symbols, registry))
    return llvm::Error(
        unlowered(foreign->getName().getStringRef(), foreign->getLoc()));
  if (Operation *marker = findMarker(symbols))
    return llvm::make_error<LoweringError>(
        "the name of a function begins like those that the analysis puts in "
        "('" +
            kIdMarker.str() + "', '" + kRemapMarker.str() + "', '" +
            kKeepMarker.str() + "'); rename it",
        marker->getLoc());
  if (std::unique_ptr<LoweringError> narrow = findNarrowRegister(symbols))
    return llvm::Error(std::move(narrow));
  LoweredKernel lowered, opaque;
  lowered.arguments = describeArguments(kernel);
  bool hasOwnAssembly = llvm::any_of(symbols, hasAssembly);
  std::unique_ptr<LoweringError> first;
  for (const LoweringTarget &target : targetsFor(kernel, options)) {
    gpu::GPUModuleOp module =
        cloneKernel(kernel, symbols, target.vendor, lowered.holder);
    // The markers among them.
    SmallVector<std::string> external;
    for (auto function : module.getOps<FunctionOpInterface>())
      if (function.isExternal())
        external.push_back(function.getName().str());
    if (std::unique_ptr<LoweringError> failure = tryToLower(module, target)) {
      if (!first)
        first = std::move(failure);
      continue;
    }
    for (const std::string &name : external)
      dropWrapper(module, name);
    lowered.function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getName());
    // Older targets have assembly for what newer ones have an operation for,
    // and nobody reads assembly.
    if (lowered.function && (hasOwnAssembly || !hasAssembly(module)))
      return std::move(lowered);
    if (lowered.function && !opaque.function)
      opaque = {std::move(lowered.holder), lowered.function, lowered.arguments};
  }
  if (opaque.function)
    return std::move(opaque);
  if (!first)
    first = std::make_unique<LoweringError>(
        "it is a '" + kernel->getName().getStringRef().str() +
            "', of which lowering makes no function",
        kernel.getLoc());
  return llvm::Error(std::move(first));
}

} // namespace swizzle
