//===- TouchedBytes.cpp - Who touched which byte --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TouchedBytes.h. Only two plain writes may turn out to leave the same
// value, which is not known before the second workgroup has ended; all other
// conflicts are reported at once.
//
//===----------------------------------------------------------------------===//

#include "TouchedBytes.h"

#include "llvm/ADT/StringMap.h"

#include <cstring>

namespace swizzle::host {

namespace {
constexpr uint32_t kPage = 4096;
constexpr uint32_t kUnit = 16;
constexpr uint64_t kOffsetMask = (uint64_t(1) << kOffsetBits) - 1;
/// Rewritten places of one workgroup that are looked at for their values.
constexpr size_t kMaxRewrites = size_t(1) << 16;
} // namespace

/// Turns are numbered from 1 on; 0: none.
struct TouchedBytes::Cell {
  uint32_t writer = 0, reader = 0, atomic = 0;
  uint16_t writerSite = 0, readerSite = 0, atomicSite = 0;
  uint16_t writerThread = 0, readerThread = 0, atomicThread = 0;
  /// Where this cell lies in the number that is updated.
  uint16_t atomicOffset = 0;
  uint32_t atomicFamily = 0;

  Toucher asWriter() const { return {writer - 1, writerSite, writerThread}; }
  Toucher asReader() const { return {reader - 1, readerSite, readerThread}; }
  Toucher asAtomic() const { return {atomic - 1, atomicSite, atomicThread}; }
};

struct TouchedBytes::Page {
  uint32_t unit = kUnit; ///< bytes of a cell, a power of two
  std::vector<Cell> cells;
  char values[kPage]; ///< as the writers left them
};

TouchedBytes::TouchedBytes(llvm::ArrayRef<HostSite> sites, int64_t maxBytes)
    : sites(sites), bytesLeft(maxBytes) {
  llvm::StringMap<uint32_t> numbers;
  for (const HostSite &site : sites)
    classes.push_back(
        site.commutesAs.empty()
            ? 0
            : numbers.try_emplace(site.commutesAs, numbers.size() + 1)
                  .first->second);
  families = numbers.size();
}

TouchedBytes::~TouchedBytes() = default;

TouchedBytes::Page &TouchedBytes::pageOf(uint64_t place) {
  uint64_t number = place / kPage;
  if (last && lastNumber == number)
    return *last;
  std::unique_ptr<Page> &page = pages[number];
  if (!page) {
    page = std::make_unique<Page>();
    page->cells.resize(kPage / kUnit);
    bytesLeft -= sizeof(Page) + page->cells.size() * sizeof(Cell);
  }
  last = page.get();
  lastNumber = number;
  return *last;
}

/// Gives each `unit` bytes a record of their own.
void TouchedBytes::split(Page &page, uint32_t unit) {
  uint32_t parts = page.unit / unit;
  bytesLeft -= (parts - 1) * page.cells.size() * sizeof(Cell);
  std::vector<Cell> cells;
  cells.reserve(page.cells.size() * parts);
  for (const Cell &cell : page.cells)
    for (uint32_t part = 0; part < parts; ++part) {
      cells.push_back(cell);
      cells.back().atomicOffset += part * unit;
    }
  page.cells = std::move(cells);
  page.unit = unit;
}

void TouchedBytes::report(Toucher first, Toucher second, uint64_t place,
                          bool sameValue) {
  if (!worst || (worst->sameValue && !sameValue))
    worst = Conflict{first, second, place, sameValue};
}

/// Which updates the next access, of `site`, commutes with; takes its operand.
uint32_t TouchedBytes::familyOf(uint16_t site,
                                llvm::ArrayRef<uint64_t> &operands) {
  uint32_t family = classes[site];
  if (!sites[site].commutesByOperand)
    return family;
  uint64_t operand = operands.consume_front();
  auto [found, isNew] = byOperand.try_emplace({family, operand}, families + 1);
  if (isNew) {
    ++families;
    bytesLeft -= 2 * sizeof(*found);
  }
  return found->second;
}

void TouchedBytes::touch(Page &page, Cell &cell, uint64_t place,
                         uint32_t workgroup, const HostAccess &access,
                         uint32_t family) {
  uint32_t me = workgroup + 1;
  Toucher mine{workgroup, access.site, access.thread};
  AccessKind kind = sites[access.site].kind;
  auto isOther = [&](uint32_t who) { return who && who != me; };
  if (isOther(cell.writer)) {
    // Whether both leave the same value is seen when this one has ended.
    if (kind == AccessKind::Write &&
        sites[cell.writerSite].kind == AccessKind::Write) {
      if (rewrites.size() < kMaxRewrites)
        rewrites.push_back({{place, page.unit}, cell.asWriter(), mine});
    } else {
      report(cell.asWriter(), mine, place, false);
    }
  }
  if (kind == AccessKind::Read) {
    if (isOther(cell.atomic))
      report(cell.asAtomic(), mine, place, false);
    if (!cell.reader) {
      cell.reader = me;
      cell.readerSite = access.site;
      cell.readerThread = access.thread;
    }
    return;
  }
  if (isOther(cell.reader))
    report(cell.asReader(), mine, place, false);
  auto offset = uint16_t(place - access.place);
  if (kind == AccessKind::Atomic && family) {
    bool alike = !cell.atomic ||
                 (cell.atomicFamily == family && cell.atomicOffset == offset);
    if (!cell.atomic) {
      cell.atomic = me;
      cell.atomicSite = access.site;
      cell.atomicThread = access.thread;
      cell.atomicOffset = offset;
      cell.atomicFamily = family;
    }
    if (alike)
      return;
  }
  // A write, or what counts as one: an update whose order matters, or that
  // differs from one before.
  if (isOther(cell.atomic))
    report(cell.asAtomic(), mine, place, false);
  if (!cell.writer) {
    cell.writer = me;
    cell.writerSite = access.site;
    cell.writerThread = access.thread;
    firstWrites.push_back({place, page.unit});
  }
}

void TouchedBytes::add(uint32_t workgroup, llvm::ArrayRef<HostAccess> accesses,
                       llvm::ArrayRef<uint64_t> operands) {
  for (const HostAccess &access : accesses) {
    uint32_t family = familyOf(access.site, operands);
    uint64_t place = access.place, end = place + access.bytes;
    while (place < end) {
      if (bytesLeft < 0) {
        full = true;
        return;
      }
      Page &page = pageOf(place);
      uint64_t stop = std::min(end, (place / kPage + 1) * kPage);
      while ((place | stop) & (page.unit - 1))
        split(page, page.unit / 2);
      for (; place < stop; place += page.unit)
        touch(page, page.cells[place % kPage / page.unit], place, workgroup,
              access, family);
    }
  }
}

void TouchedBytes::finish(llvm::ArrayRef<HostBuffer> buffers) {
  auto dataAt = [&](uint64_t place) {
    return buffers[place >> kOffsetBits].data + (place & kOffsetMask);
  };
  for (const auto &[write, first, second] : rewrites) {
    const char *before = pageOf(write.place).values + write.place % kPage;
    bool same = !std::memcmp(before, dataAt(write.place), write.bytes);
    report(first, second, write.place, same);
  }
  rewrites.clear();
  for (const Write &write : firstWrites)
    std::memcpy(pageOf(write.place).values + write.place % kPage,
                dataAt(write.place), write.bytes);
  firstWrites.clear();
}

} // namespace swizzle::host
