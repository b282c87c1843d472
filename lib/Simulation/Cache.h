//===- Cache.h - One set-associative cache -------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tags, recency and sector masks of a set lie together in one or two host cache
// lines, and the ways of a set are compared with vector instructions, so that a
// look-up costs one or two host cache misses that a prefetch can hide.
//
// Lines are known by a hash of their number. The hash is a bijection on as many
// bits as line numbers have, so that it identifies the line, and well mixed, so
// that its upper bits choose the set for any number of sets: strides of powers
// of two spread evenly, as the address hashes of real caches see to. The hashes
// of one set are an interval; where that is no longer than 65536, the lower 16
// bits are tag enough, and a set of 16 ways fits into one host cache line.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_CACHE_H
#define SWIZZLE_LIB_SIMULATION_CACHE_H

#include <cassert>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace swizzle::simulation {

/// A bijection on numbers of `bits` bits: multiplications by odd numbers and
/// shifted exclusive-ors each are one.
class LineHash {
public:
  explicit LineHash(unsigned bits)
      : mask(bits >= 32 ? ~0u : (1u << bits) - 1), shift((bits + 1) / 2) {}
  uint32_t operator()(uint32_t line) const {
    line &= mask;
    line ^= line >> shift;
    line = line * 0x85ebca6bu & mask;
    line ^= line >> shift;
    line = line * 0xc2b2ae35u & mask;
    return line ^ (line >> shift);
  }

private:
  uint32_t mask;
  unsigned shift;
};

/// One set. `age` is the position in the order of use: 0 is the latest; ways
/// that the cache does not have stay at 255. `state`: the lower half has a bit
/// for each valid sector, the upper half one for each dirty sector. A way with
/// no valid and no dirty sector holds nothing, whatever its tag.
template <unsigned Ways, typename Tag> struct alignas(64) CacheSet {
  Tag tag[Ways];
  uint8_t age[Ways];
  uint8_t state[Ways];
};

/// Allocates on pages of 2 MiB where the host offers them: sets are visited in
/// no order, and small pages would cost as much as the visits.
template <typename T> struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <typename U> HugePages(const HugePages<U> &) {}
  T *allocate(size_t count) {
    constexpr size_t page = size_t(2) << 20;
    size_t bytes = count * sizeof(T);
    size_t align = bytes >= page ? page : alignof(T);
    bytes = (bytes + align - 1) / align * align;
    void *memory = ::operator new(bytes, std::align_val_t(align));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (align == page)
      madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T *>(memory);
  }
  void deallocate(T *memory, size_t count) {
    constexpr size_t page = size_t(2) << 20;
    size_t align = count * sizeof(T) >= page ? page : alignof(T);
    ::operator delete(memory, std::align_val_t(align));
  }
  friend bool operator==(HugePages, HugePages) { return true; }
  friend bool operator!=(HugePages, HugePages) { return false; }
};

/// Most sectors of a line: two masks share a byte.
inline constexpr unsigned kMaxSectors = 4;
inline constexpr unsigned kSectorMask = (1u << kMaxSectors) - 1;

/// What a look-up that had to make room threw out.
struct Evicted {
  uint32_t hash = 0; ///< only if dirty
  uint8_t dirty = 0;
};

template <unsigned Ways, typename Tag> class Cache {
  static_assert(Ways == 8 || Ways == 16, "compared as one vector");

public:
  using Set = CacheSet<Ways, Tag>;

  /// A cache of about `lines` lines, at most `Ways` (and `ways`) to a set, for
  /// lines with hashes of `bits` bits.
  void resize(int64_t lines, int64_t ways, unsigned bits) {
    hashBits = bits;
    if (ways > Ways)
      ways = Ways;
    if (lines < 1)
      lines = 1;
    if (lines < ways)
      ways = lines;
    used = static_cast<uint8_t>(ways);
    numSets = static_cast<uint32_t>((lines + ways / 2) / ways);
    sets.resize(numSets);
    clear();
  }

  void clear() {
    for (Set &set : sets) {
      std::memset(&set, 0, sizeof(set));
      for (unsigned way = 0; way < Ways; ++way) {
        set.age[way] = way < used ? way : 255;
      }
    }
  }

  /// True if tags of `Tag` tell the lines of each set apart.
  static bool fits(int64_t lines, int64_t ways, unsigned bits) {
    int64_t sets = lines / (ways < Ways ? ways : Ways);
    return sizeof(Tag) >= 4 ||
           (sets > 0 && (int64_t(1) << bits) / sets < (1 << 16));
  }

  /// The set of the line with this hash.
  Set &set(uint32_t hash) {
    return sets[static_cast<uint32_t>((uint64_t(hash) * numSets) >> hashBits)];
  }
  void prefetch(uint32_t hash) {
    const char *address = reinterpret_cast<const char *>(&set(hash));
    __builtin_prefetch(address, 1);
    if (sizeof(Set) > 64)
      __builtin_prefetch(address + 64, 1);
  }

  /// The way that holds the line with this hash, or -1.
  int find(const Set &set, uint32_t hash) const {
    unsigned mask = 0;
#if defined(__SSE2__)
    const __m128i *tags = reinterpret_cast<const __m128i *>(set.tag);
    __m128i low, high;
    if constexpr (sizeof(Tag) == 2) {
      __m128i wanted = _mm_set1_epi16(static_cast<short>(hash));
      low = _mm_cmpeq_epi16(tags[0], wanted);
      high = Ways == 16 ? _mm_cmpeq_epi16(tags[Ways / 8 - 1], wanted)
                        : _mm_setzero_si128();
    } else {
      __m128i wanted = _mm_set1_epi32(static_cast<int>(hash));
      low = _mm_packs_epi32(_mm_cmpeq_epi32(tags[0], wanted),
                            _mm_cmpeq_epi32(tags[1], wanted));
      high = _mm_setzero_si128();
      if constexpr (Ways == 16)
        high = _mm_packs_epi32(_mm_cmpeq_epi32(tags[2], wanted),
                               _mm_cmpeq_epi32(tags[3], wanted));
    }
    mask = _mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
    for (unsigned way = 0; way < Ways; ++way)
      mask |= unsigned(set.tag[way] == static_cast<Tag>(hash)) << way;
#endif
    mask &= (1u << used) - 1;
    return mask ? __builtin_ctz(mask) : -1;
  }

  /// Makes `way` the latest used one.
  static void touch(Set &set, unsigned way) {
    uint8_t old = set.age[way];
#if defined(__SSE2__)
    if constexpr (Ways == 16) {
      __m128i *ages = reinterpret_cast<__m128i *>(set.age);
      __m128i age = _mm_loadu_si128(ages);
      // old - age saturates at 0 exactly for the ways that are not younger,
      // those that the cache does not have (255) included.
      __m128i notBelow = _mm_cmpeq_epi8(
          _mm_subs_epu8(_mm_set1_epi8(static_cast<char>(old)), age),
          _mm_setzero_si128());
      age = _mm_add_epi8(age, _mm_andnot_si128(notBelow, _mm_set1_epi8(1)));
      _mm_storeu_si128(ages, age);
    } else
#endif
    {
      uint64_t age;
      std::memcpy(&age, set.age, 8);
      // Bytes below `old` get one more. Ages are below 128 or 255, so that the
      // top bit of (age | 0x80) - old says whether age >= old.
      constexpr uint64_t tops = 0x8080808080808080ull, ones = tops >> 7;
      uint64_t notBelow = (((age & ~tops) | tops) - ones * old) | age;
      age += (~notBelow & tops) >> 7;
      std::memcpy(set.age, &age, 8);
    }
    set.age[way] = 0;
  }

  /// Throws out the `rank`-th oldest way (0: the oldest) for the line with this
  /// hash, which becomes the latest used with no valid sector. Returns the way.
  unsigned replace(Set &set, uint32_t hash, unsigned rank, Evicted &out) const {
    unsigned way = wayOfAge(set, static_cast<uint8_t>(used - 1 - rank));
    out.dirty = set.state[way] >> kMaxSectors;
    if (out.dirty)
      out.hash = hashOf(set, way);
    set.tag[way] = static_cast<Tag>(hash);
    set.state[way] = 0;
    touch(set, way);
    return way;
  }

  unsigned ways() const { return used; }
  int64_t lines() const { return int64_t(numSets) * used; }

  template <typename Fn> void forEachDirty(Fn fn, bool clean = true) {
    for (Set &set : sets)
      for (unsigned way = 0; way < used; ++way)
        if (uint8_t dirty = set.state[way] >> kMaxSectors) {
          fn(hashOf(set, way), dirty);
          if (clean)
            set.state[way] &= kSectorMask;
        }
  }

private:
  /// The whole hash of a line, from its tag and the interval of its set.
  uint32_t hashOf(const Set &set, unsigned way) const {
    if constexpr (sizeof(Tag) == 4)
      return set.tag[way];
    uint64_t index = &set - sets.data();
    uint64_t first = ((index << hashBits) + numSets - 1) / numSets;
    return static_cast<uint32_t>(
        first +
        static_cast<uint16_t>(set.tag[way] - static_cast<uint16_t>(first)));
  }

  static unsigned wayOfAge(const Set &set, uint8_t age) {
    unsigned mask = 0;
#if defined(__SSE2__)
    __m128i ages;
    if constexpr (Ways == 16)
      ages = _mm_loadu_si128(reinterpret_cast<const __m128i *>(set.age));
    else
      ages = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(set.age));
    mask = _mm_movemask_epi8(
        _mm_cmpeq_epi8(ages, _mm_set1_epi8(static_cast<char>(age))));
#else
    for (unsigned way = 0; way < Ways; ++way)
      mask |= unsigned(set.age[way] == age) << way;
#endif
    return __builtin_ctz(mask);
  }

  std::vector<Set, HugePages<Set>> sets;
  uint32_t numSets = 0;
  unsigned hashBits = 32;
  uint8_t used = Ways;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_CACHE_H
