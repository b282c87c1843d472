//===- ByValue.h - Structures that are passed by value ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What their members are, for who reads them and for who claims something of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_BYVALUE_H
#define SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_BYVALUE_H

#include "../KernelReader.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace swizzle::analysis {

/// Structures of more members than this are not taken apart.
inline constexpr size_t kMaxMembers = 256;

/// The members of `type` in the order in which they lie; more than
/// `kMaxMembers` if there are so many.
std::vector<PassedByValue::Member> membersOf(const mlir::DataLayout &layout,
                                             mlir::Type type);

/// True for what a memref is lowered to, of which sizes and strides go
/// together.
bool isDescriptor(mlir::Type type);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_BYVALUE_H
