//===- RunLaunch.cpp - Runs a whole launch on the host --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RunLaunch.h.
//
//===----------------------------------------------------------------------===//

#include "RunLaunch.h"

#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Support/GridText.h"
#include "swizzle/Support/WriteFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace swizzle {

static llvm::Error contradiction(const char *option, const Grid &given,
                                 const Grid &known) {
  return llvm::createStringError(option + toString(given) +
                                 " contradicts the module, which has " +
                                 toString(known));
}

/// Takes grid and block from the module where the options leave them open.
static llvm::Error findSizes(mlir::FunctionOpInterface kernel,
                             HostOptions &options) {
  LaunchSizes sizes = findLaunchSizes(kernel, options.grid, options.block);
  if (options.grid && *options.grid != sizes.grid)
    return contradiction("--grid=", *options.grid, sizes.grid);
  if (options.block && *options.block != sizes.block)
    return contradiction("--block=", *options.block, sizes.block);
  if (!sizes.grid.isStatic() || !sizes.block.isStatic())
    return llvm::createStringError(
        "the module leaves grid or block open: give --grid and "
        "--block");
  if (sizes.grid.count() < 1)
    return llvm::createStringError("a grid without workgroups");
  options.grid = sizes.grid;
  options.block = sizes.block;
  return llvm::Error::success();
}

/// Nothing is invented: what the kernel computes shall be known from outside.
static llvm::Error checkGiven(mlir::FunctionOpInterface kernel,
                              const HostOptions &options) {
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
    bool isNumber = kernel.getArgumentTypes()[index].isIntOrIndexOrFloat();
    auto given = options.arguments.find(index);
    if (given != options.arguments.end() &&
        (isNumber ? given->second.value.has_value()
                  : !given->second.bytes.empty()))
      continue;
    std::string option = "--argument=" + std::to_string(index);
    return llvm::createStringError("--run needs " + option +
                                   (isNumber ? "=VALUE" : "=@FILE"));
  }
  return llvm::Error::success();
}

llvm::Expected<LaunchRun> runLaunch(mlir::FunctionOpInterface kernel,
                                    HostOptions options,
                                    llvm::StringRef folder) {
  if (llvm::Error error = findSizes(kernel, options))
    return std::move(error);
  if (llvm::Error error = checkGiven(kernel, options))
    return std::move(error);
  options.readModel = false;
  options.unknownBytes = 0;
  auto compiled = HostKernel::compile(kernel, options);
  if (!compiled)
    return compiled.takeError();
  HostKernel &host = **compiled;
  for (const HostBuffer &buffer : host.buffers())
    if (buffer.argument >= 0)
      if (int64_t given = options.arguments[buffer.argument].bytes.size();
          given != buffer.bytes)
        return llvm::createStringError(
            "argument " + llvm::Twine(buffer.argument) +
            ": its contents have " + llvm::Twine(given) +
            " bytes, the buffer has " + llvm::Twine(buffer.bytes));
  // Before time is spent.
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(
        "--run=" + folder + ": the folder cannot be made: " + error.message());
  LaunchRun run{host.grid(), host.block()};
  for (int64_t id = 0; id < run.grid.count(); ++id) {
    // As `check` has it: a kernel that lacks a barrier computes something else.
    auto order = id % 2 ? ThreadOrder::Descending : ThreadOrder::Ascending;
    if (llvm::Error error =
            host.run(delinearise(id, run.grid), order, Recording::Writes))
      return std::move(error);
    run.accesses += host.accessCount();
  }
  for (const HostBuffer &buffer : host.buffers()) {
    if (buffer.argument < 0)
      continue;
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, buffer.name);
    if (llvm::Error error = writeFileWhole(
            path, llvm::StringRef(buffer.data, size_t(buffer.bytes))))
      return llvm::createStringError(path + ": " +
                                     llvm::toString(std::move(error)));
  }
  return run;
}

} // namespace swizzle
