//===- Summary.cpp - What was decided, in one line ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line that would be too long loses its end first: the order before the
// assumption, and the end of a reason.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planning/Summary.h"

#include "swizzle/Formula/Orders/Nest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

std::string explainOrder(const ProvedRemap &remap) {
  std::optional<LoopNest> nest =
      recogniseNest(remap.formula, remap.environment);
  return nest ? nest->explain() : "";
}

std::string describeSpeed(const Decision &decision) {
  if (!decision.prediction)
    return "";
  double before = decision.prediction->before.timeUs;
  double after = decision.prediction->after.timeUs;
  if (before <= 0 || after <= 0)
    return "";
  bool slower = after > before;
  std::string percent =
      formatv("{0:f1}", 100 * ((slower ? after / before : before / after) - 1));
  if (percent == "0.0")
    return "simulated to be as fast";
  return "simulated " + percent + " % " + (slower ? "slower" : "faster");
}

/// The first assumption in few words, and how many more there are. Before all
/// comes that a size was invented, last what the kernel itself looks at when it
/// runs, and what is true of every launch.
static std::string summariseAssumptions(const Decision &decision) {
  SmallVector<std::string> texts, compared, invented;
  auto add = [&](StringRef text) {
    // In whichever words: "a and b do not overlap", "a overlaps none of b, c".
    std::string words = text.ends_with(" in memory")
                            ? "its buffers do not overlap"
                            : text.str();
    auto &where =
        text.contains("(nominal)") ? invented
        : text.contains("at run time") || text.starts_with("extents are below")
            ? compared
            : texts;
    if (!is_contained(where, words))
      where.push_back(words);
  };
  for (const std::string &one : decision.remap->proof.assumptions)
    add(one);
  for (const std::string &one : decision.assumptions)
    add(one);
  append_range(invented, texts);
  append_range(invented, compared);
  if (invented.empty())
    return "";
  std::string more = invented.size() > 1
                         ? formatv(", and {0} more", invented.size() - 1).str()
                         : "";
  return "; assumes that " + invented.front() + more;
}

std::string shorten(std::string text) {
  if (text.size() <= kSummaryLength)
    return text;
  text.resize(kSummaryLength - 4);
  // Not in the middle of a character.
  while (!text.empty() && (text.back() & 0xc0) == 0x80)
    text.pop_back();
  if (!text.empty() && (text.back() & 0x80))
    text.pop_back();
  return text + " ...";
}

static std::string summariseRemap(const PlannedKernel &planned) {
  const Decision &decision = planned.decision;
  std::string text = "remapped";
  if (planned.chip.hardware)
    text += " for " + planned.chip.hardware->name;
  if (std::string speed = describeSpeed(decision); !speed.empty())
    text += ", " + speed;
  std::string assumptions = summariseAssumptions(decision);
  // What is done comes before what is assumed, unless it leaves no room.
  std::string order = explainOrder(*decision.remap);
  if (!order.empty() && text.size() + 2 + order.size() <= kSummaryLength / 2)
    text += ": " + order;
  if (any_of(planned.facts.verdict.notes,
             [](StringRef note) { return note.starts_with("not bit-stable"); }))
    text += "; not bit-stable";
  return text + assumptions;
}

std::string summarise(const PlannedKernel &planned) {
  const Decision &decision = planned.decision;
  std::string why = decision.reasonCode.empty()
                        ? ""
                        : " (" + decision.reasonCode + "): " + decision.reason;
  switch (decision.outcome) {
  case Outcome::Remapped:
    return shorten(summariseRemap(planned));
  case Outcome::Kept:
    return shorten("kept as it is" + why);
  case Outcome::Refused:
    return shorten("may not be remapped" + why);
  case Outcome::Failed:
    return shorten("failed" + why);
  }
  return "";
}

std::vector<std::string> summariseAll(ArrayRef<PlannedKernel> kernels) {
  auto pathOf = [](const KernelFacts &facts) {
    return facts.module.empty() ? facts.name : facts.module + "::" + facts.name;
  };
  StringMap<unsigned> named, called; // so many, by name and by path
  for (const PlannedKernel &kernel : kernels) {
    ++named[kernel.facts.name];
    ++called[pathOf(kernel.facts)];
  }
  std::vector<std::string> lines;
  for (const PlannedKernel &kernel : kernels) {
    const KernelFacts &facts = kernel.facts;
    std::string path = pathOf(facts);
    std::string name = named[facts.name] > called[path] ? path : facts.name;
    if (called[path] > 1 && facts.sizes.grid.isStatic())
      name += ", grid " + toString(facts.sizes.grid);
    lines.push_back(name + ": " + summarise(kernel));
  }
  return lines;
}

} // namespace swizzle
