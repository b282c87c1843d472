//===- Program.h - A kernel model compiled for simulation ----- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model is interpreted millions of times, so it is compiled once. The idea:
// split each affine form into what is the same for all threads of a workgroup
// and what is not. The former is evaluated at each step, as the value at thread
// 0; the latter is turned once into a *pattern*: which lines and sectors each
// wave touches, relative to the line of thread 0's address. A pattern depends
// only on
// - where in its line thread 0's address falls (the phase),
// - for each quotient of thread and workgroup parts together: the residue of
//   the workgroup part, and only if some thread crosses a multiple,
// - for each condition around the access that holds for some threads and not
//   for others: the value of its workgroup part.
// These make up the key under which a pattern is remembered. A pattern is
// computed lane by lane from the model itself, whatever its shape; so there is
// one way to compute it, and no special cases that could disagree with it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_PROGRAM_PROGRAM_H
#define SWIZZLE_LIB_SIMULATION_PROGRAM_PROGRAM_H

#include "HotLines.h"
#include "JoinedStores.h"
#include "Machine/Machine.h"
#include "swizzle/Kernel/Trace.h"
#include "swizzle/Support/IntegerMath.h"
#include "swizzle/Support/Interval.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>
#include <map>
#include <memory>
#include <unordered_map>

namespace swizzle::simulation {

/// Which lines of a pattern a sample takes, by place in the sample's period.
/// Places are many and what is taken there repeats, so a place holds no more
/// than a number: 0 is not known yet, n + 1 the n-th set of lines. The first
/// set is the empty one. Of a set, up to three lines stand in the entry itself,
/// their number in its lowest bits; of more, the entry names a list. Most
/// patterns of gathers come once: of the first place alone, no table is made.
struct SampledLines {
  unsigned shift = ~0u; ///< of the sample that this is about
  static constexpr uint16_t kUnknown = 0, kNone = 1;
  static constexpr size_t kMost = 65535;          ///< sets that are remembered
  static constexpr uint64_t kFull = ~uint64_t(0); ///< no entry: too many sets
  static constexpr size_t kFew = 3;
  std::vector<uint16_t> place;
  std::vector<uint64_t> entry;
  std::vector<std::vector<uint16_t>> lists;
  std::map<std::vector<uint16_t>, uint16_t> numbers; ///< of known sets
  struct First {
    unsigned shift = ~0u;
    uint32_t place = 0;
    uint64_t entry = 0;
  };
  First first;

  /// Lines of an entry, and where they stand if they are more than a few.
  static size_t count(uint64_t entry) { return entry & 0xffff; }
  const uint16_t *list(uint64_t entry) const {
    return lists[entry >> 16].data();
  }
};

/// The lines that one access of a whole workgroup touches, wave by wave and in
/// order; one entry a line and wave instruction.
struct Pattern {
  std::vector<uint32_t> line; ///< relative to thread 0's line, modulo 2^32
  /// By line: in the lower half a bit for each sector with any byte touched, in
  /// the upper half one for each with all bytes touched.
  std::vector<uint8_t> sectors;
  double bytes = 0;   ///< sum over all lanes
  uint32_t run = 0;   ///< the last one that met it, if it has a key
  uint32_t waves = 1; ///< that touch a line, on average, rounded down
  /// The first and the last of `line`, as numbers with a sign; of a recorded
  /// step, not known.
  int32_t low = 0, high = 0;
  /// Which of these lines a sample of lines takes, by where in the sample's
  /// period thread 0's line lies; filled in by the memory system as needed.
  mutable SampledLines sample;
};

/// Bounds of what the threads add to a form's value at thread 0.
struct ThreadRange : Interval {
  bool uniform() const { return low == 0 && high == 0; }
  void addScaled(ThreadRange other, int64_t factor) {
    int64_t a = other.low * factor, b = other.high * factor;
    low += std::min(a, b);
    high += std::max(a, b);
  }
};

/// A form, ready for evaluation over the slots of one workgroup.
struct UniformForm {
  int64_t constant = 0;
  std::vector<std::pair<uint32_t, int64_t>> terms; ///< slot, coefficient
  ThreadRange threads;
  /// Quotients of which the value at thread 0 tells what threads add, with their
  /// coefficients, and what threads add apart from these.
  std::vector<std::pair<VariableId, int64_t>> quotients;
  ThreadRange others;
  std::vector<VariableId> derived;  ///< that it depends on, in order
  std::vector<VariableId> changing; ///< those of them to refresh first
};

struct CompiledCondition {
  UniformForm form;
  bool equality = false;
  /// It holds for the same threads, one at least, whatever the workgroup and
  /// the iteration: it is a part of each pattern.
  bool isFixed = false;
};

/// Conditions of one guard, or the implicit ones of a loop whose trip count
/// differs between threads.
struct CompiledGuard {
  std::vector<CompiledCondition> conditions;
  std::vector<Condition> source; ///< the same, for patterns
  unsigned depth = 0;            ///< guards around it
};

/// Bytes between buffers, and what they are aligned to.
inline constexpr int64_t kBufferGap = 2 << 20;

/// Patterns that one access may have before they are forgotten.
inline constexpr size_t kMostPatterns = 1 << 14;

/// One access site.
struct Site {
  Site() = default;
  Site(Site &&) noexcept = default;

  const Access *access = nullptr;
  UniformForm address;
  /// Quotients of the address whose residue the pattern depends on, and loaded
  /// variables whose addresses it depends on.
  std::vector<VariableId> residues;
  /// Derived variables that the address and the guards depend on, in order.
  std::vector<VariableId> derived;
  /// Of stores that are joined: where each begins, from this one on.
  std::vector<int64_t> joined;
  /// Enclosing guards, outermost first; true: in the `otherwise` part.
  std::vector<std::pair<uint32_t, bool>> guards;
  uint64_t guardMask = 0; ///< one bit a guard of `guards` (depth modulo 64)
  uint32_t hotRange = 0;  ///< 0: none; n + 1: the n-th
  AccessKind kind = AccessKind::Read;
  /// By whoever needs what is read, on a chip of which that is known.
  bool isWaitedFor = false;
  /// By phase, without residues and mixed guards: those that this run met, and
  /// all that are known.
  std::vector<Pattern *> plain, known;
  /// Others, by the hash of their keys; and those that were forgotten last,
  /// which steps that are on their way may still need.
  using Keyed = std::unordered_multimap<
      uint64_t, std::pair<std::vector<int64_t>, std::unique_ptr<Pattern>>>;
  Keyed keyed, forgotten;
  size_t met = 0; ///< of the keyed ones by this run, since it forgot some
};

enum class Opcode : uint8_t {
  Access,
  Compute,
  LoopBegin,
  LoopEnd,
  Guard,
  Otherwise,
  Barrier,
  Trace, ///< all steps of a recorded workgroup
  End
};

struct Instruction {
  Opcode opcode = Opcode::End;
  uint32_t index = 0;  ///< site, compute, loop or guard
  uint32_t target = 0; ///< where to go on
  /// What comes next waits for what was accessed so far: a barrier, the end of
  /// an iteration, or the end.
  bool waits = false;
  uint32_t wait = 0; ///< n + 1: at the n-th place; 0: nothing waits
};

/// Where a workgroup waits for what it has read: behind an access, or, where
/// that may be left out, at the end of a loop's iteration or of the workgroup.
struct WaitPlace {
  bool endsIteration = false; ///< no barrier, and not the end of the workgroup
};

struct CompiledLoop {
  VariableId counter = 0;
  uint32_t tripSlot = 0;
  std::vector<UniformForm> trips;
  int guard = -1; ///< of the trip counts that differ between threads
  /// Iterations that are carried out at most: those in the middle.
  int64_t most = INT64_MAX;
  /// Its body computes and touches no memory: an iteration is these operations.
  bool isArithmetic = false;
  double flops = 0, tensorFlops = 0;
  uint32_t wait = 0; ///< as of `Instruction`, at the end of an iteration
};

/// A derived variable: a quotient, or what was loaded from memory.
struct CompiledDerived {
  UniformForm numerator;
  const Variable *variable = nullptr;

  bool isLoaded() const { return variable->kind == VariableKind::Loaded; }
};

/// What one resident workgroup carries along.
struct Context {
  uint32_t pc = 0;
  /// By depth, modulo 64: the guard around what is carried out holds for some
  /// of those threads only for which what is fixed of it does.
  uint64_t mixed = 0;
  /// As of `Instruction`: of the last iteration that ended, until someone sets
  /// it to 0.
  uint32_t passed = 0;
  /// Values at thread 0 by variable, then trip counts.
  int64_t *slots = nullptr;
};

class Program {
public:
  Program(const KernelModel &model, const Machine &machine);
  /// Steps that were recorded; `trace` outlives the program.
  Program(const Trace &trace, const Machine &machine);

  /// Number of accesses that the kernel states; of recorded steps, none.
  size_t numSites() const { return sites.size(); }

  /// Bytes that the launch writes at most, each counted once: of each buffer,
  /// from the first to the last. Of recorded steps, any number.
  double mostWritten() const { return writtenBytes; }

  /// Of recorded steps, none are known.
  llvm::ArrayRef<WaitPlace> waitPlaces() const { return places; }
  /// As of `Instruction`: the end of the workgroup.
  uint32_t lastWait() const { return places.size(); }

  /// Number of values that a context carries.
  size_t numSlots() const { return slotCount; }

  /// Puts `context` at the start of workgroup `tile`.
  void start(Context &context, int64_t tile) const;

  /// An access of a workgroup.
  struct Step {
    const Pattern *pattern = nullptr; ///< see `keepsPatterns`
    uint32_t baseLine = 0;
    AccessKind kind = AccessKind::Read;
    bool last = false;     ///< what comes next waits for it
    uint32_t wait = 0;     ///< see `Instruction`
    uint32_t waves = 0;    ///< that wait for each of its lines
    uint32_t hotRange = 0; ///< that it stays within: 0: none; n + 1: the n-th
    uint32_t empty = 0;    ///< accesses before it that touch nothing
  };
  /// Runs up to and including the next access that touches anything. False if
  /// the workgroup is done instead: of the step, only `empty` says something
  /// then. `flops` and `tensorFlops` grow. Loops may go on for long without any
  /// access: after `kMostIdle` instructions, there is a step that touches
  /// nothing, so that whoever counts work can end.
  bool next(Context &context, Step &step) {
    step.empty = 0;
    // Mostly an access follows on an access.
    while (code[context.pc].opcode == Opcode::Access)
      if (take(context, code[context.pc++], step))
        return true;
    return interpret(context, step);
  }

  /// True if the pattern of a step outlives many next steps, as many as an
  /// access remembers patterns (`kMostPatterns`).
  bool keepsPatterns() const { return !trace; }

  /// Carries out all iterations of all loops again (see Depth.h).
  void limitNothing() {
    for (CompiledLoop &loop : loops)
      loop.most = INT64_MAX;
  }

  /// What finding patterns, and whether guards hold, cost so far, in work
  /// units.
  double otherWork() const { return spentOtherwise + spentOnce; }
  /// The same without what patterns take that come again.
  double steadyWork() const { return spentOtherwise; }
  /// From here on, work is counted as if nothing had been run before. No steps
  /// are on their way.
  void beginRun();

  /// Where each of `slots` slots finds what accesses reach that reach a few
  /// lines only, in a sample of one line in 2^shift; of recorded steps, nothing
  /// is known.
  HotCopies copyHotLines(unsigned shift, size_t slots) const {
    return HotCopies(hotTables, hotRanges, machine, shift, slots);
  }

  /// Bits that are enough for the number of any line that is touched.
  unsigned lineBits() const { return addressBits; }

  double flops = 0, tensorFlops = 0;

private:
  friend class StepCounter;
  static constexpr unsigned kMostIdle = 1024;
  enum class Holds : uint8_t { ForNone, ForSome, ForAll };

  void findChanging();
  void findWaits();
  UniformForm compile(const AffineForm &form);
  void hoist(UniformForm &form);
  ThreadRange threadRange(const AffineForm &form);
  void findQuotients(const AffineForm &form, UniformForm &compiled);
  bool isFixed(const Condition &condition,
               const CompiledCondition &compiled) const;
  ThreadRange threadsNow(const Context &context, const UniformForm &form) const;
  void compileBody(const std::vector<Statement> &body);
  void emit(const Access &access);
  void emit(const Compute &compute);
  /// Counted apart (UnitWork.h): workgroup memory, and the issue of
  /// instructions.
  void emit(const WorkgroupAccess &) {}
  void emit(const Issue &) {}
  void noteArithmetic(CompiledLoop &loop, uint32_t begin);
  void emit(const Barrier &) { code.push_back({Opcode::Barrier, 0, 0}); }
  void emit(const Loop &loop);
  void emit(const Guard &guard);
  void placeBuffers();
  void numberWaits();
  void findHotLines();
  Interval reachOf(const Access &access) const;
  Interval bounds(const AffineForm &form) const;
  void boundLoops(const std::vector<Statement> &body);

  void refresh(Context &context, const std::vector<VariableId> &needed) const;
  int64_t evaluateUniform(Context &context, const UniformForm &form) const {
    if (!form.changing.empty())
      refresh(context, form.changing);
    int64_t value = form.constant;
    for (auto [slot, coefficient] : form.terms)
      value += coefficient * context.slots[slot];
    return value;
  }
  /// What the thread with the largest value has of `form`.
  int64_t evaluateLargest(Context &context, const UniformForm &form) const {
    int64_t value = evaluateUniform(context, form);
    return value + threadsNow(context, form).high;
  }
  Holds evaluateGuard(Context &context, uint32_t guard) const;
  void setMixed(Context &context, uint32_t guard, Holds holds) const;
  bool interpret(Context &context, Step &step);
  /// Carries out an access; false if it touches nothing.
  bool take(Context &context, const Instruction &access, Step &step) {
    Site &site = sites[access.index];
    int64_t address = evaluateUniform(context, site.address);
    const Pattern *found = nullptr;
    if (site.residues.empty() && !(context.mixed & site.guardMask))
      found = site.plain[address & (machine.lineBytes - 1)];
    if (!found)
      found = pattern(context, site, address);
    step.pattern = found;
    step.baseLine = static_cast<uint32_t>(address >> lineShift);
    step.kind = site.kind;
    step.last = access.waits;
    step.wait = access.wait;
    step.waves = site.isWaitedFor ? found->waves : 0;
    step.hotRange = site.hotRange;
    step.empty += found->line.empty();
    return !found->line.empty();
  }
  /// What a pattern depends on: where in a line thread 0 is, and more unless it
  /// `isPlain`.
  struct PatternKey {
    llvm::SmallVector<int64_t, 16> values;
    bool isPlain = true;
    bool isLoaded = false; ///< on what memory holds
  };
  PatternKey keyOf(Context &context, const Site &site, int64_t address) const;
  const Pattern *pattern(Context &context, Site &site, int64_t address);
  std::unique_ptr<Pattern>
  buildPattern(const Context &context, const Site &site, int64_t address) const;
  bool areOne(const Site &site, llvm::ArrayRef<int64_t> lanes) const;
  double priceOf(const Site &site) const;
  Pattern *share(std::unique_ptr<Pattern> pattern);

  void startTrace(Context &context, int64_t tile) const;
  bool nextTraced(Context &context, Step &step);

  const KernelModel &model;
  const Machine machine;
  JoinedStores stores;
  std::vector<Instruction> code;
  std::vector<WaitPlace> places;
  double writtenBytes = HUGE_VAL;
  std::vector<Site> sites;
  std::vector<Compute> computes;
  std::vector<CompiledLoop> loops;
  std::vector<CompiledGuard> guards;
  std::vector<CompiledDerived> derived;   ///< by variable
  std::vector<ThreadRange> derivedRanges; ///< by variable
  std::vector<std::pair<uint32_t, bool>> openGuards;
  /// Bytes, from the start of the address space. Behind the end, `kBufferGap`
  /// are free.
  std::vector<int64_t> bufferBase, bufferEnd;
  std::vector<HotTable> hotTables;
  std::vector<HotRange> hotRanges;
  std::vector<Interval> variableBounds;
  /// By variable: it differs from iteration to iteration of some loop.
  std::vector<bool> changes;
  /// What is computed once a workgroup, in this order: sums that forms have in
  /// common, and derived variables (of a form), each for the slot that holds
  /// it.
  struct Fixed {
    std::vector<std::pair<uint32_t, int64_t>> terms;
    int64_t constant = 0;
    const Variable *variable = nullptr; ///< that follows from the sum, or null
    uint32_t slot = 0;
  };
  std::vector<Fixed> fixed;
  /// Plain patterns of all sites, equal ones once.
  std::multimap<uint64_t, std::unique_ptr<Pattern>> patterns;
  size_t slotCount = 0;
  int64_t waves = 0;
  mutable double spentOtherwise = 0;
  double spentOnce = 0;
  uint32_t run = 1; ///< patterns that no run met have 0
  const Trace *trace = nullptr;
  size_t tracePosition = 0; ///< slots of the next step and the end
  Pattern tracedPattern;    ///< of the step last taken
  const Pattern nothing;    ///< of a step that touches nothing
  unsigned lineShift = 7;
  unsigned addressBits = 32;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_PROGRAM_PROGRAM_H
