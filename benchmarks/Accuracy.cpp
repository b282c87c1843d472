//===- Accuracy.cpp - Simulated against measured, as a table --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulates every row of a file of measurements and prints both sides. Not a
// benchmark of speed; it stands here because full detail takes minutes.
//
//   Accuracy [ROWS.json] [ONE_LINE_IN]
//
//===----------------------------------------------------------------------===//

#include "../unittests/Simulation/Measurements.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace swizzle;
using namespace swizzle::models;

namespace {

/// Mean and worst error of one set of rows.
struct Summary {
  double dram = 0, worstDram = 0, hit = 0, worstHit = 0;
  int rows = 0;

  void add(double dramError, double hitError) {
    dram += std::abs(dramError);
    hit += std::abs(hitError);
    worstDram = std::max(worstDram, std::abs(dramError));
    worstHit = std::max(worstHit, std::abs(hitError));
    ++rows;
  }
  void print(const char *name) const {
    if (rows)
      llvm::outs() << llvm::format(
          "%s: DRAM bytes read %.2f %% mean, %.2f %% worst; L2 hit rate %.2f "
          "points mean, %.2f worst (%d rows)\n",
          name, 100 * dram / rows, 100 * worstDram, 100 * hit / rows,
          100 * worstHit, rows);
  }
};

/// How far the ratio of times of two orders of one kernel is off, by the
/// exponent that combines the terms of the roofline; 0 stands for the maximum.
class Ratios {
public:
  /// `name` has the order after a comma; the first one is what others of its
  /// kernel are compared with.
  void add(llvm::StringRef name, double measuredUs, const Metrics &metrics) {
    std::array<double, 4> off;
    for (auto [i, exponent] : llvm::enumerate(exponents))
      off[i] = std::log(combine(metrics, exponent) / measuredUs);
    auto [first, added] = firsts.try_emplace(name.split(',').first, off);
    if (added)
      return;
    for (size_t i = 0; i < off.size(); ++i)
      squares[i] += std::pow(off[i] - first->second[i], 2);
    ++pairs;
  }
  void print() const {
    if (!pairs)
      return;
    llvm::outs() << "ratios of times of " << pairs
                 << " pairs of orders, off by";
    for (auto [exponent, sum] : llvm::zip_equal(exponents, squares))
      llvm::outs() << llvm::formatv(
          "{0} {1:f1} % ({2})", exponent == exponents[0] ? "" : ",",
          100 * std::sqrt(sum / pairs),
          exponent ? llvm::formatv("exponent {0:f0}", exponent).str()
                   : "the maximum");
    llvm::outs() << "\n";
  }

private:
  static constexpr std::array<double, 4> exponents = {1, 2, 3, 0};

  static double combine(const Metrics &metrics, double exponent) {
    double sum = 0, longest = 0;
    for (const RooflineTerm &term : metrics.roofline) {
      sum += std::pow(term.timeUs, exponent);
      longest = std::max(longest, term.timeUs);
    }
    return (exponent ? std::pow(sum, 1 / exponent) : longest) +
           metrics.scatterUs;
  }

  llvm::StringMap<std::array<double, 4>> firsts;
  std::array<double, 4> squares = {};
  int pairs = 0;
};

} // namespace

int main(int argc, char **argv) {
  std::string path =
      argc > 1 ? argv[1] : SWIZZLE_SOURCE_DIR "/benchmarks/accuracy/h200.json";
  unsigned oneIn = argc > 2 ? std::atoi(argv[2]) : 1;
  llvm::ExitOnError check("Accuracy: ");
  MeasuredChip measured = check(readMeasurements(path));
  HardwareSpec chip = check(findChip(measured.chip));
  Summary fitted, others;
  Ratios ratios; // of the rows that nothing was fitted to
  llvm::outs() << "chip " << chip.name << ", simulated (measured), one line in "
               << oneIn << "\n";
  for (size_t i = 0; i < measured.rows; ++i) {
    Measurement row = check(readMeasurement(path, i));
    SimulationOptions options;
    options.sampleShift = llvm::Log2_32(oneIn ? oneIn : 1);
    Metrics metrics = check(simulate(row.model, chip, row.order, options));
    double hit = metrics.hitRate("l2").value_or(0);
    (row.fitted ? fitted : others)
        .add(metrics.dramReadBytes / *row.dramReadBytes - 1,
             hit - *row.l2HitRate);
    if (!row.fitted && row.timeUs)
      ratios.add(row.name, *row.timeUs, metrics);
    auto orDash = [](std::optional<double> value, double scale) {
      return value ? llvm::formatv("{0:f2}", *value * scale).str() : "-";
    };
    llvm::outs() << llvm::formatv(
        "{0,-8} {1,-50} DRAM {2:f3} GB ({3:f3}, {4:f1} %)  L2 {5:f1} % "
        "({6:f1}, "
        "{7:f1})  L1 {8:f1} % ({9})  time {10:f3} ms ({11})\n",
        row.fitted ? "fitted" : "checked", row.name,
        metrics.dramReadBytes / 1e9, *row.dramReadBytes / 1e9,
        100 * (metrics.dramReadBytes / *row.dramReadBytes - 1), 100 * hit,
        100 * *row.l2HitRate, 100 * (hit - *row.l2HitRate),
        100 * metrics.hitRate("l1").value_or(0), orDash(row.l1HitRate, 100),
        metrics.timeUs / 1e3, orDash(row.timeUs, 1e-3));
    llvm::outs().flush();
  }
  fitted.print("fitted");
  others.print("checked");
  ratios.print();
}
