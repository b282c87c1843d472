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

#ifndef SWIZZLE_LIB_SIMULATION_MACHINE_CACHE_H
#define SWIZZLE_LIB_SIMULATION_MACHINE_CACHE_H

#include <array>
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
/// shifted exclusive-ors each are one. Steps and constants are those of the
/// finalizer of MurmurHash3 (A. Appleby, 2011), cut to `bits` bits.
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

/// A bijection as well, by which data that lies together fills sets evenly, as
/// it does on an H200 (benchmarks/probes/pace.cu): each aligned piece of 2^14
/// lines is spread over the upper bits by a permutation, near lines far apart,
/// and pieces are moved against each other by less than the distance of two
/// places.
class EvenHash {
public:
  explicit EvenHash(unsigned bits)
      : near(bits < kNear ? bits : kNear), far(bits - near),
        nearMask((1u << near) - 1), farMask((1u << far) - 1),
        farStep(farMask / 8 * 5 | 1) {}
  uint32_t operator()(uint32_t line) const {
    uint32_t piece = line >> near & farMask;
    // 10127 of 16384 is the golden section, and 5 of 8 about that.
    uint32_t place = ((line ^ piece * 0x9e35u) * 10127u) & nearMask;
    uint32_t within = piece * farStep + (place * 0x85ebu >> 5);
    return place << far | (within & farMask);
  }

private:
  static constexpr unsigned kNear = 14;
  unsigned near, far;
  uint32_t nearMask, farMask, farStep;
};

/// The age of ways that a cache does not have: above all others, as a signed
/// byte too.
inline constexpr uint8_t kNoWay = 127;

/// Ages from 0 to 15, each in every byte.
struct EverywhereTable {
  alignas(16) uint8_t age[16][16];
  constexpr const uint8_t *operator[](unsigned i) const { return age[i]; }
};
constexpr EverywhereTable makeEverywhere() {
  EverywhereTable table{};
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned byte = 0; byte < 16; ++byte)
      table.age[i][byte] = static_cast<uint8_t>(i);
  return table;
}
inline constexpr EverywhereTable kEverywhere = makeEverywhere();

/// One set. `age` is the position in the order of use: 0 is the latest; ways
/// that the cache does not have stay at `kNoWay`. `state`: the lower half has a
/// bit for each valid sector, the upper half one for each dirty sector. A way
/// with no valid and no dirty sector holds nothing, whatever its tag.
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

/// How a cache is divided, and what can be done with one of its sets. Loops
/// take a copy: of a local one, the compiler knows that what is stored into
/// sets does not change it.
template <unsigned Ways, typename Tag> class CacheShape {
  static_assert(Ways == 8 || Ways == 16, "compared as one vector");

public:
  using Set = CacheSet<Ways, Tag>;

  CacheShape() = default;
  /// About `lines` lines, at most `Ways` (and `ways`) to a set, of lines with
  /// hashes of `bits` bits.
  CacheShape(int64_t lines, int64_t ways, unsigned bits) : hashBits(bits) {
    assert(bits <= 32 && "hashes are words");
    if (ways > Ways)
      ways = Ways;
    if (lines < 1)
      lines = 1;
    if (lines < ways)
      ways = lines;
    oldest = static_cast<uint32_t>(ways - 1);
    valid = (1u << ways) - 1;
    sets = static_cast<uint32_t>((lines + ways / 2) / ways);
    scale = uint64_t(sets) << (32 - hashBits);
  }

  /// True if tags of `Tag` tell the lines of each set apart, and even how far
  /// they are from each other.
  static bool fits(int64_t lines, int64_t ways, unsigned bits) {
    int64_t sets = lines / (ways < Ways ? ways : Ways);
    return sizeof(Tag) >= 4 ||
           (sets > 0 && (int64_t(1) << bits) / sets < (1 << 15));
  }

  uint32_t numSets() const { return sets; }

  /// The number of the set of the line with this hash.
  uint32_t index(uint32_t hash) const {
    return static_cast<uint32_t>((hash * scale) >> 32);
  }

  void clear(Set &set) const {
    std::memset(&set, 0, sizeof(set));
    for (unsigned way = 0; way < Ways; ++way)
      set.age[way] = way <= oldest ? way : kNoWay;
  }

  /// The way that holds the line with this hash, or -1.
  int find(const Set &set, uint32_t hash) const {
    unsigned ways = matches(set, hash);
    return ways ? __builtin_ctz(ways) : -1;
  }

  /// Makes `way` the latest used one. All ages are stored at once, as they are
  /// loaded: the host hands a store on to a load that is no wider.
  static void touch(Set &set, unsigned way) {
    Ages ages = loadAges(set), limit = everywhere(set.age[way]);
    storeAges(set, latest(ages, limit, equal(ages, limit)));
  }

  /// What stood where a line now stands.
  struct Replaced {
    Tag tag;
    uint8_t state;
  };
  /// Puts the line with this hash and state in the place of the `rank`-th
  /// oldest (0: the oldest) and makes it the latest used.
  Replaced replace(Set &set, uint32_t hash, uint8_t state,
                   unsigned rank = 0) const {
    Ages ages = loadAges(set);
    Ages limit = everywhere(rank < oldest ? oldest - rank : 0);
    Ages same = equal(ages, limit);
    unsigned way = __builtin_ctz(bits(same));
    Replaced old{set.tag[way], set.state[way]};
    storeAges(set, latest(ages, limit, same));
    set.tag[way] = static_cast<Tag>(hash);
    set.state[way] = state;
    return old;
  }

  /// Reads sectors of a line, and puts it in the place of the oldest if it is
  /// not there. Returns the sectors that were not there. For caches without
  /// dirty sectors.
  uint8_t read(Set &set, uint32_t hash, uint8_t mask) const {
    int way = find(set, hash);
    if (way < 0) {
      replace(set, hash, mask);
      return mask;
    }
    touch(set, way);
    uint8_t missing = mask & ~set.state[way];
    set.state[way] |= mask;
    return missing;
  }

  /// The whole hash of a line with this tag; `other`: any hash of its set.
  static uint32_t hashOf(Tag tag, uint32_t other) {
    if constexpr (sizeof(Tag) == 4)
      return tag;
    // Hashes of a set are less than half a tag's range apart.
    return other + static_cast<int16_t>(tag - other);
  }
  /// A hash of the set with this number.
  uint32_t anyOf(uint32_t number) const {
    return static_cast<uint32_t>(((uint64_t(number) << hashBits) + sets - 1) /
                                 sets);
  }

  /// A bit for each way with dirty sectors.
  unsigned dirtyWays(const Set &set) const {
    unsigned ways = 0;
    for (unsigned way = 0; way < Ways; ++way)
      ways |= unsigned(set.state[way] > kSectorMask) << way;
    return ways;
  }

private:
  /// A bit for each way that has this hash's tag.
  unsigned matches(const Set &set, uint32_t hash) const {
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
    return mask & valid;
  }

#if defined(__SSE2__)
  using Ages = __m128i;
  static Ages loadAges(const Set &set) {
    auto *ages = reinterpret_cast<const __m128i *>(set.age);
    return Ways == 16 ? _mm_loadu_si128(ages) : _mm_loadl_epi64(ages);
  }
  static void storeAges(Set &set, Ages age) {
    auto *ages = reinterpret_cast<__m128i *>(set.age);
    Ways == 16 ? _mm_storeu_si128(ages, age) : _mm_storel_epi64(ages, age);
  }
  /// This age for all ways; a table is quicker than to spread a byte.
  static Ages everywhere(unsigned age) {
    return _mm_load_si128(reinterpret_cast<const __m128i *>(kEverywhere[age]));
  }
  /// True for the ways in which two sets of ages agree.
  static Ages equal(Ages a, Ages b) { return _mm_cmpeq_epi8(a, b); }
  static unsigned bits(Ages truths) { return _mm_movemask_epi8(truths); }
  /// Ages after a way of age `limit`, for which alone `same` is true, was used:
  /// it is 0, younger ones are one older, others are not.
  static Ages latest(Ages ages, Ages limit, Ages same) {
    Ages older = _mm_sub_epi8(ages, _mm_cmpgt_epi8(limit, ages));
    return _mm_andnot_si128(same, older);
  }
#else
  using Ages = std::array<uint8_t, Ways>;
  static Ages loadAges(const Set &set) {
    Ages ages;
    std::memcpy(ages.data(), set.age, Ways);
    return ages;
  }
  static void storeAges(Set &set, const Ages &ages) {
    std::memcpy(set.age, ages.data(), Ways);
  }
  static Ages everywhere(unsigned age) {
    Ages ages;
    ages.fill(static_cast<uint8_t>(age));
    return ages;
  }
  static Ages equal(const Ages &a, const Ages &b) {
    Ages truths;
    for (unsigned way = 0; way < Ways; ++way)
      truths[way] = a[way] == b[way];
    return truths;
  }
  static unsigned bits(const Ages &truths) {
    unsigned mask = 0;
    for (unsigned way = 0; way < Ways; ++way)
      mask |= unsigned(truths[way]) << way;
    return mask;
  }
  static Ages latest(Ages ages, const Ages &limit, const Ages &same) {
    for (unsigned way = 0; way < Ways; ++way)
      ages[way] = same[way] ? 0 : ages[way] + (ages[way] < limit[way]);
    return ages;
  }
#endif

  uint32_t sets = 0;
  uint32_t valid = (1u << Ways) - 1; ///< a bit for each way that there is
  uint32_t oldest = Ways - 1;        ///< age of the least recently used
  uint64_t scale = 0; ///< of a hash, to its set's number in the upper word
  uint8_t hashBits = 32;
};

/// Asks the host for its copy of a set.
template <typename Set> void prefetch(const Set &set) {
  const char *address = reinterpret_cast<const char *>(&set);
  __builtin_prefetch(address, 1);
  if (sizeof(Set) > 64)
    __builtin_prefetch(address + 64, 1);
}

/// Caches of one shape.
template <unsigned Ways, typename Tag> class Caches {
public:
  using Shape = CacheShape<Ways, Tag>;
  using Set = typename Shape::Set;

  void resize(size_t count, Shape newShape) {
    shape = newShape;
    Set empty;
    shape.clear(empty);
    sets.assign(count * shape.numSets(), empty);
  }

  bool empty() const { return sets.empty(); }

  /// Forgets all lines, dirty ones too.
  void clear() {
    for (Set &set : sets)
      shape.clear(set);
  }
  /// The sets of a cache.
  Set *operator[](size_t cache) {
    return sets.data() + cache * shape.numSets();
  }

  /// Calls `fn` with the hash and the dirty sectors of each line that has any,
  /// cache by cache.
  template <typename Fn> void forEachDirty(Fn fn, bool clean = true) {
    uint32_t number = 0;
    for (Set &set : sets) {
      if (unsigned ways = shape.dirtyWays(set)) {
        uint32_t any = shape.anyOf(number);
        for (; ways; ways &= ways - 1) {
          unsigned way = __builtin_ctz(ways);
          fn(shape.hashOf(set.tag[way], any),
             static_cast<uint8_t>(set.state[way] >> kMaxSectors));
          if (clean)
            set.state[way] &= kSectorMask;
        }
      }
      if (++number == shape.numSets())
        number = 0;
    }
  }

  Shape shape;

private:
  std::vector<Set, HugePages<Set>> sets;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MACHINE_CACHE_H
