//===- Pattern.cpp - Which lines the waves of an access touch -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks up patterns by their key, and computes them lane by lane from the
// model: evaluate guards and address of each thread, split wide accesses into
// the 16 bytes that one instruction moves, merge the lanes of a wave into lines
// and sectors.
//
//===----------------------------------------------------------------------===//

#include "Coalescer.h"
#include "Program.h"
#include "swizzle/Simulation/WorkUnits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <set>
#include <utility>

namespace swizzle::simulation {

namespace {

/// Bytes that one lane moves in one instruction.
constexpr int64_t kInstructionBytes = 16;

/// Where each piece of a box begins, outermost dimension first.
std::vector<int64_t> offsetsOf(const std::vector<BoxDim> &box) {
  std::vector<int64_t> offsets{0};
  for (const BoxDim &dim : box) {
    std::vector<int64_t> wider;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < dim.count; ++i)
        wider.push_back(offset + i * dim.stride);
    offsets = std::move(wider);
  }
  return offsets;
}

} // namespace

Program::PatternKey Program::keyOf(Context &context, const Site &site,
                                   int64_t address) const {
  PatternKey key;
  key.values.push_back(address & (machine.lineBytes - 1));
  if (!site.residues.empty()) {
    for (auto [guard, otherwise] : site.guards)
      for (const CompiledCondition &condition : guards[guard].conditions)
        refresh(context, condition.form.changing);
    for (VariableId id : site.residues) {
      const CompiledDerived &needs = derived[id];
      int64_t value = needs.numerator.constant;
      for (auto [slot, coefficient] : needs.numerator.terms)
        value += coefficient * context.slots[slot];
      // Every lane's value is another with another address.
      if (needs.isLoaded()) {
        key.values.push_back(value);
        key.isPlain = false;
        key.isLoaded = true;
        continue;
      }
      int64_t divisor = needs.variable->divisor;
      int64_t residue = value - context.slots[id] * divisor;
      const ThreadRange &threads = needs.numerator.threads;
      bool crosses =
          residue + threads.low < 0 || residue + threads.high >= divisor;
      key.values.push_back(crosses ? residue : -1);
      key.isPlain &= !crosses;
    }
  }
  if (context.mixed & site.guardMask) {
    for (size_t i = 0; i < site.guards.size(); ++i) {
      if (!(context.mixed >> (i % 64) & 1))
        continue;
      uint32_t guard = site.guards[i].first;
      for (size_t j = 0; j < guards[guard].conditions.size(); ++j) {
        const CompiledCondition &condition = guards[guard].conditions[j];
        if (condition.isFixed)
          continue;
        int64_t value = evaluateUniform(context, condition.form);
        if (!condition.equality && value >= -condition.form.threads.low)
          continue; // it holds for all
        // Beyond the range of what threads add, only the side matters.
        value = std::clamp(value, -condition.form.threads.high - 1,
                           -condition.form.threads.low + 1);
        key.values.push_back((int64_t(i) << 16) + int64_t(j));
        key.values.push_back(value);
        key.isPlain = false;
      }
    }
  }
  return key;
}

const Pattern *Program::pattern(Context &context, Site &site, int64_t address) {
  auto [key, isPlain, isLoaded] = keyOf(context, site, address);
  if (isPlain) {
    Pattern *&met = site.plain[key.front()], *&known = site.known[key.front()];
    if (!known)
      known = share(buildPattern(context, site, address));
    if (!met)
      spentOnce += priceOf(site);
    return met = known;
  }
  auto meet = [&, isLoaded = isLoaded](Pattern *pattern) {
    bool isNew = pattern->run != run;
    site.met += isNew;
    pattern->run = run;
    // What memory leads to hardly comes again.
    if (isLoaded)
      spentOtherwise += priceOf(site);
    else if (isNew)
      spentOnce += priceOf(site);
    return pattern;
  };
  uint64_t hash = llvm::xxh3_64bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(key.data()),
                     key.size() * sizeof(key[0])));
  auto [begin, end] = site.keyed.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (llvm::ArrayRef(known->second.first) == llvm::ArrayRef(key))
      return meet(known->second.second.get());
  if (site.met >= kMostPatterns) {
    site.forgotten = std::exchange(site.keyed, {});
    site.met = 0;
  }
  return meet(
      site.keyed
          .emplace(hash, std::pair(std::vector<int64_t>(key.begin(), key.end()),
                                   buildPattern(context, site, address)))
          ->second.second.get());
}

void Program::beginRun() {
  ++run;
  for (Site &site : sites) {
    std::fill(site.plain.begin(), site.plain.end(), nullptr);
    site.met = 0;
    site.forgotten.clear();
    if (site.keyed.size() > kMostPatterns / 2)
      site.keyed.clear();
  }
}

/// Neighbours of a point are touched in one pattern, from several sites: what a
/// sample takes of it is then found once, and stays in the host's cache.
Pattern *Program::share(std::unique_ptr<Pattern> pattern) {
  auto bytesOf = [](const auto &values) {
    return llvm::ArrayRef(reinterpret_cast<const uint8_t *>(values.data()),
                          values.size() * sizeof(values[0]));
  };
  uint64_t hash = llvm::xxh3_64bits(bytesOf(pattern->line));
  auto [begin, end] = patterns.equal_range(hash);
  for (auto other = begin; other != end; ++other)
    if (other->second->line == pattern->line &&
        other->second->sectors == pattern->sectors &&
        other->second->bytes == pattern->bytes)
      return other->second.get();
  return patterns.emplace(hash, std::move(pattern))->second.get();
}

/// Counts what a pattern of an access costs that is repeated over a box.
double Program::priceOf(const Site &site) const {
  const Access &access = *site.access;
  size_t repetitions = site.joined.size();
  if (site.joined.empty()) {
    repetitions = 1;
    for (const BoxDim &dim : access.box)
      repetitions *= dim.count;
  }
  double pieces =
      double((access.bytes + kInstructionBytes - 1) / kInstructionBytes) *
      double(repetitions);
  return double(model.threads()) *
         (WorkPrices::lane + WorkPrices::laneAccess * pieces);
}

/// True if joined stores of these lanes touch few enough lines to be one.
bool Program::areOne(const Site &site, llvm::ArrayRef<int64_t> lanes) const {
  std::set<int64_t> lines;
  for (int64_t offset : site.joined)
    for (int64_t at : lanes)
      for (int64_t byte : {offset, offset + site.access->bytes - 1})
        lines.insert((at + byte) / machine.lineBytes);
  return int64_t(lines.size()) <= machine.joinedLines;
}

/// Waves that read the same of a line, on average, rounded down. Those that read
/// other sectors of it miss these by themselves.
static uint32_t wavesOfLine(const Pattern &pattern) {
  std::vector<std::pair<uint32_t, uint8_t>> asked;
  for (auto [line, sectors] : llvm::zip_equal(pattern.line, pattern.sectors))
    asked.push_back({line, sectors});
  llvm::sort(asked);
  auto distinct = std::unique(asked.begin(), asked.end()) - asked.begin();
  return distinct ? asked.size() / size_t(distinct) : 1;
}

std::unique_ptr<Pattern> Program::buildPattern(const Context &context,
                                               const Site &site,
                                               int64_t address) const {
  auto pattern = std::make_unique<Pattern>();
  const Access &access = *site.access;
  std::vector<int64_t> values(context.slots,
                              context.slots + model.variables.size());
  int64_t base = bufferBase[access.buffer];
  int64_t baseLine = address - (address & (machine.lineBytes - 1));

  // Address of thread `id` and whether it takes part.
  auto evaluateLane = [&](int64_t id, int64_t &at) {
    WorkgroupId thread = delinearise(id, model.block);
    values[kThreadIdX] = thread.x;
    values[kThreadIdX + 1] = thread.y;
    values[kThreadIdX + 2] = thread.z;
    for (VariableId variable : site.derived) {
      const Variable &one = model.variables[variable];
      values[variable] = derive(one, evaluate(one.numerator, values));
    }
    for (auto [guard, otherwise] : site.guards) {
      bool holds = true;
      for (const Condition &condition : guards[guard].source) {
        int64_t value = evaluate(condition.form, values);
        holds &= condition.equality ? value == 0 : value >= 0;
      }
      if (holds == otherwise)
        return false;
    }
    at = evaluate(access.address, values) + base - baseLine;
    return true;
  };

  std::vector<int64_t> offsets =
      site.joined.empty() ? offsetsOf(access.box) : site.joined;
  // Lines are relative to thread 0's, modulo 2^32: a multiple of 2^32 lines
  // keeps them positive while they are cut.
  constexpr int64_t bias = int64_t(1) << 50;
  Coalescer wave(machine, *pattern, access.kind);
  int64_t threads = model.threads(), step = machine.waveSize;
  if (access.issuer == Issuer::Workgroup) {
    threads = 1;
  }
  for (int64_t begin = 0; begin < threads; begin += step) {
    int64_t end = std::min(begin + step, threads);
    if (access.issuer != Issuer::Thread) {
      // One access together, carried out by the first lane.
      int64_t at = 0;
      if (!evaluateLane(begin, at))
        continue;
      for (int64_t offset : offsets)
        wave.add(at + offset + bias, access.bytes);
      pattern->bytes += double(access.bytes) * offsets.size();
      wave.flush();
      continue;
    }
    std::vector<int64_t> lanes;
    for (int64_t id = begin; id < end; ++id)
      if (int64_t at = 0; evaluateLane(id, at))
        lanes.push_back(at + bias);
    pattern->bytes += double(access.bytes) * offsets.size() * lanes.size();
    bool isOne = !site.joined.empty() && areOne(site, lanes);
    for (int64_t offset : offsets)
      for (int64_t piece = 0; piece < access.bytes;
           piece += kInstructionBytes) {
        for (int64_t at : lanes)
          wave.add(at + offset + piece,
                   std::min(kInstructionBytes, access.bytes - piece));
        if (!isOne)
          wave.flush();
      }
    wave.flush();
  }
  if (machine.hasUnitLevel)
    pattern->waves = wavesOfLine(*pattern);
  for (uint32_t line : pattern->line) {
    pattern->low = std::min(pattern->low, static_cast<int32_t>(line));
    pattern->high = std::max(pattern->high, static_cast<int32_t>(line));
  }
  return pattern;
}

} // namespace swizzle::simulation
