//===- Oracle.cpp - A simulator that is obviously right -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Oracle.h.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

namespace swizzle::oracle {

namespace {

constexpr int64_t kLineBytes = 128;

struct Line {
  int64_t number;
  std::set<int64_t> valid, dirty; ///< sectors
};

/// Lines in the order of use, latest first.
class List {
public:
  explicit List(int64_t capacity) : capacity(capacity) {}

  Line *find(int64_t number) {
    for (auto it = lines.begin(); it != lines.end(); ++it)
      if (it->number == number) {
        lines.splice(lines.begin(), lines, it);
        return &lines.front();
      }
    return nullptr;
  }

  /// `evicted` gets the line that had to go.
  Line *insert(int64_t number, Line &evicted) {
    if (static_cast<int64_t>(lines.size()) == capacity) {
      evicted = lines.back();
      lines.pop_back();
    }
    lines.push_front({number, {}, {}});
    return &lines.front();
  }

  std::list<Line> lines;

private:
  int64_t capacity;
};

class Machine {
public:
  Machine(const KernelModel &model, const Chain &chain, int64_t sectorBytes,
          int64_t waveSize)
      : model(model), sectorBytes(sectorBytes), waveSize(waveSize),
        reads(chain.reads) {
    for (int64_t lines : chain.lines)
      levels.emplace_back(lines);
    counts.lookups.resize(levels.size());
    counts.hits.resize(levels.size());
  }

  Counts run() {
    for (int64_t id = 0; id < model.grid.count(); ++id) {
      WorkgroupId at = delinearise(id, model.grid);
      threads.assign(model.threads(),
                     std::vector<int64_t>(model.variables.size(), 0));
      for (int64_t t = 0; t < model.threads(); ++t) {
        WorkgroupId thread = delinearise(t, model.block);
        int64_t fixed[] = {at.x, at.y, at.z, thread.x, thread.y, thread.z};
        std::copy(fixed, fixed + 6, threads[t].begin());
      }
      execute(model.body, std::vector<bool>(model.threads(), true));
    }
    for (List &level : levels)
      for (Line &line : level.lines)
        counts.dramWrites += line.dirty.size();
    return counts;
  }

private:
  int64_t value(const AffineForm &form, int64_t thread) {
    evaluateDerived(model, threads[thread]);
    return evaluate(form, threads[thread]);
  }

  void execute(const std::vector<Statement> &body,
               const std::vector<bool> &active) {
    for (const Statement &statement : body)
      std::visit([&](const auto &node) { execute(node, active); },
                 statement.node);
  }

  /// Calls `visit(begin, end)` for the threads of each wave.
  template <typename Fn> void forEachWave(Fn visit) {
    for (int64_t begin = 0; begin < model.threads(); begin += waveSize)
      visit(begin, std::min(begin + waveSize, model.threads()));
  }

  void execute(const WorkgroupAccess &access, const std::vector<bool> &active) {
    int64_t together = std::max<int64_t>(kBanks * kBankBytes / access.bytes, 1);
    forEachWave([&](int64_t begin, int64_t end) {
      for (int64_t first = begin; first < end; first += together) {
        std::map<int64_t, std::set<int64_t>> words; // by bank
        size_t most = 0;
        for (int64_t t = first; t < std::min(first + together, end); ++t)
          for (int64_t b = 0; active[t] && b < access.bytes; ++b) {
            int64_t word = (value(*access.address, t) + b) / kBankBytes;
            words[word % kBanks].insert(word);
            most = std::max(most, words[word % kBanks].size());
          }
        counts.bankPasses += static_cast<int64_t>(most);
      }
    });
  }
  void execute(const Issue &issue, const std::vector<bool> &active) {
    forEachWave([&](int64_t begin, int64_t end) {
      bool any = false;
      for (int64_t t = begin; t < end; ++t)
        any |= active[t];
      counts.instructions += any ? issue.instructions : 0;
    });
  }
  void execute(const Compute &, const std::vector<bool> &) {}
  void execute(const Barrier &, const std::vector<bool> &) {}

  void execute(const Guard &guard, const std::vector<bool> &active) {
    std::vector<bool> yes = active, no = active;
    for (size_t t = 0; t < active.size(); ++t) {
      bool holds = true;
      for (const Condition &condition : guard.conditions) {
        int64_t v = value(condition.form, t);
        holds &= condition.equality ? v == 0 : v >= 0;
      }
      yes[t] = active[t] && holds;
      no[t] = active[t] && !holds;
    }
    execute(guard.body, yes);
    execute(guard.otherwise, no);
  }

  void execute(const Loop &loop, const std::vector<bool> &active) {
    for (int64_t i = 0;; ++i) {
      std::vector<bool> inside = active;
      bool any = false;
      for (size_t t = 0; t < active.size(); ++t) {
        threads[t][loop.counter] = i;
        for (const AffineForm &trip : loop.tripCounts)
          inside[t] = inside[t] && i < value(trip, t);
        any |= inside[t];
      }
      if (!any)
        return;
      execute(loop.body, inside);
    }
  }

  void execute(const Access &access, const std::vector<bool> &active) {
    // Buffers lie in order, each of at most 2 MiB, 4 MiB apart.
    int64_t base = int64_t(access.buffer) * (4 << 20);
    for (int64_t begin = 0; begin < model.threads(); begin += waveSize) {
      std::map<int64_t, std::map<int64_t, std::set<int64_t>>> bytes;
      for (int64_t t = begin; t < std::min(begin + waveSize, model.threads());
           ++t) {
        if (!active[t])
          continue;
        int64_t address = base + value(access.address, t);
        for (int64_t b = address; b < address + access.bytes; ++b)
          bytes[b / kLineBytes][b % kLineBytes / sectorBytes].insert(b);
      }
      for (auto &[line, sectors] : bytes) {
        ++counts.lineAccesses;
        if (access.kind == AccessKind::Read)
          read(line, sectors);
        else
          write(line, sectors);
      }
    }
  }

  using Sectors = std::map<int64_t, std::set<int64_t>>;

  /// The line in this level, which has it now.
  Line *enter(size_t at, int64_t number) {
    if (Line *line = levels[at].find(number))
      return line;
    Line evicted{-1, {}, {}};
    Line *line = levels[at].insert(number, evicted);
    if (evicted.dirty.empty())
      return line;
    if (at + 1 == levels.size())
      counts.dramWrites += evicted.dirty.size();
    else
      putBack(at + 1, evicted);
    return line;
  }

  void putBack(size_t at, const Line &evicted) {
    Line *line = enter(at, evicted.number);
    for (int64_t sector : evicted.dirty) {
      ++counts.lookups[at];
      counts.hits[at] += !line->valid.insert(sector).second;
      line->dirty.insert(sector);
    }
  }

  void read(int64_t number, const Sectors &sectors) {
    std::set<int64_t> missing;
    for (auto &[sector, bytes] : sectors)
      missing.insert(sector);
    for (size_t at = 0; at < levels.size() && !missing.empty(); ++at) {
      Line *line = enter(at, number);
      std::set<int64_t> wanted = std::move(missing);
      missing.clear();
      for (int64_t sector : wanted) {
        ++counts.lookups[at];
        if (line->valid.insert(sector).second)
          missing.insert(sector);
        else
          ++counts.hits[at];
      }
    }
    counts.dramReads += missing.size();
  }

  void write(int64_t number, const Sectors &sectors) {
    counts.lookups[reads] += sectors.size();
    Line *line = enter(reads, number);
    for (auto &[sector, bytes] : sectors) {
      if (line->valid.count(sector) || line->dirty.count(sector))
        ++counts.hits[reads];
      line->dirty.insert(sector);
      if (static_cast<int64_t>(bytes.size()) == sectorBytes)
        line->valid.insert(sector);
    }
  }

  const KernelModel &model;
  const int64_t sectorBytes, waveSize;
  const size_t reads;
  std::vector<List> levels;
  Counts counts;
  std::vector<std::vector<int64_t>> threads; ///< values by variable
};

} // namespace

HardwareSpec makeChip(const Chain &chain, int64_t sectorBytes,
                      int64_t waveSize) {
  HardwareSpec chip;
  chip.name = "oracle";
  chip.waveSize = waveSize;
  chip.levels.clear();
  for (size_t i = 0; i < chain.lines.size(); ++i) {
    CacheLevel level;
    level.name = "c" + std::to_string(i + 1);
    level.scope = i < chain.reads
                      ? i ? CacheScope::Cluster : CacheScope::ComputeUnit
                  : i == chain.reads ? CacheScope::Die
                                     : CacheScope::Device;
    if (level.scope == CacheScope::Cluster)
      level.unitsPerCluster = 1;
    level.policy =
        i < chain.reads ? CachePolicy::WriteThrough : CachePolicy::WriteBack;
    level.bytes = chain.lines[i] * kLineBytes;
    level.ways = chain.lines[i];
    level.lineBytes = kLineBytes;
    level.sectorBytes = sectorBytes;
    level.partitions = 1;
    chip.levels.push_back(level);
  }
  chip.workgroupsPerUnit = 1;
  chip.workgroupMemoryBanks = kBanks;
  chip.workgroupMemoryBankBytes = kBankBytes;
  chip.workgroupMemoryBytesPerClock = kBanks * kBankBytes;
  chip.issuePerClock = 1;
  chip.fitted = {{"victim_pool", 1},
                 {"start_jitter_rounds", 0},
                 {"miss_delay_rounds", 0},
                 {"reads_in_flight", 4}};
  return chip;
}

Counts run(const KernelModel &model, const Chain &chain, int64_t sectorBytes,
           int64_t waveSize) {
  return Machine(model, chain, sectorBytes, waveSize).run();
}

} // namespace swizzle::oracle
