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

#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
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
/// kept, so that the model does not hang on what some pass happens to clean up.
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

static bool isLowered(Operation *root) {
  return !root->walk([](Operation *op) {
                if (isa<ModuleOp, gpu::GPUModuleOp>(op))
                  return WalkResult::advance();
                Dialect *dialect = op->getDialect();
                return isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect,
                                       ROCDL::ROCDLDialect>(dialect)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              }).wasInterrupted();
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
  return module;
}

llvm::Expected<LoweredKernel>
lowerKernel(FunctionOpInterface kernel, const KernelLoweringOptions &options) {
  // Passes that come here depend on these; tools may not.
  DialectRegistry registry;
  registerLoweringDialects(registry);
  for (StringRef name : registry.getDialectNames())
    if (!kernel->getContext()->getLoadedDialect(name)) {
      kernel->getContext()->appendDialectRegistry(registry);
      kernel->getContext()->getOrLoadDialect(name);
    }
  LoweredKernel lowered;
  lowered.arguments = describeArguments(kernel);
  gpu::GPUModuleOp module = createHolder(kernel, lowered.holder);
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
  }

  std::string message;
  Location where = kernel.getLoc();
  if (!isLowered(module)) {
    ScopedDiagnosticHandler handler(
        kernel.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              message.empty()) {
            message = diagnostic.str();
            where = diagnostic.getLocation();
          }
          return success();
        });
    LoweringTarget target;
    target.vendor = chooseVendor(kernel, options.vendor);
    bool amd = target.vendor == GpuVendor::AMD;
    target.arch = amd ? "gfx942" : "sm_90";
    target.waveSize = options.waveSize ? options.waveSize : amd ? 64 : 32;
    LoweringOptions how;
    how.unrollTransfers = true;
    if (failed(lowerGpuModule(module, target, how)))
      return llvm::make_error<LoweringError>(
          message.empty() ? "it cannot be lowered to the llvm dialect"
                          : message,
          where);
  }
  lowered.function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getName());
  if (!lowered.function)
    return llvm::make_error<LoweringError>(
        "it is a '" + kernel->getName().getStringRef().str() +
            "', of which lowering makes no function",
        kernel.getLoc());
  return std::move(lowered);
}

} // namespace swizzle
