//===- CompileService.h - Compile, whatever happens ----------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text in, artifact or the reason why there is none out. The compiler runs as a
// child process with a time limit and a memory limit: its crash or its hang is
// a result like any other. What was compiled before comes from the cache.
//
//   CompileService service({});
//   CompileOutcome outcome = service.compile({text, "gfx942", {}});
//   outcome.artifact()      what a driver loads, or nullptr; then
//   outcome.failure()       {CompileFailure::Crash, "...", "Stack dump: ..."}
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_DEVICE_COMPILESERVICE_H
#define SWIZZLE_CODEGEN_DEVICE_COMPILESERVICE_H

#include "swizzle/Codegen/Device/CompileCache.h"
#include "swizzle/Codegen/Device/CompileOptions.h"

#include <atomic>
#include <chrono>
#include <variant>

namespace swizzle {

struct CompileRequest {
  std::string ir;     ///< MLIR
  std::string target; ///< "gfx942"
  CompileOptions options;
};

struct CompileFailure {
  enum Kind {
    Error,       ///< the compiler refused the kernel
    Unusable,    ///< what was asked for: no such kernel, say
    Crash,       ///< a signal ended the compiler
    Timeout,     ///< it was killed
    ToolMissing, ///< the compiler, or something that it needs, is not installed
    Cancelled,
  };
  Kind kind = Error;
  std::string message;    ///< one or a few lines, for people
  std::string stderrTail; ///< the end of what the compiler said
};

/// "error", "unusable", "crash", "timeout", "tool-missing", "cancelled".
llvm::StringRef toString(CompileFailure::Kind kind);

struct CompileServiceOptions {
  /// swizzle-compile; empty: beside the running program, else in $PATH.
  std::string compiler;
  std::chrono::milliseconds timeout = std::chrono::minutes(2);
  uint64_t memoryBytes = uint64_t(8) << 30; ///< 0: unlimited
  /// nullopt: the default folder; empty: no cache.
  std::optional<std::string> cacheFolder;
  uint64_t cacheBytes = uint64_t(1) << 30;
  const std::atomic<bool> *cancel = nullptr; ///< set to true: come back soon
};

struct CompileOutcome {
  std::variant<Artifact, CompileFailure> result;
  bool cached = false;

  const Artifact *artifact() const { return std::get_if<Artifact>(&result); }
  const CompileFailure *failure() const {
    return std::get_if<CompileFailure>(&result);
  }
};

/// Any number of threads may compile at once.
class CompileService {
public:
  explicit CompileService(CompileServiceOptions options);

  CompileOutcome compile(const CompileRequest &request);

  CacheStatistics cacheStatistics() const { return cache.statistics(); }
  const std::string &cacheFolder() const { return cache.folder(); }

private:
  std::string keyOf(const CompileRequest &request) const;

  CompileServiceOptions options;
  std::string compiler; ///< empty: not found
  CompileCache cache;
};

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_DEVICE_COMPILESERVICE_H
