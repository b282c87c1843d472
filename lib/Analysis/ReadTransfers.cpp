//===- ReadTransfers.cpp - Partial vector accesses ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector transfers that may reach over the end of their memref.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

using namespace mlir;

namespace swizzle {

bool KernelReader::readTransfer(Operation *op) { return false; }

} // namespace swizzle
