//===- RunPasses.cpp - LLVM's own passes on a module ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RunPasses.h.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/RunPasses.h"

#include "llvm-c/Transforms/PassBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace swizzle {

void runPasses(llvm::Module &module, const char *pipeline,
               llvm::TargetMachine *machine) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error =
      LLVMRunPasses(llvm::wrap(&module), pipeline,
                    reinterpret_cast<LLVMTargetMachineRef>(machine), options);
  LLVMDisposePassBuilderOptions(options);
  llvm::cantFail(llvm::unwrap(error));
}

} // namespace swizzle
