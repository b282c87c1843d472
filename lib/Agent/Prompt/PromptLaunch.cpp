//===- PromptLaunch.cpp - Where workgroups run, and what that costs -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an order acts on: which workgroups run at the same time and share a
// cache, how much traffic is left when it is perfect, and how much of the time
// that traffic is.
//
//===----------------------------------------------------------------------===//

#include "PromptText.h"

#include "swizzle/Simulation/Lines.h"
#include "swizzle/Simulation/Simulator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace swizzle::agent {

/// "3.5", "12": without digits that say nothing.
static std::string formatRounds(double rounds) {
  return rounds < 10 ? formatv("{0:f1}", rounds) : formatv("{0:f0}", rounds);
}

std::string describeResidency(const AgentContext &context) {
  const HardwareSpec &hardware = context.hardware;
  const KernelModel &model = context.model;
  std::string text;
  raw_string_ostream os(text);
  bool dies = hardware.numDies > 1;
  os << (dies ? "Each die starts its workgroups" : "Workgroups start")
     << " in the order of their ids, one on each of "
     << (dies ? "its " : "the ") << hardware.unitsPerDie
     << " compute units, then a second one on each, and so on, until no unit "
        "has room; when one ends, the next "
     << (dies ? "of the same die " : "") << "takes its place.";
  bool known = model.block.count() > 0 && !model.body.empty();
  int64_t resident = known ? occupancy(model, hardware) : 0;
  if (!resident)
    return text;
  int64_t onDie = resident * hardware.unitsPerDie;
  int64_t onChip = onDie * hardware.numDies;
  os << " A unit has room for " << resident << " workgroup"
     << (resident == 1 ? "" : "s") << " of this kernel: ";
  if (dies)
    os << onDie << " run on a die and ";
  os << onChip << " on the chip at a time; the grid is "
     << formatRounds(double(model.grid.count()) / double(onChip))
     << " times as many.";
  return text;
}

/// True if every workgroup touches memory, by the shape of `body` alone.
static bool touchesAlways(const std::vector<Statement> &body) {
  return any_of(body, [](const Statement &statement) {
    if (std::holds_alternative<Access>(statement.node))
      return true;
    const auto *loop = std::get_if<Loop>(&statement.node);
    return loop && touchesAlways(loop->body) &&
           all_of(loop->tripCounts, [](const AffineForm &trip) {
             return trip.terms.empty() && trip.constant > 0;
           });
  });
}

std::string describeIdle(const KernelModel &model) {
  constexpr int64_t most = 512;
  constexpr int64_t mostAccesses = 1 << 20;
  int64_t count = model.grid.count();
  if (isQuiet(model.body) || touchesAlways(model.body) || count <= 0 ||
      !model.unseen().empty())
    return "";
  // Of no chip: the answer is about the kernel alone.
  HardwareSpec none;
  LineWalker walker(model, none);
  // Steps of an odd part of the grid, so that no axis is looked at in one place
  // alone.
  int64_t step = std::max<int64_t>(1, count / most) | 1;
  int64_t looked = 0, idle = 0;
  for (int64_t tile = 0; tile < count && walker.walked() < mostAccesses;
       tile += step) {
    ++looked;
    idle += walker.lines(tile, 0).empty();
  }
  if (!idle)
    return "";
  return formatv(
      "{0:f0} % of the workgroups touch no memory at all.",
      std::max(1.0, std::round(100.0 * double(idle) / double(looked))));
}

std::string describeLeastTraffic(const AgentContext &context) {
  double least = 0;
  double workgroups = double(context.model.grid.count());
  for (const BufferReuse &reuse : context.reuse.buffers) {
    double bytes = double(reuse.bytesPerWorkgroup) * workgroups;
    if (int64_t size = context.model.buffers[reuse.buffer].bytes; size >= 0)
      bytes = std::min(bytes, double(size));
    least += bytes * (double(reuse.read) + double(reuse.written));
  }
  // What caches hold back, or guards leave out, is less still.
  if (Count moved = context.baseline.dramBytes(); moved.isCounted())
    least = std::min<double>(least, moved);
  if (least <= 0 || !context.model.unseen().empty())
    return "";
  return "No order moves less than about " + formatBytes(least) +
         " from and to DRAM: what is touched, once.";
}

/// "1.2 GiB at 5.3 TB/s": what a term's resource has to do.
static std::string describeWork(const RooflineTerm &term) {
  if (term.work <= 0 || term.rate <= 0)
    return "";
  switch (term.bound.kind) {
  case BoundKind::Cache:
  case BoundKind::Delivery:
  case BoundKind::Fabric:
  case BoundKind::Dram:
    return " (" + formatBytes(term.work) + " at " + formatRate(term.rate) + ")";
  case BoundKind::Vector:
  case BoundKind::Tensor:
    return formatv(" ({0:f1} Gflop at {1:f1} Tflop/s)", term.work / 1e9,
                   term.rate / 1e12);
  case BoundKind::Issue:
    return formatv(" ({0:f1} million instructions at {1:f0} a ns)",
                   term.work / 1e6, term.rate / 1e9);
  case BoundKind::WorkgroupMemory:
    return formatv(" ({0:f1} million passes of its banks at {1:f0} a ns)",
                   term.work / 1e6, term.rate / 1e9);
  case BoundKind::Latency:
    return formatv(" ({0:f1} us of it if nothing came from memory)",
                   term.work / term.rate * 1e6);
  case BoundKind::Launch:
    return formatv(" ({0:f0} workgroups at {1:f2} a ns)", term.work,
                   term.rate / 1e9);
  }
  return "";
}

std::string describeTimeParts(const AgentContext &context) {
  if (context.baseline.roofline.empty() ||
      context.baseline.from.origin != Origin::Simulated)
    return "";
  bool rates = context.mode != ContextMode::None;
  std::string text = "Of the time, each of these alone would take:\n";
  for (const RooflineTerm &term : context.baseline.roofline)
    text += toString(term.bound) + ": " + formatMicroseconds(term.timeUs) +
            (rates ? describeWork(term) : "") + "\n";
  text += "The time is the root of the sum of their squares";
  if (llvm::any_of(context.baseline.roofline, [](const RooflineTerm &term) {
        return term.bound.kind == BoundKind::Latency;
      }))
    text += " without latency, with that the cube root of the sum of cubes";
  if (context.baseline.scatterUs > 0)
    text += ", and " + formatMicroseconds(context.baseline.scatterUs) +
            " that memory spends on opening rows for data that lie apart";
  double more = factorOfPhases(context.baseline) - 1;
  if (more >= kLeastOfPhases)
    text += formatv(", and {0:P1} more: phases of the launch ask for different "
                    "things one after the other",
                    more);
  return text + ".";
}

} // namespace swizzle::agent
