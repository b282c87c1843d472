//===- Instrument.cpp - Every access is announced -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on the llvm dialect, where all that touches memory is a handful of
// operations and still knows where it came from. A call in front of each says
// what is about to be touched; it does not come back if that is out of bounds.
// Operations that are left over from other dialects make the kernel unchecked.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace swizzle::host {

namespace {

class Instrumentation {
public:
  Instrumentation(ModuleOp module, Compilation &c)
      : module(module), c(c), layout(module), b(module.getContext()) {}

  llvm::Error run(StringRef kernel);

private:
  int64_t bytesOf(Type type);
  Value plain(Value pointer);
  Value handle() { return makeAddress(b, loc, c.workgroup); }
  Value siteOf(Operation *op, AccessKind kind, int64_t bytes) {
    return makeInteger(b, loc, c.addSite(op, kind, bytes), 32);
  }
  bool isPrivate(Value pointer);
  Value maskBits(Value mask);
  llvm::Error instrument(Operation *op);
  void announce(Operation *op, Value pointer, AccessKind kind, int64_t bytes);
  void announceMasked(Operation *op, Value pointer, Value mask, Type type,
                      AccessKind kind);
  void announceLanes(Operation *op, Value pointers, Value mask, Type element,
                     AccessKind kind);
  void announceRange(Operation *op, Value pointer, Value bytes,
                     AccessKind kind);
  void poison(LLVM::AllocaOp op);
  void exchangeBits(LLVM::AtomicCmpXchgOp op);
  llvm::Error placeGlobal(LLVM::GlobalOp global);
  llvm::Error addEntry(StringRef kernel);
  llvm::Error findForeign();

  ModuleOp module;
  Compilation &c;
  DataLayout layout;
  OpBuilder b;
  Location loc = b.getUnknownLoc();
};

int64_t Instrumentation::bytesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return (int64_t(layout.getTypeSizeInBits(vector.getElementType())) *
                vector.getNumElements() +
            7) /
           8;
  return layout.getTypeSize(type);
}

/// True for the stack and for the thread's own state.
bool Instrumentation::isPrivate(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (isa<LLVM::AllocaOp>(op))
      return true;
    if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op)) {
      pointer = cast.getArg();
      continue;
    }
    if (auto cast = dyn_cast<LLVM::IntToPtrOp>(op)) {
      auto constant = cast.getArg().getDefiningOp<LLVM::ConstantOp>();
      auto value =
          constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
      if (!value)
        return false;
      int64_t first = reinterpret_cast<intptr_t>(c.state);
      return value.getInt() >= first &&
             value.getInt() < first + int64_t(sizeof(ThreadState));
    }
    auto gep = dyn_cast<LLVM::GEPOp>(op);
    if (!gep)
      return false;
    pointer = gep.getBase();
  }
  return false;
}

/// Without its address space: what compiled code calls takes plain pointers.
Value Instrumentation::plain(Value pointer) {
  Type type = LLVM::LLVMPointerType::get(b.getContext());
  if (auto vector = dyn_cast<VectorType>(pointer.getType()))
    type = VectorType::get(vector.getShape(), type);
  return type == pointer.getType()
             ? pointer
             : LLVM::AddrSpaceCastOp::create(b, loc, type, pointer).getResult();
}

void Instrumentation::announce(Operation *op, Value pointer, AccessKind kind,
                               int64_t bytes) {
  if (!isPrivate(pointer))
    callRuntime(b, loc, "swizzle_access", Type(),
                {handle(), plain(pointer), siteOf(op, kind, bytes)});
}

/// A vector of i1 as the low bits of an i64.
Value Instrumentation::maskBits(Value mask) {
  int64_t lanes = cast<VectorType>(mask.getType()).getNumElements();
  Value bits = LLVM::BitcastOp::create(b, loc, b.getIntegerType(lanes), mask);
  return lanes == 64
             ? bits
             : LLVM::ZExtOp::create(b, loc, b.getI64Type(), bits).getResult();
}

void Instrumentation::announceMasked(Operation *op, Value pointer, Value mask,
                                     Type type, AccessKind kind) {
  Type element = cast<VectorType>(type).getElementType();
  callRuntime(b, loc, "swizzle_accessMasked", Type(),
              {handle(), plain(pointer), maskBits(mask),
               siteOf(op, kind, layout.getTypeSize(element))});
}

void Instrumentation::announceLanes(Operation *op, Value pointers, Value mask,
                                    Type element, AccessKind kind) {
  pointers = plain(pointers);
  Value slot;
  {
    OpBuilder::InsertionGuard guard(b);
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    b.setInsertionPointToStart(&function.getBody().front());
    slot = LLVM::AllocaOp::create(b, loc,
                                  LLVM::LLVMPointerType::get(b.getContext()),
                                  pointers.getType(), makeInteger(b, loc, 1));
  }
  LLVM::StoreOp::create(b, loc, pointers, slot);
  callRuntime(b, loc, "swizzle_accessLanes", Type(),
              {handle(), slot, maskBits(mask),
               siteOf(op, kind, layout.getTypeSize(element))});
}

void Instrumentation::announceRange(Operation *op, Value pointer, Value bytes,
                                    AccessKind kind) {
  if (isPrivate(pointer))
    return;
  if (bytes.getType() != b.getI64Type())
    bytes = LLVM::ZExtOp::create(b, loc, b.getI64Type(), bytes);
  callRuntime(b, loc, "swizzle_accessRange", Type(),
              {handle(), plain(pointer), bytes,
               makeInteger(b, loc, int64_t(kind), 32),
               siteOf(op, kind, 1)});
}

/// Private memory starts with contents that no program can mean.
void Instrumentation::poison(LLVM::AllocaOp op) {
  auto constant = op.getArraySize().getDefiningOp<LLVM::ConstantOp>();
  auto count =
      constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  b.setInsertionPointAfter(op);
  if (op.getType().getAddressSpace()) {
    // A CPU has one stack, in the plain space.
    Value cast = LLVM::AddrSpaceCastOp::create(b, loc, op.getType(), op);
    op.getResult().replaceAllUsesExcept(cast, cast.getDefiningOp());
    op.getResult().setType(LLVM::LLVMPointerType::get(b.getContext()));
  }
  // In a loop, or of a size known at run time only, it may not fit.
  if (!count || !op->getBlock()->isEntryBlock())
    checkStack(b, op, plain(op), c);
  if (!count)
    return;
  int64_t bytes = count.getInt() * bytesOf(op.getElemType());
  c.privateBytes += bytes;
  LLVM::MemsetOp::create(b, loc, op, makeInteger(b, loc, 0xFB, 8),
                         makeInteger(b, loc, bytes), /*isVolatile=*/false);
}

/// How an atomic update whose old value nobody uses commutes with its like;
/// empty if it does not, or if other workgroups do not see it as atomic.
static std::string commutesAs(LLVM::AtomicRMWOp op) {
  using Kind = LLVM::AtomicBinOp;
  std::string scope = op.getSyncscope().value_or("").str();
  for (StringRef narrow : {"workgroup", "wavefront", "singlethread", "block",
                           "cta", "warp", "cluster"})
    if (StringRef(scope).starts_with(narrow))
      return "";
  switch (op.getBinOp()) {
  case Kind::add:
  case Kind::sub:
  case Kind::_and:
  case Kind::_or:
  case Kind::_xor:
  case Kind::max:
  case Kind::min:
  case Kind::umax:
  case Kind::umin:
  case Kind::fadd:
  case Kind::fsub:
  case Kind::fmax:
  case Kind::fmin:
  case Kind::fmaximum:
  case Kind::fminimum:
    break;
  default:
    return "";
  }
  if (!op.use_empty())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  // To subtract is to add the opposite.
  LLVM::AtomicBinOp operation = op.getBinOp();
  if (operation == LLVM::AtomicBinOp::sub)
    operation = LLVM::AtomicBinOp::add;
  else if (operation == LLVM::AtomicBinOp::fsub)
    operation = LLVM::AtomicBinOp::fadd;
  os << LLVM::stringifyAtomicBinOp(operation) << ' '
     << op.getVal().getType();
  return text;
}

/// LLVM exchanges integers only, upstream's lowering floats as well.
void Instrumentation::exchangeBits(LLVM::AtomicCmpXchgOp op) {
  auto type = dyn_cast<FloatType>(op.getVal().getType());
  if (!type)
    return;
  c.sites.back().floatAtomic = true;
  Type bits = b.getIntegerType(type.getWidth());
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      b, loc, op.getPtr(), LLVM::BitcastOp::create(b, loc, bits, op.getCmp()),
      LLVM::BitcastOp::create(b, loc, bits, op.getVal()),
      op.getSuccessOrdering(), op.getFailureOrdering());
  Value found =
      LLVM::ExtractValueOp::create(b, loc, exchange, ArrayRef<int64_t>{0});
  Value done =
      LLVM::ExtractValueOp::create(b, loc, exchange, ArrayRef<int64_t>{1});
  Value pair = LLVM::PoisonOp::create(b, loc, op.getType());
  pair = LLVM::InsertValueOp::create(
      b, loc, pair, LLVM::BitcastOp::create(b, loc, type, found),
      ArrayRef<int64_t>{0});
  pair = LLVM::InsertValueOp::create(b, loc, pair, done, ArrayRef<int64_t>{1});
  op.replaceAllUsesWith(pair);
  op.erase();
}

llvm::Error Instrumentation::instrument(Operation *op) {
  b.setInsertionPoint(op);
  loc = op->getLoc();
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    announce(op, load.getAddr(), AccessKind::Read, bytesOf(load.getType()));
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    announce(op, store.getAddr(), AccessKind::Write,
             bytesOf(store.getValue().getType()));
  } else if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    announce(op, atomic.getPtr(), AccessKind::Atomic,
             bytesOf(atomic.getVal().getType()));
    c.sites.back().floatAtomic =
        isa<FloatType>(getElementTypeOrSelf(atomic.getVal().getType()));
    c.sites.back().commutesAs = commutesAs(atomic);
  } else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    announce(op, exchange.getPtr(), AccessKind::Atomic,
             bytesOf(exchange.getVal().getType()));
    exchangeBits(exchange);
  } else if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op)) {
    announceMasked(op, load.getData(), load.getMask(), load.getType(),
                   AccessKind::Read);
  } else if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
    announceMasked(op, store.getData(), store.getMask(),
                   store.getValue().getType(), AccessKind::Write);
  } else if (auto gather = dyn_cast<LLVM::masked_gather>(op)) {
    announceLanes(op, gather.getPtrs(), gather.getMask(),
                  getElementTypeOrSelf(gather.getType()), AccessKind::Read);
  } else if (auto scatter = dyn_cast<LLVM::masked_scatter>(op)) {
    announceLanes(op, scatter.getPtrs(), scatter.getMask(),
                  getElementTypeOrSelf(scatter.getValue().getType()),
                  AccessKind::Write);
  } else if (isa<LLVM::MemcpyOp, LLVM::MemmoveOp>(op)) {
    announceRange(op, op->getOperand(1), op->getOperand(2), AccessKind::Read);
    announceRange(op, op->getOperand(0), op->getOperand(2), AccessKind::Write);
  } else if (auto set = dyn_cast<LLVM::MemsetOp>(op)) {
    announceRange(op, set.getDst(), set.getLen(), AccessKind::Write);
  } else if (auto alloca = dyn_cast<LLVM::AllocaOp>(op)) {
    poison(alloca);
  } else if (isa<LLVM::masked_expandload, LLVM::masked_compressstore,
                 LLVM::InlineAsmOp, LLVM::VaArgOp>(op) ||
             (!c.lowered && isa<LLVM::CallIntrinsicOp>(op))) {
    return makeUnchecked(op);
  } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    if (!call.getCallee())
      return makeUnchecked(op, "a call through a pointer");
  }
  return llvm::Error::success();
}

/// Workgroup memory moves to where `Memory` has it, constants become visible.
llvm::Error Instrumentation::placeGlobal(LLVM::GlobalOp global) {
  StringRef name = global.getSymName();
  bool workgroup = llvm::any_of(c.workgroupArrays, [&](const auto &array) {
    return array.first == name;
  });
  if (!workgroup && global.getConstant()) {
    global.setLinkage(LLVM::Linkage::External);
    return llvm::Error::success();
  }
  bool empty =
      !global.getValueOrNull() && (global.getInitializerRegion().empty() ||
                                   isa<LLVM::UndefOp, LLVM::PoisonOp>(
                                       global.getInitializerBlock()->front()));
  if (!workgroup && !empty)
    return makeUnchecked(global, "a variable that outlives the kernel");
  int64_t bytes = layout.getTypeSize(global.getType());
  if (workgroup && !bytes)
    bytes = c.dynamicWorkgroupBytes;
  Contents contents;
  contents.elementBytes = 1;
  contents.kind = Contents::Kind::Random;
  contents.seed = llvm::hash_value(name);
  char *address = c.memory.nextAddress();
  if (c.memory.add(name.str(), workgroup ? Space::Workgroup : Space::Global,
                   bytes, contents) < 0)
    return makeUnchecked(global, "there is no memory for it");
  module.walk([&](LLVM::AddressOfOp op) {
    if (op.getGlobalName() != name)
      return;
    b.setInsertionPoint(op);
    op.replaceAllUsesWith(
        LLVM::IntToPtrOp::create(
            b, op.getLoc(), op.getType(),
            makeInteger(b, op.getLoc(), reinterpret_cast<intptr_t>(address)))
            .getResult());
    op.erase();
  });
  global.erase();
  return llvm::Error::success();
}

/// A function that takes the kernel's arguments from an array of 64-bit words.
llvm::Error Instrumentation::addEntry(StringRef kernel) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel);
  if (!function)
    return llvm::make_error<UncheckedError>("the kernel was lost on the way");
  loc = function.getLoc();
  b.setInsertionPointToEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {pointer});
  auto entry = LLVM::LLVMFuncOp::create(b, loc, kEntryName, type);
  Block *block = entry.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  SmallVector<Value> arguments;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    Value at = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(),
                                   block->getArgument(0),
                                   ArrayRef<LLVM::GEPArg>{int32_t(index)});
    if (bytesOf(type) > 8)
      return llvm::make_error<UncheckedError>(
          "argument " + std::to_string(index) + " is wider than 64 bits");
    arguments.push_back(LLVM::LoadOp::create(b, loc, type, at));
  }
  auto call = LLVM::CallOp::create(b, loc, function, arguments);
  (void)call;
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return llvm::Error::success();
}

llvm::Error Instrumentation::findForeign() {
  Operation *foreign = nullptr;
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    bool vendor = c.lowered && (dialect == "nvvm" || dialect == "rocdl");
    if (!foreign && op != module && dialect != "llvm" && !vendor)
      foreign = op;
  });
  return foreign ? makeUnchecked(foreign) : llvm::Error::success();
}

llvm::Error Instrumentation::run(StringRef kernel) {
  if (llvm::Error error = findForeign())
    return error;
  // Code must mean the same in both modules, whatever stands around it: what
  // overflows or divides by zero has a value.
  module.walk([](Operation *op) {
    if (auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
      flags.setOverflowFlags(LLVM::IntegerOverflowFlags::none);
    if (auto exact = dyn_cast<LLVM::ExactFlagInterface>(op))
      exact.setIsExact(false);
    if (auto disjoint = dyn_cast<LLVM::DisjointFlagInterface>(op))
      disjoint.setIsDisjoint(false);
    if (auto nonNegative = dyn_cast<LLVM::NonNegFlagInterface>(op))
      nonNegative.setNonNeg(false);
    if (auto fast = dyn_cast<LLVM::FastmathFlagsInterface>(op))
      op->setAttr(fast.getFastmathAttrName(),
                  LLVM::FastmathFlagsAttr::get(op->getContext(),
                                               LLVM::FastmathFlags::none));
  });
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (llvm::Error error = instrument(op))
      return error;
  boundRuns(module, c);
  for (LLVM::GlobalOp global : llvm::to_vector(module.getOps<LLVM::GlobalOp>()))
    if (llvm::Error error = placeGlobal(global))
      return error;
  if (c.sites.size() > UINT16_MAX)
    return llvm::make_error<UncheckedError>(
        "more than 65535 operations touch memory");
  return addEntry(kernel);
}

} // namespace

llvm::Error instrument(ModuleOp module, StringRef kernel,
                       Compilation &compilation) {
  return Instrumentation(module, compilation).run(kernel);
}

} // namespace swizzle::host
