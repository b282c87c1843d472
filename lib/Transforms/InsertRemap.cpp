//===- InsertRemap.cpp - Route a kernel's ids through a remap -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A permutation of ids is only one if every use of an id sees it. So all
// readings are rewritten at once, from one list, and functions that the kernel
// calls get the new ids as arguments rather than a remap of their own: one op
// in a kernel states the whole change. Such functions are copied first, since
// another kernel may call them and must not notice.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/InsertRemap.h"

#include "swizzle/Analysis/Describe/Kernels.h"
#include "swizzle/Analysis/Legality/Legality.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace swizzle {

/// Whose registers an LLVM kernel reads: by its mark, else by what it or its
/// callees read.
static std::optional<GpuVendor> vendorOf(FunctionOpInterface kernel,
                                         ArrayRef<IdReading> readings) {
  if (std::optional<GpuVendor> marked = vendorOfMark(kernel))
    return marked;
  for (const IdReading &reading : readings) {
    std::string name = canonicalName(reading.op);
    if (StringRef(name).starts_with("nvvm."))
      return GpuVendor::NVIDIA;
    if (StringRef(name).starts_with("rocdl."))
      return GpuVendor::AMD;
  }
  return std::nullopt;
}

namespace {
/// The operations of a vendor's dialect that read one register for each axis.
template <typename X, typename Y, typename Z> struct Registers {
  static Value read(OpBuilder &builder, Location loc, unsigned axis) {
    Type i32 = builder.getI32Type();
    if (axis == 0)
      return X::create(builder, loc, i32);
    if (axis == 1)
      return Y::create(builder, loc, i32);
    return Z::create(builder, loc, i32);
  }
};
} // namespace

/// What is read along `axis`, as an index: from a register of `vendor`, or by
/// an operation of the gpu dialect.
template <typename Nvidia, typename Amd, typename Gpu>
static Value readAxis(OpBuilder &builder, Location loc,
                      std::optional<GpuVendor> vendor, unsigned axis) {
  if (!vendor)
    return Gpu::create(builder, loc, gpu::Dimension(axis));
  Value value = *vendor == GpuVendor::NVIDIA ? Nvidia::read(builder, loc, axis)
                                             : Amd::read(builder, loc, axis);
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      value);
}

static constexpr auto readId =
    readAxis<Registers<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>,
             Registers<ROCDL::BlockIdXOp, ROCDL::BlockIdYOp, ROCDL::BlockIdZOp>,
             gpu::BlockIdOp>;
static constexpr auto readExtent =
    readAxis<Registers<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>,
             Registers<ROCDL::GridDimXOp, ROCDL::GridDimYOp, ROCDL::GridDimZOp>,
             gpu::GridDimOp>;
static constexpr auto readBlock = readAxis<
    Registers<NVVM::BlockDimXOp, NVVM::BlockDimYOp, NVVM::BlockDimZOp>,
    Registers<ROCDL::BlockDimXOp, ROCDL::BlockDimYOp, ROCDL::BlockDimZOp>,
    gpu::BlockDimOp>;

/// Replaces one reading by `id`, an index.
static void replaceReading(const IdReading &reading, Value id) {
  Operation *op = reading.op;
  OpBuilder builder(op);
  Value replacement = id;
  if (reading.global) {
    // id * block + thread
    auto axis = gpu::Dimension(reading.axis);
    Value block = gpu::BlockDimOp::create(builder, op->getLoc(), axis);
    Value thread = gpu::ThreadIdOp::create(builder, op->getLoc(), axis);
    Value first = arith::MulIOp::create(builder, op->getLoc(), id, block);
    replacement = arith::AddIOp::create(builder, op->getLoc(), first, thread);
  }
  Type type = op->getResult(0).getType();
  if (!type.isIndex())
    replacement =
        arith::IndexCastUIOp::create(builder, op->getLoc(), type, replacement);
  op->getResult(0).replaceAllUsesWith(replacement);
  op->erase();
}

namespace {
/// Gives functions that read ids a copy that takes them as arguments.
class CalleeRewriter {
public:
  explicit CalleeRewriter(FunctionOpInterface kernel) : kernel(kernel) {}

  /// Rewrites the calls in `function` whose callee reads ids, itself or below.
  void rewriteCalls(FunctionOpInterface function, ArrayRef<Value> ids);

  /// Erases originals that were private and that nobody calls any more.
  void eraseUnused();

private:
  /// True if `function` or what it calls reads an id.
  bool readsIds(FunctionOpInterface function);
  /// The copy of `function` that takes the ids.
  FunctionOpInterface copyOf(FunctionOpInterface function);
  void rewriteCall(CallOpInterface call, FunctionOpInterface copy,
                   ArrayRef<Value> ids);

  FunctionOpInterface kernel;
  llvm::DenseMap<Operation *, bool> reads;
  llvm::MapVector<Operation *, FunctionOpInterface> copies;
};
} // namespace

/// The calls in `function` to functions that have a body.
static SmallVector<std::pair<CallOpInterface, FunctionOpInterface>>
findCalls(FunctionOpInterface function) {
  SmallVector<std::pair<CallOpInterface, FunctionOpInterface>> calls;
  function.getFunctionBody().walk([&](CallOpInterface call) {
    bool indirect = false;
    FunctionOpInterface callee = resolveCallee(call, indirect);
    if (callee && !callee.isExternal())
      calls.push_back({call, callee});
  });
  return calls;
}

bool CalleeRewriter::readsIds(FunctionOpInterface function) {
  auto known = reads.find(function);
  if (known != reads.end())
    return known->second;
  bool result = !findIdReadings(function).empty();
  for (auto &[call, callee] : findCalls(function))
    result |= readsIds(callee);
  reads[function] = result;
  return result;
}

/// With three empty dictionaries inserted at `at`, if there are any.
static ArrayAttr withThreeMore(ArrayAttr attributes, size_t at) {
  if (!attributes)
    return attributes;
  SmallVector<Attribute> all(attributes.getValue());
  all.insert(all.begin() + at, 3, DictionaryAttr::get(attributes.getContext()));
  return ArrayAttr::get(attributes.getContext(), all);
}

/// Gives `function` three more arguments of `type`.
static void addArguments(FunctionOpInterface function, Type type) {
  SmallVector<Type> inputs(function.getArgumentTypes());
  inputs.append(3, type);
  // The interface cannot write the type of an LLVM function without a result.
  if (auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation())) {
    auto old = llvmFunction.getFunctionType();
    llvmFunction.setFunctionType(LLVM::LLVMFunctionType::get(
        old.getReturnType(), inputs, old.isVarArg()));
  } else {
    function.setFunctionTypeAttr(TypeAttr::get(
        function.cloneTypeWith(inputs, function.getResultTypes())));
  }
  if (ArrayAttr attributes = function.getArgAttrsAttr())
    function.setArgAttrsAttr(withThreeMore(attributes, attributes.size()));
  for (unsigned axis = 0; axis < 3; ++axis)
    function.getFunctionBody().front().addArgument(type, function.getLoc());
}

/// Makes of a copy of a function one that is no kernel, whatever the original
/// is, and that has no line of the source of its own, of which there is one for
/// a function.
static void becomeHelper(FunctionOpInterface copy) {
  for (StringRef mark :
       {"gpu.kernel", "nvvm.kernel", "rocdl.kernel", "known_grid_size",
        "known_block_size", "gpu.known_grid_size", "gpu.known_block_size",
        "nvvm.reqntid", "nvvm.maxntid", "nvvm.minctasm", "nvvm.maxnreg",
        "nvvm.cluster_dim", "nvvm.cluster_max_blocks", "nvvm.blocksareclusters",
        "rocdl.reqd_work_group_size", "rocdl.flat_work_group_size",
        "rocdl.max_flat_work_group_size"})
    copy->removeDiscardableAttr(mark);
  if (auto llvmCopy = dyn_cast<LLVM::LLVMFuncOp>(copy.getOperation())) {
    // What is local has no visibility, and is in no group of symbols.
    llvmCopy.setLinkage(LLVM::Linkage::Internal);
    llvmCopy.setVisibility_(LLVM::Visibility::Default);
    llvmCopy.removeComdatAttr();
    if (LLVM::CConv convention = llvmCopy.getCConv();
        convention == LLVM::CConv::PTX_Kernel ||
        convention == LLVM::CConv::AMDGPU_KERNEL)
      llvmCopy.setCConv(LLVM::CConv::C);
  }
  if (auto line = dyn_cast<FusedLoc>(copy.getLoc());
      line && isa_and_nonnull<LLVM::DISubprogramAttr>(line.getMetadata()))
    copy->setLoc(FusedLoc::get(copy.getContext(), line.getLocations()));
}

FunctionOpInterface CalleeRewriter::copyOf(FunctionOpInterface function) {
  auto known = copies.find(function);
  if (known != copies.end())
    return known->second;
  Operation *table = function->getParentWithTrait<OpTrait::SymbolTable>();
  SymbolTable symbols(table);
  auto copy = cast<FunctionOpInterface>(function->clone());
  copy.setName((function.getName() + "_for_" + kernel.getName()).str());
  SymbolTable::setSymbolVisibility(copy, SymbolTable::Visibility::Private);
  becomeHelper(copy);
  symbols.insert(copy, std::next(function->getIterator()));
  copies[function] = copy;

  // LLVM functions take no index.
  bool isLlvm = isa<LLVM::LLVMFuncOp>(copy.getOperation());
  OpBuilder builder(copy.getContext());
  Type type = isLlvm ? Type(builder.getI64Type()) : builder.getIndexType();
  SmallVector<IdReading> readings = findIdReadings(copy);
  addArguments(copy, type);
  SmallVector<Value> ids(copy.getArguments().take_back(3));
  if (isLlvm) {
    builder.setInsertionPointToStart(&copy.getFunctionBody().front());
    for (Value &id : ids)
      id = arith::IndexCastUIOp::create(builder, copy.getLoc(),
                                        builder.getIndexType(), id);
  }
  for (const IdReading &reading : readings)
    replaceReading(reading, ids[reading.axis]);
  rewriteCalls(copy, ids);
  return copy;
}

void CalleeRewriter::rewriteCall(CallOpInterface call, FunctionOpInterface copy,
                                 ArrayRef<Value> ids) {
  OpBuilder builder(call);
  SmallVector<Value> operands(ids);
  if (isa<LLVM::LLVMFuncOp>(copy.getOperation()))
    for (Value &id : operands)
      id = arith::IndexCastUIOp::create(builder, call.getLoc(),
                                        builder.getI64Type(), id);
  auto symbol = cast<SymbolRefAttr>(call.getCallableForCallee());
  SmallVector<FlatSymbolRefAttr> nested(symbol.getNestedReferences());
  auto name = FlatSymbolRefAttr::get(copy.getContext(), copy.getName());
  SymbolRefAttr renamed = name;
  if (!nested.empty()) {
    nested.back() = name;
    renamed = SymbolRefAttr::get(symbol.getRootReference(), nested);
  }
  call.setCalleeFromCallable(renamed);
  // Behind the arguments that have a name: others may follow.
  size_t at = copy.getNumArguments() - 3;
  if (ArrayAttr attributes = withThreeMore(call.getArgAttrsAttr(), at))
    call.setArgAttrsAttr(attributes);
  SmallVector<Value> all(call.getArgOperands());
  all.insert(all.begin() + at, operands.begin(), operands.end());
  // Arguments of an LLVM call are one of its segments of operands.
  if (auto llvmCall = dyn_cast<LLVM::CallOp>(call.getOperation())) {
    llvmCall.getCalleeOperandsMutable().assign(all);
    llvmCall.setCConv(cast<LLVM::LLVMFuncOp>(copy.getOperation()).getCConv());
    if (llvmCall.getVarCalleeType())
      llvmCall.setVarCalleeType(
          cast<LLVM::LLVMFuncOp>(copy.getOperation()).getFunctionType());
  } else {
    call.getArgOperandsMutable().assign(all);
  }
}

void CalleeRewriter::rewriteCalls(FunctionOpInterface function,
                                  ArrayRef<Value> ids) {
  for (auto &[call, callee] : findCalls(function))
    if (readsIds(callee))
      rewriteCall(call, copyOf(callee), ids);
}

/// True if nobody outside of the module knows the function.
static bool isInternal(Operation *function) {
  if (auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function))
    return llvmFunction.getLinkage() == LLVM::Linkage::Internal ||
           llvmFunction.getLinkage() == LLVM::Linkage::Private;
  return cast<SymbolOpInterface>(function).isPrivate();
}

void CalleeRewriter::eraseUnused() {
  // Callers were copied before their callees: erase in that order.
  for (auto &[original, copy] : copies) {
    auto symbol = cast<SymbolOpInterface>(original);
    // A kernel is launched from outside, by a name that need not be in the
    // module.
    if (isInternal(original) &&
        !isKernel(cast<FunctionOpInterface>(original)) &&
        SymbolTable::symbolKnownUseEmpty(
            symbol, original->getParentWithTrait<OpTrait::SymbolTable>()))
      original->erase();
  }
}

/// Drops promises to AMD's back end that the remap breaks: not to read some id,
/// or sizes.
static void allowReads(FunctionOpInterface kernel) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(kernel.getOperation());
  ArrayAttr passed = function ? function.getPassthroughAttr() : ArrayAttr();
  if (!passed)
    return;
  SmallVector<Attribute> kept;
  for (Attribute entry : passed) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    auto promise =
        dyn_cast<StringAttr>(pair && !pair.empty() ? pair[0] : entry);
    if (!promise ||
        !(promise.getValue().starts_with("amdgpu-no-workgroup-id-") ||
          promise == "amdgpu-no-implicitarg-ptr" ||
          promise == "amdgpu-implicitarg-num-bytes" ||
          promise == "amdgpu-no-dispatch-ptr"))
      kept.push_back(entry);
  }
  function.setPassthroughAttr(ArrayAttr::get(kernel.getContext(), kept));
}

/// Puts the variables on the stack in front of all else, with the constants
/// that say how many elements they have: a curve's loop ends the entry block,
/// and behind it they would be no variables.
static void putVariablesFirst(FunctionOpInterface kernel) {
  Block &entry = kernel.getFunctionBody().front();
  Operation *last = nullptr; // of those in front
  auto move = [&](Operation *op) {
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&entry, entry.begin());
    last = op;
  };
  llvm::SmallPtrSet<Operation *, 8> moved;
  for (Operation &op : llvm::make_early_inc_range(entry)) {
    if (!isa<LLVM::AllocaOp, memref::AllocaOp>(op))
      continue;
    if (!llvm::all_of(op.getOperands(), [](Value size) {
          return matchPattern(size, m_Constant());
        }))
      continue;
    for (Value size : op.getOperands())
      if (moved.insert(size.getDefiningOp()).second)
        move(size.getDefiningOp());
    move(&op);
  }
}

RemapOp insertRemap(FunctionOpInterface kernel, FormulaAttr formula,
                    const Grid &grid, bool guarded, std::optional<Grid> block) {
  SmallVector<IdReading> readings = findIdReadings(kernel);
  SmallVector<IdReading> allReadings;
  for (FunctionOpInterface function : reachableFunctions(kernel))
    llvm::append_range(allReadings, findIdReadings(function));
  std::optional<GpuVendor> vendor;
  if (isa<LLVM::LLVMFuncOp>(kernel.getOperation()))
    vendor = vendorOf(kernel, allReadings);
  Location loc = kernel.getLoc();
  putVariablesFirst(kernel);
  OpBuilder builder(kernel.getContext());
  Block &entry = kernel.getFunctionBody().front();
  builder.setInsertionPointToStart(&entry);
  for (Operation &op : entry)
    if (isa<LLVM::AllocaOp, memref::AllocaOp>(op))
      builder.setInsertionPointAfter(&op);
    else if (!op.hasTrait<OpTrait::ConstantLike>())
      break;
  Value ids[3];
  for (unsigned axis = 0; axis < 3; ++axis)
    ids[axis] = readId(builder, loc, vendor, axis);
  SmallVector<Value> extents;
  if (guarded || !grid.isStatic())
    for (unsigned axis = 0; axis < 3; ++axis)
      extents.push_back(readExtent(builder, loc, vendor, axis));
  Type index = builder.getIndexType();
  auto remap = RemapOp::create(builder, loc, {index, index, index}, ids[0],
                               ids[1], ids[2], extents, formula,
                               llvm::ArrayRef<int64_t>(grid.extent), guarded);
  SmallVector<Value> results(remap->getResults());
  if (block) {
    // All workgroups of a launch have one block: they all keep their ids, or
    // none does.
    Value same;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((*block)[axis] == kUnknownExtent)
        continue;
      Value extent = readBlock(builder, loc, vendor, axis);
      Value known =
          arith::ConstantIndexOp::create(builder, loc, (*block)[axis]);
      Value equal = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, extent, known);
      same = same ? arith::AndIOp::create(builder, loc, same, equal) : equal;
    }
    for (auto [result, id] : llvm::zip(results, ids))
      if (same)
        result = arith::SelectOp::create(builder, loc, same, result, id);
  }
  for (const IdReading &reading : readings)
    replaceReading(reading, results[reading.axis]);
  CalleeRewriter callees(kernel);
  callees.rewriteCalls(kernel, results);
  callees.eraseUnused();
  allowReads(kernel);
  return remap;
}

} // namespace swizzle
