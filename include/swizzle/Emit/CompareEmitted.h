//===- CompareEmitted.h - Emitted operations, checked --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formula is proved; the code made of it is something else. Whatever was
// emitted, in whatever IR, is read back into a program and compared with the
// formula before it may stand.
//
//   Expected<EmittedProgram> program = readArith(ids, extents, results);
//   if (Error error = compareEmitted(*program, expectation))
//     ... "workgroup (3, 0, 0) is sent to (61, 0, 0), not to (60, 0, 0)"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_EMIT_COMPAREEMITTED_H
#define SWIZZLE_EMIT_COMPAREEMITTED_H

#include "swizzle/Emit/EmittedProgram.h"
#include "llvm/ADT/BitVector.h"

namespace swizzle {

/// What the operations shall compute.
struct EmittedExpectation {
  const Formula &formula;
  const Environment &environment;
  /// Of the `LoweredFormula`: beyond it the identity is expected.
  int64_t maxExtentProduct = 0;
  /// The extents are compared with the grid at run time, and the identity is
  /// expected where they differ.
  bool guarded = false;
  /// If given, gets the images of a known grid's ids, where all of them are
  /// compared, and stays empty elsewhere.
  llvm::BitVector *reached = nullptr;
};

/// Runs the program, whose inputs are x, y, z and, if it has six, the extents,
/// and compares. A known grid is compared for every workgroup up to 2^22, a
/// grid that is not known on sample grids. The error names the first workgroup
/// that differs, or the operation that could trap.
llvm::Error compareEmitted(EmittedProgram &program,
                           const EmittedExpectation &expected);

} // namespace swizzle

#endif // SWIZZLE_EMIT_COMPAREEMITTED_H
