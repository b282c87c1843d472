//===- KernelOptions.h - Options and files of tools on kernels --*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which kernel, on which chip and grid, under which formula: tools that take
// these questions take them in the same words and read them in one place.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_COMMON_KERNELOPTIONS_H
#define SWIZZLE_TOOLS_COMMON_KERNELOPTIONS_H

#include "swizzle/Formula/Formula.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/CommandLine.h"

namespace swizzle {

/// To be declared once in a tool, before the command line is parsed.
class KernelOptions {
public:
  /// `formulaUse` completes the help of `--formula`.
  KernelOptions(llvm::cl::OptionCategory &category, const char *formulaUse);

  llvm::cl::opt<std::string> kernel, chip, hardwareFile;

  bool namesFormula() const { return !formula.empty() || !file.empty(); }
  const std::string &formulaFile() const { return file; }
  /// Fails if the options contradict each other.
  llvm::Error check() const;

  /// The formula that is named.
  llvm::Expected<Formula> readFormula() const;
  /// What `--set` fixes; fails if `formula` has no such parameter.
  llvm::Expected<ParamValues> readParams(const Formula &formula) const;
  /// The sizes that are given; both stay empty where they are not.
  llvm::Error readSizes(std::optional<Grid> &gridInto,
                        std::optional<Grid> &blockInto) const;

private:
  llvm::cl::opt<std::string> formula, file, grid, block;
  llvm::cl::list<std::string> settings;
};

/// A grid whose extents are all known; nothing for an empty text.
llvm::Error readKnownGrid(llvm::StringRef text, std::optional<Grid> &into);

/// All dialects that a kernel may be written in.
mlir::DialectRegistry makeKernelRegistry();

/// The module in `path` (`-` is standard input): MLIR, or, by the name's end,
/// LLVM IR (`.ll`, `.bc`), cleaned as it is read. Null after a diagnostic, or
/// after what `tool` says of a file that it cannot read.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef tool,
                                              const std::string &path,
                                              mlir::MLIRContext &context);

/// The same, launches outlined into kernels.
mlir::OwningOpRef<mlir::ModuleOp> readKernels(llvm::StringRef tool,
                                              const std::string &path,
                                              mlir::MLIRContext &context);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_COMMON_KERNELOPTIONS_H
