//===- AppliedText.cpp - What LLVM IR says of its remaps ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neither a grid and a colon nor `name = number` behind a comma is part of a
// formula on one line: its last statement is `return`.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/AppliedText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace swizzle {

std::string printApplied(const Formula &formula,
                         const Environment &environment) {
  std::string text = toString(environment.grid) + ": " + formula.printLine();
  auto add = [&](StringRef name, int64_t value) {
    text += (", " + name + " = " + Twine(value)).str();
  };
  for (const auto &[name, value] : environment.params)
    add(name, value);
  for (const std::string &name : formula.hardwareNames())
    if (auto number = environment.hardware.find(name);
        number != environment.hardware.end() && number->second)
      add(name, *number->second);
  return text;
}

/// The remaps of `text`, each as grid and formula with numbers.
static SmallVector<std::pair<StringRef, std::string>> split(StringRef text) {
  static const Regex grid("^[0-9?]+(x[0-9?]+)*$");
  SmallVector<std::pair<StringRef, std::string>> remaps;
  SmallVector<StringRef> statements;
  text.split(statements, "; ");
  for (StringRef statement : statements) {
    auto [head, rest] = statement.split(": ");
    if (head.size() < statement.size() && grid.match(head))
      remaps.push_back({head, rest.str()});
    else if (!remaps.empty())
      remaps.back().second += ("; " + statement).str();
    else
      return {};
  }
  return remaps;
}

/// Reads the formula, and the numbers behind it into `environment`.
static Expected<Formula> readRemap(StringRef text, Environment &environment) {
  static const Regex number("^(.*), ([A-Za-z_][A-Za-z_0-9]*) = (-?[0-9]+)$");
  ParamValues numbers;
  for (SmallVector<StringRef> parts; number.match(text, &parts);
       text = parts[1]) {
    int64_t value = 0;
    if (parts[3].getAsInteger(10, value))
      break;
    numbers[parts[2].str()] = value;
  }
  Expected<Formula> formula = Formula::parse(text, "swizzle.applied");
  if (!formula)
    return formula.takeError();
  for (const auto &entry : numbers)
    if (any_of(formula->params(), [&](const ParamDecl &param) {
          return param.name == entry.first;
        }))
      environment.params.insert(entry);
    else
      environment.hardware[entry.first] = entry.second;
  return formula;
}

/// Extents that `made` leaves open; nullopt if `grid` is none of its grids.
static std::optional<unsigned> countOpen(const Grid &made, const Grid &grid) {
  unsigned open = 0;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (made[axis] == kUnknownExtent)
      ++open;
    else if (made[axis] != grid[axis])
      return std::nullopt;
  return open;
}

Expected<std::optional<std::pair<Formula, Environment>>>
findApplied(StringRef text, const Grid &grid) {
  auto remaps = split(text);
  if (remaps.empty())
    return createStringError("swizzle.applied is '" + text +
                             "', which begins with no grid and formula such as "
                             "'64x64: return y, x'");
  std::optional<unsigned> least;
  std::optional<std::pair<Formula, Environment>> found;
  for (const auto &[head, body] : remaps) {
    Environment environment;
    Expected<Grid> made = parseGrid(head);
    if (!made)
      return made.takeError();
    environment.grid = *made;
    // Of two that fit, a launch takes the order of the one that says more.
    std::optional<unsigned> open = countOpen(*made, grid);
    if (!open || (least && *least <= *open))
      continue;
    Expected<Formula> formula = readRemap(body, environment);
    if (!formula)
      return formula.takeError();
    least = open;
    found.emplace(std::move(*formula), std::move(environment));
  }
  return found;
}

std::string gridsApplied(StringRef text) {
  std::string grids;
  for (const auto &[head, body] : split(text))
    grids += (grids.empty() ? "" : "+") + head.str();
  return grids;
}

} // namespace swizzle
