//===- Depth.h - A part of the steps of deep workgroups --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch may have few workgroups and each of them a billion steps. Neither a
// sample of lines nor a window of workgroups makes that shorter: some of the
// iterations of its loops have to be left out.
//
//   for k in 0 .. 1000:            for k in 496 .. 503:
//     read A[k], B[k]        ->      read A[k], B[k]          7 of 1000
//   write C                        write C                    all
//
// Outer loops are cut first, because inner ones walk within lines; a loop keeps
// two iterations where it has them, so that what the second one finds in the
// caches is seen, and then its body is cut. All workgroups go through their
// loops at about the same time. So the counters at two times within a loop give
// its rate, and what was left out of it is taken to go on at that rate; what
// lies before and behind is counted as it is. The first part of what is carried
// out fills the caches, and gives no rate.
//
// This is systematic sampling with a warm-up of each sample (R. Wunderlich et
// al., SMARTS, ISCA 2003), with one sample for each loop.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_RUN_DEPTH_H
#define SWIZZLE_LIB_SIMULATION_RUN_DEPTH_H

#include "Memory/MemorySystem.h"
#include "Program/Program.h"
#include "swizzle/Support/IntegerMath.h"

#include "llvm/ADT/ArrayRef.h"

namespace swizzle::simulation {

/// What a workgroup does.
struct Effort {
  double steps = 0, flops = 0, tensorFlops = 0;
};

/// Counts what a workgroup does without doing it. Loops whose iterations are
/// alike are counted once; of others, eight iterations stand for all, which is
/// exact where their bodies grow or shrink evenly.
class StepCounter {
public:
  explicit StepCounter(Program &program);

  /// Workgroup `tile`, in full or within the limits of the program's loops.
  Effort count(int64_t tile, bool limited);

  /// Limits the loops of the program so that workgroup `tile` makes about
  /// `steps` steps.
  void limit(int64_t tile, double steps);

  /// An outermost loop out of which something is left.
  struct Phase {
    double begin = 0;    ///< steps before it, within the limits
    double executed = 0; ///< its steps, within the limits
    double all = 0;      ///< its steps in full
    /// Whole iterations of it that are carried out; 0: none is whole.
    int64_t iterations = 0;
  };
  /// The phases of workgroup `tile`, in the order of the program.
  std::vector<Phase> phases(int64_t tile);

private:
  using Range = std::pair<uint32_t, uint32_t>; ///< of instructions
  /// A loop: where it begins, and its steps.
  struct LoopSteps {
    uint32_t pc = 0;
    double steps = 0;
  };

  void start(int64_t tile);
  Effort count(Range range, bool limited);
  Effort countLoop(uint32_t pc, bool limited);
  int64_t tripsOf(const CompiledLoop &loop);
  Range bodyOf(uint32_t pc) const {
    return {pc + 1, program.code[pc].target - 1};
  }
  std::vector<LoopSteps> loopsOf(Range range);
  void limit(Range range, double steps);
  void limitLoop(const LoopSteps &loop, double steps);
  void addPhases(Range range, double &before, std::vector<Phase> &phases);
  void findVarying();
  bool dependsOn(const UniformForm &form, VariableId counter) const;

  Program &program;
  std::vector<int64_t> slots;
  Context context;
  std::vector<bool> varies; ///< by loop: its iterations are not alike
};

/// What was left out of a launch, by when it was to come.
class DepthSample {
public:
  /// Workgroups `tiles` (none: the first `count`) of `program`, each of which
  /// carries out about `share` of its steps. The program is limited until this
  /// is destroyed.
  DepthSample(Program &program, llvm::ArrayRef<uint32_t> tiles, int64_t count,
              double share);
  ~DepthSample();

  /// Steps of all workgroups after which counters are noted, ascending.
  const std::vector<uint64_t> &marks() const { return allMarks; }
  /// What all workgroups do in full.
  const Effort &whole() const { return all; }

  /// Adds to `counters`, those of all that was carried out, what was left out.
  /// `noted`: the counters at the marks. Returns the error that this brings to
  /// DRAM traffic, relative, one sigma. `others` gets what the counters would
  /// be if one piece of each loop stood for what was left out of it, and if
  /// what was written back at the end, since `last`, had been on the way.
  double complete(Counters &counters, const Counters &last,
                  llvm::ArrayRef<Counters> noted,
                  std::vector<Counters> &others) const;
  /// The error of the number of steps, relative, one sigma.
  double errorOfSteps() const { return spread; }

private:
  struct Part {
    StepCounter::Phase phase;
    size_t firstMark = 0;
  };
  static constexpr size_t kMarks = 5;
  static size_t firstPiece(const Part &part);
  static double rateError(const Part &part, const Counters *at);
  std::vector<Counters> ofSinglePieces(const Counters &counters,
                                       llvm::ArrayRef<Counters> noted) const;

  Program &program;
  Effort all;
  double spread = 0; ///< of the number of steps, relative
  std::vector<Part> parts;
  std::vector<uint64_t> allMarks;
};

/// Steps of the workgroups of a launch.
struct LaunchSteps {
  double mean = 0; ///< of one, in full
  bool alike = true;
};
/// Of workgroups of `program` that are spread over `grid`.
LaunchSteps stepsOfWorkgroups(Program &program, const Grid &grid);

/// A workgroup that stands for others.
struct Typical {
  int64_t tile = 0;
  /// Steps of one of them, on average, over its own; at most, where next to none
  /// has work.
  double share = 1;
};

/// The `middle`-th of workgroups `tiles` (none: of the first `count`): no edge is
/// near. But a grid may be larger than the part of it that has work. If they do
/// more than twice as much on average, it is the one of some that does the most.
Typical typicalOf(StepCounter &counter, llvm::ArrayRef<uint32_t> tiles,
                  int64_t count, int64_t middle);

/// The same completion for a run that was cut short before it made `all` steps:
/// `noted` holds the counters at up to two times on the way.
double completeRun(Counters &counters, llvm::ArrayRef<Counters> noted,
                   double all, std::vector<Counters> &others);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_RUN_DEPTH_H
