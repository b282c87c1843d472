//===- Models.cpp - Kernels with known measurements, as models ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Models.h for what each kernel is.
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include <algorithm>

namespace swizzle::models {

AffineForm x(int64_t c) { return makeVariable(kWorkgroupIdX, c); }
AffineForm y(int64_t c) { return makeVariable(kWorkgroupIdX + 1, c); }
AffineForm z(int64_t c) { return makeVariable(kWorkgroupIdX + 2, c); }
AffineForm tx(int64_t c) { return makeVariable(kThreadIdX, c); }
AffineForm ty(int64_t c) { return makeVariable(kThreadIdX + 1, c); }
AffineForm tz(int64_t c) { return makeVariable(kThreadIdX + 2, c); }

uint32_t addBuffer(KernelModel &model, const char *name, int64_t bytes,
                   int64_t elementBytes) {
  Buffer buffer;
  buffer.name = name;
  buffer.bytes = bytes;
  buffer.elementBytes = elementBytes;
  buffer.argument = static_cast<int>(model.buffers.size());
  model.buffers.push_back(buffer);
  return model.buffers.size() - 1;
}

Access makeAccess(uint32_t buffer, AccessKind kind, AffineForm address,
                  int64_t bytes) {
  Access access;
  access.buffer = buffer;
  access.kind = kind;
  access.address = std::move(address);
  access.bytes = bytes;
  return access;
}

Condition atLeastZero(AffineForm form) { return {std::move(form), false}; }

KernelModel gemmFp16(int64_t m, int64_t n, int64_t k,
                     int64_t registersPerThread) {
  KernelModel model = KernelModel::create({n / 128, m / 128}, {256});
  model.name = "gemm_fp16";
  model.workgroupMemoryBytes = 2 * 128 * 32 * 2;
  model.registersPerThread = registersPerThread;
  uint32_t a = addBuffer(model, "A", m * k * 2, 2);
  uint32_t b = addBuffer(model, "B", k * n * 2, 2);
  uint32_t c = addBuffer(model, "C", m * n * 4, 4);
  VariableId step = model.addLoopCounter("k");
  VariableId aRow = model.addQuotient(tx(), 4);  // 4 loads of 16 bytes a row
  VariableId bRow = model.addQuotient(tx(), 16); // 16 loads of 16 bytes a row
  Loop loop;
  loop.counter = step;
  loop.tripCounts = {makeConstant(k / 32)};
  for (int64_t half = 0; half < 2; ++half)
    loop.body.push_back(
        {makeAccess(a, AccessKind::Read,
                    y(128 * k * 2) + makeVariable(aRow, k * 2) + tx(16) -
                        makeVariable(aRow, 64) + makeVariable(step, 64) +
                        makeConstant(half * 64 * k * 2),
                    16)});
  for (int64_t half = 0; half < 2; ++half)
    loop.body.push_back({makeAccess(
        b, AccessKind::Read,
        x(256) + makeVariable(bRow, n * 2) + tx(16) - makeVariable(bRow, 256) +
            makeVariable(step, 32 * n * 2) + makeConstant(half * 16 * n * 2),
        16)});
  loop.body.push_back({Barrier{}});
  Compute compute;
  compute.flops = 2.0 * 128 * 128 * 32;
  compute.tensor = true;
  compute.issuer = Issuer::Workgroup;
  loop.body.push_back({compute});
  loop.body.push_back({Barrier{}});
  model.body.push_back({loop});
  // Eight subgroups of 32 write 64 x 32 each, as 4 x 2 fragments of 16 x 16.
  VariableId wave = model.addQuotient(tx(), 32);
  VariableId waveRow = model.addQuotient(tx(), 128);
  for (int64_t row = 0; row < 4; ++row)
    for (int64_t column = 0; column < 2; ++column) {
      Access store =
          makeAccess(c, AccessKind::Write,
                     y(128 * n * 4) + x(512) +
                         makeVariable(waveRow, 64 * n * 4 - 4 * 128) +
                         makeVariable(wave, 128) +
                         makeConstant(row * 16 * n * 4 + column * 64),
                     64);
      store.issuer = Issuer::Subgroup;
      store.box = {{16, n * 4}};
      model.body.push_back({store});
    }
  return model;
}

KernelModel gemmNaive(int64_t n, int64_t bx, int64_t by) {
  KernelModel model = KernelModel::create({n / bx, n / by}, {bx, by});
  model.name = "gemm_naive";
  uint32_t a = addBuffer(model, "A", n * n * 4, 4);
  uint32_t b = addBuffer(model, "B", n * n * 4, 4);
  uint32_t c = addBuffer(model, "C", n * n * 4, 4);
  VariableId k = model.addLoopCounter("k");
  AffineForm row = y(by) + ty(), column = x(bx) + tx();
  Loop loop;
  loop.counter = k;
  loop.tripCounts = {makeConstant(n)};
  loop.body.push_back(
      {makeAccess(a, AccessKind::Read, row * (n * 4) + makeVariable(k, 4), 4)});
  loop.body.push_back({makeAccess(b, AccessKind::Read,
                                  makeVariable(k, n * 4) + column * 4, 4)});
  Compute compute;
  compute.flops = 2;
  loop.body.push_back({compute});
  model.body.push_back({loop});
  model.body.push_back(
      {makeAccess(c, AccessKind::Write, row * (n * 4) + column * 4, 4)});
  return model;
}

KernelModel star3d(int64_t nx, int64_t ny, int64_t nz, int64_t radius,
                   int64_t bx, int64_t by) {
  KernelModel model = KernelModel::create(
      {(nx + bx - 1) / bx, (ny + by - 1) / by, nz}, {bx, by});
  model.name = "star3d_r" + std::to_string(radius);
  uint32_t in = addBuffer(model, "in", nx * ny * nz * 4, 4);
  uint32_t out = addBuffer(model, "out", nx * ny * nz * 4, 4);
  AffineForm px = x(bx) + tx(), py = y(by) + ty(), pz = z();
  AffineForm point = px * 4 + py * (nx * 4) + pz * (nx * ny * 4);
  Guard guard;
  const AffineForm position[] = {px, py, pz};
  const int64_t size[] = {nx, ny, nz};
  for (unsigned axis = 0; axis < 3; ++axis) {
    guard.conditions.push_back(
        atLeastZero(position[axis] - makeConstant(radius)));
    guard.conditions.push_back(
        atLeastZero(makeConstant(size[axis] - radius - 1) - position[axis]));
  }
  auto load = [&](int64_t offset) {
    guard.body.push_back(
        {makeAccess(in, AccessKind::Read, point + makeConstant(offset), 4)});
  };
  load(0);
  const int64_t stride[] = {4, nx * 4, nx * ny * 4};
  for (int64_t r = 1; r <= radius; ++r)
    for (unsigned axis = 0; axis < 3; ++axis) {
      load(-r * stride[axis]);
      load(r * stride[axis]);
    }
  Compute compute;
  compute.flops = 6.0 * radius + 2;
  guard.body.push_back({compute});
  guard.body.push_back({makeAccess(out, AccessKind::Write, point, 4)});
  model.body.push_back({guard});
  return model;
}

KernelModel star2d(int64_t nx, int64_t ny, int64_t radius, int64_t bx,
                   int64_t by) {
  KernelModel model =
      KernelModel::create({(nx + bx - 1) / bx, (ny + by - 1) / by}, {bx, by});
  model.name = "star2d_r" + std::to_string(radius);
  uint32_t in = addBuffer(model, "in", nx * ny * 4, 4);
  uint32_t out = addBuffer(model, "out", nx * ny * 4, 4);
  AffineForm px = x(bx) + tx(), py = y(by) + ty();
  AffineForm point = px * 4 + py * (nx * 4);
  Guard guard;
  guard.conditions = {atLeastZero(px - makeConstant(radius)),
                      atLeastZero(makeConstant(nx - radius - 1) - px),
                      atLeastZero(py - makeConstant(radius)),
                      atLeastZero(makeConstant(ny - radius - 1) - py)};
  auto load = [&](int64_t offset) {
    guard.body.push_back(
        {makeAccess(in, AccessKind::Read, point + makeConstant(offset), 4)});
  };
  load(0);
  for (int64_t r = 1; r <= radius; ++r)
    for (int64_t stride : {int64_t(4), nx * 4}) {
      load(-r * stride);
      load(r * stride);
    }
  guard.body.push_back({makeAccess(out, AccessKind::Write, point, 4)});
  model.body.push_back({guard});
  return model;
}

KernelModel transposeNaive(int64_t n, int64_t bx, int64_t by) {
  KernelModel model = KernelModel::create({n / bx, n / by}, {bx, by});
  model.name = "transpose_naive";
  uint32_t in = addBuffer(model, "in", n * n * 4, 4);
  uint32_t out = addBuffer(model, "out", n * n * 4, 4);
  AffineForm column = x(bx) + tx(), row = y(by) + ty();
  model.body.push_back(
      {makeAccess(in, AccessKind::Read, row * (n * 4) + column * 4, 4)});
  model.body.push_back(
      {makeAccess(out, AccessKind::Write, column * (n * 4) + row * 4, 4)});
  return model;
}

KernelModel transposeTiled(int64_t n, int64_t tile, int64_t rows,
                           int64_t elementBytes) {
  KernelModel model = KernelModel::create({n / tile, n / tile}, {tile, rows});
  model.name = "transpose_tiled";
  model.workgroupMemoryBytes = tile * (tile + 1) * elementBytes;
  int64_t e = elementBytes, pitch = n * e;
  uint32_t in = addBuffer(model, "in", n * pitch, e);
  uint32_t out = addBuffer(model, "out", n * pitch, e);
  for (int64_t r = 0; r < tile; r += rows)
    model.body.push_back({makeAccess(
        in, AccessKind::Read,
        (y(tile) + ty() + makeConstant(r)) * pitch + (x(tile) + tx()) * e, e)});
  model.body.push_back({Barrier{}});
  for (int64_t r = 0; r < tile; r += rows)
    model.body.push_back({makeAccess(
        out, AccessKind::Write,
        (x(tile) + ty() + makeConstant(r)) * pitch + (y(tile) + tx()) * e, e)});
  return model;
}

KernelModel elementwise(int64_t elements, int64_t inputs, int64_t elementBytes,
                        int64_t width, int64_t threads) {
  int64_t bytes = elementBytes * width;
  KernelModel model =
      KernelModel::create({elements / (width * threads)}, {threads});
  model.name = "elementwise";
  AffineForm at = x(threads * bytes) + tx(bytes);
  for (int64_t i = 0; i < inputs; ++i) {
    uint32_t in = addBuffer(model, "in", elements * elementBytes, elementBytes);
    model.body.push_back({makeAccess(in, AccessKind::Read, at, bytes)});
  }
  uint32_t out = addBuffer(model, "out", elements * elementBytes, elementBytes);
  model.body.push_back({makeAccess(out, AccessKind::Write, at, bytes)});
  return model;
}

KernelModel rowwise(int64_t rows, int64_t columns, int64_t passes,
                    int64_t elementBytes, int64_t width, int64_t threads) {
  KernelModel model = KernelModel::create({rows}, {threads});
  model.name = "rowwise";
  int64_t bytes = elementBytes * width, pitch = columns * elementBytes;
  uint32_t in = addBuffer(model, "in", rows * pitch, elementBytes);
  uint32_t out = addBuffer(model, "out", rows * pitch, elementBytes);
  auto walk = [&](uint32_t buffer, AccessKind kind) {
    VariableId i = model.addLoopCounter("i");
    Loop loop;
    loop.counter = i;
    loop.tripCounts = {makeConstant(columns / (width * threads))};
    loop.body.push_back({makeAccess(
        buffer, kind, x(pitch) + tx(bytes) + makeVariable(i, threads * bytes),
        bytes)});
    return loop;
  };
  for (int64_t pass = 0; pass < passes; ++pass) {
    Loop loop = walk(in, AccessKind::Read);
    if (pass + 1 == passes) {
      Access store = std::get<Access>(loop.body.front().node);
      store.buffer = out;
      store.kind = AccessKind::Write;
      loop.body.push_back({store});
    }
    model.body.push_back({loop});
    model.body.push_back({Barrier{}});
  }
  return model;
}

Order rowMajor(const Grid &grid) {
  Order order(grid.count());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  return order;
}

Order columnMajor(const Grid &grid) {
  Order order;
  order.reserve(grid.count());
  for (int64_t k = 0; k < grid.z(); ++k)
    for (int64_t i = 0; i < grid.x(); ++i)
      for (int64_t j = 0; j < grid.y(); ++j)
        order.push_back(linearise({i, j, k}, grid));
  return order;
}

Order groupedRows(const Grid &grid, int64_t g) {
  Order order;
  order.reserve(grid.count());
  for (int64_t k = 0; k < grid.z(); ++k)
    for (int64_t first = 0; first < grid.y(); first += g)
      for (int64_t i = 0; i < grid.x(); ++i)
        for (int64_t j = first; j < std::min(first + g, grid.y()); ++j)
          order.push_back(linearise({i, j, k}, grid));
  return order;
}

Order bandsThroughZ(const Grid &grid, int64_t h) {
  Order order;
  order.reserve(grid.count());
  for (int64_t first = 0; first < grid.y(); first += h)
    for (int64_t k = 0; k < grid.z(); ++k)
      for (int64_t j = first; j < std::min(first + h, grid.y()); ++j)
        for (int64_t i = 0; i < grid.x(); ++i)
          order.push_back(linearise({i, j, k}, grid));
  return order;
}

Order chunked(const Order &order, int64_t dies) {
  // Workgroup i runs on die i % dies, as its (i / dies)-th: hand that die a
  // contiguous share.
  int64_t count = order.size(), share = count / dies, longer = count % dies;
  Order result(order.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t die = i % dies;
    result[i] = order[die * share + std::min(die, longer) + i / dies];
  }
  return result;
}

} // namespace swizzle::models
