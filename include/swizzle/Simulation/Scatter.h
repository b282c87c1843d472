//===- Scatter.h - What memory spends on scattered data ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order may move no fewer bytes than another and take less time, because
// what is in flight lies together. This looks at the order alone, without any
// cache: a search can ask it of many orders.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SIMULATION_SCATTER_H
#define SWIZZLE_SIMULATION_SCATTER_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelModel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <vector>

namespace swizzle {

class ScatterModel {
public:
  /// `model` must be one that `simulate` takes, and must outlive this.
  ScatterModel(const KernelModel &model, const HardwareSpec &hardware);
  ScatterModel(ScatterModel &&) noexcept;
  ~ScatterModel();

  /// False if nothing is known of the chip: all shares are 0.
  bool isKnown() const;

  /// By what share of the time of its bytes memory takes longer.
  struct Shares {
    double reads = 0, writes = 0;
  };
  /// `tilesOf` gives the tiles of some workgroups: the first one, how many.
  Shares
  of(llvm::function_ref<std::vector<uint32_t>(int64_t, int64_t)> tilesOf);

  /// Work units that all calls took.
  double work() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace swizzle

#endif // SWIZZLE_SIMULATION_SCATTER_H
