//===- BlockUse.cpp - How much of a block of memory is used at once -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See BlockUse.h. Of all blocks, a scattered sample is looked at, in full.
//
//===----------------------------------------------------------------------===//

#include "BlockUse.h"

#include "Depth.h"
#include "swizzle/Simulation/WorkUnits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <set>
#include <vector>

namespace swizzle::simulation {

namespace {

/// Windows that are looked at.
constexpr int64_t kWindows = 2;
/// Steps of a workgroup that are carried out: about so many of a typical one,
/// and at most so many of any.
constexpr double kSteps = 64;
constexpr size_t kMostSteps = 512;
/// Work units that looking may take. More, and nothing is known: patterns of
/// lines that differ from step to step are found lane by lane. That depends on
/// the kernel and the chip alone, so that all orders are judged alike.
constexpr double kMostWork = 4e6;
/// Workgroups by which that is foretold: a typical one, after those before it.
constexpr int64_t kForetold = 4;
/// How much more it may be than foretold. It is where few workgroups do almost
/// all: then nothing is known either.
constexpr double kMostOverForetold = 4;
/// Lines in a window; of more, the blocks are sampled.
constexpr int64_t kLines = 1 << 14;
/// Lines of workgroups that are remembered, before they are forgotten.
constexpr size_t kMostRemembered = 1 << 22;

/// True if a line next to the i-th stands beside it in a list.
bool hasNeighbour(const std::vector<uint32_t> &lines, size_t i) {
  return (i > 0 && lines[i] - lines[i - 1] == 1) ||
         (i + 1 < lines.size() && lines[i + 1] - lines[i] == 1);
}

/// The blocks that are looked at.
class BlockSample {
public:
  /// One block of 2^blockShift lines in 2^sampleShift.
  BlockSample(unsigned blockShift, unsigned sampleShift)
      : blockShift(blockShift), mask((1u << sampleShift) - 1) {}

  unsigned shift() const { return blockShift; }
  /// Lines mostly follow on others of their block.
  bool takes(uint32_t line) {
    uint32_t block = line >> blockShift;
    if (block != last) {
      last = block;
      lastTaken = (block * 0x9e3779b1u >> 16 & mask) == 0;
    }
    return lastTaken;
  }

  /// True if no line of the pattern is taken: mostly all are of one block.
  bool skips(const Pattern &pattern, uint32_t baseLine) {
    uint32_t first = baseLine + pattern.low, last = baseLine + pattern.high;
    return first >> blockShift == last >> blockShift && !takes(first);
  }

private:
  unsigned blockShift;
  uint32_t mask, last = UINT32_MAX;
  bool lastTaken = false;
};

/// A set of lines, by block: a bit for each.
class UsedBlocks {
public:
  explicit UsedBlocks(unsigned blockShift)
      : blockShift(blockShift),
        wordsOfBlock(std::max(1u, (1u << blockShift) / 64)) {}

  void add(uint32_t line) {
    uint32_t block = line >> blockShift;
    if (block != last || places.empty()) {
      auto [found, added] = places.try_emplace(block, used.size());
      if (added)
        used.resize(used.size() + wordsOfBlock);
      last = block;
      lastPlace = found->second;
    }
    uint32_t within = line & inBlock();
    used[lastPlace + within / 64] |= uint64_t(1) << within % 64;
  }

  void clear() {
    places.clear();
    used.clear();
  }

  /// Used lines, and lines of blocks of which any is.
  double lines() const {
    double count = 0;
    for (uint64_t word : used)
      count += llvm::popcount(word);
    return count;
  }
  double linesOfBlocks() const {
    return double(places.size()) * double(1u << blockShift);
  }

  /// Used lines of which neither neighbour is used.
  double isolated() const {
    double count = 0;
    for (auto [block, place] : places)
      for (size_t i = 0; i < wordsOfBlock; ++i) {
        uint64_t word = used[place + i];
        bool before = i > 0 ? used[place + i - 1] >> 63
                            : has((uint64_t(block) << blockShift) - 1);
        bool after = i + 1 < wordsOfBlock
                         ? used[place + i + 1] & 1
                         : has((uint64_t(block) + 1) << blockShift);
        uint64_t top = uint64_t(after) << (std::min(inBlock(), 63u));
        count += llvm::popcount(word & ~(word << 1 | uint64_t(before)) &
                                ~(word >> 1 | top));
      }
    return count;
  }

private:
  uint32_t inBlock() const { return (1u << blockShift) - 1; }
  /// Of the lines before the first and behind the last one, there is none.
  bool has(uint64_t line) const {
    if (line > UINT32_MAX)
      return false;
    auto found = places.find(static_cast<uint32_t>(line >> blockShift));
    uint32_t within = line & inBlock();
    return found != places.end() &&
           (used[found->second + within / 64] >> within % 64 & 1);
  }

  unsigned blockShift;
  size_t wordsOfBlock;
  llvm::DenseMap<uint32_t, size_t> places; ///< of a block's words in `used`
  std::vector<uint64_t> used;
  uint32_t last = UINT32_MAX;
  size_t lastPlace = 0;
};

/// The lines that are used at one moment after the other.
class Moment {
public:
  explicit Moment(unsigned blockShift) : now(blockShift) {}

  void add(uint32_t line) { now.add(line); }
  void end() {
    all += now.lines();
    isolated += now.isolated();
    now.clear();
  }

  double all = 0, isolated = 0;

private:
  UsedBlocks now;
};

/// What was seen in all windows.
struct Sums {
  double lines = 0, linesOfBlocks = 0, all = 0, isolated = 0;

  void add(const UsedBlocks &blocks, const Moment &moment) {
    lines += blocks.lines();
    linesOfBlocks += blocks.linesOfBlocks();
    all += moment.all;
    isolated += moment.isolated;
  }
  BlockUse::Of shares() const {
    return {linesOfBlocks > 0 ? lines / linesOfBlocks : 1,
            all > 0 ? isolated / all : 0};
  }
};

/// Carries out workgroups one after the other.
class Walker {
public:
  Walker(Program &program, double &work)
      : program(program), work(work), slots(program.numSlots()) {}

  /// Calls `fn` with the steps of a workgroup; returns what that took, but for
  /// patterns that come again, of which it depends on what was walked before.
  template <typename Fn> double walk(int64_t tile, Fn fn) {
    Context context;
    context.slots = slots.data();
    double before = program.steadyWork();
    program.start(context, tile);
    Program::Step step;
    size_t steps = 0, empty = 0, lines = 0;
    for (; steps < kMostSteps && program.next(context, step); ++steps) {
      lines += step.pattern->line.size();
      steps += step.empty;
      empty += step.empty;
      fn(step);
    }
    double own = program.steadyWork() - before +
                 WorkPrices::ofSteps(double(steps), double(empty)) +
                 WorkPrices::listedLine * double(lines);
    charge(own);
    return own;
  }
  void charge(double units) { work += units; }

  /// Work of all that was walked.
  double spent() const { return work - before; }

private:
  Program &program;
  double &work;
  double before = work;
  std::vector<int64_t> slots;
};

/// What a workgroup touches of the blocks of the sample.
const TouchedLines::Of &linesOf(uint32_t tile, Walker &walker,
                                BlockSample &sample, TouchedLines &touched) {
  if (const TouchedLines::Of *known = touched.find(tile)) {
    walker.charge(known->work);
    return *known;
  }
  TouchedLines::Of found;
  std::vector<uint32_t> reads, writes;
  found.work = walker.walk(tile, [&](const Program::Step &step) {
    if (sample.skips(*step.pattern, step.baseLine))
      return;
    bool isWrite = step.kind != AccessKind::Read;
    const std::vector<uint32_t> &lines = step.pattern->line;
    for (size_t at = 0; at < lines.size(); ++at) {
      uint32_t line = step.baseLine + lines[at];
      if (!sample.takes(line))
        continue;
      (isWrite ? writes : reads).push_back(line);
      found.lone += isWrite && !hasNeighbour(lines, at);
    }
  });
  return *touched.add(tile, found, reads, writes);
}

/// What was seen in all windows.
struct Seen {
  Sums read, written;
  double stored = 0, lone = 0;

  BlockUse use() const {
    return {read.shares(), written.shares(), stored > 0 ? lone / stored : 0};
  }
};

/// A window of workgroups, of which the first run `together` on `units`.
struct Window {
  std::vector<uint32_t> tiles;
  int64_t together, units;
};

/// Adds what is seen in a window; false if that takes more work than `most`.
bool lookAt(const Window &window, Walker &walker, BlockSample sample,
            TouchedLines &touched, double most, Seen &seen) {
  UsedBlocks read(sample.shift()), written(sample.shift());
  Moment nowRead(sample.shift()), nowWritten(sample.shift());
  for (int64_t i = 0; i < int64_t(window.tiles.size()); ++i) {
    bool isFirst = i < window.together;
    const TouchedLines::Of &of =
        linesOf(window.tiles[i], walker, sample, touched);
    for (uint32_t line : touched.writes(of)) {
      written.add(line);
      if (isFirst)
        nowWritten.add(line);
    }
    if (isFirst)
      for (uint32_t line : touched.reads(of)) {
        read.add(line);
        nowRead.add(line);
      }
    seen.stored += of.writes;
    seen.lone += of.lone;
    if (walker.spent() > most)
      return false;
    if ((i + 1) % window.units == 0 || i + 1 == window.together) {
      nowRead.end();
      nowWritten.end();
    }
  }
  seen.read.add(read, nowRead);
  seen.written.add(written, nowWritten);
  return true;
}

/// Carries out less of a program's loops, and then all again.
class Limited {
public:
  Limited(Program &program, StepCounter &counter, int64_t tile)
      : program(program), flops(program.flops),
        tensorFlops(program.tensorFlops) {
    counter.limit(tile, kSteps);
  }
  ~Limited() {
    program.limitNothing();
    program.flops = flops;
    program.tensorFlops = tensorFlops;
  }

private:
  Program &program;
  double flops, tensorFlops;
};

/// What a typical workgroup touches, and what looking at it costs, whatever is
/// remembered of it already.
struct Sample {
  int64_t lines = 1;
  double work = 0;
};

Sample sampleOf(Program &program, int64_t typical, Walker &walker,
                const Sizes &sizes) {
  Sample sample;
  std::set<const Pattern *> patterns;
  int64_t foretold = std::min(kForetold, sizes.all);
  int64_t first = std::max<int64_t>(0, typical + 1 - foretold);
  for (int64_t i = 0; i < foretold; ++i) {
    std::set<uint32_t> lines;
    double steps = 0, fresh = 0, touched = 0;
    walker.walk(first + i, [&](const Program::Step &step) {
      ++steps;
      fresh += patterns.insert(step.pattern).second;
      touched += double(step.pattern->line.size());
      for (uint32_t line : step.pattern->line)
        lines.insert(step.baseLine + line);
    });
    sample.lines = std::max<int64_t>(1, int64_t(lines.size()));
    sample.work = WorkPrices::step * steps + WorkPrices::listedLine * touched +
                  WorkPrices::laneAccess * fresh * double(sizes.threads);
  }
  return sample;
}

} // namespace

Sizes sizesOf(const KernelModel &model, int64_t count, int64_t resident) {
  const Grid &grid = model.grid;
  WorkgroupId middle{grid.x() / 2, grid.y() / 2, grid.z() / 2};
  return {grid.count(), linearise(middle, grid), count, resident,
          model.threads()};
}

void TouchedLines::setSample(unsigned blockShift, unsigned sampleShift) {
  if (std::pair(blockShift, sampleShift) == sample)
    return;
  sample = {blockShift, sampleShift};
  tiles.clear();
  lines.clear();
}

const TouchedLines::Of *TouchedLines::find(uint32_t tile) const {
  auto found = tiles.find(tile);
  return found == tiles.end() ? nullptr : &found->second;
}

const TouchedLines::Of *TouchedLines::add(uint32_t tile, Of of,
                                          llvm::ArrayRef<uint32_t> reads,
                                          llvm::ArrayRef<uint32_t> writes) {
  if (lines.size() > kMostRemembered || tiles.size() > kMostRemembered) {
    tiles.clear();
    lines.clear();
  }
  of.begin = lines.size();
  of.reads = uint32_t(reads.size());
  of.writes = uint32_t(writes.size());
  lines.insert(lines.end(), reads.begin(), reads.end());
  lines.insert(lines.end(), writes.begin(), writes.end());
  return &(tiles[tile] = of);
}

BlockUse BlockUseFinder::find(Program &program, const Machine &machine,
                              TilesOf tilesOf, const Sizes &sizes,
                              double &work) {
  if (machine.scatter.blockBytes == 0 || !program.keepsPatterns())
    return {};
  StepCounter counter(program);
  if (!typical)
    typical = typicalOf(counter, {}, sizes.all, sizes.middle).tile;
  Limited limited(program, counter, *typical);
  Walker walker(program, work);
  Sample sample = sampleOf(program, *typical, walker, sizes);
  int64_t together = std::min(sizes.count, sizes.resident * machine.numUnits());
  double most = kMostWork / kWindows / std::max(1.0, sample.work);
  if (double(together) > most)
    return {};

  // As many workgroups as bring as much data as the shared level holds.
  int64_t held = machine.levels[machine.shared].bytes * machine.numDies /
                 machine.lineBytes / sample.lines;
  int64_t length = std::clamp(held, together, sizes.count);
  length = std::min(length, std::max(together, int64_t(most)));

  unsigned blockShift =
      llvm::Log2_64(uint64_t(machine.scatter.blockBytes / machine.lineBytes));
  unsigned sampleShift = 0;
  while (sampleShift < 8 && (length * sample.lines >> sampleShift) > kLines)
    ++sampleShift;
  touched.setSample(blockShift, sampleShift);
  Seen seen;
  for (int64_t k = 0; k < kWindows; ++k) {
    int64_t begin = (sizes.count - length) * (2 * k + 1) / (2 * kWindows);
    if (!lookAt({tilesOf(begin, length), together, machine.numUnits()}, walker,
                BlockSample(blockShift, sampleShift), touched,
                kMostOverForetold * kMostWork, seen))
      return {};
  }
  return seen.use();
}

double bytesOfScatter(const BlockUse &use, const Machine &machine,
                      double readBytes, double writtenBytes) {
  const DramScatter &cost = machine.scatter;
  double ofWrite = cost.writes + cost.loneWrites * use.loneWrites;
  return readBytes * (cost.reads * (1 - use.read.used) +
                      cost.isolatedReads * use.read.isolated) +
         writtenBytes * (ofWrite * (1 - use.written.used) +
                         cost.isolatedWrites * use.written.isolated);
}

} // namespace swizzle::simulation
