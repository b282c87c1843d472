//===- Hash.h - Names a text by its content ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One way to name inputs, chips and cache entries in reports and journals.
// Source of the function: J. O'Connor, J.-P. Aumasson, S. Neves, Z.
// Wilcox-O'Hearn, BLAKE3: one function, fast everywhere, 2020.
//
//   hashText("abc")     // "blake3:6437b3ac38465133ffb63b75273a8db5"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_HASH_H
#define SWIZZLE_SUPPORT_HASH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace swizzle {

/// "blake3:" and the first 128 bits of the text's BLAKE3, hexadecimal.
std::string hashText(llvm::StringRef text);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_HASH_H
