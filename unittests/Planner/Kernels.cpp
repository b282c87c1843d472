//===- Kernels.cpp - Kernels to plan, as people launch them, and small ----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Kernels.h.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>

namespace swizzle::models {

namespace {

Statement read(uint32_t buffer, AffineForm address, int64_t bytes) {
  return {makeAccess(buffer, AccessKind::Read, std::move(address), bytes)};
}
Statement write(uint32_t buffer, AffineForm address, int64_t bytes) {
  return {makeAccess(buffer, AccessKind::Write, std::move(address), bytes)};
}

} // namespace

KernelModel splitRows(int64_t parts, int64_t rows, int64_t columns) {
  KernelModel model = KernelModel::create(Grid(parts, rows), Grid(256));
  model.name = "split_rows";
  uint32_t in = addBuffer(model, "in", rows * columns * 4, 4);
  uint32_t out = addBuffer(model, "out", rows * columns * 4, 4);
  VariableId i = model.addLoopCounter("i"), j = model.addLoopCounter("j");
  Loop whole{i, {makeConstant(columns / 1024)}, {}};
  whole.body = {read(in, y(columns * 4) + makeVariable(i, 4096) + tx(16), 16)};
  Loop own{j, {makeConstant(columns / parts / 1024)}, {}};
  AffineForm part =
      y(columns * 4) + x(columns / parts * 4) + makeVariable(j, 4096) + tx(16);
  own.body = {read(in, part, 16), write(out, part, 16)};
  model.body = {Statement{whole}, Statement{own}};
  return model;
}

KernelModel groupedHeads(int64_t blocks, int64_t heads, int64_t group,
                         int64_t keyBytes) {
  KernelModel model = KernelModel::create(Grid(blocks, heads), Grid(256));
  model.name = "grouped_heads";
  uint32_t q = addBuffer(model, "q", heads * blocks * 16384, 2);
  uint32_t k = addBuffer(model, "k", heads / group * keyBytes, 2);
  VariableId head = model.addQuotient(y(), group);
  VariableId i = model.addLoopCounter("i");
  Loop loop{i, {makeConstant(keyBytes / 4096)}, {}};
  loop.body = {read(
      k, makeVariable(head, keyBytes) + makeVariable(i, 4096) + tx(16), 16)};
  model.body = {read(q, y(blocks * 16384) + x(16384) + tx(64), 64),
                Statement{loop}};
  return model;
}

KernelModel sparseProduct(int64_t rows, int64_t columns) {
  KernelModel model = KernelModel::create(Grid(columns / 256, rows), Grid(256));
  model.name = "sparse_product";
  uint32_t table = addBuffer(model, "columns", rows * 16 * 4, 4);
  uint32_t dense = addBuffer(model, "dense", rows * columns * 4, 4);
  uint32_t out = addBuffer(model, "out", rows * columns * 4, 4);
  VariableId i = model.addLoopCounter("i");
  AffineForm place = y(64) + makeVariable(i, 4), part = x(1024) + tx(4);
  VariableId row = model.addLoaded(table, place, 4, rows);
  Statement gather = read(dense, makeVariable(row, columns * 4) + part, 4);
  std::get<Access>(gather.node).assumed = true;
  Loop loop{i, {makeConstant(16)}, {read(table, place, 4), gather}};
  model.body = {Statement{loop}, write(out, y(columns * 4) + part, 4)};
  return model;
}

KernelModel edgeSums(int64_t edges, int64_t features) {
  KernelModel model =
      KernelModel::create(Grid(features / 256, edges), Grid(256));
  model.name = "edge_sums";
  uint32_t from = addBuffer(model, "from", edges * 4, 4);
  uint32_t to = addBuffer(model, "to", edges * 4, 4);
  uint32_t in = addBuffer(model, "in", edges * features * 4, 4);
  uint32_t sums = addBuffer(model, "sums", edges / 8 * features * 4, 4);
  AffineForm part = x(1024) + tx(4);
  VariableId begin = model.addLoaded(from, y(4), 4, edges);
  VariableId end = model.addLoaded(to, y(4), 4, edges / 8);
  Access gather = makeAccess(in, AccessKind::Read,
                             makeVariable(begin, features * 4) + part, 4);
  Access add = makeAccess(sums, AccessKind::Atomic,
                          makeVariable(end, features * 4) + part, 4);
  gather.assumed = add.assumed = true;
  model.body = {read(from, y(4), 4), read(to, y(4), 4), {gather}, {add}};
  return model;
}

KernelModel batchedGemm(int64_t n, int64_t batches) {
  KernelModel model =
      KernelModel::create(Grid(n / 64, n / 64, batches), Grid(256));
  model.name = "batched_gemm";
  model.workgroupMemoryBytes = 2 * 64 * 16 * 4;
  int64_t matrix = n * n * 4;
  uint32_t a = addBuffer(model, "a", batches * matrix, 4);
  uint32_t b = addBuffer(model, "b", batches * matrix, 4);
  uint32_t c = addBuffer(model, "c", batches * matrix, 4);
  VariableId k = model.addLoopCounter("k");
  VariableId quarter = model.addQuotient(tx(), 4);    // 4 x 16 bytes a row
  VariableId sixteenth = model.addQuotient(tx(), 16); // 16 x 16 bytes a row
  Loop loop{k, {makeConstant(n / 16)}, {}};
  loop.body = {
      read(a,
           z(matrix) + y(64 * n * 4) + makeVariable(quarter, n * 4) + tx(16) -
               makeVariable(quarter, 64) + makeVariable(k, 64),
           16),
      read(b,
           z(matrix) + x(256) + makeVariable(sixteenth, n * 4) + tx(16) -
               makeVariable(sixteenth, 256) + makeVariable(k, 16 * n * 4),
           16),
      Statement{Barrier{}}};
  Compute compute;
  compute.flops = 2.0 * 64 * 64 * 16 / 256;
  loop.body.push_back(Statement{compute});
  loop.body.push_back(Statement{Barrier{}});
  model.body = {Statement{loop}};
  for (int64_t row = 0; row < 64; row += 16)
    model.body.push_back(write(
        c,
        z(matrix) + y(64 * n * 4) + x(256) + makeVariable(sixteenth, n * 4) +
            tx(16) - makeVariable(sixteenth, 256) + makeConstant(row * n * 4),
        16));
  return model;
}

KernelModel broadcast(int64_t rows, int64_t columns, int64_t batches) {
  KernelModel model =
      KernelModel::create(Grid(columns / 256, rows / 4, batches), Grid(64, 4));
  model.name = "broadcast";
  int64_t plane = rows * columns * 4;
  uint32_t in = addBuffer(model, "in", batches * plane, 4);
  uint32_t scale = addBuffer(model, "scale", columns * 4, 4);
  uint32_t bias = addBuffer(model, "bias", plane, 4);
  uint32_t out = addBuffer(model, "out", batches * plane, 4);
  AffineForm column = x(1024) + tx(16);
  AffineForm at = (y(4) + ty()) * (columns * 4) + column;
  model.body = {read(in, z(plane) + at, 16), read(scale, column, 16),
                read(bias, at, 16), write(out, z(plane) + at, 16)};
  return model;
}

KernelModel batchedVectors(int64_t rows, int64_t columns, int64_t batch) {
  KernelModel model = KernelModel::create({rows / 32, batch}, {32, 8});
  model.name = "batched_vectors";
  uint32_t weights = addBuffer(model, "weights", rows * columns * 4, 4);
  uint32_t in = addBuffer(model, "in", batch * columns * 4, 4);
  uint32_t out = addBuffer(model, "out", batch * rows * 4, 4);
  VariableId step = model.addLoopCounter("k");
  AffineForm at = makeVariable(step, 512) + tx(16);
  Loop loop{step, {makeConstant(columns / 128)}, {}};
  loop.body = {read(in, at + y(columns * 4), 16)};
  for (int64_t row = 0; row < 4; ++row)
    loop.body.push_back(read(weights,
                             at + x(columns * 128) + ty(columns * 16) +
                                 makeConstant(row * columns * 4),
                             16));
  model.body = {Statement{loop}, write(out, y(rows * 4) + x(128) + tx(4), 4)};
  return model;
}

HardwareSpec shrink(HardwareSpec chip, int64_t by) {
  if (by <= 1)
    return chip;
  auto less = [by](auto &value, int64_t least) {
    if (value)
      *value = std::max<std::decay_t<decltype(*value)>>(*value / by, least);
  };
  auto smaller = [&](CacheLevel &cache, int64_t least) {
    less(cache.bytes, least);
    less(cache.effectiveBytes, least);
    less(cache.bandwidth, 1);
  };
  int64_t units = chip.unitsPerDie;
  chip.unitsPerDie = std::max<int64_t>(1, units / by);
  for (size_t i = chip.sharedIndex(); i < chip.levels.size(); ++i)
    if (i == chip.sharedIndex() || chip.levels[i].bytes.value_or(0) > 0)
      smaller(chip.levels[i], i == chip.sharedIndex() ? 16 << 10 : 64 << 10);
  less(chip.dramBandwidth, 1);
  less(chip.peakDramBandwidth, 1);
  less(chip.vectorFlops, 1);
  less(chip.tensorFlops, 1);
  chip.name += "/" + std::to_string(by);
  return chip;
}

std::vector<NamedModel> launchedKernels() {
  return {{"gemm 8192^3", gemmFp16(8192, 8192, 8192)},
          {"gemm uneven", gemmFp16(6144, 7808, 4096)},
          {"gemm wide", gemmFp16(2048, 16384, 2048)},
          {"gemm naive", gemmNaive(4096, 32, 8)},
          {"batched gemm", batchedGemm(2048, 16)},
          {"transpose", transposeTiled(16384, 32, 8)},
          {"transpose, half lines", transposeTiled(8192, 16, 8)},
          {"stencil 2-D r1", star2d(8192, 8192, 1, 64, 8)},
          {"stencil 2-D r4", star2d(8192, 8192, 4, 64, 8)},
          {"stencil 3-D r1", star3d(4096, 4096, 64, 1)},
          {"stencil 3-D r4", star3d(4096, 4096, 64, 4)},
          {"layer norm", rowwise(32768, 4096, 2, 4, 4)},
          {"softmax", rowwise(32768, 32768, 2, 4, 4)},
          {"softmax, split rows", splitRows(8, 4096, 32768)},
          {"broadcast", broadcast(2048, 2048, 16)},
          {"black-scholes", elementwise(1 << 24, 5, 4, 1)},
          {"attention", groupedHeads(16, 64, 8, 1 << 20)}};
}

std::vector<NamedModel> smallKernels() {
  return {{"gemm", gemmFp16(4096, 4096, 256), 16, 15e6},
          {"gemm flat", gemmFp16(1024, 8192, 512), 16, 15e6},
          {"batched gemm", batchedGemm(512, 8), 16, 15e6},
          {"transpose", transposeTiled(1024, 32, 8), 16, 15e6},
          {"transpose, half lines", transposeTiled(1024, 16, 8), 16, 15e6},
          {"stencil 2-D r1", star2d(1024, 1024, 1, 32, 8), 16, 15e6},
          {"stencil 2-D r4", star2d(1024, 1024, 4, 32, 8), 16, 15e6},
          {"stencil 3-D r1", star3d(256, 256, 32, 1), 128, 15e6},
          {"stencil 3-D r4", star3d(256, 256, 32, 4), 128, 30e6},
          {"stencil 3-D r4 wide", star3d(512, 256, 24, 4), 64, 30e6},
          {"softmax, split rows", splitRows(8, 128, 8192), 16, 15e6},
          {"broadcast", broadcast(256, 2048, 16), 16, 15e6},
          {"attention", groupedHeads(16, 32, 8, 1 << 16), 16, 15e6}};
}

} // namespace swizzle::models
