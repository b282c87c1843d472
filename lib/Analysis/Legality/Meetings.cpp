//===- Meetings.cpp - Workgroups that meet, in one reading or another -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Meetings.h.
//
//===----------------------------------------------------------------------===//

#include "Meetings.h"

#include "EveryGrid.h"
#include "swizzle/Analysis/Legality/Independence.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Support/GridText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace swizzle::analysis {

/// What a refusal rests on beside the kernel: "; judged for sizes that nobody
/// gave: block x = 32 (nominal)". A few will do.
static std::string describeAssumedSizes(const KernelModel &model) {
  constexpr size_t shown = 4;
  if (model.assumed.empty())
    return "";
  size_t count = std::min(model.assumed.size(), shown);
  std::string more =
      model.assumed.size() > shown
          ? ", and " + std::to_string(model.assumed.size() - shown) + " more"
          : "";
  auto anySays = [&](StringRef what) {
    return llvm::any_of(model.assumed,
                        [&](StringRef one) { return one.contains(what); });
  };
  const char *how = "; judged for sizes that nobody gave: ";
  if (!anySays("(nominal)") && model.isLaunched)
    how = "; as one launch has it: ";
  else if (anySays("(nominal)") && anySays("(claimed)"))
    how = "; judged for sizes, of which nobody gave the nominal ones: ";
  // A block that is another than the kernel was written for is the usual
  // reason.
  auto isOfBlock = [](StringRef one) { return one.starts_with("block "); };
  std::vector<std::string> sizes;
  llvm::copy_if(model.assumed, std::back_inserter(sizes), isOfBlock);
  llvm::copy_if(model.assumed, std::back_inserter(sizes),
                [&](StringRef one) { return !isOfBlock(one); });
  return how + llvm::join(ArrayRef(sizes).take_front(count), ", ") + more;
}

std::optional<KernelModel> withoutCopies(const KernelModel &model,
                                         ArrayRef<IdReading> readings) {
  std::array<bool, 3> isUsed{};
  for (const IdReading &reading : readings)
    isUsed[reading.axis] = isUsed[reading.axis] || !isUnused(reading.op);
  Grid grid = model.grid;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!isUsed[axis])
      grid[axis] = 1;
  if (grid == model.grid || !mayBeDoneTwice(model))
    return std::nullopt;
  KernelModel result = model;
  result.grid = grid;
  return result;
}

/// Of a write to a place that is the same for several workgroups, if there is
/// one.
static std::optional<KernelRefusal>
refuseSharedWrite(FunctionOpInterface kernel, const KernelModel &model,
                  const Independence &independence) {
  const NotModelled *shared = independence.sharedWrite;
  if (!shared)
    return std::nullopt;
  WorkgroupId first, second;
  int64_t *along[] = {&second.x, &second.y, &second.z};
  *along[independence.sharedAxis] = 1;
  std::string name =
      shared->buffer >= 0 ? " of " + model.buffers[shared->buffer].name : "";
  return KernelRefusal{
      "cross-workgroup-write",
      "workgroups write bytes" + name + " by " + shared->what + " (" +
          shared->reason +
          ") where others do, wherever that is, so that their order matters",
      "workgroups " + toString(first, model.grid) + " and " +
          toString(second, model.grid) + " both write to it" +
          (shared->location == "unknown" ? "" : " at " + shared->location),
      kernel.getLoc()};
}

std::optional<KernelRefusal> refuseWhatMeets(FunctionOpInterface kernel,
                                             const KernelModel &model,
                                             const Independence &independence) {
  if (!independence.mayClash.empty())
    return KernelRefusal{"atomic-not-commutative", independence.mayClash, "",
                         kernel.getLoc()};
  if (!independence.counterexample)
    return refuseSharedWrite(kernel, model, independence);
  const CrossWorkgroupAccess &found = *independence.counterexample;
  StringRef name = model.buffers[found.writes.buffer].name;
  auto update = [](const Access &access) {
    return access.update.empty() ? "update that may not be aligned to its width"
                                 : access.update;
  };
  if (found.updates())
    return KernelRefusal{"atomic-not-commutative",
                         "the atomic " + update(found.writes) +
                             " does not commute with the " +
                             update(found.touches) + " of the same memory",
                         found.describe(model), kernel.getLoc()};
  bool written = found.touches.kind != AccessKind::Read;
  return KernelRefusal{"cross-workgroup-write",
                       ("a workgroup writes bytes of " + name +
                        " that another one " + (written ? "writes" : "reads") +
                        (independence.ifMemorySaysSo
                             ? ", if what memory or an argument holds says so"
                             : "") +
                        ", so that their order matters")
                               .str() +
                           describeAssumedSizes(model),
                       found.describe(model), kernel.getLoc()};
}

std::optional<KernelRefusal> refuseElsewhere(FunctionOpInterface kernel,
                                             const KernelReading &reading,
                                             ArrayRef<IdReading> readings) {
  if (reading.elsewhere.empty())
    return std::nullopt;
  JudgedAccesses judged = accessesOf(reading.model);
  for (const OtherWay &way : reading.elsewhere) {
    std::optional<KernelModel> once = withoutCopies(way.model, readings);
    const KernelModel &asked = once ? *once : way.model;
    Independence found = way.hasOtherNumbers
                             ? judgeIndependence(asked)
                             : judgeOtherwise(asked, judged, way.atKnownPlaces);
    if (auto refusal = refuseWhatMeets(kernel, way.model, found)) {
      if (!way.where.empty())
        refusal->message += "; on a way that is taken where " + way.where +
                            ", which nothing that was given decides";
      return refusal;
    }
  }
  return std::nullopt;
}

std::optional<KernelRefusal> refuseForOtherSizes(FunctionOpInterface kernel,
                                                 const KernelReading &reading,
                                                 ArrayRef<IdReading> readings) {
  if (reading.otherSizes.empty())
    return std::nullopt;
  auto judge = [&](const KernelModel &model, StringRef buffer) {
    std::optional<KernelModel> once = withoutCopies(model, readings);
    return judgeFarApart(once ? *once : model, buffer);
  };
  for (const Buffer &buffer : reading.model.buffers) {
    Independence found = judge(reading.model, buffer.name);
    if (!found.counterexample ||
        llvm::any_of(reading.otherSizes, [&](const KernelModel &model) {
          return !judge(model, buffer.name).counterexample;
        }))
      continue;
    std::optional<KernelRefusal> refusal =
        refuseWhatMeets(kernel, reading.model, found);
    refusal->message += "; and for others, however they differ";
    return refusal;
  }
  return std::nullopt;
}

} // namespace swizzle::analysis
