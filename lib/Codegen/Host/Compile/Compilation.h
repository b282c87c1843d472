//===- Compilation.h - From a GPU kernel to code for the CPU ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps between a kernel and code that runs as one thread of a workgroup:
//   translate   the kernel, lowered for a GPU, becomes LLVM IR; each
//               instruction knows which operation of the user it stems from
//   instrument  accesses are announced before they happen, and intrinsics of a
//               GPU become calls of what emulates them
//   boundRuns   what keeps a run finite and free of traps
//   JitCode     machine code
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_COMPILE_COMPILATION_H
#define SWIZZLE_LIB_CODEGEN_HOST_COMPILE_COMPILATION_H

#include "Intrinsics/Intrinsics.h"
#include "swizzle/Lowering/LowerKernel.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <deque>

namespace swizzle::host {

/// Name of the function that is run: `void(uint64_t *arguments)`.
inline constexpr llvm::StringLiteral kEntryName = "swizzle_entry";

/// An operation of the user.
struct Origin {
  std::string location = "unknown location"; ///< "k.mlir:7:5"
  std::string op;                            ///< "memref.store"
};

/// What the steps share, and what the running kernel refers to by address.
struct Compilation {
  Compilation(Memory &memory, std::vector<HostSite> &sites)
      : memory(memory), sites(sites) {}

  Memory &memory;
  std::vector<HostSite> &sites; ///< in the order of the program
  int64_t subgroupSize = 32;
  int64_t dynamicWorkgroupBytes = 0;
  /// Addresses that compiled code contains.
  const ThreadState *state = nullptr;
  void *const *workgroup = nullptr; ///< where the `Workgroup` will be
  std::deque<IntrinsicCall> calls;
  int64_t privateBytes = 0; ///< of all arrays on the stack
  /// By line, from 1, of the debug locations in LLVM IR.
  std::vector<Origin> origins;

  /// Of what `instruction` was lowered from; without one, its own name.
  Origin originOf(const llvm::Instruction &instruction) const;
  uint32_t addSite(const llvm::Instruction &instruction, AccessKind kind,
                   int64_t bytes);
};

/// "k.mlir:7:5", or "unknown location".
std::string describe(mlir::Location location);
/// "op amdgpu.wmma at k.mlir:7:5: WHY".
llvm::Error makeUnchecked(const Origin &origin, const llvm::Twine &why = "");

/// A constant pointer, and a call of the runtime function `name` whose first
/// operand is where a pointer to the workgroup stands.
llvm::Constant *makeAddress(llvm::IRBuilderBase &b, const void *address);
llvm::CallInst *callRuntime(llvm::IRBuilderBase &b, const Compilation &c,
                            llvm::StringRef name,
                            llvm::ArrayRef<llvm::Value *> arguments);

/// Code of `kernel`, whose locations are numbered on the way.
llvm::Expected<std::unique_ptr<llvm::Module>>
translate(LoweredKernel &kernel, Compilation &compilation,
          llvm::LLVMContext &context);

/// Announces accesses and emulates intrinsics; the module's data layout is the
/// CPU's.
llvm::Error instrument(llvm::Module &module, Compilation &compilation);

/// Memory of the workgroup and of the module goes to where `Memory` has it;
/// part of `instrument`.
llvm::Error placeGlobals(llvm::Module &module, Compilation &compilation);
/// An array on the stack starts with contents that no program can mean; in
/// workgroup memory it is one array for all threads. Part of `instrument`.
llvm::Error placeArray(llvm::AllocaInst &array, Compilation &compilation);

/// Counts steps, looks at the stack, and replaces divisors that trap.
void boundRuns(llvm::Module &module, Compilation &compilation);
/// Fails the run, before `at`, if the stack does not reach down to `pointer`.
void checkStack(llvm::IRBuilderBase &b, llvm::Instruction &at,
                llvm::Value *pointer, Compilation &compilation);

/// Adds a function that takes the kernel's arguments from an array of words.
llvm::Error addEntry(llvm::Module &module, llvm::StringRef kernel);

/// The runtime functions by name.
llvm::ArrayRef<std::pair<const char *, void *>> runtimeFunctions();

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_COMPILE_COMPILATION_H
