//===- JudgeRaces.cpp - May the order of workgroups change? ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See JudgeRaces.h.
//
//===----------------------------------------------------------------------===//

#include "JudgeRaces.h"

#include "swizzle/Analysis/Legality/Independence.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Codegen/Host/FindRaces.h"

using namespace mlir;

namespace swizzle::host {

/// The sizes that the original was run with, as arguments.
static HostOptions sizesOf(FunctionOpInterface kernel, const KernelModel &model,
                           HostOptions options, const HostKernel &host) {
  options.grid = host.grid();
  options.block = host.block();
  options.subgroupSize = host.subgroupSize();
  for (const BoundSize &size : model.boundSizes) {
    HostArgument &argument = options.arguments[size.argument];
    if (size.dim < 0) {
      if (!argument.value)
        argument.value = size.value;
      continue;
    }
    auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[size.argument]);
    if (!type || !argument.shape.empty())
      continue;
    argument.shape.assign(type.getShape().begin(), type.getShape().end());
    for (const BoundSize &other : model.boundSizes)
      if (other.argument == size.argument && other.dim >= 0)
        argument.shape[other.dim] = other.value;
  }
  return options;
}

/// True if nobody gave a number among the arguments, or an extent of one.
static bool hasInventedSizes(const KernelModel &model) {
  return llvm::any_of(model.assumed, [](llvm::StringRef one) {
    return one.contains("(nominal)") && !one.starts_with("grid ") &&
           !one.starts_with("block ");
  });
}

/// True unless the analysis knows that workgroups meet, also under numbers that
/// were not made to fit together.
static bool mayStayApart(FunctionOpInterface kernel, const HostKernel &host) {
  LaunchSizes sizes = findLaunchSizes(kernel, host.grid(), host.block());
  sizes.fitNumbers = false;
  return !judgeIndependence(buildKernelModel(kernel, sizes)).counterexample;
}

RaceVerdict judgeRaces(FunctionOpInterface kernel, const HostKernel &host,
                       const CheckOptions &options, Whose whose) {
  using Kind = RaceVerdict::Kind;
  RaceOptions search;
  KernelModel model = buildKernelModel(
      kernel, findLaunchSizes(kernel, host.grid(), host.block()));
  search.host = sizesOf(kernel, model, options.host, host);
  search.allUpTo = options.allUpTo;
  search.sample = std::min<int64_t>(options.sample, 16);
  search.maxSteps = std::max<int64_t>(options.accessBudget / 16, 1 << 22);
  RaceResult found = findRaces(kernel, search);
  if (found.outcome == RaceOutcome::NoRace)
    return {};
  if (found.outcome == RaceOutcome::Unchecked)
    return {Kind::Note,
            "races between workgroups were not looked for: " + found.reason};
  // A loop around a compare-and-exchange may well be one update that commutes;
  // running it does not tell. Such a loop begins with a load, of the same
  // operation of the user.
  const Race &race = *found.race;
  bool atomic = race.first.kind == AccessKind::Atomic &&
                race.second.kind == AccessKind::Atomic;
  bool same = race.first.location == race.second.location;
  if ((atomic || same) && (race.first.compares || race.second.compares))
    return {Kind::Note, "updates by compare-and-exchange, whose order was not "
                        "looked at: " +
                            found.reason};
  if (race.sameValue)
    return {Kind::Note, "workgroups of the original race: " + found.reason};
  std::string what =
      (whose == Whose::Original
           ? "workgroups of the original race, and the variant changes which "
             "comes first: "
           : "workgroups of the variant race, as those of the original do "
             "not: ") +
      found.reason;
  // For others they may stay apart, as far as the analysis knows.
  if (options.host.arguments.empty() && hasInventedSizes(model) &&
      mayStayApart(kernel, host))
    return {Kind::Unchecked,
            what + "; that is for sizes that nobody gave: give them with "
                   "--argument=NUMBER=VALUE"};
  if (host.inventedIndices().empty())
    return {Kind::Race, what};
  std::string index = std::to_string(host.inventedIndices().front());
  return {Kind::Unchecked,
          what + "; argument " + index +
              ", which decides what is touched, has invented contents: give "
              "them with --argument=" +
              index + "=@FILE"};
}

} // namespace swizzle::host
