//===- LinkObject.h - ld.lld and the ROCm device libraries ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What AMD's kernels need beside LLVM, and where it lies on this machine.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_DEVICE_LINKOBJECT_H
#define SWIZZLE_LIB_CODEGEN_DEVICE_LINKOBJECT_H

#include "swizzle/Codegen/Device/CompileOptions.h"

namespace swizzle::device {

/// Links an AMD object to a code object with ld.lld.
llvm::Expected<std::string> linkCodeObject(llvm::StringRef object,
                                           const CompileOptions &options);

/// The device libraries of ROCm that kernels are linked with, in one folder.
inline constexpr char kOcml[] = "ocml.bc", kOckl[] = "ockl.bc";

/// The folder with the ROCm device libraries.
llvm::Expected<std::string> findBitcodeFolder(const CompileOptions &options);

} // namespace swizzle::device

#endif // SWIZZLE_LIB_CODEGEN_DEVICE_LINKOBJECT_H
