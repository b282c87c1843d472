//===- LowerKernel.cpp - One kernel as the llvm dialect -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones the kernel and what it refers to into a module of their own, notes in
// the locations which operation of the user each one is, replaces the readings
// of workgroup ids by calls that no pass touches, and lowers the clone.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Lowering/LowerKernel.h"

#include "swizzle/Hardware/Database.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

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
    else if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op))
      used = intrinsic.getIntrin().starts_with("llvm.amdgcn.")
                 ? GpuVendor::AMD
                 : used;
    return used ? WalkResult::interrupt() : WalkResult::advance();
  });
  return used.value_or(fallback.value_or(GpuVendor::NVIDIA));
}

StringRef originalOperation(Location location) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    if (auto name = dyn_cast_or_null<StringAttr>(fused.getMetadata()))
      return name.getValue();
    for (Location inner : fused.getLocations())
      if (StringRef name = originalOperation(inner); !name.empty())
        return name;
  }
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return originalOperation(call.getCallee());
  if (auto named = dyn_cast<NameLoc>(location))
    return originalOperation(named.getChildLoc());
  return "";
}

Location originalLocation(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  if (fused && fused.getLocations().size() == 1 &&
      isa_and_nonnull<StringAttr>(fused.getMetadata()))
    return fused.getLocations().front();
  return location;
}

/// `kernel` and all symbols that it needs, from the table that it stands in.
static llvm::SetVector<Operation *> closureOf(FunctionOpInterface kernel) {
  llvm::SetVector<Operation *> needed;
  needed.insert(kernel);
  for (size_t i = 0; i < needed.size(); ++i) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(needed[i]);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (Operation *symbol = SymbolTable::lookupNearestSymbolFrom(
              use.getUser(), use.getSymbolRef()))
        if (symbol->getParentOp() == kernel->getParentOp())
          needed.insert(symbol);
  }
  return needed;
}

static void noteOrigins(Operation *root) {
  MLIRContext *context = root->getContext();
  root->walk([&](Operation *op) {
    op->setLoc(FusedLoc::get(context, {op->getLoc()},
                             op->getName().getIdentifier()));
  });
}

/// A declaration called `name` beside the function that `builder` is in, and a
/// call of it: of the llvm dialect where that has the types.
static Operation *callMarker(OpBuilder &builder, Location location,
                             const Twine &name, TypeRange results,
                             ValueRange operands) {
  Operation *table = builder.getInsertionBlock()->getParentOp();
  while (!table->hasTrait<OpTrait::SymbolTable>())
    table = table->getParentOp();
  std::string full = name.str();
  OpBuilder declare = OpBuilder::atBlockBegin(&table->getRegion(0).front());
  Operation *function = SymbolTable::lookupSymbolIn(table, full);
  auto type = builder.getFunctionType(operands.getTypes(), results);
  if (!llvm::all_of(llvm::concat<const Type>(type.getInputs(),
                                             type.getResults()),
                    [](Type one) { return LLVM::isCompatibleType(one); })) {
    if (!function) {
      auto fresh = func::FuncOp::create(declare, location, full, type);
      fresh.setPrivate();
      function = fresh;
    }
    return func::CallOp::create(builder, location,
                                cast<func::FuncOp>(function), operands);
  }
  if (!function)
    function = LLVM::LLVMFuncOp::create(
        declare, location, full,
        LLVM::LLVMFunctionType::get(
            results.empty() ? LLVM::LLVMVoidType::get(builder.getContext())
                            : results.front(),
            type.getInputs()));
  return LLVM::CallOp::create(builder, location,
                              cast<LLVM::LLVMFuncOp>(function), operands);
}

static std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

/// What a function called `name` and the type returns, an integer.
static Value callNumber(OpBuilder &builder, Location location,
                        const Twine &name, Type type) {
  Type number = type.isIndex() ? builder.getI64Type() : type;
  Value result = callMarker(builder, location, name + "." + text(number),
                            number, {})
                     ->getResult(0);
  if (type.isIndex())
    result = arith::IndexCastOp::create(builder, location, type, result);
  return result;
}

/// Lowering drops what nobody uses, loads included. What is in the kernel is
/// kept, so that the model does not depend on which pass removes what.
static void keepUnused(FunctionOpInterface function) {
  SmallVector<Value> unused;
  function.getFunctionBody().walk([&](Operation *op) {
    if (!isOpTriviallyDead(op) || op->hasTrait<OpTrait::ConstantLike>())
      return;
    for (Value result : op->getResults())
      if (Type element = getElementTypeOrSelf(result.getType());
          element.isIntOrIndexOrFloat() &&
          !isa<ShapedType>(element) &&
          (element == result.getType() || isa<VectorType>(result.getType())))
        unused.push_back(result);
  });
  for (Value value : unused) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Type element = getElementTypeOrSelf(value.getType());
    if (element.isIndex()) {
      Type wide = builder.getI64Type();
      if (auto vector = dyn_cast<VectorType>(value.getType()))
        wide = vector.clone(wide);
      value = arith::IndexCastOp::create(builder, value.getLoc(), wide, value);
    }
    callMarker(builder, value.getLoc(),
               kKeepMarker + "." + text(value.getType()), {}, value);
  }
}

/// Replaces what findIdReadings() finds, and remaps, by calls of markers.
static void replaceIds(FunctionOpInterface function) {
  for (const IdReading &reading : findIdReadings(function)) {
    OpBuilder builder(reading.op);
    Location location = reading.op->getLoc();
    Value id =
        callNumber(builder, location, kIdMarker + Twine("xyz"[reading.axis]),
                   reading.op->getResult(0).getType());
    if (reading.global) {
      auto axis = cast<gpu::GlobalIdOp>(reading.op).getDimension();
      Value size = gpu::BlockDimOp::create(builder, location, axis);
      Value thread = gpu::ThreadIdOp::create(builder, location, axis);
      Value start = arith::MulIOp::create(builder, location, id, size);
      id = arith::AddIOp::create(builder, location, start, thread);
    }
    reading.op->getResult(0).replaceAllUsesWith(id);
    reading.op->erase();
  }
  SmallVector<RemapOp> remaps;
  function->walk([&](RemapOp remap) { remaps.push_back(remap); });
  for (RemapOp remap : remaps) {
    OpBuilder builder(remap);
    for (Value result : remap->getResults())
      result.replaceAllUsesWith(callNumber(builder, remap.getLoc(),
                                           kRemapMarker, result.getType()));
    remap->erase();
  }
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
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
    Type type = kernel.getArgumentTypes()[index];
    auto memref = dyn_cast<MemRefType>(type);
    if (isa<UnrankedMemRefType>(type)) {
      arguments.push_back({Role::Unknown, index, 0});
      arguments.push_back({Role::Unknown, index, 0});
      continue;
    }
    if (!memref) {
      arguments.push_back({Role::Same, index, 0});
      continue;
    }
    for (Role role : {Role::Allocation, Role::Pointer, Role::Offset})
      arguments.push_back({role, index, 0});
    for (Role role : {Role::Size, Role::Stride})
      for (unsigned dim = 0; dim < memref.getRank(); ++dim)
        arguments.push_back({role, index, dim});
  }
  return arguments;
}

/// Upstream gives functions without a body one that calls a wrapper.
static void dropWrapper(gpu::GPUModuleOp module, StringRef name) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  Operation *wrapper = module.lookupSymbol(("_mlir_ciface_" + name).str());
  if (!function || !wrapper || function.isExternal())
    return;
  Region &body = function.getBody();
  body.dropAllReferences();
  body.getBlocks().clear();
  function.setLinkage(LLVM::Linkage::External);
  wrapper->erase();
}

/// Tensor maps are handed over as pointers to them. Upstream converts what uses
/// one, but not the signature of a function.
static void passTensorMaps(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  Block &entry = function.getFunctionBody().front();
  auto builder = OpBuilder::atBlockBegin(&entry);
  SmallVector<Type> types(function.getArgumentTypes());
  bool any = false;
  for (BlockArgument argument : entry.getArguments()) {
    if (!isa<nvgpu::TensorMapDescriptorType>(argument.getType()))
      continue;
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type map = argument.getType();
    argument.setType(pointer);
    auto cast = UnrealizedConversionCastOp::create(
        builder, function.getLoc(), map, ValueRange(argument));
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
    if (argument.getArgNumber() < types.size())
      types[argument.getArgNumber()] = pointer;
    any = true;
  }
  if (any)
    function.setType(
        FunctionType::get(builder.getContext(), types,
                          cast<FunctionType>(function.getFunctionType())
                              .getResults()));
}

/// Both vendors align integers to their size, up to 64 bits: where members of
/// structs lie hangs on it. Without a layout, 64 bits are aligned to 32.
static Attribute alignedIntegers(Builder &builder) {
  SmallVector<DataLayoutEntryInterface> entries;
  for (int64_t bits : {8, 16, 32, 64})
    entries.push_back(
        DataLayoutEntryAttr::get(builder.getIntegerType(bits),
                                 builder.getI64VectorAttr({bits, bits})));
  return DataLayoutSpecAttr::get(builder.getContext(), entries);
}

/// A gpu.module in a module of its own, with what the one around `kernel` says
/// of data layouts.
static gpu::GPUModuleOp createHolder(FunctionOpInterface kernel,
                                     OwningOpRef<ModuleOp> &holder) {
  holder = ModuleOp::create(kernel.getLoc());
  auto builder = OpBuilder::atBlockEnd(holder->getBody());
  auto module =
      gpu::GPUModuleOp::create(builder, kernel.getLoc(), "swizzle_reading");
  for (Operation *around = kernel->getParentOp(); around;
       around = around->getParentOp())
    for (NamedAttribute attribute : around->getAttrs())
      if (attribute.getName().getValue().starts_with("dlti.") &&
          !module->hasAttr(attribute.getName()))
        module->setAttr(attribute.getName(), attribute.getValue());
  if (!module->hasAttr(DLTIDialect::kDataLayoutAttrName))
    module->setAttr(DLTIDialect::kDataLayoutAttrName,
                    alignedIntegers(builder));
  return module;
}

/// Clones `kernel` and what it needs into `lowered`, ready to be lowered.
/// Returns the names of functions without a body.
static SmallVector<std::string> cloneKernel(FunctionOpInterface kernel,
                                            gpu::GPUModuleOp module) {
  Block *body = &module.getBodyRegion().front();
  for (Operation *symbol : closureOf(kernel)) {
    Operation *copy = symbol->clone();
    body->push_back(copy);
    noteOrigins(copy);
  }
  SmallVector<FunctionOpInterface> functions(
      module.getOps<FunctionOpInterface>());
  for (FunctionOpInterface function : functions) {
    keepUnused(function);
    replaceIds(function);
    passTensorMaps(function);
  }
  SmallVector<std::string> external;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function.isExternal())
      external.push_back(function.getName().str());
  return external;
}

/// A function of the user's that has the name of one of our markers.
static Operation *findMarker(FunctionOpInterface kernel) {
  auto isMarker = [](StringRef name) {
    return name.starts_with(kIdMarker) || name.starts_with(kRemapMarker) ||
           name.starts_with(kKeepMarker);
  };
  Operation *found = nullptr;
  for (Operation *symbol : closureOf(kernel)) {
    if (auto name = SymbolTable::getSymbolName(symbol); isMarker(name))
      return symbol;
    symbol->walk([&](CallOpInterface call) {
      auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      if (callee && isMarker(callee.getLeafReference().getValue()))
        found = call;
    });
  }
  return found;
}

static std::string describeUnlowered(StringRef name) {
  return ("'" + name +
          "' is not known to be harmless: it has no lowering to the llvm "
          "dialect")
      .str();
}

/// Lowers `module`; what stopped it, if something did.
static std::optional<std::pair<std::string, Location>>
tryToLower(gpu::GPUModuleOp module, const LoweringTarget &target) {
  std::string message;
  Location where = module.getLoc();
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            message.empty()) {
          message = diagnostic.str();
          where = diagnostic.getLocation();
        }
        return success();
      });
  ModuleLoweringOptions how;
  how.unrollTransfers = true;
  if (failed(lowerGpuModule(module, target, how)))
    return std::make_pair(
        message.empty() ? "it cannot be lowered to the llvm dialect" : message,
        where);
  if (Operation *left = findUnlowered(module)) {
    StringRef user = originalOperation(left->getLoc());
    if (user.empty())
      user = left->getName().getStringRef();
    return std::make_pair(describeUnlowered(user), left->getLoc());
  }
  return std::nullopt;
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
  auto add = [&](StringRef architecture) {
    if (llvm::none_of(targets, [&](const LoweringTarget &other) {
          return other.arch == architecture;
        })) {
      target.arch = architecture.str();
      targets.push_back(target);
    }
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
static Operation *findForeign(FunctionOpInterface kernel,
                              const DialectRegistry &known) {
  Operation *foreign = nullptr;
  for (Operation *symbol : closureOf(kernel))
    symbol->walk([&](Operation *op) {
      StringRef dialect = op->getName().getDialectNamespace();
      if (isa<RemapOp>(op) ||
          llvm::is_contained(known.getDialectNames(), dialect) ||
          isa<UnrealizedConversionCastOp>(op))
        return WalkResult::advance();
      foreign = op;
      return WalkResult::interrupt();
    });
  return foreign;
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
  if (Operation *foreign = findForeign(kernel, registry))
    return llvm::make_error<LoweringError>(
        describeUnlowered(foreign->getName().getStringRef()),
        foreign->getLoc());
  if (Operation *marker = findMarker(kernel))
    return llvm::make_error<LoweringError>(
        "the name of a function begins like those that stand for workgroup ids "
        "in the analysis ('" + kIdMarker.str() + "'); rename it",
        marker->getLoc());
  LoweredKernel lowered;
  lowered.arguments = describeArguments(kernel);
  std::optional<std::pair<std::string, Location>> first;
  for (const LoweringTarget &target : targetsFor(kernel, options)) {
    gpu::GPUModuleOp module = createHolder(kernel, lowered.holder);
    SmallVector<std::string> external = cloneKernel(kernel, module);
    std::optional<std::pair<std::string, Location>> failure;
    if (findUnlowered(module))
      failure = tryToLower(module, target);
    if (failure) {
      if (!first)
        first = failure;
      continue;
    }
    for (const std::string &name : external)
      dropWrapper(module, name);
    lowered.function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getName());
    if (lowered.function)
      return std::move(lowered);
  }
  if (!first)
    first = {"it is a '" + kernel->getName().getStringRef().str() +
                 "', of which lowering makes no function",
             kernel.getLoc()};
  return llvm::make_error<LoweringError>(first->first, first->second);
}

} // namespace swizzle
