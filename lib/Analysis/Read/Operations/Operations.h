//===- Operations.h - What an operation does, in one table ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allow-list behind legality and the model in one: each operation of a
// lowered kernel is sorted into one of a few kinds, and what is in no row is
// refused. Intrinsics have one row however they are called. A row may name a
// function that reads the operation's addresses; an operation that touches
// memory and has none is listed as not modelled.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_OPERATIONS_H
#define SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_OPERATIONS_H

#include "swizzle/Kernel/KernelModel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace swizzle::analysis {

class KernelReader;

enum class OperationKind : uint8_t {
  Pure,    ///< its results depend on its operands, or on registers
  Local,   ///< its effect stays inside the workgroup
  Access,  ///< plain reads or writes of memory
  Atomic,  ///< updates memory
  Prints,  ///< printing, assertions
  Calls,   ///< does what is called
  Refused, ///< anything else
};

/// What one operation does.
struct OperationEffect {
  OperationKind kind = OperationKind::Pure;
  AccessKind access = AccessKind::Read; ///< at most this; Access and Atomic
  bool bitStable = true;                ///< false: a floating-point atomic
  bool isFree = false;                  ///< no instruction is issued for it
  std::string code, reason;             ///< Refused
  /// Reads the addresses and the results; null if the kind says all.
  void (*read)(KernelReader &reader, mlir::Operation *op) = nullptr;
};

/// True if one of `patterns`, with blanks between them, is `name`, where each
/// `*` stands for anything.
bool matches(llvm::StringRef patterns, llvm::StringRef name);

/// True for a name like that of a math function of a vendor which the vendor's
/// library does not have.
bool isOfNoMathLibrary(llvm::StringRef name);

/// True if `op` is of a module that came as LLVM IR, of HIP, CUDA or OpenCL.
bool isOfLlvmIr(mlir::Operation *op);

/// " (link the device libraries: ...)" if what the function `name` without a
/// body does would be known then; else empty.
std::string adviseToLink(mlir::Operation *op, llvm::StringRef name);

/// Sorts one operation of a lowered kernel.
OperationEffect classify(mlir::Operation *op);

/// A load, a store or an atomic of the llvm dialect.
struct MemoryInstruction {
  AccessKind kind;
  llvm::StringRef what; ///< "load", "store", "atomic"
  mlir::Value pointer;
  mlir::Type type; ///< of what is read or written
  bool isVolatile = false;
  bool ordered = false; ///< a load or store that is atomic
  std::optional<llvm::StringRef> scope;
  std::optional<uint64_t> alignment;
};
std::optional<MemoryInstruction> asMemoryInstruction(mlir::Operation *op);

/// An atomic update for which there is no instruction is a loop:
///
///   %0 = load %p
///   ^loop(%old):                        ; from %0 at first
///     %new = mul %old, %v
///     %now, %ok = cmpxchg %p, %old, %new
///     cond_br %ok, ^done, ^loop(%now)
///
/// It leaves what one atomic multiplication would leave.
struct ExchangeLoop {
  mlir::LLVM::LoadOp start; ///< the load that the loop starts from
  std::string update;       ///< as of updateOf()
  /// It keeps the greater or the lesser of two floats, as a comparison says: of
  /// NaN and of zeros with signs, the one that came first or last.
  bool comparesFloats = false;
};

/// The loop around `exchange`, if it is one whose old value nobody else uses.
std::optional<ExchangeLoop>
asExchangeLoop(mlir::LLVM::AtomicCmpXchgOp exchange);

/// The same, for the only compare-and-exchange of `block`.
std::optional<ExchangeLoop> asExchangeLoop(mlir::Block *block);

/// True if `load` does nothing but start such a loop.
bool startsExchangeLoop(mlir::LLVM::LoadOp load);

/// Finds loops that may wait for another workgroup.
class WaitingLoops {
public:
  /// The kernel, and after it all functions that it reaches.
  explicit WaitingLoops(llvm::ArrayRef<mlir::FunctionOpInterface> functions);

  /// A load that alone may end a loop of `function`; null if there is none.
  mlir::Operation *findIn(mlir::FunctionOpInterface function) const;

private:
  mlir::Operation *kernel;
  llvm::DenseSet<mlir::Operation *> writing; ///< functions that write globally
};

/// The name of an update that commutes with itself, of all the names that
/// atomics, instructions and intrinsics have for it ("and", "_and"); empty if
/// it does not.
llvm::StringRef commutingUpdate(llvm::StringRef operation);

/// A pointer before casts to another space.
mlir::Value withoutSpace(mlir::Value pointer);

/// `value` before casts that keep its bits.
mlir::Value withoutCasts(mlir::Value value);

/// "max by sign" or "min by sign" for an integer update under a condition on
/// the sign of what it updates with, as floats are updated; else empty.
llvm::StringRef updateBySign(mlir::LLVM::AtomicRMWOp atomic);

/// "add.i32"
std::string withType(llvm::StringRef name, mlir::Type type);

/// What `memory` points into, through casts and address computations.
mlir::Value rootOf(mlir::Value memory);

/// True if `memory`, a pointer, may lie outside the workgroup's own memory.
bool mayBeGlobal(mlir::Value memory);

/// The identity of an atomic update: two updates of one memory commute if they
/// have the same. Empty if `op` does not commute with itself, or is none.
std::string updateOf(mlir::Operation *op);

/// The same of a reduction by a tensor map of `element`s.
std::string tensorUpdate(mlir::Operation *op, mlir::Type element);

/// The effect of an operation that rules a remap out.
OperationEffect refuse(llvm::StringRef code, const llvm::Twine &reason);

/// Why the atomic update `op`, called `name`, rules a remap out; nullopt if it
/// does not.
std::optional<OperationEffect> refuseUpdate(mlir::Operation *op,
                                            llvm::StringRef name);

/// True if `address`, of memory that a kernel asked for, is more than reached:
/// compared, kept, or handed on.
bool isLookedAt(mlir::Value address);

/// Why `op`, called `name` and of `kind` by its row, belongs to a cluster of
/// workgroups all the same; empty if it does not.
std::string whyCluster(mlir::Operation *op, llvm::StringRef name,
                       OperationKind kind);

/// One row of the table.
struct OperationRow {
  llvm::StringLiteral pattern; ///< a name; a `*` at its end stands for anything
  OperationKind kind;
  AccessKind access = AccessKind::Read;
  llvm::StringLiteral code = "", reason = "";
  void (*read)(KernelReader &, mlir::Operation *) = nullptr;
  bool bitStable = true, isFree = false;
};

/// Rows for machine instructions, and for functions without a body. The first
/// that matches decides.
llvm::ArrayRef<OperationRow> vendorRows();
llvm::ArrayRef<OperationRow> functionRows();

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_OPERATIONS_H
