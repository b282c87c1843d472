//===- CloneKernel.cpp - A kernel in a module of its own ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//
// Clones a kernel with what it refers to, notes in the locations which
// operation of the user each one is, and replaces the readings of workgroup ids
// by calls that no pass touches.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace swizzle;

/// `kernel` and all symbols that it needs, from the table that it stands in.
llvm::SetVector<Operation *> swizzle::closureOf(FunctionOpInterface kernel) {
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
    op->setLoc(
        FusedLoc::get(context, {op->getLoc()}, op->getName().getIdentifier()));
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
  if (!llvm::all_of(
          llvm::concat<const Type>(type.getInputs(), type.getResults()),
          [](Type one) { return LLVM::isCompatibleType(one); })) {
    if (!function) {
      auto fresh = func::FuncOp::create(declare, location, full, type);
      fresh.setPrivate();
      function = fresh;
    }
    return func::CallOp::create(builder, location, cast<func::FuncOp>(function),
                                operands);
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
  Value result =
      callMarker(builder, location, name + "." + text(number), number, {})
          ->getResult(0);
  if (type.isIndex())
    result = arith::IndexCastOp::create(builder, location, type, result);
  return result;
}

/// Lowering drops what nobody uses, loads included, and loops that may never
/// end. What is in the kernel is kept, so that the model does not depend on
/// which pass removes what.
static void keepUnused(FunctionOpInterface function) {
  SmallVector<Value> unused;
  function.getFunctionBody().walk([&](Operation *op) {
    // What uses the results of a loop may be dropped first.
    if (auto loop = dyn_cast<scf::WhileOp>(op);
        loop && wouldOpBeTriviallyDead(op))
      unused.push_back(loop.getConditionOp().getCondition());
    if (!isOpTriviallyDead(op) || op->hasTrait<OpTrait::ConstantLike>())
      return;
    for (Value result : op->getResults())
      if (Type element = getElementTypeOrSelf(result.getType());
          element.isIntOrIndexOrFloat() && !isa<ShapedType>(element) &&
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
      result.replaceAllUsesWith(
          callNumber(builder, remap.getLoc(), kRemapMarker, result.getType()));
    remap->erase();
  }
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
    auto cast = UnrealizedConversionCastOp::create(builder, function.getLoc(),
                                                   map, ValueRange(argument));
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
    if (argument.getArgNumber() < types.size())
      types[argument.getArgNumber()] = pointer;
    any = true;
  }
  if (any)
    function.setType(FunctionType::get(
        builder.getContext(), types,
        cast<FunctionType>(function.getFunctionType()).getResults()));
}

/// `said`, what the module says of its layout, and LLVM's layout of the
/// vendor's target for integers and for pointers if it says nothing of them:
/// where elements and members lie hangs on it.
static Attribute layoutOf(Builder &builder, GpuVendor vendor,
                          DataLayoutSpecInterface said) {
  llvm::Triple triple(vendor == GpuVendor::NVIDIA ? "nvptx64-nvidia-cuda"
                                                  : "amdgcn-amd-amdhsa");
  llvm::DataLayout layout(triple.computeDataLayout());
  SmallVector<DataLayoutEntryInterface> entries;
  if (said)
    llvm::append_range(entries, said.getEntries());
  auto says = [&](auto isOne) {
    return said && llvm::any_of(said.getEntries(), [&](auto entry) {
             auto type = dyn_cast<Type>(entry.getKey());
             return type && isOne(type);
           });
  };
  auto add = [&](Type type, ArrayRef<int64_t> bits) {
    entries.push_back(
        DataLayoutEntryAttr::get(type, builder.getI64VectorAttr(bits)));
  };
  constexpr unsigned widest = 256, spaces = 10; // that either target lists
  if (!says([](Type type) { return isa<IntegerType>(type); }))
    for (unsigned bits = 8; bits <= widest; bits *= 2) {
      int64_t aligned = 8 * layout.getABIIntegerTypeAlignment(bits).value();
      add(builder.getIntegerType(bits), {aligned, aligned});
    }
  if (!says([](Type type) { return isa<LLVM::LLVMPointerType>(type); }))
    for (unsigned space = 0; space < spaces; ++space) {
      int64_t aligned = 8 * layout.getPointerABIAlignment(space).value();
      add(LLVM::LLVMPointerType::get(builder.getContext(), space),
          {layout.getPointerSizeInBits(space), aligned, aligned,
           layout.getIndexSizeInBits(space)});
    }
  return DataLayoutSpecAttr::get(builder.getContext(), entries);
}

gpu::GPUModuleOp
swizzle::cloneKernel(FunctionOpInterface kernel,
                     const llvm::SetVector<Operation *> &symbols,
                     GpuVendor vendor, OwningOpRef<ModuleOp> &holder) {
  holder = ModuleOp::create(kernel.getLoc());
  auto builder = OpBuilder::atBlockEnd(holder->getBody());
  auto module =
      gpu::GPUModuleOp::create(builder, kernel.getLoc(), "swizzle_reading");
  // What the modules around the kernel say of data layouts: of each attribute
  // the nearest, but for the layout itself, which they say together.
  SmallVector<DataLayoutSpecInterface> layouts; // the outermost first
  for (Operation *around = kernel->getParentOp(); around;
       around = around->getParentOp()) {
    for (NamedAttribute attribute : around->getAttrs())
      if (attribute.getName().getValue().starts_with("dlti.") &&
          !module->hasAttr(attribute.getName()))
        module->setAttr(attribute.getName(), attribute.getValue());
    if (auto layout = around->getAttrOfType<DataLayoutSpecInterface>(
            DLTIDialect::kDataLayoutAttrName))
      layouts.insert(layouts.begin(), layout);
  }
  DataLayoutSpecInterface together;
  if (!layouts.empty())
    together = layouts.back().combineWith(ArrayRef(layouts).drop_back());
  module->setAttr(DLTIDialect::kDataLayoutAttrName,
                  layoutOf(builder, vendor, together));
  Block *body = &module.getBodyRegion().front();
  for (Operation *symbol : symbols) {
    Operation *copy = symbol->clone();
    body->push_back(copy);
    noteOrigins(copy);
  }
  for (FunctionOpInterface function :
       llvm::to_vector(module.getOps<FunctionOpInterface>())) {
    keepUnused(function);
    replaceIds(function);
    passTensorMaps(function);
  }
  return module;
}

Operation *swizzle::findMarker(const llvm::SetVector<Operation *> &symbols) {
  auto isMarker = [](StringRef name) {
    return name.starts_with(kIdMarker) || name.starts_with(kRemapMarker) ||
           name.starts_with(kKeepMarker);
  };
  Operation *found = nullptr;
  for (Operation *symbol : symbols) {
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
