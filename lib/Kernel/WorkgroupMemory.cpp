//===- WorkgroupMemory.cpp - How banks serve an access --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane of a group asks for words. The banks need as many passes as the one
// that is asked for most words: for different ones, or, by atomic updates, for
// one of them again and again.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/WorkgroupMemory.h"

#include "swizzle/Support/IntegerMath.h"

#include <algorithm>

namespace swizzle {

namespace {

/// Bytes that one lane moves at most, on either vendor.
constexpr int64_t kLaneBytes = 16;

/// The words that one group of lanes asks for, and the passes that take them.
class Group {
public:
  Group(const MemoryBanks &banks, bool oneByOne)
      : banks(banks), oneByOne(oneByOne), load(banks.count) {}

  void add(int64_t address, int64_t bytes) {
    for (int64_t word = floorDiv(address, banks.bytes);
         word <= floorDiv(address + bytes - 1, banks.bytes); ++word)
      words.push_back(word);
  }

  /// Serves what was asked for; the group is empty again.
  int64_t serve() {
    std::sort(words.begin(), words.end());
    std::fill(load.begin(), load.end(), 0);
    int64_t most = 0;
    for (size_t i = 0; i < words.size(); ++i)
      if (oneByOne || i == 0 || words[i] != words[i - 1])
        most = std::max(most, ++load[floorMod(words[i], banks.count)]);
    words.clear();
    return most;
  }

private:
  const MemoryBanks &banks;
  bool oneByOne;
  std::vector<int64_t> words, load;
};

} // namespace

/// Adds the words of `access` at `address`, from dimension `dim` of its box on.
static void addWords(const WorkgroupAccess &access, int64_t address, size_t dim,
                     Group &group) {
  if (dim == access.box.size())
    return group.add(address, access.bytes);
  for (int64_t i = 0; i < access.box[dim].count; ++i)
    addWords(access, address + i * access.box[dim].stride, dim + 1, group);
}

/// Where the rows of `access` begin, from dimension `dim` of its box on.
static void findRows(const WorkgroupAccess &access, int64_t address, size_t dim,
                     std::vector<int64_t> &rows) {
  if (dim == access.box.size())
    return rows.push_back(address);
  for (int64_t i = 0; i < access.box[dim].count; ++i)
    findRows(access, address + i * access.box[dim].stride, dim + 1, rows);
}

/// Passes for a fragment at `address`: its first 16 columns of bytes from the
/// first row to the last, as many rows at a time as fill the banks, then the
/// next 16.
static int64_t passesForFragment(const WorkgroupAccess &access, int64_t address,
                                 const MemoryBanks &banks) {
  std::vector<int64_t> rows;
  findRows(access, address, 0, rows);
  int64_t piece = std::min(access.bytes, kLaneBytes);
  int64_t together = std::max<int64_t>(banks.width() / piece, 1);
  Group group(banks, access.kind == AccessKind::Atomic);
  int64_t passes = 0, asked = 0;
  for (int64_t column = 0; column < access.bytes; column += piece)
    for (int64_t row : rows) {
      group.add(row + column, std::min(piece, access.bytes - column));
      if (++asked % together == 0)
        passes += group.serve();
    }
  return passes + group.serve();
}

std::optional<int64_t>
countBankPasses(const KernelModel &model, const WorkgroupAccess &access,
                const MemoryBanks &banks, int64_t subgroupSize,
                std::vector<int64_t> values, const std::vector<bool> &active) {
  if (!access.address || access.bytes <= 0 || !banks.areKnown() ||
      subgroupSize <= 0 || values.size() < model.variables.size())
    return std::nullopt;
  std::vector<VariableId> derived = derivedOf(model, {&*access.address});
  if (access.issuer == Issuer::Subgroup) {
    evaluateDerived(model, derived, values);
    return passesForFragment(access, evaluate(*access.address, values), banks);
  }
  int64_t bytes = access.bytes;
  for (const BoxDim &dim : access.box)
    bytes *= dim.count;
  int64_t together = std::max<int64_t>(banks.width() / bytes, 1);
  int64_t lanes = access.issuer == Issuer::Workgroup ? 1
                  : access.lanes                     ? access.lanes
                                                     : subgroupSize;
  int64_t first = values[kThreadIdX] +
                  model.block.x() * (values[kThreadIdX + 1] +
                                     model.block.y() * values[kThreadIdX + 2]);
  // The last subgroup of a workgroup may have fewer threads.
  lanes = std::min(lanes, model.threads() - first);
  Group group(banks, access.kind == AccessKind::Atomic);
  int64_t passes = 0;
  for (int64_t lane = 0; lane < lanes; lane += together) {
    for (int64_t i = lane; i < std::min(lane + together, lanes); ++i) {
      if (!active.empty() && !active[i])
        continue;
      WorkgroupId thread = delinearise(first + i, model.block);
      values[kThreadIdX] = thread.x;
      values[kThreadIdX + 1] = thread.y;
      values[kThreadIdX + 2] = thread.z;
      evaluateDerived(model, derived, values);
      addWords(access, evaluate(*access.address, values), 0, group);
    }
    passes += group.serve();
  }
  return passes;
}

} // namespace swizzle
