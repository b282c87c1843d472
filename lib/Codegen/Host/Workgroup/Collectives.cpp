//===- Collectives.cpp - What threads compute together --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exchanges between the lanes of a subgroup, reductions, and products of
// matrices whose elements are spread over a subgroup's registers.
//
//===----------------------------------------------------------------------===//

#include "Inputs/Numbers.h"
#include "Workgroup.h"

#include <cmath>
#include <cstring>

namespace swizzle::host {

void Workgroup::barrier(uint32_t site) { wait(Collective::Barrier, site); }

uint64_t Workgroup::shuffle(uint32_t site, uint64_t value, int32_t offset,
                            int32_t width, ShuffleMode mode) {
  wait(Collective::Subgroup, site, value);
  int64_t lane = state.lane;
  int64_t w = std::max<int64_t>(width, 1), base = lane - lane % w;
  int64_t from = lane;
  switch (mode) {
  case ShuffleMode::Xor:
    from = lane ^ offset;
    break;
  case ShuffleMode::Down:
    from = lane + offset;
    break;
  case ShuffleMode::Up:
    from = lane - offset;
    break;
  case ShuffleMode::Index:
    from = base + offset;
    break;
  case ShuffleMode::Rotate:
    from = base + (lane - base + offset) % w;
    break;
  }
  const uint64_t *there =
      from >= base && from < base + w && from >= 0 && from < state.subgroupSize
          ? valueOf(firstLane() + from)
          : nullptr;
  state.valid = there != nullptr;
  return there ? *there : value;
}

uint64_t Workgroup::broadcast(uint32_t site, uint64_t value, int32_t lane) {
  wait(Collective::Subgroup, site, value);
  if (lane >= 0) {
    const uint64_t *there =
        lane < state.subgroupSize ? valueOf(firstLane() + lane) : nullptr;
    return there ? *there : value;
  }
  for (int64_t i = 0; i < state.subgroupSize; ++i)
    if (const uint64_t *there = valueOf(firstLane() + i))
      return *there;
  return value;
}

uint64_t Workgroup::ballot(uint32_t site, bool value) {
  wait(Collective::Subgroup, site, value);
  uint64_t mask = 0;
  for (int64_t i = 0; i < std::min<int64_t>(state.subgroupSize, 64); ++i)
    if (const uint64_t *there = valueOf(firstLane() + i))
      mask |= (*there & 1) << i;
  return mask;
}

static int64_t signExtend(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

uint64_t combine(uint64_t a, uint64_t b, ReduceOp op,
                 const ElementFormat &format) {
  if (format.kind == ElementFormat::Kind::Float) {
    double x = decode(format.semantics, a), y = decode(format.semantics, b);
    bool nan = std::isnan(x) || std::isnan(y);
    switch (op) {
    case ReduceOp::Add:
      return encode(format.semantics, x + y);
    case ReduceOp::Mul:
      return encode(format.semantics, x * y);
    case ReduceOp::MinNum:
      return encode(format.semantics, std::fmin(x, y));
    case ReduceOp::MaxNum:
      return encode(format.semantics, std::fmax(x, y));
    case ReduceOp::Minimum:
      return encode(format.semantics, nan ? NAN : std::fmin(x, y));
    default:
      return encode(format.semantics, nan ? NAN : std::fmax(x, y));
    }
  }
  int64_t sa = signExtend(a, format.bits), sb = signExtend(b, format.bits);
  switch (op) {
  case ReduceOp::Add:
    return a + b;
  case ReduceOp::Mul:
    return a * b;
  case ReduceOp::MinUnsigned:
    return std::min(a, b);
  case ReduceOp::MaxUnsigned:
    return std::max(a, b);
  case ReduceOp::MinSigned:
    return sa < sb ? a : b;
  case ReduceOp::MaxSigned:
    return sa > sb ? a : b;
  case ReduceOp::And:
    return a & b;
  case ReduceOp::Or:
    return a | b;
  default:
    return a ^ b;
  }
}

uint64_t Workgroup::reduce(uint32_t site, uint64_t value, ReduceOp op,
                           const ElementFormat &format, int64_t cluster,
                           int64_t stride) {
  bool all = cluster < 0;
  wait(all ? Collective::Workgroup : Collective::Subgroup, site, value);
  int64_t first = 0,
          count = state.blockDim[0] * state.blockDim[1] * state.blockDim[2];
  int64_t step = 1;
  if (!all) {
    count = cluster ? cluster : state.subgroupSize;
    step = cluster ? std::max<int64_t>(stride, 1) : 1;
    int64_t span = count * step;
    first = firstLane() + state.lane / span * span + state.lane % step;
  }
  uint64_t mask =
      format.bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << format.bits) - 1;
  std::optional<uint64_t> result;
  for (int64_t i = 0; i < count; ++i)
    if (const uint64_t *there = valueOf(first + i * step))
      result = result ? combine(*result, *there, op, format) & mask : *there;
  return result.value_or(value);
}

void MatrixShape::place(int64_t lanes) {
  for (Operand operand : {Operand::A, Operand::B, Operand::C}) {
    int64_t rows = operand == Operand::B ? k : m;
    int64_t columns = operand == Operand::A ? k : n;
    std::vector<int32_t> &to = places[int(operand)];
    to.clear();
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (int64_t slot = 0; slot < perLane(operand); ++slot) {
        int64_t element = slot * lanes + lane;
        if (layout == Layout::Striped) {
          to.push_back(element < rows * columns ? element : -1);
          continue;
        }
        // A lane of MFMA holds a run along k of one row of A, or column of B;
        // of C, four rows in turn of one column.
        int64_t row, column;
        if (operand == Operand::A) {
          row = lane % m;
          column = lane / m * aPerLane + slot;
        } else if (operand == Operand::B) {
          column = lane % n;
          row = lane / n * bPerLane + slot;
        } else {
          column = lane % n;
          row = slot / 4 * 4 * (lanes / n) + 4 * (lane / n) + slot % 4;
        }
        to.push_back(row * columns + column);
      }
  }
}

namespace {

template <typename T>
T loadElement(const char *at, const ElementFormat &format) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, format.bits / 8);
  if (format.kind == ElementFormat::Kind::Float)
    return T(decode(format.semantics, bits));
  return format.kind == ElementFormat::Kind::Signed
             ? T(signExtend(bits, format.bits))
             : T(bits);
}

/// Calls `body` with a function that reads an element, one that knows its
/// format where that is a common one: there are many elements.
template <typename T, typename Body>
void withReader(const ElementFormat &format, Body body) {
  if (format.kind == ElementFormat::Kind::Float) {
    if (format.semantics == kSingle)
      return body([](const char *at) {
        float number;
        std::memcpy(&number, at, sizeof number);
        return T(number);
      });
    if (format.semantics == kHalf)
      return body([](const char *at) {
        uint16_t bits;
        std::memcpy(&bits, at, sizeof bits);
        return isNormalHalf(bits) ? T(decodeNormalHalf(bits))
                                  : T(decode(kHalf, bits));
      });
    if (format.semantics == kBFloat)
      return body([](const char *at) {
        uint16_t bits;
        std::memcpy(&bits, at, sizeof bits);
        return T(llvm::bit_cast<float>(uint32_t(bits) << 16));
      });
  }
  body([&](const char *at) { return loadElement<T>(at, format); });
}

template <typename T>
void storeElement(char *at, T value, const ElementFormat &format) {
  uint64_t bits = format.kind == ElementFormat::Kind::Float
                      ? encode(format.semantics, value)
                      : uint64_t(int64_t(value));
  std::memcpy(at, &bits, format.bits / 8);
}

struct Operands {
  char *a, *b, *c, *d;
};

template <typename T>
void multiplyAll(const MatrixShape &shape, llvm::ArrayRef<Operands> lanes) {
  using Operand = MatrixShape::Operand;
  llvm::SmallVector<T, 1024> a(shape.m * shape.k), b(shape.k * shape.n),
      c(shape.m * shape.n);
  auto each = [&](Operand operand, auto body) {
    const int32_t *place = shape.places[int(operand)].data();
    for (const Operands &lane : lanes)
      for (int64_t slot = 0; slot < shape.perLane(operand); ++slot)
        if (int32_t at = *place++; at >= 0)
          body(lane, slot, at);
  };
  int64_t abBytes = shape.ab.bits / 8, cdBytes = shape.cd.bits / 8;
  withReader<T>(shape.ab, [&](auto read) {
    each(Operand::A, [&](const Operands &lane, int64_t slot, int32_t at) {
      a[at] = read(lane.a + slot * abBytes);
    });
    each(Operand::B, [&](const Operands &lane, int64_t slot, int32_t at) {
      b[at] = read(lane.b + slot * abBytes);
    });
  });
  withReader<T>(shape.cd, [&](auto read) {
    each(Operand::C, [&](const Operands &lane, int64_t slot, int32_t at) {
      c[at] = read(lane.c + slot * cdBytes);
    });
  });
  for (int64_t i = 0; i < shape.m; ++i)
    for (int64_t k = 0; k < shape.k; ++k) {
      T x = a[i * shape.k + k];
      const T *from = &b[k * shape.n];
      T *to = &c[i * shape.n];
      for (int64_t j = 0; j < shape.n; ++j)
        to[j] += x * from[j];
    }
  bool single = shape.cd.kind == ElementFormat::Kind::Float &&
                shape.cd.semantics == kSingle;
  each(Operand::C, [&](const Operands &lane, int64_t slot, int32_t at) {
    char *to = lane.d + slot * cdBytes;
    if (float number = float(c[at]); single)
      std::memcpy(to, &number, sizeof number);
    else
      storeElement<T>(to, c[at], shape.cd);
  });
}

} // namespace

void Workgroup::multiply(uint32_t site, const MatrixShape &shape, char *a,
                         char *b, char *c, char *d) {
  Operands mine{a, b, c, d};
  wait(Collective::Subgroup, site, reinterpret_cast<uintptr_t>(&mine));
  // The first lane to go on computes for all, while the others' registers are
  // as they left them.
  if (!leaderPending[state.subgroup])
    return;
  leaderPending[state.subgroup] = false;
  bool complete = true;
  {
    llvm::SmallVector<Operands, 64> lanes;
    for (int64_t i = 0; i < state.subgroupSize; ++i) {
      const uint64_t *there = valueOf(firstLane() + i);
      complete &= there != nullptr;
      if (there)
        lanes.push_back(*reinterpret_cast<const Operands *>(*there));
    }
    if (complete) {
      multiplyAdds += shape.m * shape.n * shape.k;
      if (shape.cd.kind != ElementFormat::Kind::Float)
        multiplyAll<int64_t>(shape, lanes);
      else if (shape.cd.bits == 64)
        multiplyAll<double>(shape, lanes);
      else
        multiplyAll<float>(shape, lanes);
    }
  }
  if (!complete)
    fail("divergent-subgroup",
         "not all lanes of the subgroup take part in a product of matrices",
         site);
}

void Workgroup::moveMatrix(uint32_t site, const MatrixShape &shape,
                           char *memoryAt, int64_t lead, bool transpose,
                           char *registers) {
  int64_t bytes = sites[site].bytes;
  bool isLoad = sites[site].kind == AccessKind::Read;
  for (int64_t slot = 0;; ++slot) {
    int64_t element = slot * state.subgroupSize + state.lane;
    if (element >= shape.m * shape.n)
      return;
    int64_t row = element / shape.n, column = element % shape.n;
    char *at = memoryAt +
               bytes * (transpose ? column * lead + row : row * lead + column);
    access(at, site);
    if (isLoad)
      std::memcpy(registers + slot * bytes, at, bytes);
    else
      std::memcpy(at, registers + slot * bytes, bytes);
  }
}

} // namespace swizzle::host
