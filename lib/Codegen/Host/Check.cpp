//===- Check.cpp - Does a variant do what the original did? ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses workgroups, runs both kernels, compares. Threads get their turn in
// ascending order in one workgroup and in descending order in the next (in both
// orders in the first ones), so that a barrier that the variant lacks is seen
// whichever way its data flow.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Check.h"

#include "Effects.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "swizzle/Analysis/KernelAnalysis.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <random>

using namespace mlir;

namespace swizzle {

using namespace host;

llvm::StringRef toString(CheckStatus status) {
  return status == CheckStatus::Passed   ? "passed"
         : status == CheckStatus::Failed ? "failed"
                                         : "unchecked";
}

llvm::Expected<FunctionOpInterface> findKernel(ModuleOp module,
                                               llvm::StringRef name) {
  auto found = selectKernels(module, name);
  if (!found)
    return found.takeError();
  if (found->size() == 1)
    return found->front();
  std::string names;
  for (FunctionOpInterface kernel : *found)
    names += (names.empty() ? "" : ", ") + kernelPath(kernel);
  return llvm::createStringError("several kernels fit, name one: " + names);
}

namespace {

constexpr int64_t kEnumerated = int64_t(1) << 22;

class Checker {
public:
  Checker(const BoundFormula &formula, const CheckOptions &options)
      : formula(formula), options(options) {
    result.seed = options.host.seed;
  }

  CheckResult run(ModuleOp original, ModuleOp variant, llvm::StringRef name);

private:
  llvm::Error runAll(ModuleOp original, ModuleOp variant, llvm::StringRef name);
  llvm::Error compileBoth(ModuleOp original, ModuleOp variant,
                          llvm::StringRef name);
  llvm::Error enumerate();
  void choose();
  llvm::Error judge(llvm::Error error);
  llvm::Error compareAt(int64_t id, ThreadOrder order);
  void fail(std::string message) {
    result.status = CheckStatus::Failed;
    result.message = std::move(message);
  }
  std::string nameOf(WorkgroupId id) const { return toString(id, result.grid); }

  const BoundFormula &formula;
  const CheckOptions &options;
  CheckResult result;
  std::unique_ptr<HostKernel> before, after;
  std::vector<uint32_t> permutation; ///< empty on huge grids
  llvm::SetVector<int64_t> chosen;   ///< linear ids of the variant
  size_t corners = 0;                ///< the first so many are always run
  bool wrote = false;
  int64_t accesses = 0;
};

/// Puts "variant: " in front, and turns what the variant does wrong into a
/// failure of the check.
llvm::Error Checker::compileBoth(ModuleOp original, ModuleOp variant,
                                 llvm::StringRef name) {
  auto kernel = findKernel(original, name);
  if (!kernel)
    return kernel.takeError();
  auto other = findKernel(variant, name);
  if (!other)
    return other.takeError();
  auto compiled = HostKernel::compile(*kernel, options.host);
  if (!compiled)
    return compiled.takeError();
  before = std::move(*compiled);
  result.grid = before->grid();
  result.block = before->block();
  HostOptions same = options.host;
  same.grid = before->grid();
  same.block = before->block();
  same.subgroupSize = before->subgroupSize();
  compiled = HostKernel::compile(*other, same);
  if (!compiled)
    return compiled.takeError();
  after = std::move(*compiled);
  auto alike = [](const HostBuffer &a, const HostBuffer &b) {
    return a.name == b.name && a.bytes == b.bytes &&
           a.elementBytes == b.elementBytes;
  };
  bool equal = before->buffers().size() == after->buffers().size();
  for (size_t i = 0; equal && i < before->buffers().size(); ++i)
    equal = alike(before->buffers()[i], after->buffers()[i]);
  if (!equal)
    return llvm::make_error<UncheckedError>(
        "original and variant take different arguments");
  if (formula.environment().grid != before->grid())
    return llvm::make_error<UncheckedError>(
        "the formula is for grid " + toString(formula.environment().grid) +
        ", the kernel is launched with " + toString(before->grid()));
  return llvm::Error::success();
}

/// Evaluates the formula everywhere, as far as that is affordable.
llvm::Error Checker::enumerate() {
  int64_t count = result.grid.count();
  if (count > kEnumerated)
    return llvm::Error::success();
  permutation.resize(count);
  if (llvm::Error error = formula.evaluate(0, permutation)) {
    fail(llvm::toString(std::move(error)));
    return llvm::Error::success();
  }
  std::vector<int64_t> from(count, -1);
  for (int64_t id = 0; id < count; ++id) {
    int64_t &first = from[permutation[id]];
    if (first >= 0) {
      fail("the formula is no permutation: workgroups " +
           nameOf(delinearise(first, result.grid)) + " and " +
           nameOf(delinearise(id, result.grid)) + " both map to " +
           nameOf(delinearise(permutation[id], result.grid)));
      return llvm::Error::success();
    }
    first = id;
  }
  return llvm::Error::success();
}

void Checker::choose() {
  const Grid &grid = result.grid;
  int64_t count = grid.count();
  auto addCorners = [&](auto add) {
    for (int corner = 0; corner < 8; ++corner)
      add(linearise({corner & 1 ? grid.x() - 1 : 0,
                     corner & 2 ? grid.y() - 1 : 0,
                     corner & 4 ? grid.z() - 1 : 0},
                    grid));
  };
  addCorners([&](int64_t id) { chosen.insert(id); });
  // Those that do the original's corners.
  if (!permutation.empty()) {
    llvm::SetVector<int64_t> tiles;
    addCorners([&](int64_t id) { tiles.insert(id); });
    for (int64_t id = 0; id < count; ++id)
      if (tiles.contains(permutation[id]))
        chosen.insert(id);
  }
  corners = chosen.size();
  if (count <= options.allUpTo) {
    for (int64_t id = 0; id < count; ++id)
      chosen.insert(id);
    return;
  }
  std::mt19937_64 random(options.host.seed);
  auto any = [&](int64_t extent) {
    return int64_t(random() % uint64_t(extent));
  };
  // Tails: anywhere on the last plane of each axis.
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < 2 && grid[axis] > 1; ++i) {
      WorkgroupId id{any(grid.x()), any(grid.y()), any(grid.z())};
      (axis == 0 ? id.x : axis == 1 ? id.y : id.z) = grid[axis] - 1;
      chosen.insert(linearise(id, grid));
    }
  for (int64_t i = 0; i < options.sample; ++i)
    chosen.insert(any(count));
}

/// What a run took, in accesses.
static int64_t workOf(const HostKernel &kernel) {
  return kernel.accessCount() + kernel.multiplyAdds() / 32;
}

/// What the variant did wrong fails the check; a limit that it reached does
/// not.
llvm::Error Checker::judge(llvm::Error error) {
  std::string limit;
  llvm::handleAllErrors(std::move(error), [&](const HostFault &fault) {
    if (fault.isLimit())
      limit = "the variant: " + fault.message;
    else
      fail(fault.message);
  });
  return limit.empty() ? llvm::Error::success()
                       : llvm::make_error<UncheckedError>(limit);
}

llvm::Error Checker::compareAt(int64_t id, ThreadOrder order) {
  WorkgroupId place = delinearise(id, result.grid);
  auto tile = formula.evaluate(place);
  if (!tile) {
    fail(llvm::toString(tile.takeError()));
    return llvm::Error::success();
  }
  if (llvm::Error error = before->run(*tile, order, Recording::Writes))
    return llvm::make_error<UncheckedError>("the original itself: " +
                                            llvm::toString(std::move(error)));
  Effects expected = collectEffects(*before);
  accesses += workOf(*before);
  before->restore();
  if (llvm::Error error = after->run(place, order, Recording::Writes))
    return judge(std::move(error));
  Effects found = collectEffects(*after);
  accesses += workOf(*after);
  after->restore();
  wrote |= !expected.empty();
  for (const Effects::Interval &interval : expected.intervals)
    result.atomics |= interval.floatAtomic;
  auto difference =
      compare(expected, found, before->buffers(), options.atomicTolerance);
  if (!difference)
    return llvm::Error::success();
  difference->variant = place;
  difference->original = *tile;
  fail(llvm::formatv(
      "workgroup {0} of the variant should do what workgroup {1} of the "
      "original does, but element {2} of {3} is {4} in the variant and {5} in "
      "the original",
      nameOf(place), nameOf(*tile), difference->element, difference->buffer,
      difference->variantValue, difference->originalValue));
  result.difference = std::move(difference);
  return llvm::Error::success();
}

llvm::Error Checker::runAll(ModuleOp original, ModuleOp variant,
                            llvm::StringRef name) {
  if (llvm::Error error = compileBoth(original, variant, name))
    return error;
  if (llvm::Error error = enumerate())
    return error;
  if (result.status == CheckStatus::Failed)
    return llvm::Error::success();
  choose();
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (i >= corners && accesses > options.accessBudget)
      break;
    bool both = i < 2;
    for (int turn = 0; turn < (both ? 2 : 1); ++turn) {
      ThreadOrder order =
          (i + turn) % 2 ? ThreadOrder::Descending : ThreadOrder::Ascending;
      if (llvm::Error error = compareAt(chosen[i], order))
        return error;
      if (result.status == CheckStatus::Failed)
        return llvm::Error::success();
    }
    ++result.workgroups;
  }
  result.complete = result.workgroups == result.grid.count();
  if (!wrote)
    return llvm::make_error<UncheckedError>(
        "no workgroup that was run wrote anything");
  result.status = CheckStatus::Passed;
  return llvm::Error::success();
}

CheckResult Checker::run(ModuleOp original, ModuleOp variant,
                         llvm::StringRef name) {
  auto start = std::chrono::steady_clock::now();
  if (llvm::Error error = runAll(original, variant, name)) {
    result.status = CheckStatus::Unchecked;
    result.message = llvm::toString(std::move(error));
  }
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return std::move(result);
}

} // namespace

CheckResult check(ModuleOp original, ModuleOp variant, llvm::StringRef name,
                  const BoundFormula &formula, const CheckOptions &options) {
  return Checker(formula, options).run(original, variant, name);
}

llvm::Expected<Grid> findCheckedGrid(ModuleOp original, llvm::StringRef name,
                                     const CheckOptions &options) {
  auto kernel = findKernel(original, name);
  if (!kernel)
    return kernel.takeError();
  LaunchSizes sizes =
      findLaunchSizes(*kernel, options.host.grid, options.host.block);
  Grid grid = buildKernelModel(*kernel, sizes).grid;
  if (options.host.grid && grid != *options.host.grid)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "grid " + toString(*options.host.grid) + " is asked for, but " +
            kernel->getName() + " is launched with " + toString(grid));
  return grid;
}

} // namespace swizzle
