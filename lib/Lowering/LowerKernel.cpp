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

/// A call of a function without a body, called `name`, with one result.
static Value callMarker(OpBuilder &builder, Location location, StringRef name,
                        Type type) {
  Operation *op = builder.getInsertionBlock()->getParentOp();
  bool isLlvm = isa<LLVM::LLVMFuncOp>(op) ||
                op->getParentOfType<LLVM::LLVMFuncOp>();
  while (!op->hasTrait<OpTrait::SymbolTable>())
    op = op->getParentOp();
  std::string full;
  llvm::raw_string_ostream(full) << name << '.' << type;
  OpBuilder declare = OpBuilder::atBlockBegin(&op->getRegion(0).front());
  Operation *function = SymbolTable::lookupSymbolIn(op, full);
  if (isLlvm) {
    if (!function)
      function = LLVM::LLVMFuncOp::create(
          declare, location, full, LLVM::LLVMFunctionType::get(type, {}));
    return LLVM::CallOp::create(builder, location,
                                cast<LLVM::LLVMFuncOp>(function), ValueRange())
        .getResult();
  }
  if (!function) {
    function = func::FuncOp::create(declare, location, full,
                                    builder.getFunctionType({}, type));
    cast<func::FuncOp>(function).setPrivate();
  }
  return func::CallOp::create(builder, location, cast<func::FuncOp>(function))
      .getResult(0);
}

/// Replaces what findIdReadings() finds, and remaps, by calls of markers.
static void replaceIds(FunctionOpInterface function) {
  for (const IdReading &reading : findIdReadings(function)) {
    OpBuilder builder(reading.op);
    Location location = reading.op->getLoc();
    std::string name = (kIdMarker + Twine("xyz"[reading.axis])).str();
    Value id = callMarker(builder, location, name,
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
      result.replaceAllUsesWith(callMarker(builder, remap.getLoc(),
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
  for (FunctionOpInterface function : functions)
    replaceIds(function);

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
