//===- CoarseModel.cpp - Traffic of an order, from when lines are reused --===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who touches a line is found from one workgroup that does: the others lie next
// to it along some axis of the grid, or next to one of those. An axis is
// searched by doubling steps, so that an axis along which all share a line
// costs no more than one along which a few do.
//
//===----------------------------------------------------------------------===//

#include "CoarseModel.h"
#include "Constants.h"

#include "../Orders/OrderPlaces.h"
#include "RadixSort.h"
#include "swizzle/Hardware/Completion.h"
#include "swizzle/Support/Parallel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace swizzle::planner {

namespace {

using Constants = FootprintConstants;

/// About how many scalar instructions an order takes, which lowering it would
/// tell: a few for each quotient by a number that is known, and many by one
/// that is not, as those within a piece that may be cut off at the edge.
double guessInstructions(const Order &order, const Grid &grid) {
  constexpr double ofPower = 2, ofConstant = 5, ofUnknown = 22, ofTurn = 3;
  if (order.curve != CurveKind::None)
    return ofUnknown;
  double count = 0;
  bool isCut = false;
  for (const NestLevel &level : order.nest.levels) {
    int64_t extent = grid[level.axis];
    if (extent <= 1)
      continue;
    bool isPower = llvm::isPowerOf2_64(level.tile > 1 ? level.tile : extent);
    count += isCut ? ofUnknown : isPower ? ofPower : ofConstant;
    count += level.serpentine ? ofTurn : 0;
    isCut |= extent % level.tile != 0;
  }
  return count;
}

/// True if what is used at two times is still held at the second: not as many
/// workgroups as `reach` lie between, or both are of one generation of `resident`.
bool isHeld(int64_t first, int64_t second, int64_t reach, int64_t resident) {
  return second - first < reach || second / resident == first / resident;
}

} // namespace

/// How likely the read of a workgroup that starts `since` workgroups after
/// another is one with that one's: it is of the same cluster of units, and asks
/// while the line is on its way.
double CoarseModel::mergeProbability(double since) const {
  double cluster = onTheWay.unitsPerCluster;
  return since < cluster && since < inFlight
             ? (1 - since / cluster) * (1 - since / inFlight)
             : 0.0;
}

/// The share of a line that crosses between two partitions while `uses`
/// workgroups find it in one: from its home to whoever asks on the other side,
/// once.
static double crossingShare(int64_t uses) {
  return 1 - std::ldexp(1.0, -int(std::min<int64_t>(uses, 60)));
}

CoarseModel::CoarseModel(const KernelModel &model, const HardwareSpec &hardware,
                         int64_t residentPerUnit, const Deadline &deadline)
    : grid(model.grid), dies(std::max<int64_t>(1, hardware.numDies)),
      dispatchChunk(std::max<int64_t>(1, hardware.dispatchChunk)),
      residentPerDie(std::max<int64_t>(1, residentPerUnit) *
                     std::max<int64_t>(1, hardware.unitsPerDie)),
      unitsPerDie(std::max<int64_t>(1, hardware.unitsPerDie)),
      hasUnitCache(hardware.unitLevel() != nullptr && residentPerUnit > 1) {
  const HardwareSpec chip = completeChip(hardware).chip;
  const CacheLevel &shared = chip.sharedLevel();
  l2Bytes = Constants::heldShare * double(*shared.capacity());
  // What both halves ask for is kept in both.
  copies = *shared.partitions > 1 ? 1.5 : 1;
  dramBandwidth = *chip.dramBandwidth;
  sharedName = shared.name;
  lineBytes = double(*shared.lineBytes);
  onTheWay = readsOnTheWay(hardware);
  inFlight = Constants::startedInFlight * double(residentPerDie);
  rates = sharedRates(hardware);
  int64_t waveSize = std::max<int64_t>(1, hardware.waveSize);
  waves = double(grid.count()) *
          double((model.threads() + waveSize - 1) / waveSize);
  firstAccesses = double(countAccesses(model.body)) * double(grid.count());
  for (size_t i = chip.sharedIndex() + 1; i < chip.levels.size(); ++i) {
    const CacheLevel &level = chip.levels[i];
    behind.push_back({level.name, double(*level.capacity()), *level.bandwidth});
  }
  for (unsigned axis = 0; axis < 3; ++axis) {
    bool isLoaded = model.loadedAxes()[axis];
    scattered[axis] = isLoaded && grid[axis] <= Constants::scatteredPlaces;
    unseen |= isLoaded && !scattered[axis];
  }
  findLines(model, hardware, deadline);
  rankLines();
  scratches.resize(kMostThreads);
}

void CoarseModel::setUnchanged(const Metrics &before) {
  writtenBytes = before.dramWriteBytes;
  if (onTheWay.memoryUs > 0 && before.timeUs > 0)
    inFlight = std::clamp(onTheWay.memoryUs / before.timeUs *
                              double(grid.count()) / double(dies),
                          1.0, double(residentPerDie));
  otherSquares = launchUs = issueUs = instructionUs = 0;
  latencyUs = latencyOfByte = mostLateUs = 0;
  waits = swizzle::isBoundByLatency(before);
  auto isChanged = [&](const Bound &bound) {
    if (!bound.isCache())
      return dependsOnOrder(before, bound);
    auto isThis = [&](const Behind &level) {
      return bound.level == level.name;
    };
    return bound.level == sharedName || llvm::any_of(behind, isThis);
  };
  auto usOf = [](double rate) { return rate > 0 ? 1e6 / rate : 0; };
  double byteUs = usOf(rates.lookups);
  sharedUs = before.bytes(sharedName) * byteUs;
  deliveryUs = before.bytes(sharedName) * usOf(rates.delivery);
  double asked = before.bytes(sharedName);
  readShare = asked > 0 ? 1 - std::min(1.0, writtenBytes / asked) : 0;
  // Those of later iterations of loops do not count, and those of the first one
  // are made when workgroups are not in step yet.
  double steps = before.steps - before.emptySteps;
  double share = firstAccesses / std::max(steps, firstAccesses);
  loopShare = 1 - share;
  Traffic traffic =
      evaluate({LoopNest::rowMajor(), CurveKind::None}, scratches.front());
  unitBytesBefore = traffic.unitBytes;
  waitsOfByte = share / (lineBytes * waves);
  mergedUs = (1 - share * (1 - Constants::startedInStep)) * byteUs;
  waitingUs = onTheWay.waitingUs * double(grid.count()) /
              (double(residentPerDie) * double(dies));
  for (const RooflineTerm &term : before.roofline) {
    if (term.bound.kind == BoundKind::Launch) {
      launchUs = term.work * usOf(term.rate);
    } else if (term.bound.kind == BoundKind::Issue) {
      issueUs = term.timeUs;
      instructionUs = rates.remapIssue * waves * usOf(term.rate);
    } else if (term.bound.kind == BoundKind::Latency) {
      latencyUs = waits ? term.work * usOf(term.rate) : term.timeUs;
      mostLateUs = latencyUs * (onTheWay.memoryOverCache - 1);
      if (traffic.lateBytes > 0)
        latencyOfByte = (term.timeUs - latencyUs) / traffic.lateBytes;
    } else if (!isChanged(term.bound)) {
      otherSquares += term.timeUs * term.timeUs;
    }
  }
}

/// Numbers the weights of lines in ascending order, for keys that sort by time
/// first and then by weight.
void CoarseModel::rankLines() {
  auto rank = [&](bool near, std::vector<double> &weights) {
    auto weightOf = [&](const Line &line) {
      if (!near)
        return line.bytes;
      // Over all dies together: each sees its part of the bytes.
      return line.bytes * (line.last - line.first > 1 ? copies : 1) /
             double(dies);
    };
    for (const Line &line : lines)
      weights.push_back(weightOf(line));
    llvm::sort(weights);
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
    for (Line &line : lines)
      (near ? line.nearRank : line.farRank) = static_cast<uint32_t>(
          llvm::lower_bound(weights, weightOf(line)) - weights.begin());
  };
  rank(true, nearWeights);
  rank(false, farWeights);
  rankBits = bitsFor(lines.size());
}

/// The linear id that is dispatched to work on each of `tiles` under `order`.
void CoarseModel::idsOf(const Order &order, std::vector<int64_t> &ids) const {
  ids.clear();
  int64_t count = grid.count();
  const std::vector<uint32_t> *curve =
      order.curve == CurveKind::None ? nullptr : &curves.at(order.curve);
  for (WorkgroupId tile : tiles) {
    int64_t position = curve ? (*curve)[linearise(tile, grid)]
                             : positionOf(order.nest, grid, tile);
    ids.push_back(undeal(order.nest, position, count, dies));
  }
}

/// The largest n of which the average footprint of n consecutive workgroups, as
/// the reuses in `scratch.gaps` say it, fits into `capacity`; of a launch of
/// `length` workgroups.
int64_t CoarseModel::fitting(Scratch &scratch,
                             const std::vector<double> &weights,
                             double capacity, double length) const {
  radixSort(scratch.gaps, rankBits + bitsFor(never()), scratch.spare);
  double target = capacity * length, shorter = 0, longer = 0;
  uint64_t rankMask = (uint64_t(1) << rankBits) - 1;
  for (uint64_t key : scratch.gaps)
    longer += weights[key & rankMask];
  // Within one step of the staircase, the footprint grows by `longer`.
  for (uint64_t key : scratch.gaps) {
    double bytes = weights[key & rankMask];
    int64_t gap = key >> rankBits;
    double length = double(gap == never() ? INT64_MAX / 2 : gap);
    if (shorter + longer * length >= target)
      return static_cast<int64_t>((target - shorter) / longer);
    shorter += bytes * length;
    longer -= bytes;
  }
  return INT64_MAX;
}

std::vector<CoarseModel::Traffic>
CoarseModel::evaluate(llvm::ArrayRef<Order> orders) {
  // Of a curve, the places of all tiles are computed once, however it is dealt.
  for (const Order &order : orders) {
    if (order.curve == CurveKind::None || curves.count(order.curve))
      continue;
    SearchSpace space(grid, dies, true);
    std::vector<uint32_t> walk =
        space.tiles({LoopNest::rowMajor(), order.curve}, 0, grid.count());
    std::vector<uint32_t> &places = curves[order.curve];
    places.resize(walk.size());
    for (size_t i = 0; i < walk.size(); ++i)
      places[walk[i]] = i;
  }
  std::vector<Traffic> results(orders.size());
  forEachInParallel(orders.size(), [&](size_t i, size_t thread) {
    results[i] = evaluate(orders[i], scratches[thread]);
  });
  return results;
}

/// The times until lines are used again on the same die, with their weights.
void CoarseModel::collectGaps(llvm::function_ref<bool(size_t)> sameDie,
                              Scratch &scratch) const {
  scratch.gaps.clear();
  for (const Line &line : lines)
    for (uint32_t i = line.first; i < line.last; ++i) {
      bool last = i + 1 == line.last || !sameDie(i + 1);
      uint64_t gap = last ? never() : scratch.times[i + 1] - scratch.times[i];
      scratch.gaps.push_back(gap << rankBits | line.nearRank);
    }
}

/// Of each line, counts the units whose workgroups of one generation use it.
double CoarseModel::unitBytesOf(llvm::function_ref<bool(size_t)> sameDie,
                                Scratch &scratch) const {
  scratch.users.assign(static_cast<size_t>(unitsPerDie), 0);
  uint64_t group = 0; // of one die and generation, that use one line
  double bytes = 0;
  for (const Line &line : lines)
    for (uint32_t i = line.first; i < line.last; ++i) {
      uint32_t time = scratch.times[i];
      if (i == line.first || !sameDie(i) ||
          time / residentPerDie != scratch.times[i - 1] / residentPerDie)
        ++group;
      uint64_t &user = scratch.users[time % unitsPerDie];
      if (std::exchange(user, group) != group)
        bytes += line.bytes;
    }
  return bytes;
}

CoarseModel::Traffic CoarseModel::evaluate(const Order &order,
                                           Scratch &scratch) const {
  idsOf(order, scratch.ids);
  std::vector<uint64_t> &uses = scratch.uses, &missed = scratch.missed;
  std::vector<uint64_t> &spare = scratch.spare;
  std::vector<uint32_t> &times = scratch.times, &ends = scratch.ends;
  int64_t count = grid.count();
  double perDie = double(count) / double(dies);
  // Uses of each line by die, then by time: sorted once for both levels.
  unsigned idBits = bitsFor(count), dieBits = bitsFor(dies);
  uint64_t idMask = (uint64_t(1) << idBits) - 1;
  unsigned lineBits = bitsFor(lines.size());
  uint32_t chunk = dispatchChunk, round = chunk * dies;
  uses.clear();
  for (uint64_t number = 0; number < lines.size(); ++number)
    for (uint32_t i = lines[number].first; i < lines[number].last; ++i) {
      uint32_t id = scratch.ids[touches[i]], die = id % round / chunk;
      uses.push_back((number << dieBits | die) << idBits | id);
    }
  radixSort(uses, lineBits + dieBits + idBits, spare);
  times.resize(uses.size());
  for (size_t i = 0; i < uses.size(); ++i) {
    uint32_t id = uses[i] & idMask;
    times[i] = id / round * chunk + id % chunk;
  }
  auto sameDie = [&](size_t i) { // as the use before, of the same line
    return uses[i] >> idBits == uses[i - 1] >> idBits;
  };
  collectGaps(sameDie, scratch);
  int64_t reach = fitting(scratch, nearWeights, l2Bytes, perDie);
  Traffic traffic;
  if (hasUnitCache)
    traffic.unitBytes = unitBytesOf(sameDie, scratch);
  missed.clear();
  ends.clear();
  for (uint64_t number = 0; number < lines.size(); ++number) {
    const Line &line = lines[number];
    size_t begin = missed.size();
    int64_t fetched = 0, looked = 0, answered = 0, found = 0;
    for (uint32_t i = line.first; i < line.last; ++i) {
      bool isNew = i == line.first || !sameDie(i) ||
                   !isHeld(times[i - 1], times[i], reach, residentPerDie);
      bool isFull = isNew || answered >= onTheWay.readsPerLookup;
      double merged = isFull ? 0 : mergeProbability(double(times[i] - looked));
      traffic.mergedBytes += line.bytes * merged;
      answered = merged > 0 ? answered + 1 : 1;
      looked = answered == 1 ? times[i] : looked;
      if (isNew) {
        traffic.crossingBytes += line.bytes * crossingShare(found);
        found = 0;
        missed.push_back(number << idBits | (uses[i] & idMask));
        fetched = times[i];
      } else if (double since = double(times[i] - fetched); since < inFlight) {
        double part = (1 - merged) * (1 - since / inFlight);
        traffic.waitingBytes += line.bytes * part;
      }
      traffic.lateBytes += line.waiting * lateShare(times[i] - fetched);
      ++found;
    }
    traffic.crossingBytes += line.bytes * crossingShare(found);
    traffic.llcBytes += line.bytes * double(missed.size() - begin);
    ends.push_back(missed.size());
  }
  double squares = squaresOf(order, traffic), asked = traffic.llcBytes;
  if (behind.empty())
    traffic.llcBytes = 0;
  else if (dies > 1)
    radixSort(missed, lineBits + idBits, spare);
  for (const Behind &level : behind) {
    double time = asked / level.bandwidth * 1e6;
    squares += time * time;
    asked = passBehind(level, double(count), idBits, scratch);
  }
  traffic.dramBytes = asked;
  double memory = memoryUs(traffic);
  double near = nearUs(traffic, false), sharing = nearUs(traffic, true);
  squares += memory * memory;
  traffic.timeUs = withLatency(traffic, squares + near * near);
  traffic.sharingUs = withLatency(traffic, squares + sharing * sharing);
  return traffic;
}

// In loops, whoever asks memory goes slowly, and whoever starts after it catches
// up and waits with it from then on.
double CoarseModel::lateShare(double since) const {
  auto left = [&](double reach) { return std::max(0.0, 1 - since / reach); };
  return (1 - loopShare) * left(inFlight) +
         loopShare * left(double(residentPerDie));
}

double CoarseModel::withLatency(const Traffic &traffic, double squares) const {
  double late = std::min(mostLateUs, traffic.lateBytes * latencyOfByte);
  return timeWithLatency(std::sqrt(squares), latencyUs + late);
}

double CoarseModel::nearUs(const Traffic &traffic, bool sharing) const {
  double spared = std::min(sharedUs, traffic.mergedBytes * mergedUs);
  double near = std::max(deliveryUs, sharedUs - spared);
  if (!sharing || unitBytesBefore <= 0)
    return near;
  return near *
         (1 - readShare + readShare * traffic.unitBytes / unitBytesBefore);
}

double CoarseModel::squaresOf(const Order &order,
                              const Traffic &traffic) const {
  double issue = issueUs + guessInstructions(order, grid) * instructionUs;
  double launch =
      launchUs + std::min(1.0, traffic.waitingBytes * waitsOfByte) * waitingUs;
  return otherSquares + issue * issue + launch * launch;
}

double CoarseModel::timeWith(const Traffic &traffic,
                             ScatterModel::Shares shares) const {
  double written = std::min(writtenBytes, traffic.dramBytes);
  double scatter =
      (traffic.dramBytes - written) * shares.reads + written * shares.writes;
  return traffic.timeUs + scatter / dramBandwidth * 1e6;
}

double CoarseModel::passBehind(const Behind &level, double count,
                               unsigned idBits, Scratch &scratch) const {
  auto &[ids, uses, missed, gaps, spare, times, ends, users] = scratch;
  const uint64_t idMask = (uint64_t(1) << idBits) - 1;
  gaps.clear();
  for (size_t i = 0, number = 0; i < missed.size(); ++i) {
    while (i >= ends[number])
      ++number;
    uint64_t gap = i + 1 < ends[number] ? missed[i + 1] - missed[i] : never();
    gaps.push_back(gap << rankBits | lines[number].farRank);
  }
  int64_t reach = fitting(scratch, farWeights, level.bytes, count);
  double bytes = 0;
  size_t kept = 0, at = 0;
  uint64_t before = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    for (size_t first = at; at < ends[i]; ++at) {
      uint64_t use = missed[at];
      if (at == first || !isHeld(before & idMask, use & idMask, reach,
                                 residentPerDie * dies)) {
        bytes += lines[i].bytes;
        missed[kept++] = use;
      }
      before = use;
    }
    ends[i] = static_cast<uint32_t>(kept);
  }
  missed.resize(kept);
  return bytes;
}

} // namespace swizzle::planner
