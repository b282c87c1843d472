//===- MatrixMarket.h - Sparse matrices from files --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a Matrix Market file into compressed rows, the form in which sparse
// kernels take a matrix.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_HOST_MATRIXMARKET_H
#define SWIZZLE_CODEGEN_HOST_MATRIXMARKET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace swizzle {

/// Row r has the elements rowStart[r] .. rowStart[r + 1] - 1, sorted by column.
struct SparseMatrix {
  int64_t rows = 0, columns = 0;
  std::vector<int32_t> rowStart;
  std::vector<int32_t> column;
  std::vector<float> value; ///< 1 where the file holds a pattern only
};

/// Reads `text`: coordinates, real, integer or pattern; symmetric and
/// skew-symmetric matrices are completed. Errors name `fileName` and the line.
llvm::Expected<SparseMatrix> readMatrixMarket(llvm::StringRef text,
                                              llvm::StringRef fileName);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_HOST_MATRIXMARKET_H
