//===- Isolate.cpp - A kernel in a module of its own ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the kernel and what it refers to out of its module, makes a plain
// function of it, turns workgroup memory into named arrays, and forgets address
// spaces: which memory a pointer leads to is found out when it is used.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace swizzle::host {

std::string describe(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
  if (auto name = dyn_cast<NameLoc>(location))
    return describe(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return describe(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string text = describe(part); text != "unknown location")
        return text;
  return "unknown location";
}

llvm::Error makeUnchecked(Operation *op, llvm::StringRef why) {
  std::string text = "op " + op->getName().getStringRef().str() + " at " +
                     describe(op->getLoc());
  if (!why.empty())
    text += ": " + why.str();
  return llvm::make_error<UncheckedError>(text);
}

uint32_t Compilation::addSite(Operation *op, AccessKind kind, int64_t bytes) {
  HostSite site;
  site.location = describe(op->getLoc());
  site.op = op->getName().getStringRef().str();
  site.kind = kind;
  site.bytes = bytes;
  sites.push_back(std::move(site));
  return sites.size() - 1;
}

Value makeInteger(OpBuilder &b, Location loc, int64_t value, unsigned bits) {
  Type type = b.getIntegerType(bits);
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
}

Value makeAddress(OpBuilder &b, Location loc, const void *address) {
  return LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()),
      makeInteger(b, loc, reinterpret_cast<intptr_t>(address)));
}

Value callRuntime(OpBuilder &b, Location loc, llvm::StringRef name, Type result,
                  ValueRange arguments) {
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module)
    module = cast<ModuleOp>(b.getInsertionBlock()->getParentOp());
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        result ? result : LLVM::LLVMVoidType::get(b.getContext()),
        llvm::to_vector(arguments.getTypes()));
    function = LLVM::LLVMFuncOp::create(b, b.getUnknownLoc(), name, type);
  }
  auto call = LLVM::CallOp::create(b, loc, function, arguments);
  return result ? call.getResult() : Value();
}

namespace {

bool isWorkgroupSpace(Attribute space) {
  if (auto gpu = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpu.getValue() == gpu::AddressSpace::Workgroup;
  auto integer = dyn_cast_or_null<IntegerAttr>(space);
  return integer && integer.getInt() == 3;
}

/// Copies of what `kernel` refers to, and of itself, into `module`.
void cloneReachable(FunctionOpInterface kernel, ModuleOp module) {
  Operation *table = SymbolTable::getNearestSymbolTable(kernel->getParentOp());
  llvm::SetVector<Operation *> reached;
  reached.insert(kernel);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto uses = SymbolTable::getSymbolUses(reached[i]);
    if (!uses)
      continue;
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *symbol = SymbolTable::lookupNearestSymbolFrom(
              use.getUser(), use.getSymbolRef()))
        if (symbol->getParentOp() == table ||
            isa<ModuleOp>(symbol->getParentOp()))
          reached.insert(symbol);
  }
  OpBuilder b(module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  for (Operation *op : reached)
    b.clone(*op);
}

/// Name of a new array of workgroup memory that has the type of a memref.
std::string addArray(ModuleOp module, MemRefType type, Compilation &c) {
  std::string name =
      "swizzle_workgroup_" + std::to_string(c.workgroupArrays.size());
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(module.getBody());
  memref::GlobalOp::create(b, b.getUnknownLoc(), name,
                           b.getStringAttr("private"), type, b.getUnitAttr(),
                           /*constant=*/false, /*alignment=*/IntegerAttr());
  c.workgroupArrays.push_back({name, 0});
  return name;
}

llvm::Error convertFunction(gpu::GPUFuncOp kernel, ModuleOp module,
                            Compilation &c) {
  OpBuilder b(kernel);
  Location loc = kernel.getLoc();
  Block &entry = kernel.getBody().front();
  b.setInsertionPointToStart(&entry);
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(array.getType());
    array.replaceAllUsesWith(
        memref::GetGlobalOp::create(b, loc, type, addArray(module, type, c)));
  }
  for (BlockArgument array : kernel.getPrivateAttributions())
    array.replaceAllUsesWith(
        memref::AllocaOp::create(b, loc, cast<MemRefType>(array.getType())));
  entry.eraseArguments(kernel.getFunctionType().getNumInputs(),
                       entry.getNumArguments() -
                           kernel.getFunctionType().getNumInputs());
  b.setInsertionPoint(kernel);
  auto function =
      func::FuncOp::create(b, loc, kernel.getName(), kernel.getFunctionType());
  function.getBody().takeBody(kernel.getBody());
  kernel.erase();
  function.walk([&](gpu::ReturnOp op) {
    OpBuilder at(op);
    func::ReturnOp::create(at, op.getLoc(), op.getOperands());
    op.erase();
  });
  return llvm::Error::success();
}

/// Allocations of workgroup memory inside a function.
llvm::Error nameWorkgroupMemory(ModuleOp module, Compilation &c) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    OpBuilder b(op);
    if (auto global = dyn_cast<memref::GlobalOp>(op)) {
      if (isWorkgroupSpace(global.getType().getMemorySpace()) &&
          !llvm::StringRef(global.getSymName()).starts_with("swizzle_"))
        c.workgroupArrays.push_back({global.getSymName().str(), 0});
      continue;
    }
    if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      if (global.getAddrSpace() == 3)
        c.workgroupArrays.push_back({global.getSymName().str(), 0});
      continue;
    }
    if (auto dynamic = dyn_cast<gpu::DynamicSharedMemoryOp>(op)) {
      auto type = dynamic.getResultMemref().getType();
      auto array = MemRefType::get({c.dynamicWorkgroupBytes}, b.getI8Type(),
                                   AffineMap(), type.getMemorySpace());
      std::string name = "swizzle_dynamic_memory";
      if (!module.lookupSymbol(name)) {
        OpBuilder top(module.getContext());
        top.setInsertionPointToStart(module.getBody());
        memref::GlobalOp::create(top, op->getLoc(), name,
                                 b.getStringAttr("private"), array,
                                 b.getUnitAttr(), false, IntegerAttr());
        c.workgroupArrays.push_back({name, 0});
      }
      Value whole = memref::GetGlobalOp::create(b, op->getLoc(), array, name);
      op->getResult(0).replaceAllUsesWith(
          memref::CastOp::create(b, op->getLoc(), type, whole));
      op->erase();
      continue;
    }
    if (!isa<memref::AllocOp, memref::AllocaOp>(op))
      continue;
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (!isWorkgroupSpace(type.getMemorySpace()))
      continue;
    if (!type.hasStaticShape())
      return makeUnchecked(op,
                           "workgroup memory of a size decided at run time");
    op->getResult(0).replaceAllUsesWith(memref::GetGlobalOp::create(
        b, op->getLoc(), type, addArray(module, type, c)));
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    op->erase();
  }
  // What frees workgroup memory frees nothing.
  module.walk([](memref::DeallocOp op) {
    if (isWorkgroupSpace(op.getMemref().getType().getMemorySpace()))
      op.erase();
  });
  return llvm::Error::success();
}

void forgetSpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement(
      [](LLVM::LLVMPointerType type) -> std::optional<Type> {
        if (!type.getAddressSpace())
          return std::nullopt;
        return LLVM::LLVMPointerType::get(type.getContext());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (auto global = dyn_cast<LLVM::GlobalOp>(op))
      global.setAddrSpace(0);
    if (isa<memref::MemorySpaceCastOp, LLVM::AddrSpaceCastOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
}

} // namespace

llvm::Expected<OwningOpRef<ModuleOp>> isolate(FunctionOpInterface kernel,
                                              Compilation &c) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel->getLoc());
  cloneReachable(kernel, *module);
  SmallVector<gpu::GPUFuncOp> functions(module->getOps<gpu::GPUFuncOp>());
  for (gpu::GPUFuncOp function : functions)
    if (llvm::Error error = convertFunction(function, *module, c))
      return error;
  if (llvm::Error error = nameWorkgroupMemory(*module, c))
    return error;
  if (!c.lowered)
    forgetSpaces(*module);
  // Attributes and conventions that mean something to a GPU only.
  module->walk([](LLVM::LLVMFuncOp function) {
    function.setCConv(LLVM::cconv::CConv::C);
    for (NamedAttribute attribute :
         llvm::to_vector(function->getDiscardableAttrs()))
      function->removeDiscardableAttr(attribute.getName());
    function.removeTargetCpuAttr();
    function.removeTargetFeaturesAttr();
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.setArgAttrs(i, ArrayRef<NamedAttribute>{});
  });
  module->walk([](func::FuncOp function) {
    for (NamedAttribute attribute :
         llvm::to_vector(function->getDiscardableAttrs()))
      function->removeDiscardableAttr(attribute.getName());
  });
  return module;
}

} // namespace swizzle::host
