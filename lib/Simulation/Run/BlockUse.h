//===- BlockUse.h - How much of a block of memory is used at once -*- C++ -*-=//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory serves what lies together faster than what lies apart: opening a row
// of it costs more than another column of an open one. Two orders that move the
// same bytes may so differ in time. A transpose with tiles of 32 by 32 reads
// rows of its input and writes columns of its output, or the other way round:
//
//   tiles along x      reads of 64 KiB that lie together, writes of 128 bytes
//   tiles along y      reads of 128 bytes, writes of 64 KiB: 5 % faster
//
// So address space is cut into blocks, and for what is in flight at a time
// (reads of the workgroups that run together, writes of those whose data the
// shared level holds until it writes them back) it is counted how full the
// blocks are of which anything is used. Banks, rows and channels are not
// simulated: nobody tells how addresses are spread over them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_RUN_BLOCKUSE_H
#define SWIZZLE_LIB_SIMULATION_RUN_BLOCKUSE_H

#include "Program/Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <utility>
#include <vector>

namespace swizzle::simulation {

/// Shares, from 0 to 1.
struct BlockUse {
  struct Of {
    double used = 1; ///< of a block of which anything is
    /// Lines without a neighbour that is used at the same moment, by a
    /// workgroup that was started together with the one that uses this.
    double isolated = 0;
  };
  Of read, written;
  double loneWrites =
      0; ///< lines written without a neighbour by the same store
};

/// Tiles of some workgroups of a launch: the first one, how many.
using TilesOf = llvm::function_ref<std::vector<uint32_t>(int64_t, int64_t)>;

/// How large a launch is.
struct Sizes {
  int64_t all = 1;      ///< workgroups of the grid
  int64_t middle = 0;   ///< the one in the middle of it, where no edge is near
  int64_t count = 1;    ///< those that are launched, the first ones
  int64_t resident = 1; ///< those that run on a compute unit at a time
  int64_t threads = 1;  ///< of each
};

/// Of the launch of the first `count` workgroups of `model`.
Sizes sizesOf(const KernelModel &model, int64_t count, int64_t resident);

/// What workgroups touch of the blocks that are looked at, by workgroup. No
/// order changes that.
class TouchedLines {
public:
  struct Of {
    size_t begin = 0; ///< of its lines: those read, then those written
    uint32_t reads = 0, writes = 0;
    uint32_t lone = 0; ///< written without a neighbour by the same store
    double work = 0;   ///< units that finding them takes
  };

  /// Forgets what was found in another sample of blocks.
  void setSample(unsigned blockShift, unsigned sampleShift);
  /// That of a workgroup; null if it is not known.
  const Of *find(uint32_t tile) const;
  /// Takes the lines of one more workgroup. May forget all others.
  const Of *add(uint32_t tile, Of of, llvm::ArrayRef<uint32_t> reads,
                llvm::ArrayRef<uint32_t> writes);
  llvm::ArrayRef<uint32_t> reads(const Of &of) const {
    return llvm::ArrayRef(lines).slice(of.begin, of.reads);
  }
  llvm::ArrayRef<uint32_t> writes(const Of &of) const {
    return llvm::ArrayRef(lines).slice(of.begin + of.reads, of.writes);
  }

private:
  std::pair<unsigned, unsigned> sample;
  llvm::DenseMap<uint32_t, Of> tiles;
  std::vector<uint32_t> lines;
};

/// Finds how orders of one program use blocks of memory.
class BlockUseFinder {
public:
  /// Looks at a few windows of a launch. Loops of the program, each time the
  /// same, are limited meanwhile, and any limits that they had are gone then.
  /// Of a chip without blocks, of recorded steps, and of a kernel that would
  /// cost too much, whole blocks are used. `work` grows by what it takes.
  BlockUse find(Program &program, const Machine &machine, TilesOf tilesOf,
                const Sizes &sizes, double &work);

private:
  TouchedLines touched;
  /// A workgroup that stands for all of the grid, once it was looked for.
  std::optional<int64_t> typical;
};

/// What memory spends beside moving the bytes, as bytes.
double bytesOfScatter(const BlockUse &use, const Machine &machine,
                      double readBytes, double writtenBytes);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_RUN_BLOCKUSE_H
