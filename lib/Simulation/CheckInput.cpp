//===- CheckInput.cpp - What can be simulated -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CheckInput.h.
//
//===----------------------------------------------------------------------===//

#include "CheckInput.h"

#include "Figures.h"
#include "Machine/Machine.h"
#include "swizzle/Kernel/Trace.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace swizzle::simulation {

namespace {

llvm::Error fail(const std::string &message) {
  return llvm::createStringError(message);
}

/// Calls `fn` with each access to memory in `body`.
void forEachAccess(const std::vector<Statement> &body,
                   llvm::function_ref<void(const Access &)> fn) {
  for (const Statement &statement : body) {
    if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      forEachAccess(loop->body, fn);
    } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      forEachAccess(guard->body, fn);
      forEachAccess(guard->otherwise, fn);
    } else if (const auto *access = std::get_if<Access>(&statement.node)) {
      fn(*access);
    }
  }
}

/// Lines that one access of a whole workgroup touches, about, and each as often
/// as it is listed.
double linesOf(const Access &access, const KernelModel &model) {
  constexpr double usualLine = 128;
  double lines = std::max(1.0, double(access.bytes) / usualLine);
  for (const BoxDim &dim : access.box)
    lines *= double(dim.count);
  return access.issuer == Issuer::Workgroup ? lines
                                            : lines * double(model.threads());
}

} // namespace

llvm::Error checkInput(const KernelModel &model, const Trace *trace,
                       llvm::ArrayRef<uint32_t> permutation,
                       const SimulationOptions &options) {
  if (std::string wrong = verify(model); !wrong.empty())
    return fail("model of " + model.name + ": " + wrong);
  if (!model.grid.isStatic() || !model.block.isStatic() || model.threads() < 1)
    return fail("grid and block of " + model.name +
                " must be known to simulate it");
  int64_t workgroups = model.grid.count();
  if (workgroups < 1)
    return fail("the grid of " + model.name + " has no workgroup");
  if (workgroups > INT32_MAX)
    return fail(llvm::formatv("the grid of {0} has {1} workgroups; at most {2} "
                              "can be simulated",
                              model.name, workgroups, INT32_MAX));
  if (model.threads() > 65536)
    return fail(llvm::formatv("a workgroup of {0} has {1} threads; at most "
                              "65536 can be simulated",
                              model.name, model.threads()));
  if (trace && trace->steps.empty())
    return fail("the trace of " + model.name + " has no access");
  const Access *largest = nullptr;
  forEachAccess(model.body, [&](const Access &access) {
    if (!largest || linesOf(access, model) > linesOf(*largest, model))
      largest = &access;
  });
  if (!trace && !largest)
    return fail("no access of " + model.name + " to global memory is modelled");
  if (!trace && linesOf(*largest, model) > kMostLinesOfAccess)
    return fail(llvm::formatv(
        "one access of {0} moves {1} bytes a thread at a time, some {2:f0} "
        "cache lines a workgroup; at most {3:f0} can be simulated",
        model.name, largest->bytes, linesOf(*largest, model),
        kMostLinesOfAccess));
  if (!permutation.empty() &&
      (static_cast<int64_t>(permutation.size()) <
           workgroupsOf(workgroups, options.prefix) ||
       static_cast<int64_t>(permutation.size()) > workgroups))
    return fail(llvm::formatv("the order has {0} workgroups, the grid of {1} "
                              "has {2}",
                              permutation.size(), model.name, workgroups));
  for (uint32_t id : permutation)
    if (id >= workgroups)
      return fail(
          llvm::formatv("the order names workgroup {0}, the grid of {1} "
                        "has {2}",
                        id, model.name, workgroups));
  if (!(options.prefix > 0 && options.prefix <= 1))
    return fail(
        "the simulated share of the grid must be above 0 and at most 1");
  if (!(options.warmUp >= 0 && options.warmUp < 1))
    return fail(
        "the part that fills the caches must be at least 0 and below 1");
  if (options.sampleShift > kMostSampleShift)
    return fail(llvm::formatv("at most one line in {0} (sampleShift {1}) can "
                              "be sampled",
                              1u << kMostSampleShift, kMostSampleShift));
  if (!(options.depth > 0 && options.depth <= 1))
    return fail("the share of each workgroup's steps must be above 0 and at "
                "most 1");
  if (trace && (options.depth < 1 || options.mostWork < HUGE_VAL))
    return fail("the steps of a recording are simulated all or not at all");
  if (options.launches < 1 || options.launches > kMostLaunches)
    return fail(llvm::formatv("a launch can be repeated 1 to {0} times",
                              kMostLaunches));
  if (options.launches > 1 &&
      (options.prefix < 1 || options.depth < 1 || options.mostWork < HUGE_VAL))
    return fail("what is repeated must be the whole launch");
  if (!(options.capacityScale > 0))
    return fail("the capacity scale must be above 0");
  return llvm::Error::success();
}

} // namespace swizzle::simulation
