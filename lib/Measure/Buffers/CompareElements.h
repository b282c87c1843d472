//===- CompareElements.h - Outputs, element by element ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bit by bit where no tolerance is declared; else numbers by their type. An
// element of a type that is not known is compared bit by bit in any case.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_BUFFERS_COMPAREELEMENTS_H
#define SWIZZLE_LIB_MEASURE_BUFFERS_COMPAREELEMENTS_H

#include "swizzle/Bundle/Job.h"

namespace swizzle::measuring {

/// "" if `shape.bytes` bytes at both agree, else the first element that does
/// not, with both values.
std::string compareElements(const unsigned char *expected,
                            const unsigned char *found,
                            const BufferArgument &shape, const JobCheck &check);

/// A number as half precision (or bfloat16), rounded toward zero.
uint64_t encodeHalf(double value, bool bfloat);

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_BUFFERS_COMPAREELEMENTS_H
