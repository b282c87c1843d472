//===- Arguments.h - What a kernel is called with ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each argument of a kernel a value: a buffer for each memref or pointer,
// a number for each size, in the form in which the lowered kernel takes them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INPUTS_ARGUMENTS_H
#define SWIZZLE_LIB_CODEGEN_HOST_INPUTS_ARGUMENTS_H

#include "Addresses.h"
#include "Memory.h"

namespace swizzle::host {

struct Arguments {
  std::vector<uint64_t> words;     ///< for the entry function
  std::vector<HostBuffer> buffers; ///< one a slot, in the order of slots
  /// Floating-point numbers among the words.
  std::vector<std::pair<size_t, const llvm::fltSemantics *>> floats;
  /// Buffers whose contents decide addresses or loops, and that nobody gave.
  std::vector<unsigned> invented;
};

/// A kernel, what lowering made of it, and where both run.
struct BoundKernel {
  mlir::FunctionOpInterface original;
  const LoweredKernel &lowered;
  const KernelModel &model;
  Grid grid, block;
  int64_t subgroupSize = 32;
  /// Of the kernel that this one is a variant of: its buffers' sizes and
  /// contents are taken. Null: it is none.
  const Memory *like = nullptr;
};

/// Adds the buffers of `kernel` to `memory`, whose first arrays they become.
llvm::Expected<Arguments> bindArguments(const BoundKernel &kernel,
                                        const HostOptions &options,
                                        Memory &memory);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INPUTS_ARGUMENTS_H
