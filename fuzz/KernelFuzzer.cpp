//===- KernelFuzzer.cpp - The analysis against kernels that run -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes are the choices of the writer of kernels. A kernel that is accepted
// and races, a model of what does not happen, and a remapped kernel that does
// something else are crashes.
//
//===----------------------------------------------------------------------===//

#include "kernels/Judge.h"

#include <cstdio>
#include <cstdlib>

using namespace swizzle::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096)
    return 0;
  FuzzKernel kernel = writeKernel(Choices(data, size));
  Verdict verdict = judgeAgainstOracle(kernel);
  if (verdict.agrees())
    return 0;
  std::fprintf(stderr, "%s\n%s%s%s%s\n", kernel.text.c_str(),
               verdict.invalid.c_str(), verdict.falseAccept.c_str(),
               verdict.wrongModel.c_str(), verdict.wrongRemap.c_str());
  std::abort();
}
