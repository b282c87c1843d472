//===- Lowering.h - From a GPU kernel to code for the CPU -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps between a kernel in any mixture of upstream dialects and LLVM IR
// that runs as one thread of a workgroup:
//   isolate    the kernel and what it calls, in a module of their own
//   lowerOps   what only a GPU has becomes calls into `Workgroup`
//   toLLVM     upstream's conversions
//   instrument every access to memory is announced before it happens
// Kernels in the llvm dialect, or lowered to it for a GPU, skip the two in the
// middle: their intrinsics are found in LLVM IR (Intrinsics/Intrinsics.h).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_LOWERING_H
#define SWIZZLE_LIB_CODEGEN_HOST_LOWERING_H

#include "Intrinsics/Intrinsics.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <deque>

namespace swizzle::host {

/// Name of the function that is run: `void(uint64_t *arguments)`.
inline constexpr llvm::StringLiteral kEntryName = "swizzle_entry";

/// What the steps share, and what the running kernel refers to by address.
struct Compilation {
  Compilation(Memory &memory, std::vector<HostSite> &sites)
      : memory(memory), sites(sites) {}

  Memory &memory;
  std::vector<HostSite> &sites;
  int64_t subgroupSize = 32;
  int64_t dynamicWorkgroupBytes = 0;
  /// Addresses that compiled code contains.
  const ThreadState *state = nullptr;
  void *const *workgroup = nullptr; ///< where the `Workgroup` will be
  std::deque<MatrixShape> shapes;
  std::deque<ElementFormat> formats;
  std::deque<std::string> messages;
  std::deque<IntrinsicCall> calls;
  /// The kernel is in the llvm dialect, with a vendor's intrinsics.
  bool lowered = false;
  /// Arrays of workgroup memory by symbol.
  std::vector<std::pair<std::string, int64_t>> workgroupArrays;
  int64_t privateBytes = 0; ///< of all arrays on the stack

  uint32_t addSite(mlir::Operation *op, AccessKind kind, int64_t bytes);
};

/// "k.mlir:7:5", or "unknown location".
std::string describe(mlir::Location location);
/// "op amdgpu.wmma at k.mlir:7:5".
llvm::Error makeUnchecked(mlir::Operation *op, llvm::StringRef why = {});

/// A constant pointer, and a call of the runtime function `name`.
mlir::Value makeAddress(mlir::OpBuilder &b, mlir::Location loc,
                        const void *address);
mlir::Value callRuntime(mlir::OpBuilder &b, mlir::Location loc,
                        llvm::StringRef name, mlir::Type result,
                        mlir::ValueRange arguments);
mlir::Value makeInteger(mlir::OpBuilder &b, mlir::Location loc, int64_t value,
                        unsigned bits = 64);

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
isolate(mlir::FunctionOpInterface kernel, Compilation &compilation);
llvm::Error lowerOps(mlir::ModuleOp module, Compilation &compilation);
/// Products, loads and stores of matrix fragments; part of `lowerOps`.
llvm::Error lowerMatrixOps(mlir::ModuleOp module, Compilation &compilation);
llvm::Error toLLVM(mlir::ModuleOp module);
llvm::Error instrument(mlir::ModuleOp module, llvm::StringRef kernel,
                       Compilation &compilation);

/// Counts steps, looks at the stack, and replaces divisors that trap; part of
/// `instrument`.
void boundRuns(mlir::ModuleOp module, Compilation &compilation);
/// Fails the run if the stack does not reach down to `pointer`.
void checkStack(mlir::OpBuilder &b, mlir::Operation *op, mlir::Value pointer,
                Compilation &compilation);

/// The runtime functions by name.
llvm::ArrayRef<std::pair<const char *, void *>> runtimeFunctions();

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_LOWERING_H
