/*===- UsedFromC.c - The header is C ----------------------------------------===*\
|*                                                                            *|
|* Part of the Swizzle project, under the Apache License v2.0 with LLVM       *|
|* Exceptions. See LICENSE.TXT for license information.                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "swizzle-c/Swizzle.h"

int remapFromC(const char *text, size_t size, const char *options);

/* 1: remapped, 0: not, -1: an error. */
int remapFromC(const char *text, size_t size, const char *options) {
  SwizzleResult *result = swizzle_remap_module(text, size, options);
  int changed = swizzle_result_error(result) ? -1
                                             : swizzle_result_is_changed(result);
  swizzle_result_destroy(result);
  return changed;
}
