//===- SwizzlePass.h - Workgroup remaps in LLVM's pipelines --- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass for `llvm::Module`, for plugins, compilers and JITs that work on
// LLVM IR: HIP, CUDA and OpenCL through clang, Triton, IREE.
//
//   PassBuilder builder;
//   registerSwizzlePasses(builder);      // opt -passes='swizzle<chip=mi300x>'
//
// and, in a pipeline of one's own,
//
//   passes.addPass(SwizzlePass(cantFail(parseOptions("chip=mi300x"))));
//   // kernels that get faster begin with another order of their workgroups;
//   // everything else of the module is as it was, to the byte
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LLVMPASS_SWIZZLEPASS_H
#define SWIZZLE_LLVMPASS_SWIZZLEPASS_H

#include "swizzle/LLVMPass/Options.h"

#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace swizzle::llvmpass {

/// What a module looked like when its pipeline began: later passes unroll loops
/// and widen accesses, so that what a kernel reads is told best by this.
class EarlyCopy;

class SwizzlePass : public llvm::PassInfoMixin<SwizzlePass> {
public:
  explicit SwizzlePass(PassSettings settings,
                       std::shared_ptr<EarlyCopy> early = nullptr);
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
  /// Kernels that are not to be optimized are remapped, too.
  static bool isRequired() { return true; }

private:
  PassSettings settings;
  std::shared_ptr<EarlyCopy> early;
};

/// Makes `swizzle<...>` known to textual pipelines. If the environment variable
/// SWIZZLE_OPTIONS is set, and not to nothing, the default pipelines run the
/// pass with its options; what is wrong with them is an error of the
/// compilation.
void registerSwizzlePasses(llvm::PassBuilder &builder);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LLVMPASS_SWIZZLEPASS_H
