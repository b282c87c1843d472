//===- RecordTrace.h - The trace of a kernel --------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs all workgroups of a kernel on the host and writes down what they touch.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_HOST_RECORDTRACE_H
#define SWIZZLE_CODEGEN_HOST_RECORDTRACE_H

#include "swizzle/Codegen/Host/HostKernel.h"
#include "swizzle/Codegen/Host/MatrixMarket.h"
#include "swizzle/Kernel/Trace.h"

namespace swizzle {

/// Records `kernel`. Each workgroup starts on memory as it was filled. Fails
/// with an `UncheckedError` where the host cannot run the kernel, and where the
/// trace would have more than `maxTouches` entries.
llvm::Expected<Trace> recordTrace(mlir::FunctionOpInterface kernel,
                                  const HostOptions &options,
                                  int64_t maxTouches = int64_t(1) << 27);

/// Hands `matrix` to `kernel`: which of its arguments are row starts, columns,
/// values, the vector that columns index, and the result, follows from their
/// use. Fails if the kernel does not use them as a product with a sparse matrix
/// in rows does.
llvm::Error giveMatrix(mlir::FunctionOpInterface kernel,
                       const SparseMatrix &matrix, HostOptions &options);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_HOST_RECORDTRACE_H
