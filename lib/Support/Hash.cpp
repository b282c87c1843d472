//===- Hash.cpp - Names a text by its content -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/Hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

std::string swizzle::hashText(llvm::StringRef text) {
  return "blake3:" +
         llvm::toHex(llvm::BLAKE3::hash<16>(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}
