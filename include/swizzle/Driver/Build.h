//===- Build.h - Compile and check a variant in children --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands between a proved variant and its measurement. Both steps run in
// processes of their own: a compiler that crashes or hangs, or a kernel that
// does so while it is checked, is recorded as a failure.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_DRIVER_BUILD_H
#define SWIZZLE_DRIVER_BUILD_H

#include "swizzle/Codegen/Device/CompileService.h"
#include "swizzle/Driver/Session.h"
#include "swizzle/Support/NewFile.h"

#include <optional>

namespace swizzle {

struct BuildOptions {
  /// Compiler target, "gfx942"; empty: nothing is compiled.
  std::string target;
  /// A compiler that is not installed is an error; else it is left out.
  bool compilerRequired = false;
  /// Compile and check at all.
  bool compile = true, check = true;
  /// Path of `swizzle-check`; empty: beside the running program, else in $PATH.
  std::string checker;
  /// Accesses after which a check runs no more than the corners: a second.
  int64_t checkAccesses = int64_t(1) << 27;
  std::chrono::milliseconds checkTimeout = std::chrono::seconds(60);
  uint64_t checkMemoryBytes = uint64_t(8) << 30;
  const std::atomic<bool> *cancel = nullptr;
};

/// True if the target of `chip`'s description is one that can be compiled for.
/// Where it is not, its vendor is another one than AMD and NVIDIA, and its
/// variants are simulated and checked alone; a target of theirs that is not
/// known is left for the compiler to refuse.
bool isCompilable(const HardwareSpec &chip);

class VariantBuilder {
public:
  /// `service` may be null: nothing is compiled. Both must outlive the builder.
  VariantBuilder(TuningSession &session, size_t kernel, CompileService *service,
                 const BuildOptions &options);

  BuildResult build(const Variant &variant);

private:
  bool compile(const std::string &text, BuildResult &result);
  void check(const std::string &text, const Variant &variant,
             BuildResult &result);
  llvm::Error writeOriginal();
  std::vector<std::string> checkArguments(const Variant &variant) const;

  TuningSession &session;
  size_t kernel;
  CompileService *service;
  const BuildOptions options;
  std::string checker;             ///< empty: there is none
  std::optional<NewFile> original; ///< the module as it is, once it is needed
};

} // namespace swizzle

#endif // SWIZZLE_DRIVER_BUILD_H
