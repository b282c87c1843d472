//===- LowerKernel.h - One kernel as the llvm dialect -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is read as it is compiled: as a clone of it in the llvm dialect. The
// module of the user is not touched.
//
//   Expected<LoweredKernel> lowered = lowerKernel(kernel, {});
//   lowered->function              an llvm.func
//   lowered->arguments[3]          {Role::Size, argument 0, dimension 0}
//
// Workgroup ids are calls of `swizzle.workgroup_id.<axis>` there: each reading
// that findIdReadings() knows is replaced before the lowering. An id that is
// still read in another way afterwards is one that a rewriting would miss.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LOWERING_LOWERKERNEL_H
#define SWIZZLE_LOWERING_LOWERKERNEL_H

#include "swizzle/Lowering/LowerModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

/// What an argument of the lowered kernel is of the original one. A memref is
/// handed over as its descriptor: allocation, aligned pointer, offset, sizes,
/// strides.
struct LoweredArgument {
  enum class Role : uint8_t {
    Same,       ///< the argument itself
    Allocation, ///< the pointer that was allocated; nothing is accessed by it
    Pointer,    ///< where the data begins
    Offset,     ///< in elements
    Size,       ///< of dimension `dim`
    Stride,     ///< of dimension `dim`, in elements
    Unknown,    ///< of a memref without a rank
  };
  Role role = Role::Same;
  unsigned argument = 0; ///< of the original
  unsigned dim = 0;
};

struct LoweredKernel {
  mlir::OwningOpRef<mlir::ModuleOp> holder;
  mlir::LLVM::LLVMFuncOp function;
  std::vector<LoweredArgument> arguments;
};

/// Why a kernel could not be lowered.
class LoweringError : public llvm::ErrorInfo<LoweringError> {
public:
  static char ID;
  LoweringError(std::string message, mlir::Location location)
      : message(std::move(message)), location(location) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  mlir::Location where() const { return location; }

private:
  std::string message; ///< names the operation that stopped it
  mlir::Location location;
};

struct KernelLoweringOptions {
  /// The vendor of the chip, where one is known. The operations that a kernel
  /// uses have the last word.
  std::optional<GpuVendor> vendor;
  unsigned waveSize = 0;    ///< 0: what is usual for the vendor
  std::string architecture; ///< "gfx942"; tried before those of other chips
};

/// The vendor whose operations `kernel` uses, or that of `fallback`, or NVIDIA.
GpuVendor chooseVendor(mlir::FunctionOpInterface kernel,
                       std::optional<GpuVendor> fallback);

/// Lowers a clone of `kernel` with everything that it refers to.
llvm::Expected<LoweredKernel> lowerKernel(mlir::FunctionOpInterface kernel,
                                          const KernelLoweringOptions &options);

/// Prefix of the functions that stand for workgroup ids in a lowered kernel:
/// `swizzle.workgroup_id.x` and so on, with the result's type behind it.
inline constexpr llvm::StringLiteral kIdMarker = "swizzle.workgroup_id.";
/// Prefix of the function that stands for a `swizzle.remap`.
inline constexpr llvm::StringLiteral kRemapMarker = "swizzle.remapped";

/// Prefix of the functions that keep a value alive which nobody uses.
inline constexpr llvm::StringLiteral kKeepMarker = "swizzle.keep";

/// The operation of the user that `location` stems from, "memref.load"; empty
/// if the kernel came lowered.
llvm::StringRef originalOperation(mlir::Location location);

/// `location` without what lowering added to it.
mlir::Location originalLocation(mlir::Location location);

} // namespace swizzle

#endif // SWIZZLE_LOWERING_LOWERKERNEL_H
