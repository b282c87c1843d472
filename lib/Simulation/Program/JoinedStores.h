//===- JoinedStores.h - Stores that leave a compute unit as one -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave that writes four numbers a thread, one by one, touches each sector
// four times. Where its stores follow each other at once, they are joined
// before they reach the shared level:
//
//   out[4 t] = a;  out[4 t + 1] = b;  out[4 t + 2] = c;  out[4 t + 3] = d
//
// is 64 sectors of four instructions, or the 16 sectors of one. They do follow
// at once if nothing that lies between has to wait for memory: reads of data
// that nobody writes (buffers that overlap no other) are issued before all of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_PROGRAM_JOINEDSTORES_H
#define SWIZZLE_LIB_SIMULATION_PROGRAM_JOINEDSTORES_H

#include "swizzle/Kernel/KernelModel.h"

#include <map>
#include <set>
#include <vector>

namespace swizzle::simulation {

class JoinedStores {
public:
  /// Of a kernel, those that lie less than `reach` bytes apart in each thread;
  /// `reach` 0: none.
  JoinedStores(const KernelModel &model, int64_t reach);

  /// What is issued with the last one of a group: where each of them begins,
  /// from that on. Empty for one that is not the last of any.
  const std::vector<int64_t> &offsetsOf(const Access &access) const;
  /// True of those that a later one takes along.
  bool isTakenAlong(const Access &access) const {
    return takenAlong.count(&access);
  }

private:
  void noteWrites(const std::vector<Statement> &body);
  void find(const std::vector<Statement> &body);
  bool staysInGroup(const Statement &statement) const;
  void close(std::vector<const Access *> &group);

  int64_t reach;
  std::vector<bool> onlyRead; ///< by buffer: nobody writes it meanwhile
  std::map<const Access *, std::vector<int64_t>> offsets;
  std::set<const Access *> takenAlong;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_PROGRAM_JOINEDSTORES_H
