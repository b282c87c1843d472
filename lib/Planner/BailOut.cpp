//===- BailOut.cpp - Why no order can help --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel must have for an order to matter: data that workgroups share or
// that they scatter, units that wait for each other, and time that is spent on
// memory. Looked at before anything is searched.
//
//===----------------------------------------------------------------------===//

#include "BailOut.h"

#include "Constants.h"
#include "Orders/Folding.h"
#include "Trials/Constants.h"
#include "Trials/Evaluation.h"
#include "swizzle/Planner/Planner.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace swizzle {

using namespace planner;

/// True if orders can matter at all: some buffer is shared or overlaps along an
/// axis, or has fewer bytes than its workgroups ask for together.
static bool hasReuse(const KernelModel &model, const ReuseTable &reuse) {
  for (const BufferReuse &buffer : reuse.buffers) {
    for (AxisReuse axis : buffer.axis)
      if (axis == AxisReuse::Shared || axis == AxisReuse::Overlap)
        return true;
    for (int64_t distance : buffer.distance)
      if (distance)
        return true;
    int64_t bytes = model.buffers[buffer.buffer].bytes;
    if (bytes > 0 &&
        double(buffer.bytesPerWorkgroup) * double(model.grid.count()) >
            1.05 * double(bytes))
      return true;
  }
  return false;
}

/// Relative gain of a kernel that does `metrics` if memory were used in whole
/// blocks.
static double gainOfWholeBlocks(const Metrics &metrics) {
  double time = metrics.timeUs / factorOfPhases(metrics);
  return time > metrics.scatterUs ? time / (time - metrics.scatterUs) - 1 : 0;
}

bool planner::leavesUnitsIdle(const Metrics &metrics) {
  return metrics.unevenWorkgroups &&
         metrics.busyUnits < SearchConstants::busyEnough;
}

std::optional<BailOut> whyNoOrderHelps(const KernelModel &model,
                                       const ReuseTable &reuse,
                                       const Metrics &metrics, double margin) {
  if (model.grid.count() <= 1)
    return BailOut{"single-workgroup", "the grid has a single workgroup"};
  // What is not modelled may be shared, and may be what memory is busy with.
  std::vector<const NotModelled *> unseen = model.unseen();
  bool complete = unseen.empty();
  auto missing = [&] {
    const NotModelled &first = *unseen.front();
    std::string more;
    if (unseen.size() > 1)
      more = llvm::formatv(", and {0} more", unseen.size() - 1);
    return BailOut{"not-modelled",
                   "in what is modelled, nothing can be gained; not "
                   "modelled: " +
                       first.what + " (" + first.reason + ")" + more};
  };
  double whole = gainOfWholeBlocks(metrics);
  auto sharesAsFolded = [&] {
    std::optional<Folding> folding = findFolding(model);
    if (!folding)
      return false;
    KernelModel folded = folding->fold(model);
    return hasReuse(folded, analyseReuse(folded, reuse.lineBytes));
  };
  if (!hasReuse(model, reuse) && !sharesAsFolded() &&
      (whole <= 0 ||
       whole < std::max(margin, EvaluationConstants::scatterMargin)) &&
      !leavesUnitsIdle(metrics))
    return complete
               ? BailOut{"no-reuse", "no two workgroups touch the same lines"}
               : missing();
  if (metrics.roofline.empty())
    return std::nullopt;
  double possible = possibleGain(metrics);
  if (possible >= margin)
    return std::nullopt;
  if (!complete)
    return missing();
  return BailOut{"not-memory-bound",
                 llvm::formatv("even without any traffic that an order "
                               "changes the kernel would be only {0:P1} faster",
                               possible)};
}

} // namespace swizzle
