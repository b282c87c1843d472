//===- KernelReader.h - Symbolic execution of a kernel ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes a lowered kernel symbolically, as one thread would run it, with
// affine forms in place of numbers: operation after operation, into loops,
// branches and callees, and writes down the accesses to global memory on the
// way. What an operation does is said by one table (Operations.h); operations
// that need more than that have a function there, which is handed the reader.
//
//   %x = call @swizzle.workgroup_id.x()   x
//   %p = getelementptr %a[%x]             arg0 + 4*x
//   store %v, %p                          write arg0[4*x] 4 bytes
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_KERNELREADER_H
#define SWIZZLE_LIB_ANALYSIS_READ_KERNELREADER_H

#include "AbstractValue.h"
#include "Cost/IssueCounter.h"
#include "Launch/Launches.h"
#include "Launch/OtherNumbers.h"
#include "Launch/SharedTests.h"
#include "Operations/Operations.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Lowering/LowerKernel.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace swizzle::analysis {

using AbstractValues = std::vector<AbstractValue>;

/// Vectors of more lanes than this are not followed.
inline constexpr int64_t kMaxLanes = 256;

/// What a constant stands for; nullopt beyond 2^60.
std::optional<int64_t> numberOf(const llvm::APInt &value);

/// The reason that travels from a load to whatever is computed from it.
inline constexpr const char *kLoaded = "loaded from memory";

enum class NumberUse : uint8_t;

/// A structure that is passed by value, whose members are arguments of their
/// own.
struct PassedByValue {
  struct Member {
    mlir::Type type;
    int64_t offset = 0, bytes = 0;
    std::optional<AbstractValue> value; ///< once it has been asked for
    NumberUse use{};                    ///< by the load that asks for it first
  };
  unsigned argument = 0;
  int64_t bytes = 0;
  std::vector<Member> members; ///< in the order in which they lie
};

class KernelReader {
public:
  /// `lowered` is a lowering of `kernel`; what nobody knows of sizes follows
  /// `launch`, which may be null.
  KernelReader(mlir::FunctionOpInterface kernel, LoweredKernel &lowered,
               const LaunchSizes &sizes, mlir::gpu::LaunchFuncOp launch);

  KernelModel run();
  uint64_t workDone() const { return work; } ///< operations read

  //===--- Values: KernelReader.cpp ---------------------------------------===//
  AbstractValue get(mlir::Value value);
  CasesRef scalar(mlir::Value value);
  void set(mlir::Value value, AbstractValue abstract);
  void set(mlir::Value value, CasesRef scalar);
  void setUnknown(mlir::Operation *op, const std::string &reason);
  /// Why the results of `op` are unknown: because an operand was loaded from
  /// memory, or `fallback`.
  std::string originOf(mlir::Operation *op, const std::string &fallback);
  /// `isLaunched`: the launch that is read, or that somebody claims, has it.
  void assume(std::string text, bool isLaunched = false);
  /// What `value` points to, or nothing with `reason` set.
  std::optional<AbstractValue> pointer(mlir::Value value);
  /// Memory space of a pointer type.
  static MemorySpace spaceOf(mlir::Type type);
  /// Bytes of the elements of `type`, without a vector's padding.
  int64_t bytesOf(mlir::Type type) const;
  std::string describe(mlir::Operation *op,
                       const std::optional<AbstractValue> &view = {});

  //===--- Statements: Statements.cpp -------------------------------------===//
  void emit(Statement statement) { out->push_back(std::move(statement)); }
  struct Footprint {
    int64_t bytes = 4;
    std::vector<BoxDim> box;
    Issuer issuer = Issuer::Thread;
    std::string update;    ///< of an atomic: operation and width
    int64_t lanes = 0;     ///< as of `WorkgroupAccess`
    int64_t alignment = 0; ///< as of `Access`
  };
  /// `footprint` by `op` at `address` of a buffer.
  Access makeAccess(mlir::Operation *op, uint32_t buffer,
                    const AffineForm &address,
                    const Footprint &footprint) const;
  /// Records an access at `offset` bytes (null: not modelled for the latest
  /// `reason` of the scalars).
  void access(mlir::Operation *op, const AbstractValue &view, CasesRef offset,
              AccessKind kind, const Footprint &footprint);
  /// An access to workgroup memory; null: its address is not known.
  void accessWorkgroup(mlir::Operation *op, const AbstractValue &view,
                       const CasesRef &offset, AccessKind kind,
                       const Footprint &footprint);
  /// An access of `footprint` at a pointer, whatever it points to.
  void accessAt(mlir::Operation *op, mlir::Value pointer, AccessKind kind,
                const Footprint &footprint);
  /// One access for each lane that `mask` lets through.
  void accessLanes(mlir::Operation *op, const AbstractValue &view,
                   int64_t elementBytes, llvm::ArrayRef<CasesRef> offsets,
                   const AbstractValue &mask, AccessKind kind);
  void notModelled(mlir::Operation *op,
                   const std::optional<AbstractValue> &view, AccessKind kind,
                   std::string reason, std::string update = "",
                   bool assumed = false);
  /// Forgets those from `count` on, which were only tried.
  void dropNotModelled(size_t count);
  void compute(double flops, bool tensor = false,
               Issuer issuer = Issuer::Thread);
  void barrier();
  /// Counts `instructions` that are issued here.
  void issue(double instructions);
  /// Runs `body` once for each case of `tree`, inside the guards of that case,
  /// and joins what it returns.
  AbstractValues
  forEachCase(const CasesRef &tree,
              llvm::function_ref<AbstractValues(const AffineForm &)> body);
  AbstractValues guarded(const CasesRef &condition,
                         llvm::function_ref<AbstractValues()> yes,
                         llvm::function_ref<AbstractValues()> no);
  AbstractValue join(const CasesRef &condition, const AbstractValue &yes,
                     const AbstractValue &no);
  AbstractValues join(const CasesRef &condition, const AbstractValues &yes,
                      const AbstractValues &no);
  /// Reads `body` with every access "not modelled" for `reason`.
  void unmodelled(const std::string &reason, llvm::function_ref<void()> body);
  /// Reads `body`, of which it is not known, for `reason`, whether it is done
  /// or how often: it goes into the model as done once. Its accesses are
  /// assumed ones, and "not modelled" for all that is proved. Of `ways` only one
  /// is done: what they compute, and do to workgroup memory, is not counted.
  void assumeDone(const std::string &reason, llvm::function_ref<void()> body,
                  bool ways = false);
  /// True if nothing but data may be what decides on a part of what is read.
  bool mayBeByData() const { return blocked.empty() || isByData; }
  /// True if accesses go into the model, for certain or assumed.
  bool isStated() const { return blocked.empty() || isAssumedDone; }
  /// True if all else does.
  bool isCounted() const {
    return blocked.empty() || (isAssumedDone && !isOneOfWays);
  }
  /// Runs `body` without leaving a trace in the model.
  void dryRun(llvm::function_ref<void()> body);
  bool isTrial() const { return isTried; }
  /// Why an access is not modelled of which `why` is known, here.
  std::string whyHere(const std::string &why) const {
    return blocked.empty() ? why : blocked;
  }

  //===--- Tensor maps: TensorMaps.cpp, Arguments.cpp ---------------------===//
  /// What a map is of: an element, and each dimension, outermost first.
  struct TensorMap {
    mlir::Type element; ///< null if nobody says
    int64_t elementBytes = 0;
    bool isClaimed = false;            ///< by somebody who launches the kernel
    mlir::Value memory;                ///< of the host, where the host makes it
    std::optional<AbstractValue> base; ///< where the kernel makes it
    llvm::SmallVector<int64_t> extents, box;
    llvm::SmallVector<int64_t> strides; ///< in elements
  };
  /// Maps that the kernel makes, by their pointers, as it goes on.
  llvm::DenseMap<mlir::Value, TensorMap> madeMaps;
  /// The host's operation that makes the map behind `map`; null if that is not
  /// in the module.
  mlir::Operation *findTensorMap(mlir::Value map);
  /// The kernel's argument that is `map`; nothing if it is none.
  std::optional<unsigned> argumentOfMap(mlir::Value map) const;
  /// The buffer that the map in an argument is of, by somebody who launches the
  /// kernel.
  uint32_t claimedBuffer(unsigned argument, int64_t elementBytes,
                         int64_t bytes);
  /// The buffer that stands for "the textures", say: images of one kind.
  uint32_t imageBuffer(llvm::StringRef all);
  /// The buffer for `memory` of the host, which a map describes.
  uint32_t tensorBuffer(mlir::Value memory, mlir::Value map);

  //===--- Structures that are passed by value: ByValue.cpp ---------------===//
  /// Reads a load of what lies at a constant place of one; false if `op` is
  /// something else.
  bool readMember(mlir::Operation *op);

  //===--- Integers: Integers.cpp, Registers.cpp, Values.cpp --------------===//
  AbstractValue constantOf(mlir::LLVM::ConstantOp op);
  /// Reads integer arithmetic; false if `op` is something else.
  bool readInteger(mlir::Operation *op);
  /// `tree` if it fits into `type` without wrapping around.
  CasesRef fitted(const CasesRef &tree, mlir::Type type);
  /// `number` of `type` as the unsigned one that its bits stand for; null if it
  /// may be negative and is not known.
  CasesRef unsignedBits(const CasesRef &number, mlir::Type type);
  CasesRef linearThreadId();
  int64_t subgroupSize();
  CasesRef variable(VariableId id) { return scalars.leaf(makeVariable(id)); }

  //===--- Control flow: Walk.cpp, Blocks.cpp, Loops.cpp ------------------===//
  /// Takes what the table says of operations from `known`, or gives it back.
  void
  exchangeEffects(llvm::DenseMap<mlir::Operation *, OperationEffect> &known) {
    std::swap(effects, known);
  }
  /// Reads a function's body; what it returns.
  AbstractValues readFunction(mlir::Region &region);
  void readBody(mlir::Block &block);
  void readOperation(mlir::Operation *op);
  /// What the table says of `op`; until the next call.
  const OperationEffect &effectOf(mlir::Operation *op);
  void readCall(mlir::Operation *op);
  AbstractValues yielded(mlir::Operation *terminator);
  /// A loop that goes on while a condition holds.
  struct WhileLoop {
    mlir::Operation *key = nullptr; ///< tells one loop from another
    int64_t mostTrips = kUnbounded; ///< more than these are not believed
    AbstractValues inits;
    llvm::SmallVector<mlir::Value> arguments; ///< what `inits` are bound to
    CasesRef *turn = nullptr; ///< where it is told which iteration is read
    /// Reads the code before the test; the condition to go on.
    llvm::function_ref<CasesRef()> before;
    /// Reads the code after the test; the arguments of the next iteration.
    llvm::function_ref<AbstractValues()> after;
  };
  /// Reads a loop of which it can be told how often it goes on; else false, with
  /// `why` set, and nothing is read.
  bool readCounted(const WhileLoop &loop, std::string &why);
  /// How many turns such a loop takes at most, by its test, if what it carries
  /// changes as it seems to. Nothing is read.
  int64_t mostTurnsOf(const WhileLoop &loop);
  /// Reads some turns of a loop of which that cannot be told.
  void readTurns(const WhileLoop &loop);
  /// Emits a loop of min(`trips`) iterations; `body` gets the counter.
  void emitLoop(const std::vector<AffineForm> &trips,
                llvm::function_ref<void(const CasesRef &)> body);
  /// A loop of blocks that is being read.
  struct Turns {
    llvm::SmallPtrSet<mlir::Block *, 2> latches;
    llvm::SmallPtrSet<mlir::Block *, 8> blocks;
    CasesRef turn; ///< its counter; null: any turn
  };
  /// By header; null: read before.
  llvm::DenseMap<mlir::Block *, Turns *> openLoops;
  /// By header: exits, the one by which the loop is left first in front.
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Block *>> exitOrder;
  /// Turns that are read where nothing tells how often a loop goes on: enough to
  /// weigh more than what is done once, few enough for loops in loops.
  static constexpr int64_t kAssumedTurns = 16;
  /// Where integers were read that may say where something ends, in bytes from
  /// the start of a buffer.
  llvm::DenseMap<uint32_t, std::vector<AffineForm>> endsRead;

  //===--- What handlers may look at --------------------------------------===//
  mlir::FunctionOpInterface kernel; ///< as it came
  LoweredKernel &lowered;
  LaunchSizes sizes;
  HostValues host;
  KernelModel model;
  Domain domain;
  Scalars scalars;
  std::string reason; ///< of the latest null pointer
  /// Numbers among the arguments that nobody gave, by name, and those of them
  /// that are small (NominalNumbers.h).
  std::vector<std::string> nominalNumbers;
  llvm::StringSet<> smallNumbers;
  std::vector<NamedNumber> loadedMembers; ///< of structures, nominal or not
  OtherNumbers otherNumbers; ///< of these, the nominal ones are not used
  /// Arguments that nobody gave: nominal numbers, and pointers.
  llvm::DenseSet<mlir::Value> openArguments;
  SharedTests tests;
  /// False where an operation is read with numbers that are assumed.
  bool followsTests = true;
  /// Of each function that was asked for: what it stores.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      stores;
  /// What `argument` of a function is passed: itself, of the kernel, or what the
  /// calls that are being read pass; null of another block.
  mlir::Value passedFor(mlir::BlockArgument argument) const;
  /// The calls that are being read, as a hash; 0 outside of any.
  size_t currentCalls() const {
    return calls.empty() ? 0 : size_t(llvm::hash_combine_range(calls));
  }
  /// Of a reading with tests that are told: the usual one. Loops that are not met
  /// in that are read for one turn: how often they go on, nominal numbers need
  /// not fit.
  const NominalReading *usual = nullptr;
  bool onlyUsual =
      false; ///< accesses that are not modelled in that are left out
  /// True if `op` is read, and its accesses are left out.
  bool isLeftOut(mlir::Operation *op) const {
    return onlyUsual && !usual->modelled.contains(op);
  }
  /// Operations with accesses of which all is known.
  llvm::DenseSet<mlir::Operation *> modelled;
  /// By loop: those whose trips were counted.
  llvm::DenseSet<mlir::Operation *> countedLoops() const;
  /// Those whose accesses were judged under nominal numbers.
  const llvm::DenseSet<size_t> *settled = nullptr;
  bool settlesAnywhere = false;    ///< whatever the axes that say where
  llvm::DenseSet<size_t> accessed; ///< by `accessKey`, all that are met
  /// A hash of what accesses memory, in which calls; and also of the buffer, and
  /// the axes of the grid that say where.
  size_t accessKey(mlir::Operation *op, bool isModelled = true) const;
  size_t accessKey(mlir::Operation *op, uint32_t buffer,
                   const AffineForm &address) const;
  llvm::DenseMap<mlir::Operation *, uint32_t> globals; ///< buffer by symbol
  llvm::SmallSet<uint32_t, 8> pointerBuffers; ///< whose elements are known
  /// Memory operations that were met: as an access, as local memory, or as not
  /// modelled.
  llvm::DenseSet<mlir::Operation *> met;
  /// Lists `op`, or `what` it does with other sizes, as never reached.
  void noteUnreached(mlir::Operation *op, llvm::StringRef what = "");
  /// The work of `domain` up to which an arm of a select is read again; 0 while
  /// none is.
  uint64_t readAgainUntil = 0;
  /// What all arms of the kernel may take: functions of many selects, each read
  /// several times, took a minute.
  uint64_t readAgainLeft = 400'000;
  /// What the launch passes for an argument; null if that is not known, or not
  /// where its data begins.
  mlir::Value passedMemory(unsigned index);
  /// Bytes of the host's memory before the first argument that is in the same
  /// as `memory`, and between that and `memory`.
  int64_t bytesBeforeBuffer(mlir::Value memory);
  int64_t bytesIntoBuffer(mlir::Value memory);

private:
  class BlockReader;
  struct LoopReader;
  /// How a lane of what a loop carries changes from one iteration to the next.
  struct Change {
    std::optional<int64_t> increment;
    bool isDelayed = false; ///< follows from the iteration before, but itself
  };
  using Changes = std::vector<std::vector<Change>>;

  void bindArguments();
  struct MemRefSizes;
  MemRefSizes sizesOf(mlir::MemRefType type, unsigned index);
  void bindMemRef(unsigned index, unsigned first);
  AbstractValue bindPointer(mlir::Value argument, unsigned index);
  AbstractValue bindScalar(mlir::Value argument, unsigned index);
  /// The members of a structure that `argument` is; nothing if it is none.
  std::optional<AbstractValue> bindStructure(mlir::Value argument,
                                             unsigned index);
  /// Notes that `buffer` is the structure that `argument` points to, if it is
  /// one.
  void bindStructureBehind(mlir::Value argument, unsigned index,
                           uint32_t buffer);
  AbstractValue bindPointerMember(const std::string &name,
                                  mlir::LLVM::LLVMPointerType type);
  const AbstractValue &memberOf(PassedByValue &record, size_t number);
  AbstractValue integerIn(PassedByValue &record, int64_t offset, unsigned bits);
  /// What of `type` lies at `offset`.
  AbstractValue valueIn(PassedByValue &record, int64_t offset, mlir::Type type);
  /// A number of `bits` bits for the argument or member `name`, which nobody
  /// gave.
  int64_t nominalNumber(const std::string &name, NumberUse use, unsigned bits);
  mlir::Value launchOperand(mlir::Value argument, unsigned index);
  /// The buffer of an argument before that is of the host's `memory`, too.
  std::optional<uint32_t> sharedBuffer(mlir::Value memory);
  void coverEverything();
  /// Lists what one call of `callee` did not reach.
  void coverCall(mlir::FunctionOpInterface callee);
  /// What `coverCall` looks for in a function, by that function: it is called
  /// again and again.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      coveredByCalls;
  llvm::DenseSet<mlir::Operation *> unreachedOps; ///< listed without a `what`
  llvm::StringSet<> unreachedTexts;
  llvm::StringSet<> notModelledKeys;
  /// Reads `op` once for each side of an operand that is a choice; false if
  /// none is.
  bool readChoice(mlir::Operation *op);

  bool spendWork(mlir::Operation *op);
  void countIssued(mlir::Operation *op, const OperationEffect &effect);
  /// Ends the body that is counted; the instructions that it issues.
  double closeBody();
  /// Reads a body of statements, that of `loop` or of a guard, into `body`, and
  /// counts what it issues.
  void inBody(std::vector<Statement> &body,
              std::optional<IssueCounter::CountedLoop> loop,
              llvm::function_ref<void()> read);

  mlir::gpu::LaunchFuncOp launch;
  llvm::DenseMap<mlir::Value, AbstractValue> values;
  llvm::DenseMap<unsigned, uint32_t> argumentBuffers; ///< by original argument
  llvm::DenseMap<unsigned, uint32_t> claimedBuffers;  ///< the same, of maps
  llvm::StringMap<uint32_t> imageBuffers;             ///< the same, by kind
  llvm::DenseMap<uint32_t, PassedByValue> passedByValue; ///< by buffer
  llvm::DenseMap<mlir::Value, uint32_t> tensorBuffers; ///< by the host's memory
  llvm::DenseMap<mlir::Operation *, OperationEffect> effects;
  llvm::DenseMap<mlir::Operation *, mlir::FunctionOpInterface> callees;
  /// Of each loop: how what it carries changes, and for how many turns it is
  /// delayed.
  llvm::DenseMap<mlir::Operation *, std::pair<Changes, unsigned>> knownChanges;
  std::vector<Statement> *out = nullptr;
  IssueCounter issued;
  /// Why nothing can be modelled for certain here; empty if it can.
  std::string blocked;
  bool isAssumedDone = false; ///< what is blocked is modelled as done, though
  bool isByData = false;      ///< data alone decides whether that is done
  uint32_t dataDecision = 0;  ///< the innermost test of data by which it does
  uint32_t dataDecisions = 0; ///< so far
  bool isOneOfWays = false;   ///< what is done here is perhaps not
  bool isTried = false;       ///< what is read leaves no trace in the model
  /// Accesses are only listed as not modelled: what stands for them is in the
  /// body, if anything. Or that will be done for what is read.
  bool isListed = false, isListedLater = false;
  /// Those that something in the body stands for, as assumed.
  llvm::DenseSet<mlir::Operation *> assumedOps;
  unsigned loopDepth = 0;
  unsigned nesting = 0; ///< of forks, loops and calls that are being read
  /// Operations that are read at most, those of loops and callees counted anew
  /// each time. A kernel of a thousand accesses takes some ten thousand.
  static constexpr uint64_t kMaxWork = 1'000'000;
  /// Of the domain, about a second of it. A tangled select takes twenty
  /// thousand at most for an arm.
  static constexpr uint64_t kMaxDomainWork = 50'000'000;
  uint64_t work = 0;             ///< operations read so far; kMaxWork: given up
  int64_t knownSubgroupSize = 0; ///< 0 until asked for
  /// Functions that are being read, and what calls them.
  llvm::SmallVector<mlir::Operation *> callStack, calls;
};

/// "file:line:column" of `location`, as close as it can be told.
std::string describeLocation(mlir::Location location);

/// The model of `kernel` under `launch` before anything was read; `lowered` and
/// `launch` may be null.
KernelModel createModel(mlir::FunctionOpInterface kernel,
                        mlir::Operation *lowered, const LaunchSizes &sizes,
                        HostValues &host, mlir::gpu::LaunchFuncOp launch);

/// The host's memory that `memref` points into, through operations that keep the
/// data pointer and only change the shape.
mlir::Value dataOf(mlir::Value memref);

/// True unless `pointer` is only read through, whatever is derived from it.
bool mayBeWritten(mlir::Value pointer);

/// Counts the floating-point operations of `op`.
void readArithmetic(KernelReader &reader, mlir::Operation *op);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_KERNELREADER_H
