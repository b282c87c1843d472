//===- TrafficCap.cpp - What memory is asked for at most ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TrafficCap.h.
//
//===----------------------------------------------------------------------===//

#include "TrafficCap.h"

#include <algorithm>

namespace swizzle::simulation {

namespace {

/// Notes which buffers `body` reads and writes.
void findBuffers(const std::vector<Statement> &body, std::vector<bool> &touched,
                 std::vector<bool> &written) {
  for (const Statement &statement : body) {
    if (const auto *loop = std::get_if<Loop>(&statement.node))
      findBuffers(loop->body, touched, written);
    if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      findBuffers(guard->body, touched, written);
      findBuffers(guard->otherwise, touched, written);
    }
    if (const auto *access = std::get_if<Access>(&statement.node)) {
      touched[access->buffer] = true;
      if (access->kind != AccessKind::Read)
        written[access->buffer] = true;
    }
  }
}

} // namespace

void capTraffic(Metrics &metrics, const KernelModel &model,
                const Machine &machine) {
  std::vector<bool> touched(model.buffers.size()), written(touched);
  findBuffers(model.body, touched, written);
  double bytes = 0, dirty = 0;
  for (size_t i = 0; i < model.buffers.size(); ++i) {
    if (touched[i] && model.buffers[i].bytes < 0)
      return;
    bytes += touched[i] ? double(model.buffers[i].bytes) : 0;
    dirty += written[i] ? double(model.buffers[i].bytes) : 0;
  }
  const MachineLevel &last = machine.levels.back();
  int64_t parts = machine.shared + 1 == machine.levels.size()
                      ? machine.sharedPartitions
                      : 1;
  if (bytes > double(last.bytes) / double(parts))
    return;
  double caches = double(machine.numCaches(last));
  metrics.dramReadBytes =
      std::min<double>(metrics.dramReadBytes, caches * bytes);
  metrics.dramWriteBytes =
      std::min<double>(metrics.dramWriteBytes, caches * dirty);
}

} // namespace swizzle::simulation
