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
  slot.contents = contents;
  if (!map(slot, bytes))
    return -1;
  slots.push_back(std::move(slot));
  return slots.size() - 1;
}

bool Memory::fillFile(const Slot &slot, Inputs inputs) {
  int64_t size = slot.filePages * kPage;
  void *file =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, slot.file, 0);
  if (file == MAP_FAILED)
    return false;
  int64_t whole = slot.contents.elementBytes;
  fill(static_cast<char *>(file),
       std::min<int64_t>(slot.end - slot.begin, size) / whole * whole,
       slot.contents, inputs);
  munmap(file, size);
  return true;
}

bool Memory::map(Slot &slot, int64_t bytes) {
  int64_t pages = pagesOf(bytes);
  if (slot.space == Space::Workgroup)
    return mmap(slot.begin, pages * kPage, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  // What depends on the place as a whole cannot be repeated.
  bool repeats = slot.contents.kind == Contents::Kind::Random ||
                 slot.contents.kind == Contents::Kind::Range;
  slot.filePages = repeats && slot.contents.bytes.empty()
                       ? std::min(pages, kPatternPages)
                       : pages;
  slot.file = memfd_create("swizzle-buffer", MFD_CLOEXEC);
  if (slot.file < 0 || ftruncate(slot.file, slot.filePages * kPage) ||
      !fillFile(slot, Inputs::Plain))
    return false;
  for (int64_t page = 0; page < pages; page += slot.filePages) {
    int64_t count = std::min(slot.filePages, pages - page);
    if (mmap(slot.begin + page * kPage, count * kPage, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, slot.file,
             0) == MAP_FAILED)
      return false;
  }
  return true;
}

bool Memory::refill(Inputs inputs) {
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot].space != Space::Global)
      continue;
    if (!fillFile(slots[slot], inputs))
      return false;
    restore(slot);
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
      std::memset(slot.begin, kPoisonByte, slot.end - slot.begin);
}

} // namespace swizzle::host
