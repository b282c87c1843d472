//===- Workgroup.h - Runs the threads of one workgroup ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread is a fiber that runs until it waits for others: at a barrier, or
// at an operation of the subgroup. When no fiber can go on, what they wait for
// is resolved: first operations of subgroups, then barriers. Lanes that wait at
// different operations reconverge at the one that comes first in the program.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_WORKGROUP_WORKGROUP_H
#define SWIZZLE_LIB_CODEGEN_HOST_WORKGROUP_WORKGROUP_H

#include "Inputs/Memory.h"
#include "swizzle/Codegen/Host/HostKernel.h"

#include <functional>

namespace swizzle::host {

/// Below each stack, nothing may be touched.
inline constexpr int64_t kGuardBytes = 65536;

/// What compiled code reads of the thread that it runs as; only ever changed
/// while another thread runs.
struct ThreadState {
  int64_t threadId[3], blockId[3], blockDim[3], gridDim[3];
  int64_t lane, subgroup, numSubgroups, subgroupSize;
  int64_t linearThread;
  int64_t valid;     ///< second result of the last shuffle
  int64_t stepsLeft; ///< of the whole workgroup; counted down by its code
};

/// Operations that threads carry out together.
enum class Collective : uint8_t { None, Barrier, Subgroup, Workgroup };

enum class ReduceOp : uint8_t {
  Add,
  Mul,
  MinUnsigned,
  MinSigned,
  MinNum,
  MaxUnsigned,
  MaxSigned,
  MaxNum,
  And,
  Or,
  Xor,
  Minimum,
  Maximum,
};

enum class ShuffleMode : uint8_t { Xor, Down, Up, Index, Rotate };

/// Numbers in a register or a matrix fragment.
struct ElementFormat {
  enum class Kind : uint8_t { Signed, Unsigned, Float } kind = Kind::Signed;
  unsigned bits = 32;
  const llvm::fltSemantics *semantics = nullptr; ///< floats
};

/// Matrix multiplication by a subgroup: who holds which element.
struct MatrixShape {
  enum class Layout : uint8_t { Striped, MFMA } layout = Layout::Striped;
  int64_t m = 0, n = 0, k = 0;
  int64_t aPerLane = 0, bPerLane = 0, cPerLane = 0;
  ElementFormat ab, cd;

  enum class Operand : uint8_t { A, B, C };
  /// By operand, for each slot of each lane: the element's index, row by row;
  /// -1: none.
  std::vector<int32_t> places[3];

  /// Fills in `places`.
  void place(int64_t lanes);
  int64_t perLane(Operand operand) const {
    return operand == Operand::A   ? aPerLane
           : operand == Operand::B ? bPerLane
                                   : cPerLane;
  }
};

/// Two numbers as `op` combines them, as bits.
uint64_t combine(uint64_t a, uint64_t b, ReduceOp op,
                 const ElementFormat &format);

/// How many threads there are, and how large the stack of each is.
struct WorkgroupSizes {
  Grid grid, block;
  int64_t subgroupSize = 0, stackBytes = 0;
};

class Workgroup {
public:
  Workgroup(Memory &memory, std::vector<HostSite> &sites,
            const WorkgroupSizes &sizes, std::unique_ptr<ThreadState> state);
  ~Workgroup();

  /// Runs one workgroup; empty if nothing was wrong.
  std::optional<HostFault> run(void (*entry)(uint64_t *), uint64_t *arguments,
                               WorkgroupId id, ThreadOrder order);

  /// \name What compiled code calls
  /// @{
  void access(char *pointer, uint32_t site) {
    const HostSite &at = sites[site];
    accessBytes(pointer, at.bytes, at.kind, site);
  }
  /// An update that commutes with those alone that have the same operand.
  void update(char *pointer, uint32_t site, uint64_t operand) {
    int64_t before = accessCount;
    access(pointer, site);
    // Not before: the access may have emptied the log, and the operands with it.
    if (recordReads && accessCount != before)
      operands.push_back(operand);
  }
  void accessBytes(char *pointer, int64_t bytes, AccessKind kind,
                   uint32_t site) {
    int slot = memory.find(pointer, bytes);
    if (slot < 0)
      return accessElsewhere(pointer, bytes, kind, site);
    if (memory.slots[slot].space != Space::Global)
      return;
    if (++accessCount > maxAccesses)
      failEndless(site);
    if (kind == AccessKind::Read && !recordReads)
      return;
    record(slot, pointer, bytes, site);
  }
  int64_t bytesOf(uint32_t site) const { return sites[site].bytes; }
  void barrier(uint32_t site);
  uint64_t shuffle(uint32_t site, uint64_t value, int32_t offset, int32_t width,
                   ShuffleMode mode);
  /// `lane` < 0: the first active one.
  uint64_t broadcast(uint32_t site, uint64_t value, int32_t lane);
  uint64_t ballot(uint32_t site, bool value);
  /// Over groups of `cluster` lanes, `stride` apart; 0: the subgroup, < 0: the
  /// workgroup.
  uint64_t reduce(uint32_t site, uint64_t value, ReduceOp op,
                  const ElementFormat &format, int64_t cluster, int64_t stride);
  void multiply(uint32_t site, const MatrixShape &shape, char *a, char *b,
                char *c, char *d);
  /// Of `shape`, m rows of n; in memory `lead` elements apart.
  void moveMatrix(uint32_t site, const MatrixShape &shape, char *memoryAt,
                  int64_t lead, bool transpose, char *registers);
  [[noreturn]] void failAssertion(uint32_t site, const char *message);
  [[noreturn]] void failSteps(uint32_t site);
  [[noreturn]] void failTrap(uint32_t site);
  /// Memory of this thread until the end of the run.
  char *allocate(uint32_t site, uint64_t bytes);
  /// Fails if the running thread's stack does not reach down to `pointer`.
  void checkStack(const char *pointer, uint32_t site);
  /// @}

  /// A text among the constants; a stand-in if there is none.
  const char *textAt(const char *pointer) const;

  /// The thread that runs.
  const ThreadState &thread() const { return state; }
  /// Memory that a buffer resource describes.
  struct Resource {
    char *base;
    uint64_t bytes;
  };
  /// A record of it, the same for the same memory.
  const Resource *resource(char *base, uint64_t bytes) {
    auto &known = resources[{base, bytes}];
    if (!known)
      known = std::make_unique<Resource>(Resource{base, bytes});
    return known.get();
  }

  std::vector<HostAccess> log;
  std::vector<uint64_t> operands; ///< of updates in the log
  bool recordReads = false;
  HostKernel::Sink sink = nullptr; ///< takes the log, a part at a time
  /// Buffers that the last run wrote, one bit each.
  uint64_t written();
  int64_t accessCount = 0;  ///< of the current run, to global memory
  int64_t multiplyAdds = 0; ///< of the current run, by products of matrices
  int64_t maxAccesses = INT64_MAX;
  int64_t maxSteps = INT64_MAX;
  /// Branches back and calls of the current run.
  int64_t stepCount() const { return maxSteps - state.stepsLeft; }
  /// Memory that is not in `memory` and may be read: constants.
  struct Constant {
    const char *begin, *end;
  };
  std::vector<Constant> constants;
  /// Numbering of `HostAccess::buffer`, by slot.
  std::vector<int> slotToBuffer;

  /// Body of a fiber.
  static void fiberMain(void *transfer);

private:
  std::unique_ptr<ThreadState> owned;
  ThreadState &state; ///< at an address that compiled code contains

  struct Fiber;

  void record(int slot, char *pointer, int64_t bytes, uint32_t site) {
    const Slot &s = memory.slots[slot];
    if (log.size() == log.capacity())
      growLog();
    log.push_back({uint64_t(slotToBuffer[slot]) << kSlotShift |
                       uint64_t(pointer - s.begin),
                   uint32_t(bytes), uint16_t(site),
                   uint16_t(state.linearThread)});
  }
  void growLog();
  void drainLog();
  void accessElsewhere(char *pointer, int64_t bytes, AccessKind kind,
                       uint32_t site);
  [[noreturn]] void failEndless(uint32_t site);
  [[noreturn]] void fail(const char *code, const llvm::Twine &what,
                         uint32_t site);
  std::string whoAndWhere(uint32_t site) const;

  void resume(size_t index);
  void entered();
  void leave();
  /// Waits until `kind` at `site` is resolved; `value` is seen by the others.
  void wait(Collective kind, uint32_t site, uint64_t value = 0);
  bool resolveSubgroups();
  bool resolveWorkgroup();
  /// What `thread` gave to the operation just resolved; null if it took no
  /// part.
  const uint64_t *valueOf(int64_t thread) const;
  int64_t firstLane() const { return state.subgroup * state.subgroupSize; }

  Memory &memory;
  std::vector<HostSite> &sites;
  std::vector<Fiber> fibers;
  std::vector<size_t> order;
  size_t current = 0;
  void *scheduler = nullptr;
  void (*entry)(uint64_t *) = nullptr;
  uint64_t *arguments = nullptr;
  std::optional<HostFault> fault;
  char *stacks = nullptr;
  int64_t stackStride = 0;
  uint64_t writtenBefore = 0; ///< as far as the log was drained
  /// By subgroup: nobody has done yet what one lane does for all.
  std::vector<bool> leaderPending;
  std::map<std::pair<char *, uint64_t>, std::unique_ptr<Resource>> resources;
  std::vector<std::vector<char>> allocations;
  int64_t allocatedBytes = 0;
  const void *mainStack = nullptr; ///< for the address sanitizer
  size_t mainStackSize = 0;
};

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_WORKGROUP_WORKGROUP_H
