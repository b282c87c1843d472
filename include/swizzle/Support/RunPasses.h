//===- RunPasses.h - LLVM's own passes on a module --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `opt -passes=` does. Without LLVM's header of pass managers, which takes
// longer to compile than most files that would run passes.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_RUNPASSES_H
#define SWIZZLE_SUPPORT_RUNPASSES_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace swizzle {

/// Runs the passes of `pipeline`, which is written as for `opt -passes=` and
/// must be right. `machine`, which tells them about the target, may be null.
void runPasses(llvm::Module &module, const char *pipeline,
               llvm::TargetMachine *machine);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_RUNPASSES_H
