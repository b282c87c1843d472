//===- Memory.h - Memory that a kernel runs on ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All memory that a kernel may touch lies in one reserved range of addresses,
// one array a slot, so that the slot of a pointer is a shift and its bounds are
// one comparison. Contents come from a file in memory that is mapped privately,
// again and again over large arrays: a matrix of gigabytes costs what is
// touched of it, and dropping the private pages brings back what was there
// before. The file's length is a prime number of pages, so that no stride of a
// power of two meets the same contents again.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INPUTS_MEMORY_H
#define SWIZZLE_LIB_CODEGEN_HOST_INPUTS_MEMORY_H

#include "Contents.h"

#include <functional>

namespace swizzle::host {

inline constexpr unsigned kSlotShift = kOffsetBits;
inline constexpr unsigned kSlots = 64;
/// What workgroup and private memory start with: huge as a number, out of
/// bounds as an index.
inline constexpr int kPoisonByte = 0xFB;

enum class Space : uint8_t { Global, Workgroup };

struct Slot {
  char *begin = nullptr;
  char *end = nullptr;
  Space space = Space::Global;
  std::string name;
  int file = -1;
  int64_t filePages = 0;
  Contents contents;
};

class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Adds an array; returns its slot, or -1 if it does not fit.
  int add(std::string name, Space space, int64_t bytes,
          const Contents &contents);
  /// Address that the next array will have.
  char *nextAddress() const { return addressOf(slots.size()); }

  /// The array that holds all of [pointer, pointer + bytes); -1 if none.
  int find(const char *pointer, int64_t bytes) const {
    uint64_t index = uint64_t(pointer - base) >> kSlotShift;
    if (index >= slots.size())
      return -1;
    const Slot &slot = slots[index];
    return pointer >= slot.begin && bytes <= slot.end - pointer ? int(index)
                                                                : -1;
  }
  /// The array whose slot `pointer` lies in, or the one before or after it.
  int nearest(const char *pointer) const;

  /// Brings back the contents that array `slot` was filled with.
  void restore(int slot);
  /// Replaces the contents of all global arrays, and what was written there.
  /// False if there is no memory for it.
  bool refill(Inputs inputs);
  /// Fills workgroup memory with a value that no program can mean.
  void poisonWorkgroup();

  std::vector<Slot> slots;

private:
  char *addressOf(size_t slot) const;
  bool map(Slot &slot, int64_t bytes);
  bool fillFile(const Slot &slot, Inputs inputs);

  char *base = nullptr;
};

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INPUTS_MEMORY_H
