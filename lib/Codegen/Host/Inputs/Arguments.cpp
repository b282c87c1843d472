//===- Arguments.cpp - What a kernel is called with -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that the caller does not give are those of the kernel model, so that
// the two speak of the same launch. What is invented beyond that follows from
// the code. A variant gets what was invented for its original, where ids are not
// computed:
//
//   rows[id + 1]                        rows has gx + 1 numbers
//   rows[min(gx - 1 - id, gx - 1) + 1]  how many, nobody knows
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "IndexUses.h"
#include "Layout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace swizzle::host {

namespace {

/// Bytes of bounds of loops where neither size nor use says how many there are.
constexpr int64_t kOpenBounds = int64_t(1) << 20;

class Binding {
public:
  Binding(const BoundKernel &bound, const HostOptions &options, Memory &memory)
      : bound(bound), kernel(bound.original), options(options), memory(memory) {
  }

  llvm::Expected<Arguments> run();

private:
  BufferExtents extentsOf(unsigned index);
  int64_t scalarOf(unsigned index) const;
  llvm::Error findLayouts();
  void findUses();
  llvm::Error bindMemRef(unsigned index, MemRefType type);
  llvm::Error bindPointer(unsigned index);
  llvm::Error bindScalar(unsigned index, Type type);
  void fillIndices(unsigned index, int64_t bytes, Contents &contents);
  llvm::Error share(unsigned index, const HostArgument &argument, int64_t bytes,
                    char *&data);
  Contents contentsOf(unsigned index, Type element, int64_t bytes);
  llvm::Error adopt(unsigned index, int64_t &bytes, Contents &contents);
  llvm::Error addBuffer(unsigned index, Type element, int64_t bytes,
                        char *&data);
  const HostArgument *given(unsigned index) const {
    auto found = options.arguments.find(index);
    return found == options.arguments.end() ? nullptr : &found->second;
  }
  std::optional<int64_t> modelled(unsigned index, int dim) const {
    for (const BoundSize &size : bound.model.boundSizes)
      if (size.argument == int(index) && size.dim == dim)
        return size.value;
    return std::nullopt;
  }

  const BoundKernel &bound;
  FunctionOpInterface kernel;
  const HostOptions &options;
  Memory &memory;
  /// By argument.
  std::vector<MemRefLayout> layouts;
  std::vector<IndexUse> uses;
  /// By argument: its memory, and how many bytes others need of it.
  std::map<unsigned, unsigned> bufferOf;
  std::map<unsigned, int64_t> needed;
  Arguments result;
};

/// Memory of `index` that is another argument's.
llvm::Error Binding::share(unsigned index, const HostArgument &argument,
                           int64_t bytes, char *&data) {
  auto found = bufferOf.find(*argument.sameAs);
  if (found == bufferOf.end())
    return wrongArgument(index, "argument " + llvm::Twine(*argument.sameAs) +
                                    ", whose memory it shall be, is no buffer "
                                    "before it");
  bufferOf[index] = found->second;
  HostBuffer &buffer = result.buffers[found->second];
  if (argument.byteOffset < 0 || bytes > buffer.bytes - argument.byteOffset)
    return wrongArgument(index, "it does not lie within " + buffer.name);
  data = const_cast<char *>(buffer.data) + argument.byteOffset;
  return llvm::Error::success();
}

/// What a buffer of `bytes` bytes is filled with, those apart that are given.
Contents Binding::contentsOf(unsigned index, Type element, int64_t bytes) {
  Type scalar = getElementTypeOrSelf(element);
  Contents contents;
  contents.seed = options.seed * 0x9E3779B97F4A7C15u + index;
  unsigned bits = scalar.isIndex()        ? 64
                  : scalar.isIntOrFloat() ? scalar.getIntOrFloatBitWidth()
                                          : 8;
  contents.elementBytes = std::max(1u, bits / 8);
  // Of wider numbers, bits are bits.
  if (auto floating = dyn_cast<FloatType>(scalar); floating && bits <= 64)
    contents.semantics = &floating.getFloatSemantics();
  if (scalar.isInteger(1)) {
    contents.kind = Contents::Kind::Range;
    contents.high = 2;
  } else if (scalar.isIntOrIndex()) {
    fillIndices(index, bytes, contents);
  }
  return contents;
}

/// Takes what the original has there. The size of a memref is its type's.
llvm::Error Binding::adopt(unsigned index, int64_t &bytes, Contents &contents) {
  auto same = llvm::find_if(bound.like->slots, [&](const Slot &slot) {
    return slot.name == "arg" + std::to_string(index);
  });
  bool isMemRef = isa<MemRefType>(kernel.getArgumentTypes()[index]);
  if (same == bound.like->slots.end() ||
      (isMemRef && same->contents.elementBytes != contents.elementBytes))
    return llvm::make_error<UncheckedError>(
        "original and variant take different arguments");
  contents = same->contents;
  if (!isMemRef)
    bytes = same->end - same->begin;
  return llvm::Error::success();
}

llvm::Error Binding::addBuffer(unsigned index, Type element, int64_t bytes,
                               char *&data) {
  if (const HostArgument *argument = given(index); argument && argument->sameAs)
    return share(index, *argument, bytes, data);
  bytes = std::max(bytes, needed[index]);
  Contents contents = contentsOf(index, element, bytes);
  if (bound.like)
    if (llvm::Error error = adopt(index, bytes, contents))
      return error;
  if (const HostArgument *argument = given(index)) {
    contents.bytes = argument->bytes;
    if (int64_t(contents.bytes.size()) > bytes)
      return wrongArgument(
          index, "its contents have " + llvm::Twine(contents.bytes.size()) +
                     " bytes, the buffer has " + llvm::Twine(bytes));
  }
  HostBuffer buffer;
  buffer.name = "arg" + std::to_string(index);
  buffer.argument = index;
  buffer.bytes = bytes;
  buffer.elementBytes = contents.elementBytes;
  buffer.semantics = contents.semantics;
  int slot = memory.add(buffer.name, Space::Global, bytes, contents);
  if (slot < 0)
    return llvm::make_error<UncheckedError>(
        "argument " + std::to_string(index) + " needs " +
        std::to_string(bytes) + " bytes, more than the host can lay out");
  data = memory.slots[slot].begin;
  buffer.data = data;
  bufferOf[index] = result.buffers.size();
  result.buffers.push_back(std::move(buffer));
  return llvm::Error::success();
}

/// Numbers that the kernel uses as indices stay inside what they index.
void Binding::fillIndices(unsigned index, int64_t bytes, Contents &contents) {
  const IndexUse &use = uses[index];
  if (!use.isIndex && !use.isBound)
    return;
  contents.kind = use.isBound ? Contents::Kind::Ramp : Contents::Kind::Range;
  contents.low = use.low;
  // Half-open; the end of the last row is the number of elements itself.
  contents.high = std::max(use.high, use.low + 1) + use.isBound;
  if (contents.elementBytes < 8)
    contents.high =
        std::min(contents.high, int64_t(1) << (8 * contents.elementBytes - 1));
  if (!given(index) || int64_t(given(index)->bytes.size()) != bytes)
    result.invented.push_back(index);
}

llvm::Error Binding::bindMemRef(unsigned index, MemRefType type) {
  const MemRefLayout &layout = layouts[index];
  char *data = nullptr;
  if (llvm::Error error =
          addBuffer(index, type.getElementType(), layout.bytes, data))
    return error;
  std::vector<uint64_t> &words = result.words;
  words.push_back(reinterpret_cast<uintptr_t>(data));
  words.push_back(reinterpret_cast<uintptr_t>(data));
  words.push_back(layout.offset);
  words.insert(words.end(), layout.shape.begin(), layout.shape.end());
  words.insert(words.end(), layout.strides.begin(), layout.strides.end());
  return llvm::Error::success();
}

/// What `pointer` points to, as far as the loads and stores through it say.
static Type pointee(Value pointer) {
  SmallVector<Value> work{pointer};
  llvm::SmallPtrSet<void *, 16> seen;
  while (!work.empty() && seen.size() < 10000) {
    Value value = work.pop_back_val();
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (auto load = dyn_cast<LLVM::LoadOp>(user))
        return load.getType();
      if (auto store = dyn_cast<LLVM::StoreOp>(user)) {
        if (store.getAddr() == value)
          return store.getValue().getType();
        continue;
      }
      if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(user))
        return atomic.getVal().getType();
      if (isa<LLVM::GEPOp, LLVM::InsertValueOp, LLVM::ExtractValueOp,
              LLVM::AddrSpaceCastOp>(user)) {
        // Of a descriptor, only what its second pointer leads to counts.
        auto extract = dyn_cast<LLVM::ExtractValueOp>(user);
        if (extract && !isa<LLVM::LLVMPointerType>(extract.getType()))
          continue;
        work.push_back(user->getResult(0));
      }
    }
  }
  return Type();
}

/// Bytes of what a pointer leads to, and whether anybody says so.
BufferExtents Binding::extentsOf(unsigned index) {
  BufferExtents extents;
  if (isa<MemRefType>(kernel.getArgumentTypes()[index])) {
    const MemRefLayout &layout = layouts[index];
    extents.bytes = layout.bytes;
    extents.shape = layout.shape;
    for (int64_t stride : layout.strides)
      extents.strides.push_back(stride * layout.elementBytes);
    return extents;
  }
  const HostArgument *argument = given(index);
  extents.open = true;
  for (const Buffer &buffer : bound.model.buffers)
    if (buffer.argument == int(index))
      extents.bytes = std::max(extents.bytes, buffer.bytes);
  if (argument) {
    int64_t bytes = argument->bytes.size();
    if (!argument->shape.empty()) {
      Type element = pointee(kernel.getArgument(index));
      int64_t all = 1;
      if (element && getElementTypeOrSelf(element).isIntOrFloat())
        all = std::max(
            1u, getElementTypeOrSelf(element).getIntOrFloatBitWidth() / 8);
      for (int64_t extent : argument->shape)
        all *= extent;
      bytes = std::max(bytes, all);
    }
    extents.open = !bytes;
    extents.bytes = std::max(extents.bytes, bytes);
  }
  return extents;
}

llvm::Error Binding::bindPointer(unsigned index) {
  Type element = pointee(kernel.getArgument(index));
  if (!element)
    element = Float32Type::get(kernel.getContext());
  BufferExtents extents = extentsOf(index);
  const HostArgument *argument = given(index);
  // Numbers that never fall cannot repeat, so they get no more room than
  // needed.
  bool falls = !uses[index].isBound;
  int64_t unknown = argument && argument->sameAs ? 0
                    : falls                      ? options.unknownBytes
                    : uses[index].reach          ? uses[index].reach
                                                 : kOpenBounds;
  int64_t bytes =
      extents.open || falls ? std::max(extents.bytes, unknown) : extents.bytes;
  char *data = nullptr;
  if (llvm::Error error = addBuffer(index, element, bytes, data))
    return error;
  result.words.push_back(reinterpret_cast<uintptr_t>(data));
  return llvm::Error::success();
}

int64_t Binding::scalarOf(unsigned index) const {
  const HostArgument *argument = given(index);
  return argument && argument->value ? *argument->value
                                     : modelled(index, -1).value_or(1);
}

llvm::Error Binding::bindScalar(unsigned index, Type type) {
  uint64_t word = 0;
  if (auto floating = dyn_cast<FloatType>(type);
      floating && floating.getWidth() <= 64) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    result.floats.push_back({result.words.size(), &semantics});
    word = scalarBits(semantics, options.seed, Inputs::Plain);
  } else if (type.isIntOrIndex()) {
    word = scalarOf(index);
  } else {
    return llvm::make_error<UncheckedError>(
        "argument " + std::to_string(index) +
        " is neither a buffer nor a number of up to 64 bits");
  }
  result.words.push_back(word);
  return llvm::Error::success();
}

/// Shapes and layouts of all memrefs.
llvm::Error Binding::findLayouts() {
  layouts.resize(kernel.getNumArguments());
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
    auto memref = dyn_cast<MemRefType>(kernel.getArgumentTypes()[index]);
    if (!memref)
      continue;
    auto open = [&](int64_t dim) { return modelled(index, dim).value_or(1); };
    auto layout = layOut(index, memref, given(index), open);
    if (!layout)
      return layout.takeError();
    layouts[index] = std::move(*layout);
  }
  // Memory that several arguments are must hold them all.
  for (const auto &[index, argument] : options.arguments) {
    if (!argument.sameAs || *argument.sameAs >= index)
      continue;
    int64_t &bytes = needed[*argument.sameAs];
    bytes = std::max(bytes, argument.byteOffset + layouts[index].bytes);
  }
  return llvm::Error::success();
}

void Binding::findUses() {
  uses.resize(kernel.getNumArguments());
  if (bound.like)
    return;
  LoweredLaunch launch;
  launch.function = bound.lowered.function;
  launch.grid = bound.grid;
  launch.block = bound.block;
  launch.subgroupSize = bound.subgroupSize;
  std::vector<BufferExtents> extents;
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    extents.push_back(extentsOf(index));
  using Role = LoweredArgument::Role;
  for (const LoweredArgument &argument : bound.lowered.arguments) {
    unsigned index = argument.argument;
    Type type = kernel.getArgumentTypes()[index];
    std::optional<int64_t> value;
    if (argument.role == Role::Same && type.isIntOrIndex())
      value = scalarOf(index);
    else if (argument.role == Role::Offset)
      value = layouts[index].offset;
    else if (argument.role == Role::Size)
      value = layouts[index].shape[argument.dim];
    else if (argument.role == Role::Stride)
      value = layouts[index].strides[argument.dim];
    launch.values.push_back(value);
  }
  uses = findIndexUses(launch, bound.lowered.arguments, extents);
}

llvm::Expected<Arguments> Binding::run() {
  for (const auto &[index, argument] : options.arguments)
    if (index >= kernel.getNumArguments())
      return wrongArgument(index, "the kernel has " +
                                      llvm::Twine(kernel.getNumArguments()));
  if (llvm::Error error = findLayouts())
    return std::move(error);
  findUses();
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
    Type type = kernel.getArgumentTypes()[index];
    auto memref = dyn_cast<MemRefType>(type);
    if (llvm::Error error = memref ? bindMemRef(index, memref)
                            : isa<LLVM::LLVMPointerType>(type)
                                ? bindPointer(index)
                                : bindScalar(index, type))
      return std::move(error);
  }
  return std::move(result);
}

} // namespace

llvm::Expected<Arguments> bindArguments(const BoundKernel &kernel,
                                        const HostOptions &options,
                                        Memory &memory) {
  return Binding(kernel, options, memory).run();
}

} // namespace swizzle::host
