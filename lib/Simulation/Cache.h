//===- Cache.h - One set-associative cache -------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tags, recency and sector masks of a set lie together in one or two host cache
// lines, and the ways of a set are compared with vector instructions, so that a
// look-up costs one or two host cache misses that a prefetch can hide.
//
// Lines are known by a 32-bit hash of their number. The hash is a bijection, so
// that it identifies the line, and well mixed, so that its upper bits choose
// the set for any number of sets: strides of powers of two spread evenly, as
// the address hashes of real caches see to.
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

namespace swizzle::simulation {

/// Mixes a line number; a bijection on 32 bits (multiplications by odd numbers
/// and shifted exclusive-ors each are one).
inline uint32_t mixLine(uint32_t line) {
  line ^= line >> 16;
  line *= 0x85ebca6bu;
  line ^= line >> 13;
  line *= 0xc2b2ae35u;
  return line ^ (line >> 16);
}

/// One set. `age` is the position in the order of use: 0 is the latest; ways
/// that the cache does not have stay at 255.
template <unsigned Ways> struct alignas(64) CacheSet {
  uint32_t tag[Ways];
  uint8_t age[Ways];
  uint8_t valid[Ways]; ///< one bit a sector
  uint8_t dirty[Ways]; ///< one bit a sector
};

/// What a look-up that had to make room threw out.
struct Evicted {
  uint32_t tag = 0;
  uint8_t dirty = 0;
};

template <unsigned Ways> class Cache {
  static_assert(Ways == 8 || Ways == 16, "compared as one vector");

public:
  using Set = CacheSet<Ways>;

  /// A cache of about `lines` lines, at most `Ways` (and `ways`) to a set.
  void resize(int64_t lines, int64_t ways) {
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
        set.tag[way] = ~0u;
        set.age[way] = way < used ? way : 255;
      }
    }
  }

  /// The set of the line with hash `tag`.
  Set &set(uint32_t tag) {
    return sets[static_cast<uint32_t>((uint64_t(tag) * numSets) >> 32)];
  }
  void prefetch(uint32_t tag) {
    const char *address = reinterpret_cast<const char *>(&set(tag));
    __builtin_prefetch(address, 1);
    if (sizeof(Set) > 64)
      __builtin_prefetch(address + 64, 1);
  }

  /// The way that holds `tag`, or -1.
  int find(const Set &set, uint32_t tag) const {
    unsigned mask = 0;
#if defined(__SSE2__)
    const __m128i *tags = reinterpret_cast<const __m128i *>(set.tag);
    __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    __m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(tags[0], wanted),
                                  _mm_cmpeq_epi32(tags[1], wanted));
    __m128i high = low;
    if constexpr (Ways == 16)
      high = _mm_packs_epi32(_mm_cmpeq_epi32(tags[2], wanted),
                             _mm_cmpeq_epi32(tags[3], wanted));
    mask = _mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
    for (unsigned way = 0; way < Ways; ++way)
      mask |= unsigned(set.tag[way] == tag) << way;
#endif
    mask &= (1u << used) - 1; // the one line whose hash is that of no line
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

  /// Throws out the `rank`-th oldest way (0: the oldest) for `tag`, which
  /// becomes the latest used with no valid sector. Returns the way.
  unsigned replace(Set &set, uint32_t tag, unsigned rank, Evicted &out) const {
    uint8_t wanted = static_cast<uint8_t>(used - 1 - rank);
    unsigned way = wayOfAge(set, wanted);
    out.tag = set.tag[way];
    out.dirty = set.dirty[way];
    set.tag[way] = tag;
    set.valid[way] = 0;
    set.dirty[way] = 0;
    touch(set, way);
    return way;
  }

  unsigned ways() const { return used; }
  int64_t lines() const { return int64_t(numSets) * used; }

  template <typename Fn> void forEachDirty(Fn fn) {
    for (Set &set : sets)
      for (unsigned way = 0; way < used; ++way)
        if (set.dirty[way]) {
          fn(set.tag[way], set.dirty[way]);
          set.dirty[way] = 0;
        }
  }

private:
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

  std::vector<Set> sets;
  uint32_t numSets = 0;
  uint8_t used = Ways;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_CACHE_H
