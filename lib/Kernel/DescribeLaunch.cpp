//===- DescribeLaunch.cpp - How to start a kernel -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directions of buffers are those of the accesses; what is read is filled with
// numbers, so that no run is quick because everything is zero. Types are those
// of the IR; of a pointer that does not say what it points to, the accesses
// tell the width of the elements, and their type stays unknown.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/DescribeLaunch.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

namespace swizzle {

namespace {

struct Uses {
  bool read = false, written = false;

  void add(AccessKind kind) {
    read |= kind != AccessKind::Write;
    written |= kind != AccessKind::Read;
  }
};

void addUses(const std::vector<Statement> &body, std::vector<Uses> &uses) {
  for (const Statement &statement : body) {
    if (const auto *access = std::get_if<Access>(&statement.node)) {
      uses[access->buffer].add(access->kind);
    } else if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      addUses(loop->body, uses);
    } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      addUses(guard->body, uses);
      addUses(guard->otherwise, uses);
    }
  }
}

/// By buffer. What is not modelled may touch a buffer as well, and where it is
/// not known which, all of them.
std::vector<Uses> usesOf(const KernelModel &model) {
  std::vector<Uses> uses(model.buffers.size());
  addUses(model.body, uses);
  for (const NotModelled &one : model.notModelled)
    for (size_t i = 0; i < uses.size(); ++i)
      if (one.buffer < 0 || one.buffer == int(i))
        uses[i].add(one.kind);
  return uses;
}

/// Describes arguments by their types and by the sizes that the model binds.
struct Describer {
  const KernelModel &model;
  std::vector<std::string> *unknown;
  /// One memref of open size makes descriptors of all of them.
  bool descriptors = false;

  void note(std::string text) const {
    if (unknown)
      unknown->push_back(std::move(text));
  }

  /// What the IR says of an argument, if anything.
  const KernelArgument *find(int argument) const {
    return argument >= 0 && size_t(argument) < model.arguments.size()
               ? &model.arguments[argument]
               : nullptr;
  }

  /// The number that the model takes for a dimension (-1: for the argument).
  std::optional<int64_t> bound(int argument, int dim) const {
    for (const BoundSize &size : model.boundSizes)
      if (size.argument == argument && size.dim == dim)
        return size.value;
    return std::nullopt;
  }

  /// Sizes and strides of a memref that is passed as a descriptor. Open strides
  /// are those of a memref without gaps, the last dimension fastest.
  void describeShape(BufferArgument &buffer, const KernelArgument &argument,
                     int index, const std::string &name) const {
    buffer.sizes = argument.sizes;
    buffer.strides = argument.strides;
    int64_t stride = 1;
    for (size_t dim = buffer.sizes.size(); dim-- > 0;) {
      int64_t &size = buffer.sizes[dim];
      if (size < 0)
        size = bound(index, int(dim)).value_or(-1);
      if (size < 0)
        note(name + ": its size in dimension " + std::to_string(dim));
      size = std::max<int64_t>(size, 0);
      if (buffer.strides[dim] < 0)
        buffer.strides[dim] = stride;
      stride = buffer.strides[dim] * size;
    }
  }

  LaunchArgument describeBuffer(const Buffer &buffer, const Uses &uses) const {
    BufferArgument result;
    result.bytes = std::max<int64_t>(buffer.bytes, 0);
    result.elementBytes = std::max<int64_t>(buffer.elementBytes, 1);
    result.direction = uses.read && uses.written ? Direction::InOut
                       : uses.written            ? Direction::Out
                                                 : Direction::In;
    if (result.direction != Direction::Out)
      result.fill = {FillKind::Random, buffer.argument + 1};
    if (const KernelArgument *argument = find(buffer.argument)) {
      result.type = argument->type;
      if (descriptors && argument->kind == KernelArgument::Kind::MemRef)
        describeShape(result, *argument, buffer.argument, buffer.name);
    }
    if (result.type == ElementType::Unknown)
      note(buffer.name + ": the type of its elements");
    if (buffer.bytes < 0)
      note(buffer.name + ": its size");
    return {buffer.name, result};
  }

  /// The buffer that a launch passes as argument `index`, too; null if none.
  const Buffer *passedAs(int index) const {
    auto found = llvm::find_if(model.buffers, [&](const Buffer &buffer) {
      return llvm::is_contained(buffer.otherArguments, index);
    });
    return found == model.buffers.end() ? nullptr : &*found;
  }

  /// An argument that is no buffer of the model; nullopt and a note if a
  /// program that starts the kernel has to be told.
  std::optional<LaunchArgument> describeOther(int index) const {
    std::string name = "arg" + std::to_string(index);
    const KernelArgument *argument = find(index);
    std::optional<int64_t> value = bound(index, /*dim=*/-1);
    if (argument && argument->isBuffer()) {
      BufferArgument buffer; // not accessed, without contents
      buffer.type = argument->type;
      if (const Buffer *shared = passedAs(index))
        note(name + ": it is the memory of " + shared->name +
             ", which arguments of a job are not");
      return LaunchArgument{name, buffer};
    }
    if (argument && argument->kind == KernelArgument::Kind::TensorMap)
      note(name + ": a tensor map, which the host makes");
    else if (!value)
      note(name + ": neither a buffer that is accessed nor a number that is "
                  "known");
    if (!value)
      return std::nullopt;
    ScalarArgument scalar{ElementType::I64, *value};
    if (argument && argument->type != ElementType::Unknown)
      scalar.type = argument->type;
    else
      note(name + ": its type; a number of 64 bits is assumed");
    if (scalar.type >= ElementType::F16)
      scalar.value = double(*value);
    return LaunchArgument{name, scalar};
  }
};

} // namespace

LaunchDescription describeLaunch(const KernelModel &model,
                                 std::vector<std::string> *unknown) {
  Describer describer{model, unknown};
  for (const KernelArgument &argument : model.arguments)
    describer.descriptors |= argument.isOpen();
  LaunchDescription launch;
  launch.kernel = model.name;
  launch.dynamicWorkgroupBytes = model.dynamicWorkgroupBytes;
  for (unsigned axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = model.grid.extent[axis];
    launch.block[axis] = model.block.extent[axis];
    if (!model.gridKnown[axis])
      describer.note(std::string("the grid's extent in ") + "xyz"[axis] +
                     ": the model assumes " +
                     std::to_string(launch.grid[axis]));
  }
  std::vector<Uses> uses = usesOf(model);
  std::map<int, size_t> buffers; // by argument
  int count = int(model.arguments.size());
  for (size_t i = 0; i < model.buffers.size(); ++i)
    if (int argument = model.buffers[i].argument; argument >= 0) {
      buffers[argument] = i;
      count = std::max(count, argument + 1);
    }
  for (const BoundSize &size : model.boundSizes)
    count = std::max(count, size.argument + 1);
  for (int index = 0; index < count; ++index) {
    auto buffer = buffers.find(index);
    if (buffer != buffers.end())
      launch.arguments.push_back(describer.describeBuffer(
          model.buffers[buffer->second], uses[buffer->second]));
    else if (auto argument = describer.describeOther(index))
      launch.arguments.push_back(std::move(*argument));
  }
  return launch;
}

} // namespace swizzle
