//===- transpose.cpp - What transpose.cu shall compute --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact: numbers are moved, of 4 bytes or with HALF of 2.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

#ifdef HALF
using Element = short;
#else
using Element = float;
#endif

extern "C" void reference(const Element *in, Element *out) {
  for (size_t y = 0; y < NY; ++y)
    for (size_t x = 0; x < NX; ++x)
      out[x * NY + y] = in[y * NX + x];
}
