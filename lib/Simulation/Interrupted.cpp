//===- Interrupted.cpp - A deadline passed --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an interrupted simulation says of itself.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Simulation/Simulator.h"

namespace swizzle {

char Interrupted::ID = 0;

void Interrupted::log(llvm::raw_ostream &os) const {
  os << "the time for it was up";
}

std::error_code Interrupted::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

} // namespace swizzle
