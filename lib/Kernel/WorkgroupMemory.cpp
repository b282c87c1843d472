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
#include <map>

namespace swizzle {

namespace {
/// How often each word is asked for by the lanes of one group.
using Words = std::map<int64_t, int64_t>;
} // namespace

/// Adds the words of `access` at `address`, from dimension `dim` of its box on.
static void addWords(const WorkgroupAccess &access, int64_t address, size_t dim,
                     int64_t wordBytes, Words &words) {
  if (dim < access.box.size()) {
    for (int64_t i = 0; i < access.box[dim].count; ++i)
      addWords(access, address + i * access.box[dim].stride, dim + 1, wordBytes,
               words);
    return;
  }
  for (int64_t word = floorDiv(address, wordBytes);
       word <= floorDiv(address + access.bytes - 1, wordBytes); ++word)
    ++words[word];
}

static int64_t passesFor(const Words &words, const MemoryBanks &banks,
                         bool oneByOne) {
  std::map<int64_t, int64_t> load;
  int64_t most = 0;
  for (auto [word, asked] : words) {
    int64_t &bank = load[floorMod(word, banks.count)];
    bank += oneByOne ? asked : 1;
    most = std::max(most, bank);
  }
  return most;
}

std::optional<int64_t> countBankPasses(const KernelModel &model,
                                       const WorkgroupAccess &access,
                                       const MemoryBanks &banks,
                                       int64_t subgroupSize,
                                       std::vector<int64_t> values) {
  if (!access.address || access.bytes <= 0 || banks.count <= 0 ||
      banks.bytes <= 0 || subgroupSize <= 0 ||
      values.size() < model.variables.size())
    return std::nullopt;
  bool together = access.issuer != Issuer::Thread;
  int64_t bytes = access.bytes;
  for (const BoxDim &dim : access.box)
    bytes *= dim.count;
  int64_t group = std::max<int64_t>(banks.count * banks.bytes / bytes, 1);
  int64_t lanes = together ? 1 : access.lanes ? access.lanes : subgroupSize;
  int64_t first = values[kThreadIdX] +
                  model.block.x() * (values[kThreadIdX + 1] +
                                     model.block.y() * values[kThreadIdX + 2]);
  // The last subgroup of a workgroup may have fewer threads.
  lanes = std::min(lanes, model.threads() - first);
  int64_t passes = 0;
  for (int64_t lane = 0; lane < lanes; lane += group) {
    Words words;
    for (int64_t i = lane; i < std::min(lane + group, lanes); ++i) {
      WorkgroupId thread = delinearise(first + i, model.block);
      values[kThreadIdX] = thread.x;
      values[kThreadIdX + 1] = thread.y;
      values[kThreadIdX + 2] = thread.z;
      evaluateQuotients(model, values);
      addWords(access, evaluate(*access.address, values), 0, banks.bytes,
               words);
    }
    passes += passesFor(words, banks, access.kind == AccessKind::Atomic);
  }
  return passes;
}

} // namespace swizzle
