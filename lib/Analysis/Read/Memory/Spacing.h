//===- Spacing.h - How far apart numbers from memory are --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers from memory that say where something starts are assumed, and so is how
// far apart they are: what begins at one ends before the next.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_MEMORY_SPACING_H
#define SWIZZLE_LIB_ANALYSIS_READ_MEMORY_SPACING_H

#include "../KernelReader.h"

#include <cstdint>

namespace swizzle::analysis {

/// Bytes of a buffer, or what one may have.
int64_t roomIn(const KernelReader &reader, uint32_t buffer);

/// `form` with numbers from memory as far apart as reaches what is added to each
/// from the next number on: different ones then lead to different data. No value
/// of it is above `most` for that.
AffineForm keepApart(const KernelReader &reader, const AffineForm &form,
                     int64_t most);

/// Rows that are taken to lie one after the other, and how long each is.
struct Rows {
  AffineForm row;
  int64_t length = 0;
};

/// `form` with rows as long as reaches what is added to where one starts, if
/// that is more than a loop over it does. No value is above `most` for that.
AffineForm lengthen(const KernelReader &reader, AffineForm form,
                    const Rows &rows, int64_t most);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_MEMORY_SPACING_H
