//===- Intrinsics.h - What only a GPU has, by name --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table for all intrinsics of NVIDIA and AMD and for functions of their
// device libraries. It is asked about LLVM IR, so that it does not matter
// whether a kernel says nvvm.shfl.sync, llvm.call_intrinsic
// "llvm.nvvm.shfl.sync.bfly.i32", or came as LLVM IR. A call becomes
//
//   swizzle_emulate(&workgroup, call, frame)
//
// where `frame` is memory of the calling thread that holds the operands and
// takes the result, and `call` says where they lie. A row is a C++ function on
// such a frame. What has no row is unchecked: adding one is one row.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INTRINSICS_INTRINSICS_H
#define SWIZZLE_LIB_CODEGEN_HOST_INTRINSICS_INTRINSICS_H

#include "Workgroup/Workgroup.h"

#include <cstring>

namespace llvm {
class CallInst;
} // namespace llvm

namespace swizzle::host {

struct Compilation;
struct IntrinsicRow;

/// One call in the compiled code.
struct IntrinsicCall {
  struct Place {
    uint32_t offset = 0, bytes = 0;
  };
  const IntrinsicRow *row = nullptr;
  std::string name;
  uint32_t site = 0;      ///< reads, and what is no access
  uint32_t writeSite = 0; ///< writes
  std::vector<Place> operands;
  std::vector<std::optional<int64_t>> constants; ///< by operand
  Place result;
  MatrixShape shape;     ///< rows that multiply or move matrices
  int64_t parameter = 0; ///< what a row's `prepare` found out
};

/// Operands and result of the thread that calls.
struct Frame {
  const IntrinsicCall &call;
  char *bytes;

  char *at(unsigned operand) const {
    return bytes + call.operands[operand].offset;
  }
  template <typename T> T get(unsigned operand) const {
    T value;
    std::memcpy(&value, at(operand), sizeof(T));
    return value;
  }
  /// An integer operand, zero-extended.
  uint64_t word(unsigned operand) const {
    uint64_t value = 0;
    std::memcpy(&value, at(operand),
                std::min<uint32_t>(call.operands[operand].bytes, 8));
    return value;
  }
  char *result() const { return bytes + call.result.offset; }
  template <typename T> void give(T value) const {
    std::memcpy(result(), &value, sizeof(T));
  }
  /// The low bytes of `value`, as many as the result has.
  void giveWord(uint64_t value) const {
    std::memcpy(result(), &value, std::min<uint32_t>(call.result.bytes, 8));
  }
};

struct IntrinsicRow {
  /// A whole name, or what names begin with, and then "*".
  llvm::StringLiteral name;
  /// Null: nothing that shows; the result, if there is one, is zero.
  void (*run)(Workgroup &, const Frame &) = nullptr;
  /// Looks at one call when it is compiled; a text says why it cannot be run.
  llvm::StringRef (*prepare)(IntrinsicCall &, Compilation &) = nullptr;
  /// Offset of a number in ThreadState that is the result; -1: none.
  int64_t field = -1;
  enum class Touches : uint8_t {
    Nothing,
    Reads,
    Writes,
    Both,
    Updates,   ///< atomically; the order does not matter
    Exchanges, ///< atomically; the order matters
  };
  Touches touches = Touches::Nothing;
};

/// \name The table, by what rows are about
/// @{
llvm::ArrayRef<IntrinsicRow> laneRows();
llvm::ArrayRef<IntrinsicRow> memoryRows();
llvm::ArrayRef<IntrinsicRow> matrixRows();
llvm::ArrayRef<IntrinsicRow> mathRows();
/// @}

/// "m16n8k16": fills in m, n and k. False if it is something else.
bool readGeometry(llvm::StringRef text, MatrixShape &shape);
/// Bits of a number of a type: "f16", "bf16", "tf32", "s8". 0: not known.
unsigned bitsOfType(llvm::StringRef type);

/// The row for a function of that name; null if there is none.
const IntrinsicRow *findRow(llvm::StringRef name);
/// The function of the C library that computes what a function of a device
/// library does ("__nv_expf": "expf"); empty if there is none.
std::string libraryName(llvm::StringRef name);
/// True for functions of the C library that kernels may call.
bool isLibraryFunction(llvm::StringRef name);

/// Replaces a call of a function without a body if that has a row, or is one of
/// a device library; false if it is neither. Fails on an intrinsic of a GPU
/// without a row.
llvm::Expected<bool> emulateCall(llvm::CallInst &call,
                                 Compilation &compilation);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INTRINSICS_INTRINSICS_H
