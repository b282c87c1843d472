//===- Jit.h - Machine code of a kernel -------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM IR of a kernel, instrumented and compiled for the CPU that this runs on.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_COMPILE_JIT_H
#define SWIZZLE_LIB_CODEGEN_HOST_COMPILE_JIT_H

#include "Compilation.h"

#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace swizzle::host {

struct JitCode {
  std::shared_ptr<void> jit; ///< LLVM's, which owns the code
  void (*entry)(uint64_t *) = nullptr;
  std::vector<Workgroup::Constant> constants; ///< that the kernel may read
};

/// Compiles `kernel`. What only a GPU can run is an `UncheckedError`.
llvm::Expected<JitCode>
compileForHost(LoweredKernel &kernel, Compilation &compilation, bool optimised);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_COMPILE_JIT_H
