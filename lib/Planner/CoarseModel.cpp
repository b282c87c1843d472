//===- CoarseModel.cpp - Traffic of an order, footprint by footprint ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the workgroups in the order of dispatch. A table says when each
// footprint was used last on each die, in turns of the die and in bytes that
// the die had fetched; used less than a residency ago, or less than a capacity
// of bytes ago, it is there.
//
//===----------------------------------------------------------------------===//

#include "CoarseModel.h"

#include <algorithm>

namespace swizzle {

namespace {

// Stand-ins where a chip's file leaves a number open; only ratios matter here.
constexpr double defaultL2Bytes = 4.0 * (1 << 20);
constexpr double defaultBandwidth = 1e12;

constexpr uint64_t tableSize = uint64_t(1) << 16;

size_t slotOf(uint64_t key) {
  key *= 0x9E3779B97F4A7C15ull;
  return (key >> 40) & (tableSize - 1);
}

} // namespace

CoarseModel::CoarseModel(const KernelModel &model, const HardwareSpec &hardware,
                         const ReuseTable &reuse, int64_t residentPerUnit)
    : grid(model.grid), dies(std::max<int64_t>(1, hardware.numDies)),
      dispatchChunk(std::max<int64_t>(1, hardware.dispatchChunk)),
      residentPerDie(std::max<int64_t>(1, residentPerUnit) *
                     std::max<int64_t>(1, hardware.unitsPerDie)) {
  l2.capacity =
      hardware.l2.capacity() ? double(*hardware.l2.capacity()) : defaultL2Bytes;
  l2.concurrent = residentPerDie;
  dramBandwidth = hardware.dramBandwidth.value_or(
      hardware.peakDramBandwidth.value_or(defaultBandwidth));
  hasLast = hardware.llc && hardware.llc->capacity().value_or(0) > 0;
  if (hasLast) {
    last.capacity = double(*hardware.llc->capacity());
    last.concurrent = residentPerDie * dies;
    lastBandwidth = hardware.llc->bandwidth.value_or(2 * dramBandwidth);
  }
  for (const BufferReuse &buffer : reuse.buffers) {
    BufferInfo info;
    info.bytes = double(buffer.bytesPerWorkgroup);
    ++lookups;
    for (unsigned axis = 0; axis < 3; ++axis) {
      info.shared[axis] = buffer.axis[axis] == AxisReuse::Shared ||
                          buffer.axis[axis] == AxisReuse::Absent;
      if (buffer.axis[axis] == AxisReuse::Overlap) {
        info.overlap[axis] = buffer.sharedFraction[axis];
        lookups += 2;
      }
    }
    buffers.push_back(info);
  }
  lookups *= hasLast ? 2 : 1;
  nearTable.resize(tableSize);
  farTable.resize(hasLast ? tableSize : 0);
}

bool CoarseModel::present(const std::vector<Entry> &table, uint64_t key,
                          int64_t turn, double fetched,
                          const Cache &cache) const {
  const Entry &entry = table[slotOf(key)];
  return entry.key == key && (turn - entry.turn < cache.concurrent ||
                              fetched - entry.fetched < cache.capacity);
}

double CoarseModel::evaluate(llvm::ArrayRef<uint32_t> order) {
  std::fill(nearTable.begin(), nearTable.end(), Entry());
  std::fill(farTable.begin(), farTable.end(), Entry());
  std::vector<int64_t> turns(dies);
  std::vector<double> fetched(dies);
  double fromDram = 0, fromLast = 0;

  for (size_t i = 0; i < order.size(); ++i) {
    int64_t die = int64_t(i) / dispatchChunk % dies;
    WorkgroupId id = delinearise(order[i], grid);
    int64_t at[3] = {id.x, id.y, id.z};
    int64_t turn = turns[die]++;
    for (size_t b = 0; b < buffers.size(); ++b) {
      const BufferInfo &buffer = buffers[b];
      uint64_t key = 0, stride = 1, strides[3] = {0, 0, 0};
      for (unsigned axis = 0; axis < 3; ++axis) {
        if (buffer.shared[axis])
          continue;
        key += stride * at[axis];
        strides[axis] = stride;
        stride *= grid[axis];
      }
      uint64_t tag = uint64_t(b) << 56;
      uint64_t dieTag = tag | uint64_t(die + 1) << 40;
      // Fraction that has to be fetched, seen from one cache.
      auto missing = [&](const std::vector<Entry> &table, uint64_t tag,
                         int64_t turn, double bytes, const Cache &cache) {
        if (present(table, tag + key, turn, bytes, cache))
          return 0.0;
        double part = 1;
        for (unsigned axis = 0; axis < 3; ++axis) {
          if (buffer.overlap[axis] == 0)
            continue;
          for (int side : {-1, 1}) {
            int64_t neighbour = at[axis] + side;
            if (neighbour < 0 || neighbour >= grid[axis])
              continue;
            uint64_t other = tag + key + int64_t(strides[axis]) * side;
            if (present(table, other, turn, bytes, cache))
              part -= buffer.overlap[axis];
          }
        }
        return std::max(0.0, part);
      };
      double miss =
          buffer.bytes * missing(nearTable, dieTag, turn, fetched[die], l2);
      fetched[die] += miss;
      nearTable[slotOf(dieTag + key)] = {dieTag + key, turn, fetched[die]};
      if (!hasLast) {
        fromDram += miss;
        continue;
      }
      fromLast += miss;
      if (miss > 0) {
        double far = missing(farTable, tag, int64_t(i), fromDram, last);
        fromDram += std::min(miss, far * buffer.bytes);
        farTable[slotOf(tag + key)] = {tag + key, int64_t(i), fromDram};
      }
    }
  }
  return fromDram / dramBandwidth + (hasLast ? fromLast / lastBandwidth : 0.0);
}

} // namespace swizzle
