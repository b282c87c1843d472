//===- CompileOptions.h - How a kernel is compiled ------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of the compiler, as plain data: the library takes them, and
// swizzle-compile takes the same on its command line. And what is said where a
// tool is missing that they could name.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_DEVICE_COMPILEOPTIONS_H
#define SWIZZLE_CODEGEN_DEVICE_COMPILEOPTIONS_H

#include "swizzle/Codegen/Device/Artifact.h"

namespace swizzle {

struct CompileOptions {
  /// What to emit; by default what the driver loads, PTX or a code object.
  std::optional<ArtifactKind> emit;
  /// Only this kernel (`k` or `module::k`); empty: all of the one gpu.module.
  std::string kernel;
  unsigned optimisation = 3; ///< LLVM's -O level, 0 to 3
  /// Alignment, in bytes, that a buffer is known to have where the kernel gets
  /// it: allocators of GPUs give at least 256. 1 assumes nothing.
  unsigned pointerAlignment = 16;
  /// Vector accesses are aligned to their whole size (one 16-byte access for a
  /// vector<4xf32>), also where this cannot be derived from the buffers.
  bool alignedVectors = false;
  /// LLVM bitcode or IR with functions that a kernel calls (`__nv_expf`).
  /// Without one, mathematical functions are expanded for NVIDIA as far as MLIR
  /// can: fp32, by polynomials.
  std::vector<std::string> deviceLibraries;
  std::string features;      ///< further LLVM features: "+ptx80"
  std::string linker;        ///< ld.lld; empty: searched
  std::string bitcodeFolder; ///< with ocml.bc and ockl.bc; empty: searched
};

/// A program or a library that the compiler needs is not installed. The message
/// says where it was looked for and how to name it.
class MissingToolError : public llvm::ErrorInfo<MissingToolError> {
public:
  static char ID;
  explicit MissingToolError(std::string message)
      : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string message;
};

/// The options as arguments of swizzle-compile. What has its default is left
/// out.
std::vector<std::string> toArguments(const CompileOptions &options);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_DEVICE_COMPILEOPTIONS_H
