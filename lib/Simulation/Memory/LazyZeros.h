//===- LazyZeros.h - A large table of which little is used ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dozens of simulations are made of a kernel, each with tables of its own, and a
// small kernel touches next to nothing of them. Pages come from the operating
// system, which has zeros ready where one is written, and not before. One that is
// read first costs twice as much: so it is kept which were written.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_LAZYZEROS_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_LAZYZEROS_H

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Memory.h"

#include <cstdint>
#include <system_error>
#include <type_traits>
#include <vector>

namespace swizzle::simulation {

/// `size` elements, all of whose bytes are zero at first.
template <typename T> class LazyZeros {
  static_assert(std::is_trivially_copyable_v<T> &&
                std::is_trivially_destructible_v<T>);

public:
  explicit LazyZeros(size_t size) : count(size) { clear(); }

  /// Makes all of them zeros again.
  void clear() {
    std::error_code error;
    block =
        llvm::sys::OwningMemoryBlock(llvm::sys::Memory::allocateMappedMemory(
            count * sizeof(T), nullptr,
            llvm::sys::Memory::MF_READ | llvm::sys::Memory::MF_WRITE, error));
    if (error)
      llvm::report_bad_alloc_error("no memory for a simulation");
    isWritten.assign((count >> kPageBits) + 1, false);
  }

  size_t size() const { return count; }
  /// The i-th element; null where all around it are zeros.
  T *find(size_t i) {
    return isWritten[i >> kPageBits] ? &elements()[i] : nullptr;
  }
  /// The i-th element, to be written.
  T &operator[](size_t i) {
    isWritten[i >> kPageBits] = true;
    return elements()[i];
  }
  /// Where the i-th element lies, whether or not there is anything.
  const T *place(size_t i) const {
    return static_cast<const T *>(block.base()) + i;
  }

private:
  /// Elements of a page of 4 KiB.
  static constexpr unsigned kPageBits =
      llvm::ConstantLog2<4096>() - llvm::ConstantLog2<sizeof(T)>();

  T *elements() { return static_cast<T *>(block.base()); }

  llvm::sys::OwningMemoryBlock block;
  size_t count;
  std::vector<uint8_t> isWritten; ///< by page
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_LAZYZEROS_H
