//===- EachWorkgroup.cpp - Accesses compared one by one -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a workgroup touches is rows of bytes, rows of those, and so on.
// Addresses are written as numbers whose digits count these rows, which makes
// boxes of what is touched: a tile of a matrix is some rows, and some bytes of
// each.
//
//   pitch 4096, tile of 64 rows of 256 bytes at 64 * 4096 + 512:
//     rows [64, 127], bytes [512, 767]
//
// Every number has one row and one place in it, so that boxes that are apart
// are bytes that are. A tile that goes beyond the end of a row counts as all of
// its rows.
//
//===----------------------------------------------------------------------===//

#include "EachWorkgroup.h"

#include "BoxCuts.h"
#include "NearPairs.h"
#include "WorkgroupBoxes.h"
#include "swizzle/Formula/Formula.h"
#include "swizzle/Support/IntegerMath.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace swizzle::analysis {

/// Boxes of all workgroups, and what each takes beside the terms of its
/// address.
static constexpr uint64_t kMaxBoxes = uint64_t(1) << 20;
static constexpr uint64_t kWorkOfBox = 20;
static constexpr size_t kMaxRadices = 4;

namespace {
class EachWorkgroup {
public:
  EachWorkgroup(const KernelModel &model,
                llvm::ArrayRef<const AccessSite *> sites, WorkBudget &budget)
      : model(model), sites(sites), digits(model), budget(budget) {}

  bool run();

private:
  bool isSmall();
  bool chooseRadices();
  bool enumerate();
  void addBox(const StridedBytes &touched, uint32_t workgroup, uint32_t effect);

  const KernelModel &model;
  llvm::ArrayRef<const AccessSite *> sites;
  DigitView digits;
  std::vector<WorkgroupBoxes> touches; ///< by site
  std::vector<uint32_t> effects; ///< by site: the first that does the same
  std::vector<int64_t> radices;  ///< falling
  Wide origin = 0;               ///< what rows are counted from
  Boxes boxes;
  WorkBudget &budget;
};
} // namespace

/// False if there are too many workgroups to go through.
bool EachWorkgroup::isSmall() {
  uint64_t work = 0;
  for (const AccessSite *site : sites) {
    touches.emplace_back(model, digits, *site);
    effects.push_back(
        llvm::find_if(sites,
                      [&](const AccessSite *other) {
                        return other->access->kind == site->access->kind &&
                               other->access->update == site->access->update;
                      }) -
        sites.begin());
    work += touches.back().work() + kWorkOfBox;
  }
  uint64_t count = 1, most = kMaxBoxes / std::max<size_t>(sites.size(), 1);
  for (int64_t extent : model.grid.extent) {
    if (extent < 1 || uint64_t(extent) > most)
      return false;
    count *= uint64_t(extent);
    if (count > most)
      return false;
  }
  return budget.spend(count * work);
}

/// The strides of the steps in some workgroups, and a place where a row may
/// begin.
bool EachWorkgroup::chooseRadices() {
  int64_t last = model.grid.count() - 1;
  bool isFirst = true;
  for (int64_t id : {int64_t(0), last / 2, last})
    for (WorkgroupBoxes &site : touches) {
      StridedBytes touched;
      auto result = site.touch(delinearise(id, model.grid), touched);
      if (result == WorkgroupBoxes::Result::Unknown)
        return false;
      if (result == WorkgroupBoxes::Result::Nothing)
        continue;
      origin = isFirst ? touched.first : std::min(origin, touched.first);
      isFirst = false;
      for (const StridedBytes::Step &step : touched.steps)
        if (!llvm::is_contained(radices, step.stride))
          radices.push_back(step.stride);
    }
  llvm::sort(radices, std::greater<>());
  if (radices.size() > kMaxRadices)
    radices.resize(kMaxRadices);
  boxes.dims = unsigned(radices.size()) + 1;
  return true;
}

/// Digit by digit: from where to where the digits of what is touched may go.
void EachWorkgroup::addBox(const StridedBytes &touched, uint32_t workgroup,
                           uint32_t effect) {
  Wide place = touched.first - origin;
  StridedBytes left = touched;
  boxes.workgroups.push_back(workgroup);
  boxes.effects.push_back(effect);
  bool isOver = false; // beyond the end of a row: the digits below may be any
  for (int64_t radix : radices) {
    if (isOver) {
      boxes.ends.insert(boxes.ends.end(), {0, INT64_MAX});
      continue;
    }
    Wide rows = 0, span = left.bytes;
    llvm::erase_if(left.steps, [&](const StridedBytes::Step &step) {
      Wide reach = Wide(step.stride) * (step.count - 1);
      bool isWhole = step.stride % radix == 0;
      (isWhole ? rows : span) += isWhole ? reach / radix : reach;
      return isWhole;
    });
    Wide row = floorDiv<Wide>(place, radix);
    place -= row * radix;
    isOver = place + span > radix;
    if (isOver)
      rows += (place + span - 1) / radix;
    boxes.ends.insert(boxes.ends.end(), {int64_t(row), int64_t(row + rows)});
  }
  Wide span = left.bytes;
  for (const StridedBytes::Step &step : left.steps)
    span += Wide(step.stride) * (step.count - 1);
  if (isOver)
    boxes.ends.insert(boxes.ends.end(), {0, INT64_MAX});
  else
    boxes.ends.insert(boxes.ends.end(),
                      {int64_t(place), int64_t(place + span - 1)});
}

/// False if what a workgroup touches has no bound.
bool EachWorkgroup::enumerate() {
  int64_t count = model.grid.count();
  for (int64_t id = 0; id < count; ++id) {
    WorkgroupId at = delinearise(id, model.grid);
    for (auto [index, site] : llvm::enumerate(touches)) {
      StridedBytes touched;
      auto result = site.touch(at, touched);
      if (result == WorkgroupBoxes::Result::Unknown)
        return false;
      if (result == WorkgroupBoxes::Result::Touched)
        addBox(touched, uint32_t(id), effects[index]);
    }
  }
  return true;
}

bool EachWorkgroup::run() {
  if (!isSmall() || !chooseRadices() || !enumerate())
    return false;
  auto conflicts = [&](uint32_t a, uint32_t b) {
    return conflict(*sites[a]->access, *sites[b]->access);
  };
  return areApart(boxes, conflicts, budget);
}

bool stayApartOneByOne(const KernelModel &model,
                       llvm::ArrayRef<const AccessSite *> sites,
                       WorkBudget &budget) {
  return EachWorkgroup(model, sites, budget).run();
}

} // namespace swizzle::analysis
