//===- TargetNames.h - What a compiler target is called ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Judges the names in a chip's description by their form.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_HARDWARE_SPEC_TARGETNAMES_H
#define SWIZZLE_LIB_HARDWARE_SPEC_TARGETNAMES_H

#include <string>
#include <string_view>

namespace swizzle {

/// True for a word of small letters, digits and the characters of `others`.
bool isName(std::string_view text, std::string_view others);

/// What a target of this vendor must look like, if `target` does not; else "".
std::string targetsOf(std::string_view vendor, std::string_view target);

} // namespace swizzle

#endif // SWIZZLE_LIB_HARDWARE_SPEC_TARGETNAMES_H
