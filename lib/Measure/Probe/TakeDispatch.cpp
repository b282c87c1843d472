//===- TakeDispatch.cpp - A chip's dispatch, of what was seen -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two dies of two units, six workgroups; the hardware calls the units of a die
// 4, 9:
//
//   workgroup   0    1    2    3    4    5
//   die.unit   1.9  0.4  1.4  0.9  1.9  0.4
//
// Dies take turns of one, die 1 first: the chunk is 1. First met are units 3,
// 0, 2 and 1 of the chip: that is the order.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Probe/ProbeDispatch.h"

#include "swizzle/Hardware/Schema.h"

#include <algorithm>
#include <set>

namespace swizzle {

namespace {

using Numbers = std::set<int64_t>;

int64_t rankOf(const Numbers &numbers, int64_t number) {
  return std::distance(numbers.begin(), numbers.find(number));
}

std::string counted(size_t seen, int64_t there, const std::string &what) {
  return "workgroups ran on " + std::to_string(seen) + " of " +
         std::to_string(there) + " " + what +
         "; more workgroups may reach all of them (--probe-dispatch=N)";
}

/// How many workgroups in a row a die gets; what is wrong with the turns, or
/// "".
std::string findChunk(const DispatchTrace &trace, int64_t dies,
                      int64_t &chunk) {
  const std::vector<WorkgroupStart> &starts = trace.starts;
  auto other = std::find_if(
      starts.begin(), starts.end(),
      [&](const WorkgroupStart &one) { return one.die != starts[0].die; });
  chunk = std::distance(starts.begin(), other);
  for (size_t i = 0; i < starts.size(); ++i) {
    size_t round = size_t(chunk * dies);
    if (i >= round && starts[i].die != starts[i - round].die)
      return "workgroup " + std::to_string(i) + " ran on die " +
             std::to_string(starts[i].die) + ", workgroup " +
             std::to_string(i - round) + " on die " +
             std::to_string(starts[i - round].die) +
             ": dies do not take turns of " + std::to_string(chunk) +
             ", so no dispatch_chunk describes this GPU";
  }
  return "";
}

} // namespace

std::string takeDispatch(const DispatchTrace &trace, HardwareSpec &chip) {
  std::map<int64_t, Numbers> unitsOf;
  Numbers dies;
  for (const WorkgroupStart &start : trace.starts) {
    dies.insert(start.die);
    unitsOf[start.die].insert(start.unit);
  }
  if (int64_t(dies.size()) != chip.numDies)
    return counted(dies.size(), chip.numDies, "dies");
  for (const auto &[die, units] : unitsOf)
    if (int64_t(units.size()) != chip.unitsPerDie)
      return counted(units.size(), chip.unitsPerDie,
                     "compute units of die " + std::to_string(die));
  int64_t chunk = 1;
  if (chip.numDies > 1)
    if (std::string wrong = findChunk(trace, chip.numDies, chunk);
        !wrong.empty())
      return wrong;
  std::vector<int64_t> order;
  Numbers seen;
  for (const WorkgroupStart &start : trace.starts) {
    int64_t unit = rankOf(dies, start.die) * chip.unitsPerDie +
                   rankOf(unitsOf[start.die], start.unit);
    if (seen.insert(unit).second)
      order.push_back(unit);
  }
  std::string source =
      "measured on " + chip.description +
      ": swizzle-run --probe-dispatch=" + std::to_string(trace.starts.size());
  chip.dispatchOrder = std::move(order);
  chip.sources[std::string(kDispatchOrder)] = source;
  if (chip.numDies > 1) {
    chip.dispatchChunk = chunk;
    chip.sources["dispatch_chunk"] = source;
  }
  return "";
}

} // namespace swizzle
