//===- Artifact.h - A compiled kernel ---------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a build hands on to who measures: bytes that a driver loads, the kernels
// in them, and what each needs of the GPU. Plain data, without LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BUNDLE_ARTIFACT_H
#define SWIZZLE_BUNDLE_ARTIFACT_H

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

} // namespace swizzle

#endif // SWIZZLE_BUNDLE_ARTIFACT_H
