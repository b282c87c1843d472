//===- EveryGrid.cpp - Independence whatever the grid ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel whose grid nobody knows is judged on an example grid, which is an
// assumption. It is none if workgroups stay apart on the largest grid, and if
// that was read without any size that is not known:
//
//   a[64 * x + t] = ...      block 64: apart for all x below 2^31
//   a[n * x + t] = ...       n is an argument: not proved
//
// The workgroups of a smaller grid are some of those of the largest one, and do
// the same there. Along an axis whose id the kernel does not read, workgroups
// do the same as each other. What they write twice is the same bytes with the
// same values if no memory is both read and written.
//
//===----------------------------------------------------------------------===//

#include "EveryGrid.h"

#include "../Sites/AccessSites.h"
#include "swizzle/Analysis/Legality/Independence.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace swizzle::analysis {

bool mayBeDoneTwice(const KernelModel &model) {
  struct Effect {
    AccessKind kind;
    llvm::StringRef update;
  };
  std::vector<std::optional<Effect>> firsts(model.buffers.size());
  auto agrees = [&](uint32_t buffer, AccessKind kind, llvm::StringRef update) {
    std::optional<Effect> &first = firsts[buffer];
    if (!first)
      first = Effect{kind, update};
    bool commutes = kind != AccessKind::Atomic || !update.empty();
    return first->kind == kind && first->update == update && commutes;
  };
  for (const AccessSite &site : collectAccessSites(model))
    if (!agrees(site.access->buffer, site.access->kind, site.access->update))
      return false;
  return llvm::all_of(model.notModelled, [&](const NotModelled &access) {
    return access.buffer >= 0 &&
           agrees(access.buffer, access.kind, access.update);
  });
}

/// True if workgroups of the same ids that the kernel reads may run in any
/// order.
static bool copiesAgree(const KernelModel &model) {
  return llvm::none_of(model.grid.extent, [](int64_t e) { return e == 1; }) ||
         mayBeDoneTwice(model);
}

std::optional<KernelModel> proveOnEveryGrid(FunctionOpInterface kernel,
                                            LaunchSizes sizes,
                                            const KernelReading &launched,
                                            const ModuleFacts &module) {
  if (!sizes.block.isStatic())
    return std::nullopt;
  sizes.grid = Grid(kUnknownExtent, kUnknownExtent, kUnknownExtent);
  sizes.everyGrid = sizes.anyWay = true;
  KernelReading reading = readKernel(kernel, sizes, module);
  const KernelModel &model = reading.model;
  // A buffer that a launch passes twice is two here.
  auto hasSameBuffers = [&](const KernelModel &other) {
    return other.buffers.size() == model.buffers.size();
  };
  if (!hasSameBuffers(launched.model) ||
      !llvm::all_of(launched.others, hasSameBuffers))
    return std::nullopt;
  // Sizes that are assumed, and what is not modelled, are among its assumptions
  // where they matter.
  Independence found = judgeIndependence(model);
  bool proved = !reading.refusal && !found.counterexample &&
                found.assumptions.empty() && copiesAgree(model);
  if (!proved)
    return std::nullopt;
  return std::move(reading.model);
}

std::optional<KernelModel> readForAllArguments(FunctionOpInterface kernel,
                                               LaunchSizes sizes,
                                               const ModuleFacts &module,
                                               bool anyWay) {
  if (!sizes.grid.isStatic() || !sizes.block.isStatic())
    return std::nullopt;
  sizes.anyWay = anyWay;
  sizes.everyGrid = true; // of one grid, here: but no argument is bound
  KernelReading reading = readKernel(kernel, sizes, module);
  if (reading.refusal || !reading.model.assumed.empty())
    return std::nullopt;
  return std::move(reading.model);
}

} // namespace swizzle::analysis
