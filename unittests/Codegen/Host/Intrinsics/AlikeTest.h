//===- AlikeTest.h - Two ways to the same memory ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tests share that run two kernels, or one kernel in two ways, and expect
// the same memory.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_CODEGEN_HOST_INTRINSICS_ALIKETEST_H
#define SWIZZLE_UNITTESTS_CODEGEN_HOST_INTRINSICS_ALIKETEST_H

#include "Codegen/Host/HostTest.h"

#include <cmath>

namespace swizzle::test {

class AlikeTest : public HostTest {
protected:
  using Buffers = std::vector<std::vector<char>>;

  /// Bytes of all buffers after workgroup `id`, or what went wrong.
  std::string runOne(HostKernel &host, WorkgroupId id, Buffers &bytes) {
    if (llvm::Error error =
            host.run(id, ThreadOrder::Ascending, Recording::Writes))
      return llvm::toString(std::move(error));
    for (const HostBuffer &buffer : host.buffers())
      if (buffer.argument >= 0)
        bytes.emplace_back(buffer.data,
                           buffer.data +
                               std::min<int64_t>(buffer.bytes, 1 << 22));
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
      llvm::APFloat value(
          *buffer.semantics,
          llvm::APInt(16, uint8_t(at[0]) | uint64_t(uint8_t(at[1])) << 8));
      return value.convertToDouble();
    };
    if (!buffer.semantics || buffer.elementBytes < 2)
      return false;
    double x = read(a), y = read(b);
    return std::abs(x - y) <=
           tolerance * std::max({1e-3, std::abs(x), std::abs(y)});
  }

  /// Both are of `kernel`'s arguments.
  void expectAlike(const Buffers &a, const Buffers &b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t buffer = 0; buffer < a.size(); ++buffer) {
      const HostBuffer &of = kernel->buffers()[buffer];
      for (size_t at = 0; at < a[buffer].size(); at += of.elementBytes)
        ASSERT_TRUE(alike(of, &a[buffer][at], &b[buffer][at], tolerance))
            << of.name << ", element " << at / of.elementBytes;
    }
  }

  /// Two bodies, run by one workgroup of `threads`, leave the same memory.
  void expectSame(const std::string &signature, const std::string &body,
                  const std::string &plain, double tolerance, int64_t threads) {
    std::string constants = "%t = gpu.thread_id x\n"
                            "%c0 = arith.constant 0 : index\n"
                            "%c1 = arith.constant 1 : index\n"
                            "%c32 = arith.constant 32 : index\n"
                            "%c128 = arith.constant 128 : index\n"
                            "%c256 = arith.constant 256 : index\n";
    Buffers bytes[2];
    for (int which = 0; which < 2; ++which) {
      options.subgroupSize = threads;
      std::string wrong = compile(
          kernelText(signature, threads, constants + (which ? plain : body)));
      ASSERT_EQ(wrong, "");
      ASSERT_EQ(runOne(*kernel, {}, bytes[which]), "");
    }
    expectAlike(bytes[0], bytes[1], tolerance);
  }
};

} // namespace swizzle::test

#endif // SWIZZLE_UNITTESTS_CODEGEN_HOST_INTRINSICS_ALIKETEST_H
