//===- Grid.h - Extents of a launch grid ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one vocabulary type that every part shares: a triple over the axes
// x, y, z. Workgroups are numbered x fastest, as every dispatcher does:
// linear id = (z * gy + y) * gx + x. Depends on nothing.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_GRID_H
#define SWIZZLE_SUPPORT_GRID_H

#include <array>
#include <cstdint>

namespace swizzle {

/// An extent that is not known at compile time (written `?`).
inline constexpr int64_t kUnknownExtent = -1;

/// Extents in workgroups (of a grid) or in threads (of a block), x first.
struct Grid {
  std::array<int64_t, 3> extent{1, 1, 1};

  Grid() = default;
  Grid(int64_t x, int64_t y = 1, int64_t z = 1) : extent{x, y, z} {}

  int64_t x() const { return extent[0]; }
  int64_t y() const { return extent[1]; }
  int64_t z() const { return extent[2]; }
  int64_t operator[](unsigned axis) const { return extent[axis]; }
  int64_t &operator[](unsigned axis) { return extent[axis]; }

  /// True if no extent is `kUnknownExtent`.
  bool isStatic() const {
    return extent[0] >= 0 && extent[1] >= 0 && extent[2] >= 0;
  }
  /// Number of workgroups of a static grid. The caller has bounded the extents
  /// to 2^31 - 1 each; saturates at INT64_MAX.
  int64_t count() const {
    int64_t xy = extent[0] * extent[1];
    return extent[2] && xy > INT64_MAX / extent[2] ? INT64_MAX : xy * extent[2];
  }
  bool operator==(const Grid &other) const { return extent == other.extent; }
  bool operator!=(const Grid &other) const { return extent != other.extent; }
};

/// The coordinates of one workgroup in a grid.
struct WorkgroupId {
  int64_t x = 0, y = 0, z = 0;

  bool operator==(const WorkgroupId &o) const {
    return x == o.x && y == o.y && z == o.z;
  }
  bool operator!=(const WorkgroupId &o) const { return !(*this == o); }
};

/// Linear id, x fastest; `grid` is static.
inline int64_t linearise(WorkgroupId id, const Grid &grid) {
  return (id.z * grid.y() + id.y) * grid.x() + id.x;
}

/// Inverse of `linearise`.
inline WorkgroupId delinearise(int64_t id, const Grid &grid) {
  return {id % grid.x(), id / grid.x() % grid.y(), id / grid.x() / grid.y()};
}

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_GRID_H
