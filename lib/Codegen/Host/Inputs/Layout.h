//===- Layout.h - Extents and strides of an argument ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a memref's type leaves open is the caller's, or the model's.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INPUTS_LAYOUT_H
#define SWIZZLE_LIB_CODEGEN_HOST_INPUTS_LAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "swizzle/Codegen/Host/HostKernel.h"

namespace swizzle::host {

struct MemRefLayout {
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> strides; ///< in elements
  int64_t offset = 0;                 ///< in elements
  int64_t bytes = 0;                  ///< up to the last element
  int64_t elementBytes = 1;
};

/// "argument 2: WHAT".
llvm::Error wrongArgument(unsigned index, const llvm::Twine &what);

/// Of argument `index`. `open` has extents that neither the type nor
/// `argument`, which may be null, gives.
llvm::Expected<MemRefLayout> layOut(unsigned index, mlir::MemRefType type,
                                    const HostArgument *argument,
                                    llvm::function_ref<int64_t(int64_t)> open);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INPUTS_LAYOUT_H
