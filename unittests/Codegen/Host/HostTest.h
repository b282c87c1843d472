//===- HostTest.h - Runs kernels given as text ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of the host share: a kernel from text, contents of arguments
// as arrays, results as arrays.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_CODEGEN_HOST_HOSTTEST_H
#define SWIZZLE_UNITTESTS_CODEGEN_HOST_HOSTTEST_H

#include "swizzle/Codegen/Host/Check.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <cstring>
#include <gtest/gtest.h>

namespace swizzle::test {

/// A kernel `k` in a gpu.module: `signature` is all between the name and the
/// body.
inline std::string kernelText(const std::string &signature, int threads,
                              const std::string &body) {
  return "gpu.module @m { gpu.func @k" + signature +
         " kernel attributes {known_block_size = array<i32: " +
         std::to_string(threads) +
         ", 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {\n" + body +
         "\ngpu.return\n} }";
}

class HostTest : public ::testing::Test {
protected:
  HostTest() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(bool(module)) << text;
    return module;
  }

  /// Compiles `text` into `kernel`; the error's text, or "".
  std::string compile(const std::string &text) {
    module = parse(text);
    if (!module)
      return "cannot be parsed";
    auto found = findKernel(*module, "");
    if (!found)
      return llvm::toString(found.takeError());
    auto compiled = HostKernel::compile(*found, options);
    if (!compiled)
      return llvm::toString(compiled.takeError());
    kernel = std::move(*compiled);
    return "";
  }

  /// Runs workgroup `x` of `kernel`; the fault's text, or "".
  std::string run(int64_t x = 0, Recording recording = Recording::Writes) {
    if (llvm::Error error =
            kernel->run({x, 0, 0}, ThreadOrder::Ascending, recording))
      return llvm::toString(std::move(error));
    return "";
  }

  template <typename T> void give(unsigned argument, std::vector<T> values) {
    auto *begin = reinterpret_cast<const char *>(values.data());
    options.arguments[argument].bytes.assign(begin,
                                             begin + values.size() * sizeof(T));
  }

  template <typename T> std::vector<T> take(unsigned argument) {
    const HostBuffer &buffer = kernel->buffers()[argument];
    std::vector<T> values(buffer.bytes / sizeof(T));
    std::memcpy(values.data(), buffer.data, values.size() * sizeof(T));
    return values;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  HostOptions options;
  std::unique_ptr<HostKernel> kernel;
};

} // namespace swizzle::test

#endif // SWIZZLE_UNITTESTS_CODEGEN_HOST_HOSTTEST_H
