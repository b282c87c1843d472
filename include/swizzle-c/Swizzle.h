/*===- Swizzle.h - Another order of workgroups, from C ------------*- C -*-===*\
|*                                                                            *|
|* Part of the Swizzle project, under the Apache License v2.0 with LLVM       *|
|* Exceptions. See LICENSE.TXT for license information.                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* For JITs and for languages that call C: a module of GPU kernels in LLVM IR *|
|* goes in, the same module comes out, its kernels remapped where that is     *|
|* proved and gains by simulation.                                            *|
|*                                                                            *|
|*   SwizzleResult *result =                                                  *|
|*       swizzle_remap_module(text, strlen(text), "chip=h200;grid=64x64");    *|
|*   if (swizzle_result_error(result))                                        *|
|*     fprintf(stderr, "%s\n", swizzle_result_error(result));                 *|
|*   else if (swizzle_result_is_changed(result))                              *|
|*     use(swizzle_result_module(result));                                    *|
|*   swizzle_result_destroy(result);                                          *|
|*                                                                            *|
|* Nothing is shared between results: threads may make them at a time. No     *|
|* exception leaves the library. Strings belong to their result and end with  *|
|* a zero byte.                                                               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef SWIZZLE_C_SWIZZLE_H
#define SWIZZLE_C_SWIZZLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of one module. */
typedef struct SwizzleResult SwizzleResult;

/* Reads the module in `size` bytes at `module`, LLVM IR as text or bitcode, and
 * remaps its kernels as `options` says: "name=value;...", those of the pass
 * `swizzle` for opt (docs/hip-cuda.md). A null `options` is an empty one. Never
 * null; what is wrong is told by `swizzle_result_error`. */
SwizzleResult *swizzle_remap_module(const char *module, size_t size,
                                    const char *options);

/* Why a program that reads the module from the file `input` may not write the
 * result to the file `output` and the report to the file `report`: one of them, or
 * one that `options` name, is read, or is written for something else. Null if it
 * may; else to be freed by `swizzle_string_destroy`. Null or "-" is no file. What
 * else is wrong with `options` is told by `swizzle_remap_module`. */
char *swizzle_check_files(const char *options, const char *input,
                          const char *output, const char *report);

void swizzle_result_destroy(SwizzleResult *result);

/* Why the module, the options or a formula that they give cannot be used, a line
 * for each problem; null if nothing is wrong. A kernel that stays as it is, for
 * whatever reason, is no error. */
const char *swizzle_result_error(const SwizzleResult *result);

/* What the user should know all the same, a line each; null if nothing. */
const char *swizzle_result_warnings(const SwizzleResult *result);

/* What was done with each kernel, on each grid, and why, a line each; null if the
 * module has none. */
const char *swizzle_result_summary(const SwizzleResult *result);

/* 1 if a kernel was remapped, else 0. */
int swizzle_result_is_changed(const SwizzleResult *result);

/* The module as text. If nothing is changed, text that came in comes out, to the
 * byte; bitcode comes out as text. Null if the module could not be read. */
const char *swizzle_result_module(const SwizzleResult *result);

/* The report as JSON, schema "swizzle-report/1" (docs/reading-a-report.md): each
 * kernel with what was decided, why, the formula, what is assumed, and how many of
 * its accesses are modelled; of a module without kernels, none. Null if it was not
 * looked at. */
const char *swizzle_result_report(const SwizzleResult *result);

/* Of the library, such as "0.1.0"; valid as long as it is loaded. */
const char *swizzle_version(void);

/* Of the LLVM that it was built with: modules of later ones may be unreadable. */
const char *swizzle_llvm_version(void);

/* The reference of all options, a line each: "name: what it says". To be freed by
 * `swizzle_string_destroy`. */
char *swizzle_describe_options(void);

void swizzle_string_destroy(char *string);

#ifdef __cplusplus
}
#endif

#endif /* SWIZZLE_C_SWIZZLE_H */
