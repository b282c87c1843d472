//===- BitFields.h - Maps that only move bits ----------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a grid of powers of two many remaps are linear over GF(2): each bit of the
// result is the exclusive or of bits of the ids. See BitFields.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_LOWERING_BITFIELDS_H
#define SWIZZLE_LIB_FORMULA_LOWERING_BITFIELDS_H

#include "Eval/Enumerate.h"
#include "MachineBuilder.h"

namespace swizzle::formula {

/// Emits a node whose facts say that it is linear, from the ids.
OpId emitBitFields(MachineBuilder &builder, const Grid &grid,
                   const NodeFacts &facts);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_LOWERING_BITFIELDS_H
