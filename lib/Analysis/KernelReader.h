//===- KernelReader.h - Symbolic reading of a kernel ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a kernel as one thread would run it, with affine forms in place of
// numbers: operation after operation, into loops, branches and callees, and
// writes down the accesses to global memory on the way. The methods are spread
// over several files, one for each family of operations; each `read...` returns
// false if the operation is not of its family.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_KERNELREADER_H
#define SWIZZLE_LIB_ANALYSIS_KERNELREADER_H

#include "AbstractValue.h"
#include "Launches.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "swizzle/Analysis/KernelAnalysis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"

namespace swizzle {

using AbstractValues = llvm::SmallVector<AbstractValue>;

/// The reason that travels from a load to whatever is computed from it.
inline constexpr const char *kLoaded = "loaded from memory";

class KernelReader {
public:
  KernelReader(mlir::FunctionOpInterface kernel, const LaunchSizes &sizes);

  KernelModel run();
  /// Affine form of each integer of the kernel that has one (after `run`).
  llvm::DenseMap<mlir::Value, AffineForm> forms() const;

private:
  //===--- Entry: KernelReader.cpp ----------------------------------------===//
  void bindArguments();
  AbstractValue bindMemRef(mlir::Value argument, unsigned index);
  AbstractValue bindPointer(mlir::Value argument, unsigned index);
  /// What the launch passes for `argument`, if it is seen and of the same type.
  mlir::Value launchOperand(mlir::Value argument, unsigned index);
  /// The buffer of an earlier argument that some launch seen here gives the
  /// same memory as argument `index`, if any.
  std::optional<uint32_t> sharedBuffer(unsigned index);
  void bindScalar(mlir::Value argument, unsigned index);
  /// Reads a function's body; what it returns.
  AbstractValues readRegion(mlir::Region &region);
  void readOperation(mlir::Operation *op);
  void readBody(mlir::Block &block);
  AbstractValues yielded(mlir::Operation *terminator);

  AbstractValue get(mlir::Value value);
  CasesRef scalar(mlir::Value value);
  CasesRef scalar(mlir::OpFoldResult value);
  void set(mlir::Value value, AbstractValue abstract);
  void set(mlir::Value value, CasesRef scalar);
  void setUnknown(mlir::Operation *op, const std::string &reason);
  /// Why the results of `op` are unknown: because an operand was loaded from
  /// memory, or `fallback`.
  std::string originOf(mlir::Operation *op, const std::string &fallback);
  void assume(std::string text);
  /// A view of the memory behind `value`, or null with `reason` set.
  std::shared_ptr<const MemoryView> memory(mlir::Value value);
  /// Memory space of a memref or pointer type.
  static MemorySpace spaceOf(mlir::Type type);
  /// Bytes that one element of type `type` takes in memory.
  int64_t bytesOf(mlir::Type type) const;
  std::string describe(mlir::Operation *op, const MemoryView *view);

  //===--- Statements -----------------------------------------------------===//
  void emit(Statement statement) { out->push_back(std::move(statement)); }
  struct Footprint {
    int64_t bytes = 4;
    std::vector<BoxDim> box;
    Issuer issuer = Issuer::Thread;
  };
  /// Records an access at `offset` bytes (null: not modelled for `reason`).
  void access(mlir::Operation *op, const MemoryView &view, CasesRef offset,
              AccessKind kind, const Footprint &footprint);
  void notModelled(mlir::Operation *op, const MemoryView *view, AccessKind kind,
                   std::string reason);
  void compute(double flops, bool tensor = false,
               Issuer issuer = Issuer::Thread);
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
  /// Reads `body` with every access "not modelled" for `reason`.
  void unmodelled(const std::string &reason, llvm::function_ref<void()> body);
  /// Runs `body` without leaving a trace in the model.
  void rehearse(llvm::function_ref<void()> body);

  //===--- Integers: ReadIntegers.cpp, ReadIds.cpp ------------------------===//
  bool readInteger(mlir::Operation *op);
  bool readIndexArithmetic(mlir::Operation *op);
  bool readId(mlir::Operation *op);
  CasesRef binary(llvm::StringRef name, mlir::Type type, const CasesRef &a,
                  const CasesRef &b);
  CasesRef compare(llvm::StringRef predicate, mlir::Type type,
                   const CasesRef &a, const CasesRef &b);
  /// `tree` if it fits into `type` without wrapping around.
  CasesRef fitted(const CasesRef &tree, mlir::Type type);
  CasesRef evaluateExpr(mlir::AffineExpr expr, unsigned dims,
                        llvm::ArrayRef<CasesRef> operands);
  llvm::SmallVector<CasesRef> evaluateMap(mlir::AffineMap map,
                                          mlir::ValueRange operands);
  CasesRef linearThreadId();
  int64_t subgroupSize();

  //===--- Control flow: ReadControlFlow.cpp, ReadLoops.cpp ---------------===//
  bool readControlFlow(mlir::Operation *op);
  bool readLoop(mlir::Operation *op);
  bool readCall(mlir::Operation *op);
  void readIf(mlir::Operation *op, const CasesRef &condition, mlir::Region &yes,
              mlir::Region &no);
  void readSwitch(mlir::Operation *op);
  struct CountedLoop {
    CasesRef lower, upper; ///< upper is exclusive; null: not affine
    CasesRef step;
    mlir::Value counter;
    mlir::Block *body = nullptr;
    mlir::ValueRange inits;
  };
  void readFor(mlir::Operation *op, const CountedLoop &loop);
  AbstractValues runFor(const CountedLoop &loop, const AffineForm &lower,
                        const std::vector<AffineForm> &trips, int64_t step);
  void readNest(mlir::Operation *op, llvm::ArrayRef<CasesRef> lowers,
                llvm::ArrayRef<CasesRef> uppers, llvm::ArrayRef<CasesRef> steps,
                llvm::ArrayRef<mlir::Value> counters, mlir::Block &body,
                unsigned depth = 0);
  /// A loop that goes on while a condition holds.
  struct WhileLoop {
    AbstractValues inits;
    llvm::SmallVector<mlir::Value> arguments; ///< what `inits` are bound to
    /// Reads the code before the test; the condition to go on.
    llvm::function_ref<CasesRef()> before;
    /// Reads the code after the test; the arguments of the next iteration.
    llvm::function_ref<AbstractValues()> after;
  };
  void readWhile(const WhileLoop &loop);
  class BlockReader;
  /// How loop-carried values change from one iteration to the next: the
  /// increment of each, or nullopt.
  using Increments = llvm::SmallVector<std::optional<int64_t>>;
  Increments guessIncrements(const AbstractValues &inits,
                             llvm::ArrayRef<mlir::Value> arguments,
                             llvm::function_ref<AbstractValues()> body);
  /// The loop-carried values in iteration `iteration` (null: in any).
  AbstractValues carried(const AbstractValues &inits,
                         const Increments &increments,
                         const CasesRef &iteration);
  /// Clears the increments that `next` does not bear out.
  bool confirm(const AbstractValues &expected, const AbstractValues &next,
               Increments &increments);
  /// Emits a loop of min(`trips`) iterations; `body` gets the counter.
  void emitLoop(const std::vector<AffineForm> &trips,
                llvm::function_ref<void(const CasesRef &)> body);
  /// max(0, min(trips)).
  CasesRef tripCount(const std::vector<AffineForm> &trips);
  /// ceil(form / step) for each form.
  std::optional<std::vector<AffineForm>>
  divideTrips(const std::vector<AffineForm> &spans, int64_t step);

  //===--- Memory: ReadViews.cpp, ReadAccesses.cpp, ... -------------------===//
  bool readView(mlir::Operation *op);
  bool readAllocation(mlir::Operation *op);
  bool readMetadata(mlir::Operation *op);
  bool readReshape(mlir::Operation *op, const MemoryView &view);
  bool readAccess(mlir::Operation *op);
  bool readTransfer(mlir::Operation *op);
  bool readVector(mlir::Operation *op);
  bool readMatrix(mlir::Operation *op);
  bool readPointer(mlir::Operation *op);
  bool readAggregate(mlir::Operation *op);
  bool readLowered(mlir::Operation *op);
  AbstractValue elementPointer(mlir::Operation *op);
  /// An access of `type` (or of a vector of it) at a pointer.
  void accessPointer(mlir::Operation *op, mlir::Value pointer, mlir::Type type,
                     AccessKind kind);
  bool readBufferAccess(mlir::Operation *op);
  bool readLinalg(mlir::Operation *op);
  /// One dimension of a block of memory: `count` steps of `stride` bytes, of
  /// which only the first `limit` are touched (null: all).
  struct BlockDim {
    int64_t count = 1;
    int64_t stride = 0;
    CasesRef limit;
  };
  void accessClipped(mlir::Operation *op, const MemoryView &view,
                     CasesRef offset, llvm::ArrayRef<BlockDim> dims,
                     AccessKind kind, const Footprint &element);
  void accessTransfer(mlir::Operation *op, AccessKind kind);
  void accessMasked(mlir::Operation *op, mlir::Value base,
                    mlir::ValueRange indices, mlir::Value mask, int64_t lanes,
                    AccessKind kind);
  void accessGather(mlir::Operation *op, mlir::Value base,
                    mlir::ValueRange indices, mlir::Value lanes,
                    mlir::Value mask, AccessKind kind);
  /// One access for each lane that `mask` lets through.
  void accessLanes(mlir::Operation *op, const MemoryView &view,
                   llvm::ArrayRef<CasesRef> offsets, const AbstractValue &mask,
                   AccessKind kind);
  void accessMatrix(mlir::Operation *op, mlir::Value base,
                    mlir::ValueRange indices, mlir::gpu::MMAMatrixType type,
                    int64_t lead, bool transposed, AccessKind kind);
  /// Byte offset of element `indices` of `view`.
  CasesRef elementOffset(const MemoryView &view,
                         llvm::ArrayRef<CasesRef> indices);
  llvm::SmallVector<CasesRef> scalars(mlir::ValueRange values);
  /// The bytes of a block of `shape` elements at the trailing dimensions.
  std::optional<Footprint> blockFootprint(const MemoryView &view,
                                          llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<unsigned> dims);
  /// An access of a vector or scalar type at `indices`.
  void accessAt(mlir::Operation *op, mlir::Value base,
                llvm::ArrayRef<CasesRef> indices, mlir::Type valueType,
                AccessKind kind);

  //===--- Arithmetic between accesses: ReadCompute.cpp -------------------===//
  bool readCompute(mlir::Operation *op);
  bool readMatrixProduct(mlir::Operation *op);

  mlir::FunctionOpInterface kernel;
  LaunchSizes sizes;
  HostValues host;
  KernelModel model;
  Domain domain;
  Scalars scalars_;
  mlir::gpu::LaunchFuncOp launch; ///< the launch that nominal values follow
  llvm::DenseMap<mlir::Value, AbstractValue> values;
  llvm::DenseMap<mlir::Operation *, uint32_t> globals; ///< buffer by symbol
  llvm::SmallPtrSet<mlir::Operation *, 8> workgroupGlobals;
  llvm::SmallSet<uint32_t, 8> pointerBuffers; ///< whose elements are known
  std::vector<Statement> *out = nullptr;
  std::string blocked; ///< why nothing can be modelled here; empty if it can
  std::string reason;  ///< of the latest null view
  unsigned rehearsing = 0, loopDepth = 0;
  std::optional<AbstractValue> activeMask; ///< of the enclosing vector.mask
  int64_t knownSubgroupSize = 0;           ///< 0 until asked for
  llvm::SmallVector<mlir::Operation *> callStack;
};

/// "file:line:column" of `location`, as close as it can be told.
std::string describeLocation(mlir::Location location);

} // namespace swizzle

#endif // SWIZZLE_LIB_ANALYSIS_KERNELREADER_H
