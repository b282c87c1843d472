//===- PlanFunctions.h - Decide about the kernels of a module -- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads every kernel of a module and asks swizzle/Planning about it, once for
// each grid that somebody claims. Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LLVMPASS_PLANFUNCTIONS_H
#define SWIZZLE_LIB_LLVMPASS_PLANFUNCTIONS_H

#include "swizzle/LLVMPass/Options.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace swizzle::llvmpass {

/// A place in the user's source; line 0 if nobody knows.
struct SourcePlace {
  unsigned line = 0, column = 0;
  std::string file; ///< that this line is in
};

struct PlannedFunction {
  llvm::Function *function = nullptr;
  /// One for each grid; at least one.
  std::vector<PlannedKernel> plans;
  /// Where the refusal of each plan belongs.
  std::vector<SourcePlace> places;
  /// What is wrong with claims of `args`, which are left out.
  std::vector<std::string> claimProblems;

  /// True if any grid gets another order.
  bool isRemapped() const;
};

/// The kernels of `module`, in its order.
llvm::SmallVector<llvm::Function *> findKernels(llvm::Module &module);

/// Decides about each kernel of `module`, which is where remaps will be put and
/// by which legality is judged. What kernels read is told by `early`, a copy of
/// the module as it was before, in bitcode, if there is one. None is planned,
/// with a warning, if the module cannot be read; a chip that is not there is an
/// error.
llvm::Expected<std::vector<PlannedFunction>>
planFunctions(llvm::Module &module, llvm::StringRef early,
              const PassSettings &settings);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_PLANFUNCTIONS_H
