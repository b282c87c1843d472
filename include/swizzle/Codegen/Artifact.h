//===- Artifact.h - A compiled kernel ------------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler hands on: bytes that a driver loads, the kernels in them,
// and what each needs of the GPU. Plain data, no MLIR and no LLVM IR, because
// it crosses a process boundary and lies in the compile cache.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_ARTIFACT_H
#define SWIZZLE_CODEGEN_ARTIFACT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

/// What the compiler writes.
enum class ArtifactKind : uint8_t {
  LLVM,     ///< LLVM IR as text, optimised
  Assembly, ///< AMD assembly
  PTX,      ///< text; the driver makes machine code of it
  HSACO,    ///< a code object of AMD, ready to load
};

llvm::StringRef toString(ArtifactKind kind);

/// What one kernel needs; nullopt is "not known". PTX says nothing about
/// registers: the driver allocates them when it loads the kernel.
struct KernelResources {
  std::optional<int64_t> vgprs; ///< vector registers a thread, AGPRs included
  std::optional<int64_t> agprs; ///< of which accumulation registers
  std::optional<int64_t> sgprs; ///< scalar registers a wave
  std::optional<int64_t> vgprSpills, sgprSpills;
  std::optional<int64_t> workgroupBytes; ///< LDS or shared memory, static
  std::optional<int64_t> privateBytes;   ///< scratch or local memory a thread
};

struct CompiledKernel {
  std::string name; ///< the entry to look up in the loaded module
  std::optional<std::array<int64_t, 3>> block; ///< where the IR fixes it
  KernelResources resources;
};

struct Artifact {
  ArtifactKind kind = ArtifactKind::PTX;
  std::string target; ///< "sm_90", "gfx942:xnack-"
  std::string bytes;
  std::vector<CompiledKernel> kernels;
  /// True: a memref argument is one pointer. False (a memref of unknown size is
  /// among the arguments): pointer, aligned pointer, offset, sizes, strides.
  bool barePointers = true;
};

/// All but the bytes, as an object of schema "swizzle-compile/1".
llvm::json::Object toJSON(const Artifact &artifact);

/// The inverse of toJSON(); an error names what is missing or mistyped.
llvm::Expected<Artifact> artifactFromJSON(const llvm::json::Value &value);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_ARTIFACT_H
