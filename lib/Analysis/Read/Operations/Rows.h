//===- Rows.h - How rows of the table are written ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shorthands for `OperationRow`, for the files that hold rows. A row is one
// effect; its pattern is the names of all operations that have it, with blanks
// between them, and `x*` for all that begin with x.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_ROWS_H
#define SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_ROWS_H

#include "Operations.h"

namespace swizzle::analysis {

/// The rows of the llvm dialect; for who counts rows.
llvm::ArrayRef<OperationRow> llvmRows();

} // namespace swizzle::analysis

#define PURE(NAME) {NAME, OperationKind::Pure}
#define VALUE(NAME, READ)                                                      \
  {NAME, OperationKind::Pure, AccessKind::Read, "", "", READ}
#define FREE(NAME, KIND, READ)                                                 \
  {NAME, OperationKind::KIND, AccessKind::Read, "", "", READ, true, true}
#define LOCAL(NAME) {NAME, OperationKind::Local}
#define ACCESS(NAME, KIND, READ)                                               \
  {NAME, OperationKind::Access, AccessKind::KIND, "", "", READ}
#define UPDATE(NAME, READ)                                                     \
  {NAME, OperationKind::Atomic, AccessKind::Atomic, "", "", READ}
#define FLOAT_UPDATE(NAME, READ)                                               \
  {NAME, OperationKind::Atomic, AccessKind::Atomic, "", "", READ, false}
#define PRINTS(NAME) {NAME, OperationKind::Prints}
#define REFUSED(NAME, CODE, REASON)                                            \
  {NAME, OperationKind::Refused, AccessKind::Write, CODE, REASON}

#endif // SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_ROWS_H
