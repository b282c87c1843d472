//===- NearPairs.cpp - Pairs that strides do not keep apart ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An unrolled kernel has thousands of accesses, and millions of pairs of them.
// But most of its accesses differ in a constant only. Those of a group are
// sorted by that and put into a binary tree, of which each node covers the
// constants and the ranges below it. What keeps two nodes apart keeps all pairs
// below them apart; else the greater of the two is divided:
//
//   group 1024 * x + 4 * t + {0, 256, 512, 768}, t < 64, against itself:
//   is 1024 * dx + 4 * dt in [-771, 771] for a dx other than 0? No: one question
//   for ten pairs.
//
// As in the dual trees of: Gray and Moore, 'N-Body' Problems in Statistical
// Learning, NIPS 2000.
//
//===----------------------------------------------------------------------===//

#include "NearPairs.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <unordered_map>

namespace swizzle::analysis {

/// About a second of questions, and of the steps that the answers take.
static constexpr unsigned kMaxQuestions = 1'000'000;
static constexpr int64_t kMaxSteps = 100'000'000;

bool conflict(AccessKind kindOfA, llvm::StringRef updateOfA, AccessKind kindOfB,
              llvm::StringRef updateOfB) {
  if (kindOfA == AccessKind::Read && kindOfB == AccessKind::Read)
    return false;
  return kindOfA != AccessKind::Atomic || kindOfB != AccessKind::Atomic ||
         updateOfA.empty() || updateOfA != updateOfB;
}

namespace {
/// Sites of a group, from the `begin`th one to before the `end`th.
struct Node {
  size_t begin = 0, end = 0;
  StrideSide side;
  size_t left = 0, right = 0; ///< among the nodes; 0 for a leaf

  bool isLeaf() const { return right == 0; }
  size_t size() const { return end - begin; }
};

/// Sites that differ in constants and ranges alone.
struct Group {
  const Access *example = nullptr;
  std::vector<size_t> sites; ///< sorted by constant
  std::vector<Node> nodes;   ///< the root first
};

class Finder {
public:
  Finder(const std::vector<AccessSite> &sites, StrideComparison &strides)
      : sites(sites), strides(strides) {}

  NearPairs run() {
    collect();
    for (const auto &[buffer, members] : groupsOf)
      judge(buffer, members);
    llvm::sort(result.pairs);
    return std::move(result);
  }

private:
  void collect();
  size_t plant(Group &group, size_t begin, size_t end);
  void judge(uint32_t buffer, const std::vector<size_t> &members);
  void compare(const Group &a, size_t nodeOfA, const Group &b, size_t nodeOfB);
  Answer ask(const Group &a, const Node &nodeOfA, const Group &b,
             const Node &nodeOfB);

  bool isSpent() const {
    return questions >= kMaxQuestions || strides.stepsTaken() >= kMaxSteps;
  }

  const std::vector<AccessSite> &sites;
  StrideComparison &strides;
  std::vector<StrideSide> sides; ///< by site
  std::vector<Group> groups;
  std::map<uint32_t, std::vector<size_t>> groupsOf; ///< by buffer
  unsigned questions = 0;
  NearPairs result;
};
} // namespace

static bool areAlike(const Access &x, const StrideSide &a, const Access &y,
                     const StrideSide &b) {
  auto sameDigit = [](const StrideSide::Digit &p, const StrideSide::Digit &q) {
    return p.key == q.key && p.stride == q.stride;
  };
  auto sameDim = [](const BoxDim &p, const BoxDim &q) {
    return p.count == q.count && p.stride == q.stride;
  };
  return x.buffer == y.buffer && x.kind == y.kind && x.update == y.update &&
         a.bytes == b.bytes && a.isSplit == b.isSplit &&
         llvm::equal(a.digits, b.digits, sameDigit) &&
         llvm::equal(a.box, b.box, sameDim);
}

static size_t hashOf(const Access &access, const StrideSide &side) {
  llvm::hash_code hash = llvm::hash_combine(
      access.buffer, unsigned(access.kind), access.update, side.bytes);
  for (const StrideSide::Digit &digit : side.digits)
    hash = llvm::hash_combine(hash, digit.key, int64_t(digit.stride));
  return hash;
}

void Finder::collect() {
  std::unordered_map<size_t, llvm::SmallVector<size_t, 2>> byHash;
  for (size_t i = 0; i < sites.size(); ++i) {
    const Access &access = *sites[i].access;
    const StrideSide &side = sides.emplace_back(strides.sideOf(sites[i]));
    llvm::SmallVector<size_t, 2> &candidates = byHash[hashOf(access, side)];
    auto found = llvm::find_if(candidates, [&](size_t index) {
      const Group &group = groups[index];
      return areAlike(*group.example, sides[group.sites.front()], access, side);
    });
    if (found != candidates.end()) {
      groups[*found].sites.push_back(i);
      continue;
    }
    candidates.push_back(groups.size());
    groupsOf[access.buffer].push_back(groups.size());
    groups.push_back({&access, {i}, {}});
  }
  for (Group &group : groups) {
    llvm::sort(group.sites, [&](size_t a, size_t b) {
      return std::make_pair(sides[a].first.low, a) <
             std::make_pair(sides[b].first.low, b);
    });
    plant(group, 0, group.sites.size());
  }
}

/// Adds the node for some sites of `group`, and those below it.
size_t Finder::plant(Group &group, size_t begin, size_t end) {
  size_t index = group.nodes.size();
  group.nodes.emplace_back();
  size_t left = 0, right = 0;
  StrideSide side = sides[group.sites[begin]];
  if (end - begin > 1) {
    left = plant(group, begin, begin + (end - begin) / 2);
    right = plant(group, begin + (end - begin) / 2, end);
    side = group.nodes[left].side;
    side.join(group.nodes[right].side);
  }
  group.nodes[index] = {begin, end, std::move(side), left, right};
  return index;
}

void Finder::judge(uint32_t buffer, const std::vector<size_t> &members) {
  // Of groups of reads there may be many, and no two of them conflict.
  std::vector<size_t> changing;
  llvm::copy_if(members, std::back_inserter(changing), [&](size_t index) {
    return groups[index].example->kind != AccessKind::Read;
  });
  for (size_t i : changing)
    for (size_t j : members) {
      const Group &a = groups[i], &b = groups[j];
      bool isSecond = j < i && b.example->kind != AccessKind::Read;
      if (isSecond || !conflict(*a.example, *b.example))
        continue;
      if (isSpent())
        result.unasked.insert(buffer);
      if (result.unasked.count(buffer))
        return;
      compare(a, 0, b, 0);
    }
}

Answer Finder::ask(const Group &a, const Node &nodeOfA, const Group &b,
                   const Node &nodeOfB) {
  ++questions;
  // One order for each pair: the search is cut off where it becomes long.
  bool isTurned = a.sites[nodeOfA.begin] > b.sites[nodeOfB.begin];
  return isTurned ? strides.meet(nodeOfB.side, nodeOfA.side)
                  : strides.meet(nodeOfA.side, nodeOfB.side);
}

/// Adds the pairs of sites below the two nodes, each once.
void Finder::compare(const Group &a, size_t nodeOfA, const Group &b,
                     size_t nodeOfB) {
  const Node &first = a.nodes[nodeOfA], &second = b.nodes[nodeOfB];
  if (isSpent()) {
    result.unasked.insert(a.example->buffer);
    return;
  }
  if (ask(a, first, b, second) == Answer::No)
    return;
  if (first.isLeaf() && second.isLeaf()) {
    result.pairs.push_back(
        std::minmax({a.sites[first.begin], b.sites[second.begin]}));
  } else if (&first == &second) {
    compare(a, first.left, a, first.left);
    compare(a, first.left, a, first.right);
    compare(a, first.right, a, first.right);
  } else if (first.size() >= second.size()) {
    compare(a, first.left, b, nodeOfB);
    compare(a, first.right, b, nodeOfB);
  } else {
    compare(a, nodeOfA, b, second.left);
    compare(a, nodeOfA, b, second.right);
  }
}

NearPairs findNearPairs(const std::vector<AccessSite> &sites,
                        StrideComparison &strides) {
  return Finder(sites, strides).run();
}

} // namespace swizzle::analysis
