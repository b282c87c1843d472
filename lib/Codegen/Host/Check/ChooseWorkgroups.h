//===- ChooseWorkgroups.h - Which workgroups a check runs -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of a small grid; of a large one the corners, those that do the original's
// corners, the tails, and some at random.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_CHECK_CHOOSEWORKGROUPS_H
#define SWIZZLE_LIB_CODEGEN_HOST_CHECK_CHOOSEWORKGROUPS_H

#include "swizzle/Codegen/Host/Check.h"
#include "llvm/ADT/SetVector.h"

namespace swizzle::host {

/// The formula's value for each linear id, as far as that is affordable: empty
/// on huge grids. `wrong` says why it is no permutation.
std::vector<uint32_t> evaluateEverywhere(const BoundFormula &formula,
                                         const Grid &grid, std::string &wrong);

/// Adds workgroups that are always run; returns how many are chosen now.
size_t addCorners(const Grid &grid, llvm::ArrayRef<uint32_t> permutation,
                  llvm::SetVector<int64_t> &chosen);

/// Adds all workgroups of a small grid, or a sample of a large one.
void addSample(const Grid &grid, const CheckOptions &options,
               llvm::SetVector<int64_t> &chosen);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_CHECK_CHOOSEWORKGROUPS_H
