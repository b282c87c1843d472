//===- KernelModel.h - What a kernel touches, as plain data -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `KernelModel` says, for each global-memory access of a kernel, which bytes
// it touches as a quasi-affine function of the workgroup id, the thread id and
// the loop counters, and in which order a thread issues its accesses. It is all
// that the simulator, the planner and an agent ever see of a kernel. It knows
// neither MLIR nor LLVM, so that a model can come from anywhere: the analysis
// of GPU-dialect IR, a recorded trace, a test.
//
// All numbers are concrete. Where the IR leaves a size open, the analysis binds
// it to a nominal value and lists that under `assumed`.
//
//   Workgroup x of 64 threads copies 64 floats, a[64 * x + thread]:
//     grid {n}, block {64}, buffers a and c
//     body: read a, write c, 4 bytes at 256 * x + 4 * thread each
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_KERNELMODEL_H
#define SWIZZLE_KERNEL_KERNELMODEL_H

#include "swizzle/Bundle/Launch.h"
#include "swizzle/Support/Grid.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace swizzle {

/// Index into `KernelModel::variables`. The first six are always the workgroup
/// id x, y, z (0..2) and the thread id x, y, z (3..5).
using VariableId = uint32_t;
inline constexpr VariableId kWorkgroupIdX = 0;
inline constexpr VariableId kThreadIdX = 3;
inline constexpr VariableId kFirstFreeVariable = 6;

struct Term {
  VariableId variable = 0;
  int64_t coefficient = 0;
};

/// constant + sum of coefficient * variable. Terms are sorted by variable and
/// have no zero coefficient and no repeated variable.
struct AffineForm {
  int64_t constant = 0;
  std::vector<Term> terms;
};

enum class VariableKind : uint8_t {
  WorkgroupId, ///< in [0, grid[axis])
  ThreadId,    ///< in [0, block[axis])
  LoopCounter, ///< 0, 1, ... trip count - 1 of the loop that owns it
  Quotient,    ///< floor(numerator / divisor) of earlier variables, divisor > 0
  Loaded,      ///< what memory holds: assumed, see `scatter`
};

struct Variable {
  VariableKind kind = VariableKind::LoopCounter;
  uint8_t axis = 0;     ///< WorkgroupId, ThreadId
  AffineForm numerator; ///< Quotient. Loaded: byte offset into `buffer`
  int64_t divisor = 1;  ///< Quotient. Loaded: bytes of an element
  uint32_t buffer = 0;  ///< Loaded
  int64_t extent = 1;   ///< Loaded: values are below it; a power of two
  std::string name;     ///< for people: "x", "ty", "k"
};

/// `form >= 0`, or `form == 0`.
struct Condition {
  AffineForm form;
  bool equality = false;
};

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// Who carries an access out.
enum class Issuer : uint8_t {
  Thread,    ///< every thread of the workgroup, for itself
  Subgroup,  ///< each subgroup once, together (matrix fragments)
  Workgroup, ///< the workgroup once, together (a bulk copy)
};

/// `count` repetitions, `stride` bytes apart.
struct BoxDim {
  int64_t count = 1;
  int64_t stride = 0;
};

/// One access to global memory. Touches `bytes` contiguous bytes at `address`,
/// repeated over the box (outermost dimension first).
struct Access {
  uint32_t buffer = 0;
  AccessKind kind = AccessKind::Read;
  Issuer issuer = Issuer::Thread;
  AffineForm address; ///< byte offset into the buffer
  int64_t bytes = 4;
  std::vector<BoxDim> box;
  /// Atomics: operation and type ("add.i32"). Updates of one byte by different
  /// workgroups commute if theirs are the same. Empty: they never do.
  std::string update;
  std::string location;  ///< "file:line:column", for remarks
  int64_t alignment = 0; ///< that the IR promises of each thread's address
  /// The address rests on values that memory is assumed to hold, or that the
  /// access is done is assumed. Good for simulation, never for a proof: the
  /// access is among `notModelled`, too.
  bool assumed = false;
  /// Of an assumed access, whose address is known: nothing but data decides
  /// which workgroups make it. What one test lets them do has the same number.
  uint32_t byData = 0;
  /// Of a write: a number for what all write alike; 0: they may write different
  /// values.
  size_t sameValue = 0;
  /// Judged under other sizes already: what is new is who meets those that were
  /// not.
  bool settled = false;
  /// Of a read: what is read goes to workgroup memory by itself, and whoever
  /// issues it does not wait for it.
  bool asynchronous = false;
};

/// One access to workgroup memory. It orders nothing between workgroups; its
/// addresses decide how many of its lanes the banks serve at a time.
struct WorkgroupAccess {
  int buffer = -1; ///< among `workgroupBuffers`, -1 if it is not known which
  AccessKind kind = AccessKind::Read;
  Issuer issuer = Issuer::Thread;
  std::optional<AffineForm> address; ///< byte offset; nullopt: not affine
  int64_t bytes = 0;                 ///< as of `Access`; 0: not known
  std::vector<BoxDim> box;
  /// Lanes of each subgroup that give an address, from the first one on; 0:
  /// all.
  int64_t lanes = 0;
  std::string location;
};

/// Machine instructions that each thread issues in this body, those of
/// accesses, arithmetic and barriers included. docs/kernel-model.md says what
/// counts.
struct Issue {
  double instructions = 0;
};

/// Arithmetic between accesses, for the roofline. Operations per issuer.
struct Compute {
  double flops = 0;
  bool tensor = false; ///< done by matrix units
  Issuer issuer = Issuer::Thread;
};

/// All threads of the workgroup wait for each other.
struct Barrier {};

struct Statement;

/// Runs `body` with `counter` = 0 .. trip - 1, where trip is the least of
/// `tripCounts` (at least one), or 0 if that is negative.
struct Loop {
  VariableId counter = 0;
  std::vector<AffineForm> tripCounts;
  std::vector<Statement> body;
};

/// Runs `body` where all conditions hold, `otherwise` where not.
struct Guard {
  std::vector<Condition> conditions;
  std::vector<Statement> body;
  std::vector<Statement> otherwise;
};

/// One step of a thread's program, in program order.
struct Statement {
  std::variant<Access, WorkgroupAccess, Issue, Compute, Barrier, Loop, Guard>
      node;
};

struct Buffer {
  std::string name;   ///< "arg0", or the name in the IR
  int64_t bytes = -1; ///< size, -1 if unknown
  int64_t elementBytes = 4;
  int argument = -1;    ///< index among the kernel's arguments, or -1
  bool noAlias = false; ///< promised by the IR: no other overlaps it
  /// Of a tensor map or of images, by whoever launches the kernel: what it
  /// overlaps nobody here knows.
  bool isClaimed = false;
  bool isConstant = false; ///< promised by the IR: no kernel writes it
  /// Other arguments for which the launch passes the same memory.
  std::vector<int> otherArguments = {};
};

/// A piece of workgroup memory, which begins where the banks do.
struct WorkgroupBuffer {
  std::string name;
  int64_t bytes = -1; ///< -1 if unknown
};

/// An access that no affine map describes, or of which it is not known whether
/// it is done. One of the body stands for it where what memory holds, or that
/// it is done, is assumed.
struct NotModelled {
  std::string what;   ///< "memref.load of arg2"
  std::string reason; ///< "index is loaded from memory"
  std::string location;
  int buffer = -1; ///< -1: which one is not known either
  AccessKind kind = AccessKind::Read;
  std::string update;   ///< as of `Access`
  bool assumed = false; ///< an access of the body stands for it
  /// Of a write that is done: the axes of the grid, as bits, that its address
  /// does not rest on. Workgroups that differ along these alone write to one
  /// place, whatever that is.
  unsigned sharedAxes = 0;
  /// Assumed: that it is done (docs/kernel-model.md, "What may or may not be
  /// done").
  bool isAssumedDone = false;
};

/// A number for what the kernel's arguments leave open.
struct BoundSize {
  int argument = 0;
  int dim = -1; ///< of a memref; -1: the argument itself is the number
  int64_t value = 0;
};

/// What an argument of the kernel is by its type in the IR: what a program that
/// starts the kernel must know.
struct KernelArgument {
  enum class Kind : uint8_t {
    Pointer,   ///< to elements of `type`
    MemRef,    ///< of elements of `type`
    Scalar,    ///< of `type`
    TensorMap, ///< a descriptor that the host makes
    Other,
  };
  Kind kind = Kind::Other;
  ElementType type = ElementType::Unknown;
  /// Of a memref, in elements; -1 where the launch decides.
  std::vector<int64_t> sizes = {}, strides = {};

  bool isBuffer() const {
    return kind == Kind::Pointer || kind == Kind::MemRef;
  }
  /// True if the launch decides a size or a stride.
  bool isOpen() const;
};

struct KernelModel {
  std::string module; ///< name of the gpu.module, may be empty
  std::string name;   ///< name of the kernel
  Grid grid;          ///< concrete; nominal where `gridKnown` is false
  std::array<bool, 3> gridKnown{true, true, true};
  Grid block;
  int64_t workgroupMemoryBytes = 0;  ///< with what the launch adds
  int64_t dynamicWorkgroupBytes = 0; ///< what the launch adds
  /// 32-bit registers of a thread, by who assembled the kernel; 0 if nobody
  /// says.
  int64_t registersPerThread = 0;
  int64_t dataRegisters =
      0; ///< those that its data fills, estimated from the IR
  /// What any remap adds to its formula: scalar instructions that compare the
  /// grid and the block where they are claims, or cut a row of workgroups into
  /// tiles.
  int64_t guardInstructions = 0;
  std::vector<Variable> variables;
  std::vector<Buffer> buffers;
  std::vector<WorkgroupBuffer> workgroupBuffers;
  std::vector<Statement> body;
  std::vector<NotModelled> notModelled;
  /// Accesses to memory that no thread ever reaches: "memref.store at
  /// k.mlir:7:5". Where sizes are assumed, also what may choose another buffer
  /// with others.
  std::vector<std::string> unreached;
  /// Buffers that are taken to say where rows begin, one after the other.
  std::set<uint32_t> rowTables;
  std::vector<BoundSize> boundSizes;
  std::vector<KernelArgument> arguments; ///< all, if anybody said
  std::vector<std::string> assumed;      ///< "dim 0 of arg0 = 4096 (nominal)"
  bool isLaunched =
      false; ///< a launch that was seen or is claimed has all that
             ///< is assumed

  /// A model with the six fixed variables and nothing else.
  static KernelModel create(Grid grid, Grid block);

  /// Adds a loop counter; returns its variable.
  VariableId addLoopCounter(std::string name);

  /// Adds floor(numerator / divisor), or returns the equal one already there.
  VariableId addQuotient(AffineForm numerator, int64_t divisor);

  /// Adds what the element of `bytes` bytes at `offset` of `buffer` holds,
  /// below `extent`, a power of two; or returns the equal one already there.
  VariableId addLoaded(uint32_t buffer, AffineForm offset, int64_t bytes,
                       int64_t extent);

  /// Accesses that the simulator does not see: those of `notModelled` for which
  /// none of the body stands.
  std::vector<const NotModelled *> unseen() const;

  /// Axes of the grid that say where numbers are loaded from. What workgroups
  /// along such an axis share follows no order.
  std::array<bool, 3> loadedAxes() const;

  /// Threads of one workgroup.
  int64_t threads() const { return block.count(); }
};

/// \name Arithmetic on affine forms
/// @{
AffineForm operator+(const AffineForm &a, const AffineForm &b);
AffineForm operator-(const AffineForm &a, const AffineForm &b);
AffineForm operator*(const AffineForm &a, int64_t factor);
bool operator==(const AffineForm &a, const AffineForm &b);
AffineForm makeConstant(int64_t value);
AffineForm makeVariable(VariableId variable, int64_t coefficient = 1);
/// @}

/// Value of `form` under `values`, indexed by variable, modulo 2^64 as
/// addresses are.
int64_t evaluate(const AffineForm &form, const std::vector<int64_t> &values);

/// True if a variable follows from earlier ones.
inline bool isDerived(VariableKind kind) {
  return kind == VariableKind::Quotient || kind == VariableKind::Loaded;
}

/// What element `index` of memory of unknown contents is assumed to hold: a
/// permutation of 0 .. extent - 1, a power of two, without a visible order.
/// Equal indices hold the same, as in memory; others are spread evenly. Indices
/// from `extent` on hold each number again, in another order.
int64_t scatter(int64_t index, int64_t extent);

/// Value of a derived variable whose numerator is `numerator`.
int64_t derive(const Variable &variable, int64_t numerator);

/// Fills in the derived variables of `values` from the others, in order.
void evaluateDerived(const KernelModel &model, std::vector<int64_t> &values);

/// The derived variables that `forms` depend on, in the order in which they can
/// be filled in.
std::vector<VariableId> derivedOf(const KernelModel &model,
                                  const std::vector<const AffineForm *> &forms);

/// Fills in `derived` alone, which `derivedOf` names.
void evaluateDerived(const KernelModel &model,
                     const std::vector<VariableId> &derived,
                     std::vector<int64_t> &values);

/// Text of a form with the model's variable names: "4*x + 128*k + 3".
std::string toString(const KernelModel &model, const AffineForm &form);

/// True if nothing in `body` touches global memory, computes or waits.
bool isQuiet(const std::vector<Statement> &body);
bool isQuiet(const Statement &statement);

/// Accesses to global memory that `body` states: how many a workgroup makes
/// that comes to each of them once.
size_t countAccesses(const std::vector<Statement> &body);

/// What the model assumes of sizes, and of what memory holds, one line each.
std::vector<std::string> describeAssumptions(const KernelModel &model);

/// An empty string if the model is well formed (ids in range, terms sorted,
/// quotients after their operands, counters owned by one loop), else what is
/// wrong.
std::string verify(const KernelModel &model);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_KERNELMODEL_H
