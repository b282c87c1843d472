//===- Target.h - What a kernel is compiled for --------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU architecture as compilers name it: "sm_90", "gfx942". Which names there
// are is what LLVM's back ends know; no list of chips is kept here.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_DEVICE_TARGET_H
#define SWIZZLE_CODEGEN_DEVICE_TARGET_H

#include "swizzle/Lowering/LowerModule.h"
#include "llvm/Support/Error.h"
#include <string>

namespace swizzle {

struct HardwareSpec;

struct Target {
  GpuVendor vendor;
  std::string arch;     ///< "sm_90", "gfx942"
  std::string features; ///< LLVM's, "+sramecc,-xnack"; may be empty
  std::string triple;   ///< "nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa"
  unsigned waveSize;    ///< threads that run in lockstep, as the back end says

  /// As parseTarget() takes it: "gfx942:sramecc+:xnack-".
  std::string str() const;
};

/// Reads "sm_90", "gfx1100" or, with AMD's target features,
/// "gfx942:sramecc+:xnack-". An architecture that LLVM's back end does not know
/// is an error that lists the names nearest to it.
llvm::Expected<Target> parseTarget(llvm::StringRef text);

/// The target that the description of a chip names.
llvm::Expected<Target> targetOf(const HardwareSpec &hardware);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_DEVICE_TARGET_H
