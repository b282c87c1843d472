//===- LoopPaths.cpp - Where the ways within a loop meet ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Postdominators as Cooper, Harvey and Kennedy find dominators ("A Simple, Fast
// Dominance Algorithm", 2001), on the edges of the loop alone, turned round.
//
//===----------------------------------------------------------------------===//

#include "LoopPaths.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace swizzle::analysis {

LoopPaths::LoopPaths(const CFGLoop &loop) : loop(loop) {
  Block *header = loop.getHeader();
  // Blocks against their edges, from the last ones on: each is numbered when
  // all that lead to it are.
  llvm::SmallVector<Block *> order;
  llvm::SmallVector<std::pair<Block *, Block::pred_iterator>> path;
  auto enter = [&](Block *block) {
    if (nodes.try_emplace(block).second)
      path.push_back(
          {block, block == header ? block->pred_end() : block->pred_begin()});
  };
  llvm::SmallVector<Block *> latches;
  loop.getLoopLatches(latches);
  for (Block *latch : latches)
    for (enter(latch); !path.empty();) {
      auto &[block, next] = path.back();
      if (next != block->pred_end()) {
        enter(*next++);
        continue;
      }
      nodes[block].number = order.size();
      order.push_back(block);
      path.pop_back();
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (Block *block : llvm::reverse(order)) {
      bool any = false;
      Block *shared = nullptr;
      for (Block *to : block->getSuccessors()) {
        if (!loop.contains(to) || (to != header && !nodes[to].isKnown))
          continue;
        Block *way = to == header ? nullptr : to;
        shared = any ? common(shared, way) : way;
        any = true;
      }
      Node &node = nodes[block];
      if (!any || (node.isKnown && node.next == shared))
        continue;
      node.next = shared;
      node.isKnown = changed = true;
    }
  }
}

Block *LoopPaths::common(Block *a, Block *b) const {
  while (a != b) {
    if (!a || !b)
      return nullptr;
    const Node &first = nodes.at(a), &second = nodes.at(b);
    (first.number < second.number ? a : b) =
        first.number < second.number ? first.next : second.next;
  }
  return a;
}

Block *LoopPaths::meet(Block *a, Block *b) const {
  Block *header = loop.getHeader();
  Block *shared = a == header || b == header ? nullptr : common(a, b);
  return shared ? shared : header;
}

} // namespace swizzle::analysis
