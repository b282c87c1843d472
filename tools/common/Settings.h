//===- Settings.h - Values for the parameters of a formula ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tools that take --set say about it, and how they end.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_COMMON_SETTINGS_H
#define SWIZZLE_TOOLS_COMMON_SETTINGS_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

/// The numbers of `--option=name=number`, each given once.
llvm::Expected<ParamValues> readSettings(llvm::StringRef option,
                                         const std::vector<std::string> &texts);

/// Fails if `params` has one that `formula` has not, naming those that it has.
llvm::Error checkParams(const Formula &formula, const ParamValues &params);

/// True for the code of a refusal that is about how a formula is used, and not
/// about what it maps: exit status 2, not 1.
bool isUnusable(llvm::StringRef code);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_COMMON_SETTINGS_H
