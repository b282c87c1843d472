//===- LoweredTest.cpp - A kernel and what a GPU's lowering makes of it ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel is run twice: lowered for a CPU, and lowered for a GPU, with the
// intrinsics of a vendor emulated. Both must leave the same memory.
//
//===----------------------------------------------------------------------===//

#include "HostTest.h"

#include <cmath>
#include <cstdlib>

using namespace swizzle;
using namespace swizzle::test;

namespace {

class LoweredTest : public HostTest {
protected:
  /// Bytes of all buffers after workgroup `id`, or what went wrong.
  std::string runOne(HostKernel &host, WorkgroupId id,
                     std::vector<std::vector<char>> &bytes) {
    if (llvm::Error error =
            host.run(id, ThreadOrder::Ascending, Recording::Writes))
      return llvm::toString(std::move(error));
    for (const HostBuffer &buffer : host.buffers())
      if (buffer.argument >= 0)
        bytes.emplace_back(buffer.data,
                           buffer.data + std::min<int64_t>(buffer.bytes,
                                                           1 << 22));
    host.restore();
    return "";
  }

  static bool alike(const HostBuffer &buffer, const char *a, const char *b,
                    double tolerance) {
    if (!std::memcmp(a, b, buffer.elementBytes))
      return true;
    auto read = [&](const char *at) -> double {
      if (buffer.semantics == &llvm::APFloat::IEEEsingle()) {
        float value;
        std::memcpy(&value, at, 4);
        return value;
      }
      if (buffer.semantics == &llvm::APFloat::IEEEdouble()) {
        double value;
        std::memcpy(&value, at, 8);
        return value;
      }
      llvm::APFloat value(*buffer.semantics,
                          llvm::APInt(16, uint8_t(at[0]) |
                                              uint64_t(uint8_t(at[1])) << 8));
      return value.convertToDouble();
    };
    if (!buffer.semantics || buffer.elementBytes < 2)
      return false;
    double x = read(a), y = read(b);
    return std::abs(x - y) <=
           tolerance * std::max({1e-3, std::abs(x), std::abs(y)});
  }

  /// The first difference between the two ways, or why one cannot go; "".
  std::string compareWays(mlir::FunctionOpInterface function,
                          double tolerance = 0) {
    auto direct = HostKernel::compile(function, options);
    if (!direct)
      return "direct: " + llvm::toString(direct.takeError());
    HostOptions other = options;
    other.lowered = true;
    other.subgroupSize = (*direct)->subgroupSize();
    auto lowered = HostKernel::compile(function, other);
    if (!lowered)
      return "lowered: " + llvm::toString(lowered.takeError());
    int64_t count = (*direct)->grid().count();
    for (int64_t id : {int64_t(0), count / 2, count - 1}) {
      WorkgroupId at = delinearise(id, (*direct)->grid());
      std::vector<std::vector<char>> before, after;
      if (std::string wrong = runOne(**direct, at, before); !wrong.empty())
        return "direct: " + wrong;
      if (std::string wrong = runOne(**lowered, at, after); !wrong.empty())
        return "lowered: " + wrong;
      size_t next = 0;
      for (const HostBuffer &buffer : (*direct)->buffers()) {
        if (buffer.argument < 0)
          continue;
        const auto &a = before[next], &b = after[next];
        ++next;
        for (size_t i = 0; i + buffer.elementBytes <= a.size();
             i += buffer.elementBytes)
          if (!alike(buffer, &a[i], &b[i], tolerance))
            return "workgroup " + std::to_string(id) + ": element " +
                   std::to_string(i / buffer.elementBytes) + " of " +
                   buffer.name;
      }
    }
    return "";
  }

  /// `body` by two workgroups of 64 threads, for both vendors.
  void expectAlike(const char *name, const std::string &signature,
                   const std::string &body, double tolerance = 0,
                   std::vector<int64_t> sizes = {32, 64}) {
    module = parse(kernelText(signature, 64,
                              "%w = gpu.block_id x\n%t = gpu.thread_id x\n"
                              "%i = gpu.global_id x\n"
                              "%c0 = arith.constant 0 : index\n"
                              "%c1 = arith.constant 1 : index\n" +
                                  body));
    ASSERT_TRUE(bool(module)) << name;
    auto kernel = findKernel(*module, "");
    ASSERT_TRUE(bool(kernel));
    for (int64_t size : sizes) {
      options.subgroupSize = size;
      EXPECT_EQ(compareWays(*kernel, tolerance), "") << name << ", " << size;
    }
  }
};

TEST_F(LoweredTest, Files) {
  const char *files = getenv("SWIZZLE_LOWERED_FILES");
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(files ? files : "").split(names, ' ', -1, false);
  for (llvm::StringRef name : names) {
    auto parsed = mlir::parseSourceFile<mlir::ModuleOp>(name, &context);
    if (!parsed)
      continue;
    parsed->walk([&](mlir::FunctionOpInterface function) {
      if (!function->hasAttr("gpu.kernel") && !function->hasAttr("kernel"))
        return;
      for (int64_t size : {32, 64}) {
        options.subgroupSize = size;
        printf("%s %s %ld: %s\n", name.str().c_str(),
               function.getName().str().c_str(), long(size),
               compareWays(function, 1e-4).c_str());
        fflush(stdout);
      }
    });
  }
}

} // namespace
