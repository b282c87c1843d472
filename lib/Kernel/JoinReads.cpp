//===- JoinReads.cpp - Reads that a back end issues as one ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See JoinReads.h. Groups of reads that nothing separates are kept by what
// their addresses have but a constant in common, and cut into pieces from the
// front.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/JoinReads.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>
#include <utility>

namespace swizzle {

namespace {

/// Bytes that one instruction of a lane reads at most.
constexpr int64_t kMostBytes = 16;

class Joiner {
public:
  explicit Joiner(KernelModel &model) : model(model) {}

  void run(std::vector<Statement> &body) {
    std::vector<Access *> group;
    for (Statement &statement : body) {
      if (auto *access = std::get_if<Access>(&statement.node)) {
        if (isPlainRead(*access))
          group.push_back(access);
        else
          dropWritten(*access, group);
      } else if (auto *loop = std::get_if<Loop>(&statement.node)) {
        close(group);
        run(loop->body);
      } else if (auto *guard = std::get_if<Guard>(&statement.node)) {
        close(group);
        run(guard->body);
        run(guard->otherwise);
      } else if (std::holds_alternative<Barrier>(statement.node)) {
        close(group);
      }
    }
    close(group);
    saveInstructions(body);
  }

private:
  static bool isPlainRead(const Access &access) {
    return access.kind == AccessKind::Read && access.issuer == Issuer::Thread &&
           access.box.empty();
  }

  /// Ends the group if `access` may write what is in it.
  void dropWritten(const Access &access, std::vector<Access *> &group) {
    if (access.kind == AccessKind::Read)
      return;
    bool apart = model.buffers[access.buffer].noAlias;
    if (llvm::any_of(group, [&](const Access *read) {
          return read->buffer == access.buffer ||
                 !(apart || model.buffers[read->buffer].noAlias);
        }))
      close(group);
  }

  /// Joins what lies side by side in `group`, and empties it.
  void close(std::vector<Access *> &group) {
    while (!group.empty()) {
      Access *first = group.front();
      auto besides = [&](const Access *other) {
        return other->buffer == first->buffer &&
               other->assumed == first->assumed &&
               other->asynchronous == first->asynchronous &&
               (other->address - first->address).terms.empty();
      };
      std::vector<Access *> row;
      llvm::copy_if(group, std::back_inserter(row), besides);
      llvm::erase_if(group, besides);
      // All are of one body: in its order where addresses are equal.
      llvm::sort(row, [](const Access *a, const Access *b) {
        return std::pair(a->address.constant, a) <
               std::pair(b->address.constant, b);
      });
      for (size_t i = 0; i < row.size();)
        i += join(llvm::ArrayRef(row).drop_front(i));
    }
  }

  /// Joins the first of `row` with as many as it can; how many these are.
  size_t join(llvm::ArrayRef<Access *> row) {
    Access &first = *row.front();
    int64_t bytes = first.bytes, most = std::min(first.alignment, kMostBytes);
    size_t count = 1, joined = 1;
    for (int64_t end = bytes; count < row.size() && end < most; ++count) {
      if (row[count]->address.constant != first.address.constant + end)
        break;
      end += row[count]->bytes;
      if (end <= most && (end & (end - 1)) == 0) {
        bytes = end;
        joined = count + 1;
      }
    }
    first.bytes = bytes;
    for (Access *other : row.slice(1, joined - 1))
      takenAlong.insert(other);
    return joined;
  }

  /// Removes what was taken along from `body`, an instruction each.
  void saveInstructions(std::vector<Statement> &body) {
    size_t before = body.size();
    llvm::erase_if(body, [&](const Statement &statement) {
      return takenAlong.count(std::get_if<Access>(&statement.node));
    });
    auto saved = double(before - body.size());
    for (Statement &statement : body)
      if (auto *issue = std::get_if<Issue>(&statement.node)) {
        double here = std::min(saved, issue->instructions);
        issue->instructions -= here;
        saved -= here;
      }
    // Another body may have issued the address that the rest goes by.
    llvm::erase_if(body, [](const Statement &statement) {
      auto *issue = std::get_if<Issue>(&statement.node);
      return issue && issue->instructions <= 0;
    });
  }

  KernelModel &model;
  std::set<const Access *> takenAlong;
};

} // namespace

void joinReads(KernelModel &model) { Joiner(model).run(model.body); }

} // namespace swizzle
