//===- Memory.cpp - Memory that a kernel runs on --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills, maps and restores the arrays; see Memory.h.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace swizzle::host {

namespace {

constexpr int64_t kPage = 4096;
/// Pages of a pattern that is repeated: prime, about 16 MiB.
constexpr int64_t kPatternPages = 4099;
/// Where an array starts in its slot: what lies before it is not mapped.
constexpr int64_t kLead = int64_t(1) << 20;
/// Uninitialised workgroup memory: huge as a number, out of bounds as an index.
constexpr int kPoison = 0xFB;

/// splitmix64: one multiplication chain a number, any seed is good.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
};

template <typename T>
void fillWith(char *to, int64_t bytes, llvm::function_ref<T(int64_t)> value) {
  for (int64_t i = 0; i < bytes / int64_t(sizeof(T)); ++i) {
    T v = value(i);
    std::memcpy(to + i * sizeof(T), &v, sizeof(T));
  }
}

void fillIntegers(char *to, int64_t bytes, int64_t elementBytes,
                  llvm::function_ref<int64_t(int64_t)> value) {
  switch (elementBytes) {
  case 1:
    return fillWith<int8_t>(to, bytes, value);
  case 2:
    return fillWith<int16_t>(to, bytes, value);
  case 4:
    return fillWith<int32_t>(to, bytes, value);
  default:
    return fillWith<int64_t>(to, bytes, value);
  }
}

/// Floats in [0.5, 1.5): no sums that cancel, logarithms and roots that exist.
void fillFloats(char *to, int64_t bytes, const Contents &contents,
                Random &random) {
  if (contents.elementBytes == 4) {
    fillWith<float>(to, bytes, [&](int64_t) {
      return 0.5f + float(random.next() >> 40) * 0x1p-24f;
    });
    return;
  }
  if (contents.elementBytes == 8) {
    fillWith<double>(to, bytes, [&](int64_t) {
      return 0.5 + double(random.next() >> 11) * 0x1p-53;
    });
    return;
  }
  // Narrow formats are converted once and then drawn from.
  std::vector<int64_t> values;
  for (int i = 0; i < 4096; ++i) {
    llvm::APFloat value(0.5 + double(random.next() >> 11) * 0x1p-53);
    bool lost;
    value.convert(*contents.semantics, llvm::APFloat::rmNearestTiesToEven,
                  &lost);
    values.push_back(value.bitcastToAPInt().getZExtValue());
  }
  fillIntegers(to, bytes, contents.elementBytes,
               [&](int64_t) { return values[random.next() >> 52]; });
}

void fill(char *to, int64_t bytes, const Contents &contents) {
  Random random{contents.seed};
  int64_t count = std::max<int64_t>(bytes / contents.elementBytes, 1);
  uint64_t span = std::max<int64_t>(contents.high - contents.low, 1);
  switch (contents.kind) {
  case Contents::Kind::Random:
    if (contents.semantics)
      fillFloats(to, bytes, contents, random);
    else
      fillIntegers(to, bytes, contents.elementBytes,
                   [&](int64_t) { return random.next(); });
    break;
  case Contents::Kind::Range:
    fillIntegers(to, bytes, contents.elementBytes, [&](int64_t) {
      return contents.low + int64_t(random.next() % span);
    });
    break;
  case Contents::Kind::Ramp:
    fillIntegers(to, bytes, contents.elementBytes, [&](int64_t i) {
      int64_t last = std::max<int64_t>(count - 1, 1);
      // Uneven steps, so that rows have different lengths.
      int64_t exact = __int128(span - 1) * i / last;
      int64_t step = (span - 1) / last;
      int64_t back = i && i < last && step ? random.next() % (step + 1) : 0;
      return contents.low + exact - back;
    });
    break;
  case Contents::Kind::Fixed:
    break;
  }
  std::copy_n(contents.bytes.begin(),
              std::min<int64_t>(bytes, contents.bytes.size()), to);
}

int64_t pagesOf(int64_t bytes) {
  return std::max<int64_t>((bytes + kPage - 1) / kPage, 1);
}

} // namespace

Memory::Memory() {
  void *range = mmap(nullptr, size_t(kSlots) << kSlotShift, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  base = range == MAP_FAILED ? nullptr : static_cast<char *>(range);
}

Memory::~Memory() {
  for (Slot &slot : slots)
    if (slot.file >= 0)
      close(slot.file);
  if (base)
    munmap(base, size_t(kSlots) << kSlotShift);
}

char *Memory::addressOf(size_t slot) const {
  return base + (uint64_t(slot) << kSlotShift) + kLead;
}

int Memory::add(std::string name, Space space, int64_t bytes,
                const Contents &contents) {
  if (!base || slots.size() >= kSlots || bytes < 0 ||
      bytes > (int64_t(1) << kSlotShift) - 2 * kLead)
    return -1;
  Slot slot;
  slot.name = std::move(name);
  slot.space = space;
  slot.begin = nextAddress();
  slot.end = slot.begin + bytes;
  if (!map(slot, bytes, contents))
    return -1;
  slots.push_back(std::move(slot));
  return slots.size() - 1;
}

bool Memory::map(Slot &slot, int64_t bytes, const Contents &contents) {
  int64_t pages = pagesOf(bytes);
  if (slot.space == Space::Workgroup)
    return mmap(slot.begin, pages * kPage, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  // What depends on the place as a whole cannot be repeated.
  bool repeats = contents.kind == Contents::Kind::Random ||
                 contents.kind == Contents::Kind::Range;
  slot.filePages = repeats && contents.bytes.empty()
                       ? std::min(pages, kPatternPages)
                       : pages;
  slot.file = memfd_create("swizzle-buffer", MFD_CLOEXEC);
  if (slot.file < 0 || ftruncate(slot.file, slot.filePages * kPage))
    return false;
  void *file = mmap(nullptr, slot.filePages * kPage, PROT_READ | PROT_WRITE,
                    MAP_SHARED, slot.file, 0);
  if (file == MAP_FAILED)
    return false;
  fill(static_cast<char *>(file),
       std::min(bytes, slot.filePages * kPage) / contents.elementBytes *
           contents.elementBytes,
       contents);
  munmap(file, slot.filePages * kPage);
  for (int64_t page = 0; page < pages; page += slot.filePages) {
    int64_t count = std::min(slot.filePages, pages - page);
    if (mmap(slot.begin + page * kPage, count * kPage, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, slot.file,
             0) == MAP_FAILED)
      return false;
  }
  return true;
}

int Memory::nearest(const char *pointer) const {
  if (!base || pointer < base || slots.empty())
    return -1;
  uint64_t index = uint64_t(pointer - base) >> kSlotShift;
  if (index > slots.size())
    return -1;
  if (index == slots.size())
    return index - 1;
  // A pointer far up in a slot is more likely one before the next array.
  uint64_t within =
      uint64_t(pointer - base) & ((uint64_t(1) << kSlotShift) - 1);
  if (within > uint64_t(1) << (kSlotShift - 1) && index + 1 < slots.size() &&
      pointer - slots[index].end > slots[index + 1].begin - pointer)
    return index + 1;
  return index;
}

void Memory::restore(int slot) {
  madvise(slots[slot].begin,
          pagesOf(slots[slot].end - slots[slot].begin) * kPage, MADV_DONTNEED);
}

void Memory::poisonWorkgroup() {
  for (Slot &slot : slots)
    if (slot.space == Space::Workgroup)
      std::memset(slot.begin, kPoison, slot.end - slot.begin);
}

} // namespace swizzle::host
