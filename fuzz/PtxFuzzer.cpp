//===- PtxFuzzer.cpp - Any text to the parser of inline PTX ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever is accepted consists of statements that have an opcode, and
// registers whose numbers stand in the text.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Import/Ptx.h"

#include <cstdlib>

using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  Expected<swizzle::PtxText> read = swizzle::parsePtx(text);
  if (!read) {
    consumeError(read.takeError());
    return 0;
  }
  for (const swizzle::PtxStatement &statement : read->statements) {
    if (statement.opcode.empty())
      abort();
    for (const swizzle::PtxOperand &operand : statement.operands)
      for (unsigned number : operand.registers)
        if (number < swizzle::kFirstPtxRegister
                ? !text.contains(std::to_string(number)) && !text.contains("$0")
                : number - swizzle::kFirstPtxRegister >= read->registers.size())
          abort();
  }
  return 0;
}
