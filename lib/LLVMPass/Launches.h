//===- Launches.h - What LLVM IR says of a kernel's launches --- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids are rarely part of LLVM IR; bounds of a workgroup often are. From a
// function and the options, the claims that a remap is planned for and compares
// at run time.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LLVMPASS_LAUNCHES_H
#define SWIZZLE_LIB_LLVMPASS_LAUNCHES_H

#include "swizzle/LLVMPass/Options.h"

#include "llvm/ADT/StringMap.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace swizzle::llvmpass {

/// The kernels of a module by name.
class KernelNames {
public:
  explicit KernelNames(llvm::Module &module);

  /// Kernels that an entry of `launches` may mean: the one that is called so,
  /// else all whose source calls them so.
  llvm::ArrayRef<llvm::Function *> find(llvm::StringRef name) const;

private:
  llvm::StringMap<llvm::SmallVector<llvm::Function *, 1>> byName, bySource;
};

/// The grids and the block to plan `kernel` for: by options, else by its
/// metadata `!swizzle.grid`, else by the ranges of its ids and by its bounds.
/// `names`: of all kernels of its module.
LaunchClaim findClaim(llvm::Function &kernel, const KernelNames &names,
                      const PassSettings &settings);

/// A message about each name in the file of launches that several kernels of a
/// module have in their source.
std::vector<std::string> findAmbiguous(const KernelNames &names,
                                       const PassSettings &settings);

/// Code and reason why the launches of `kernel` do not allow another order;
/// empty if they do.
std::pair<std::string, std::string>
whyNotRemappable(const llvm::Function &kernel);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_LAUNCHES_H
