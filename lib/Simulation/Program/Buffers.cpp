//===- Buffers.cpp - Where the buffers of a kernel lie --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds every address that a model can form, by interval arithmetic, and gives
// each buffer room for them.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <algorithm>

namespace swizzle::simulation {

namespace {

/// Largest magnitude of a bound; beyond it the address space would overflow.
constexpr int64_t kFarAway = int64_t(1) << 44;

int64_t clampBound(__int128 value) {
  return static_cast<int64_t>(
      std::clamp<__int128>(value, -__int128(kFarAway), __int128(kFarAway)));
}

} // namespace

/// Least and greatest value of `form` over the whole launch, generously.
Interval Program::bounds(const AffineForm &form) const {
  __int128 low = form.constant, high = form.constant;
  for (const Term &term : form.terms) {
    auto [a, b] = variableBounds[term.variable];
    __int128 x = __int128(a) * term.coefficient;
    __int128 y = __int128(b) * term.coefficient;
    low += std::min(x, y);
    high += std::max(x, y);
  }
  return {clampBound(low), clampBound(high)};
}

void Program::boundLoops(const std::vector<Statement> &body) {
  auto refreshDerived = [&] {
    for (VariableId id = kFirstFreeVariable; id < model.variables.size();
         ++id) {
      const Variable &variable = model.variables[id];
      if (variable.kind == VariableKind::Loaded)
        variableBounds[id] = {0, variable.extent - 1};
      if (variable.kind != VariableKind::Quotient)
        continue;
      auto [low, high] = bounds(variable.numerator);
      variableBounds[id] = {floorDiv(low, variable.divisor),
                            floorDiv(high, variable.divisor)};
    }
  };
  refreshDerived();
  for (const Statement &statement : body) {
    if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      boundLoops(guard->body);
      boundLoops(guard->otherwise);
    } else if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      int64_t most = kFarAway;
      for (const AffineForm &trip : loop->tripCounts)
        most = std::min(most, bounds(trip).high);
      variableBounds[loop->counter] = {0, std::max<int64_t>(most - 1, 0)};
      boundLoops(loop->body);
    }
  }
}

/// The bytes of its buffer that `access` may touch, the last one excluded;
/// generously.
Interval Program::reachOf(const Access &access) const {
  auto [low, high] = bounds(access.address);
  __int128 last = __int128(high) + access.bytes;
  __int128 first = low;
  for (const BoxDim &dim : access.box) {
    __int128 reach = __int128(dim.count - 1) * dim.stride;
    (reach < 0 ? first : last) += reach;
  }
  // A buffer of known size bounds what guarded code can really reach.
  int64_t bytes = model.buffers[access.buffer].bytes;
  if (bytes >= 0 && !access.assumed)
    return {std::max(clampBound(first), int64_t(0)),
            std::min(clampBound(last), bytes)};
  return {clampBound(first), clampBound(last)};
}

/// Buffers lie one behind the other, aligned as device allocations of this size
/// are, far enough apart for every address that the model can form.
void Program::placeBuffers() {
  variableBounds.assign(model.variables.size(), {0, 0});
  for (unsigned axis = 0; axis < 3; ++axis) {
    variableBounds[axis] = {0, model.grid[axis] - 1};
    variableBounds[kThreadIdX + axis] = {0, model.block[axis] - 1};
  }
  boundLoops(model.body);

  std::vector<Interval> extent;
  for (const Buffer &buffer : model.buffers)
    extent.push_back({0, std::max<int64_t>(buffer.bytes, 0)});
  auto widen = [](Interval &interval, Interval more) {
    interval.low = std::min(interval.low, more.low);
    interval.high = std::max(interval.high, more.high);
  };
  std::vector<Interval> written(extent.size(), {INT64_MAX, INT64_MIN});
  std::vector<const std::vector<Statement> *> open{&model.body};
  while (!open.empty()) {
    const std::vector<Statement> &body = *open.back();
    open.pop_back();
    for (const Statement &statement : body) {
      if (const auto *guard = std::get_if<Guard>(&statement.node)) {
        open.push_back(&guard->body);
        open.push_back(&guard->otherwise);
      } else if (const auto *loop = std::get_if<Loop>(&statement.node)) {
        open.push_back(&loop->body);
      } else if (const auto *access = std::get_if<Access>(&statement.node)) {
        Interval reach = reachOf(*access);
        widen(extent[access->buffer], reach);
        if (access->kind != AccessKind::Read)
          widen(written[access->buffer], reach);
      }
    }
  }
  writtenBytes = 0;
  for (Interval one : written)
    writtenBytes += std::max(0.0, double(one.high) - double(one.low));
  constexpr int64_t alignment = kBufferGap;
  int64_t next = 0;
  for (auto [from, to] : extent) {
    int64_t before = (-from + alignment - 1) / alignment * alignment;
    bufferBase.push_back(next + before);
    bufferEnd.push_back(next + before +
                        (to + alignment - 1) / alignment * alignment);
    next = bufferEnd.back() + kBufferGap;
  }
  addressBits = 8;
  while (addressBits < 32 && (next >> lineShift >> addressBits) != 0)
    ++addressBits;
}

} // namespace swizzle::simulation
