//===- DescribeLaunch.cpp - How to start a kernel -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directions of buffers are those of the accesses; what is read is filled with
// numbers, so that no run is quick because everything is zero. The model knows how
// wide elements are, and not what they mean: their type stays unknown.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/DescribeLaunch.h"

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

BufferArgument describeBuffer(const Buffer &buffer, const Uses &uses) {
  BufferArgument result;
  result.bytes = std::max<int64_t>(buffer.bytes, 0);
  result.elementBytes = std::max<int64_t>(buffer.elementBytes, 1);
  result.direction = uses.read && uses.written ? Direction::InOut
                     : uses.written            ? Direction::Out
                                               : Direction::In;
  if (result.direction != Direction::Out)
    result.fill = {FillKind::Random, buffer.argument + 1};
  return result;
}

} // namespace

LaunchDescription describeLaunch(const KernelModel &model,
                                 std::vector<std::string> *unknown) {
  auto note = [&](std::string text) {
    if (unknown)
      unknown->push_back(std::move(text));
  };
  LaunchDescription launch;
  launch.kernel = model.name;
  for (unsigned axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = model.grid.extent[axis];
    launch.block[axis] = model.block.extent[axis];
    if (!model.gridKnown[axis])
      note(std::string("the grid's extent in ") + "xyz"[axis] +
           ": the model assumes " + std::to_string(launch.grid[axis]));
  }
  std::map<int, LaunchArgument> arguments;
  std::vector<Uses> uses = usesOf(model);
  for (size_t i = 0; i < model.buffers.size(); ++i) {
    const Buffer &buffer = model.buffers[i];
    if (buffer.argument < 0)
      continue;
    arguments[buffer.argument] = {buffer.name, describeBuffer(buffer, uses[i])};
    note(buffer.name + ": the type of its elements");
    if (buffer.bytes < 0)
      note(buffer.name + ": its size");
  }
  for (const BoundSize &size : model.boundSizes)
    if (size.dim < 0) {
      std::string name = "arg" + std::to_string(size.argument);
      arguments[size.argument] = {name,
                                  ScalarArgument{ElementType::I64, size.value}};
      note(name + ": its type; a number of 64 bits is assumed");
    }
  int next = 0;
  for (auto &[index, argument] : arguments) {
    for (; next < index; ++next)
      note("arg" + std::to_string(next) +
           ": neither a buffer that is accessed nor a number that is known");
    launch.arguments.push_back(std::move(argument));
    next = index + 1;
  }
  return launch;
}

} // namespace swizzle
