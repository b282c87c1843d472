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

#include "swizzle/Codegen/Host/Check.h"

#include "ChooseWorkgroups.h"
#include "Effects.h"
#include "JudgeRaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

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
  void choose();
  llvm::Error judge(llvm::Error error);
  llvm::Error compareAt(int64_t id, ThreadOrder order);
  llvm::Error compareChosen(Inputs inputs);
  llvm::Error compareUnusual();
  bool movesWorkgroups();
  llvm::Error judgeRaces(ModuleOp original, llvm::StringRef name);
  llvm::Error judgeVariant(ModuleOp original, ModuleOp variant,
                           llvm::StringRef name, bool isJudged);
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
  int64_t longest = 0; ///< steps of a workgroup of the original
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
  compiled = HostKernel::compile(*other, same, before.get());
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

/// Which workgroups are run; a formula that is no permutation fails the check.
void Checker::choose() {
  std::string wrong;
  permutation = evaluateEverywhere(formula, result.grid, wrong);
  if (!wrong.empty()) {
    fail(std::move(wrong));
    return;
  }
  corners = addCorners(result.grid, permutation, chosen);
  addSample(result.grid, options, chosen);
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
  longest = std::max(longest, before->stepCount());
  before->restore();
  if (llvm::Error error = after->run(place, order, Recording::Writes))
    return judge(std::move(error));
  Effects found = collectEffects(*after);
  accesses += workOf(*after);
  after->restore();
  wrote |= !expected.empty();
  for (const Effects::Piece &piece : expected.pieces)
    result.atomics |= piece.floatAtomic;
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

/// The chosen workgroups with one kind of contents. Plain contents decide how
/// many there are; the others run as many of them as fit a quarter of the
/// budget.
llvm::Error Checker::compareChosen(Inputs inputs) {
  bool plain = inputs == Inputs::Plain;
  int64_t limit =
      plain ? options.accessBudget : accesses + options.accessBudget / 4;
  size_t least = plain ? corners : 2;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (i >= least && accesses > limit)
      break;
    bool both = plain && i < 2;
    for (int turn = 0; turn < (both ? 2 : 1); ++turn) {
      ThreadOrder order =
          (i + turn) % 2 ? ThreadOrder::Descending : ThreadOrder::Ascending;
      if (llvm::Error error = compareAt(chosen[i], order))
        return error;
      if (result.status == CheckStatus::Failed) {
        if (!plain)
          result.message +=
              "; with " + toString(inputs).str() + " contents of the buffers";
        return llvm::Error::success();
      }
    }
    result.workgroups += plain;
  }
  return llvm::Error::success();
}

/// What plain contents cannot tell. If the original fails on them there
/// is nothing to compare with.
llvm::Error Checker::compareUnusual() {
  // Loops that wait for a number to get small may never see it.
  int64_t steps = std::min(options.host.maxSteps, 64 * longest + (1 << 20));
  before->limit(options.host.maxAccesses, steps);
  after->limit(options.host.maxAccesses,
               std::min(options.host.maxSteps, 4 * steps));
  for (Inputs inputs : {Inputs::Signed, Inputs::Extreme}) {
    if (llvm::Error error = before->refill(inputs))
      return error;
    if (llvm::Error error = after->refill(inputs))
      return error;
    if (llvm::Error error = compareChosen(inputs)) {
      // Limits of the variant alone are no less than those of the original.
      result.notes.push_back(
          "not compared with " + toString(inputs).str() +
          " contents of the buffers: " + llvm::toString(std::move(error)));
      continue;
    }
    if (result.status == CheckStatus::Failed)
      break;
  }
  return llvm::Error::success();
}

llvm::Error Checker::runAll(ModuleOp original, ModuleOp variant,
                            llvm::StringRef name) {
  if (llvm::Error error = compileBoth(original, variant, name))
    return error;
  choose();
  if (result.status == CheckStatus::Failed)
    return llvm::Error::success();
  if (llvm::Error error = compareChosen(Inputs::Plain))
    return error;
  result.complete = result.workgroups == result.grid.count();
  if (result.status == CheckStatus::Failed)
    return llvm::Error::success();
  if (!wrote)
    return llvm::make_error<UncheckedError>(
        "no workgroup that was run wrote anything");
  if (llvm::Error error = compareUnusual())
    return error;
  if (result.status == CheckStatus::Failed)
    return llvm::Error::success();
  result.status = CheckStatus::Passed;
  if (!options.races)
    return llvm::Error::success();
  bool moves = movesWorkgroups();
  if (moves)
    if (llvm::Error error = judgeRaces(original, name))
      return error;
  if (result.status == CheckStatus::Passed)
    return judgeVariant(original, variant, name, moves);
  return llvm::Error::success();
}

/// False if the formula is the identity wherever it was evaluated.
bool Checker::movesWorkgroups() {
  for (size_t id = 0; id < permutation.size(); ++id)
    if (permutation[id] != id)
      return true;
  if (!permutation.empty())
    return false;
  for (int64_t id : chosen) {
    WorkgroupId place = delinearise(id, result.grid);
    auto tile = formula.evaluate(place);
    if (!tile) {
      // Not the identity; the comparison of this workgroup reports the fault.
      llvm::consumeError(tile.takeError());
      return true;
    }
    if (*tile != place)
      return true;
  }
  return false;
}

/// A remap changes which of two workgroups comes first: it may not matter.
llvm::Error Checker::judgeRaces(ModuleOp original, llvm::StringRef name) {
  auto kernel = findKernel(original, name);
  if (!kernel)
    return kernel.takeError();
  RaceVerdict verdict = host::judgeRaces(*kernel, *before, options);
  switch (verdict.kind) {
  case RaceVerdict::Kind::Harmless:
    break;
  case RaceVerdict::Kind::Note:
    result.notes.push_back(std::move(verdict.text));
    break;
  case RaceVerdict::Kind::Unchecked:
    return llvm::make_error<UncheckedError>(std::move(verdict.text));
  case RaceVerdict::Kind::Race:
    fail(std::move(verdict.text));
    break;
  }
  return llvm::Error::success();
}

/// Workgroups that run one after the other do not show whether updates of the
/// variant are still atomic. What races in the original, too, is no difference.
llvm::Error Checker::judgeVariant(ModuleOp original, ModuleOp variant,
                                  llvm::StringRef name, bool isJudged) {
  auto kernel = findKernel(variant, name);
  if (!kernel)
    return kernel.takeError();
  RaceVerdict verdict =
      host::judgeRaces(*kernel, *after, options, Whose::Variant);
  if (verdict.kind != RaceVerdict::Kind::Race)
    return llvm::Error::success();
  if (!isJudged) {
    auto same = findKernel(original, name);
    if (!same)
      return same.takeError();
    if (host::judgeRaces(*same, *before, options).kind ==
        RaceVerdict::Kind::Race)
      return llvm::Error::success();
  }
  fail(std::move(verdict.text));
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

llvm::Expected<CheckedSizes> findCheckedSizes(ModuleOp original,
                                              llvm::StringRef name,
                                              const CheckOptions &options) {
  auto kernel = findKernel(original, name);
  if (!kernel)
    return kernel.takeError();
  LaunchSizes sizes =
      findLaunchSizes(*kernel, options.host.grid, options.host.block);
  KernelModel model = buildKernelModel(*kernel, sizes);
  Grid grid = model.grid;
  if (options.host.grid && grid != *options.host.grid)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "grid " + toString(*options.host.grid) + " is asked for, but " +
            kernel->getName() + " is launched with " + toString(grid));
  return CheckedSizes{grid, options.host.block.value_or(model.block),
                      !sizes.grid.isStatic()};
}

} // namespace swizzle
