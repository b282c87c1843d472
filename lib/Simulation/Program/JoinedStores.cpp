//===- JoinedStores.cpp - Stores that leave a compute unit as one ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See JoinedStores.h.
//
//===----------------------------------------------------------------------===//

#include "JoinedStores.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

namespace swizzle::simulation {

JoinedStores::JoinedStores(const KernelModel &model, int64_t reach)
    : reach(reach) {
  if (reach <= 0)
    return;
  for (const Buffer &buffer : model.buffers)
    onlyRead.push_back(buffer.noAlias);
  noteWrites(model.body);
  for (const NotModelled &access : model.notModelled)
    if (access.buffer >= 0 && access.kind != AccessKind::Read)
      onlyRead[access.buffer] = false;
  find(model.body);
}

void JoinedStores::noteWrites(const std::vector<Statement> &body) {
  for (const Statement &statement : body) {
    if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      noteWrites(loop->body);
    } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      noteWrites(guard->body);
      noteWrites(guard->otherwise);
    } else if (const auto *access = std::get_if<Access>(&statement.node)) {
      if (access->kind != AccessKind::Read)
        onlyRead[access->buffer] = false;
    }
  }
}

const std::vector<int64_t> &
JoinedStores::offsetsOf(const Access &access) const {
  static const std::vector<int64_t> none;
  auto found = offsets.find(&access);
  return found == offsets.end() ? none : found->second;
}

/// True of a store by each thread, in one piece.
static bool isPlainStore(const Access &access) {
  return access.kind == AccessKind::Write && access.issuer == Issuer::Thread &&
         access.box.empty();
}

/// True if stores before and behind may follow each other at once.
bool JoinedStores::staysInGroup(const Statement &statement) const {
  if (const auto *access = std::get_if<Access>(&statement.node))
    return access->kind == AccessKind::Read && onlyRead[access->buffer];
  return std::holds_alternative<Compute>(statement.node) ||
         std::holds_alternative<Issue>(statement.node);
}

void JoinedStores::find(const std::vector<Statement> &body) {
  std::vector<const Access *> group;
  for (const Statement &statement : body) {
    const auto *access = std::get_if<Access>(&statement.node);
    if (access && isPlainStore(*access)) {
      auto isNear = [&](const Access *other) {
        AffineForm apart = access->address - other->address;
        return access->buffer == other->buffer &&
               access->bytes == other->bytes && apart.terms.empty() &&
               std::abs(apart.constant) < reach;
      };
      if (!llvm::all_of(group, isNear))
        close(group);
      group.push_back(access);
      continue;
    }
    if (staysInGroup(statement))
      continue;
    close(group);
    if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      find(loop->body);
    } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      find(guard->body);
      find(guard->otherwise);
    }
  }
  close(group);
}

void JoinedStores::close(std::vector<const Access *> &group) {
  if (group.size() > 1) {
    const Access *last = group.back();
    for (const Access *access : group) {
      offsets[last].push_back((access->address - last->address).constant);
      if (access != last)
        takenAlong.insert(access);
    }
  }
  group.clear();
}

} // namespace swizzle::simulation
