//===- Folding.cpp - Rows of workgroups that a kernel cuts itself ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows are read off the quotients of the workgroup id that addresses are made
// of. The folded model has the same statements and variables, with x + columns
// * y for x; a quotient that is a row is one of the new ids, so that it does
// not look like anything else. Formulas are unfolded as text, which is what the
// planner writes.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "FormulaText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <set>

namespace swizzle::planner {

/// The number of workgroups whose ids have the quotient `variable` in common:
/// 48 of `x // 48` and of `(64 * x + tx) // 3072`; 0 if it is no such quotient.
static int64_t rowOf(const Variable &variable) {
  if (variable.kind != VariableKind::Quotient)
    return 0;
  for (const Term &term : variable.numerator.terms)
    if (term.variable == kWorkgroupIdX)
      return term.coefficient > 0 && variable.divisor % term.coefficient == 0
                 ? variable.divisor / term.coefficient
                 : 0;
  return 0;
}

std::optional<Folding> findFolding(const KernelModel &model) {
  // Of a row that is not full at its end, the rest is not looked at.
  constexpr int64_t mostRest = 16;
  int64_t length = model.grid.x();
  if (!model.gridKnown[0] || model.grid.y() != 1 || model.grid.z() != 1)
    return std::nullopt;
  std::set<int64_t> rows;
  for (const Variable &variable : model.variables)
    if (int64_t row = rowOf(variable);
        row > 1 && row <= length / 2 && length % row <= length / mostRest)
      rows.insert(row);
  if (rows.empty())
    return std::nullopt;
  Folding folding;
  folding.length = length;
  int64_t columns = *rows.begin(), count = length / columns, layer = 0;
  for (int64_t row : rows)
    if (!layer && row > columns && row % columns == 0 &&
        count / (row / columns) > 1 && count % (row / columns) == 0)
      layer = row / columns;
  folding.grid =
      layer ? Grid(columns, layer, count / layer) : Grid(columns, count);
  return folding;
}

namespace {
/// Replaces variables by forms of others, everywhere in a model.
class Substitution {
public:
  explicit Substitution(KernelModel &model) : model(model) {}

  void run(const Folding &folding) {
    AffineForm x = makeVariable(kWorkgroupIdX),
               y = makeVariable(kWorkgroupIdX + 1),
               z = makeVariable(kWorkgroupIdX + 2);
    int64_t columns = folding.grid.x(), layer = columns * folding.grid.y();
    AffineForm row = x + y * columns + z * layer;
    for (VariableId id = kFirstFreeVariable; id < model.variables.size();
         ++id) {
      Variable &variable = model.variables[id];
      bool isId = variable.kind == VariableKind::Quotient &&
                  variable.numerator == makeVariable(kWorkgroupIdX);
      if (isId && variable.divisor == columns)
        known[id] = y + z * folding.grid.y();
      else if (isId && variable.divisor == layer)
        known[id] = z;
    }
    known[kWorkgroupIdX] = row;
    for (Variable &variable : model.variables)
      replaceIn(variable.numerator);
    replaceIn(model.body);
    for (unsigned axis = 0; axis < 3; ++axis)
      model.grid[axis] = folding.grid[axis];
  }

private:
  void replaceIn(AffineForm &form) {
    AffineForm result = makeConstant(form.constant);
    for (const Term &term : form.terms) {
      auto found = known.find(term.variable);
      result = result + (found == known.end() ? makeVariable(term.variable)
                                              : found->second) *
                            term.coefficient;
    }
    form = std::move(result);
  }

  void replaceIn(std::vector<Statement> &body) {
    for (Statement &statement : body) {
      if (auto *access = std::get_if<Access>(&statement.node)) {
        replaceIn(access->address);
      } else if (auto *own = std::get_if<WorkgroupAccess>(&statement.node)) {
        if (own->address)
          replaceIn(*own->address);
      } else if (auto *loop = std::get_if<Loop>(&statement.node)) {
        for (AffineForm &count : loop->tripCounts)
          replaceIn(count);
        replaceIn(loop->body);
      } else if (auto *guard = std::get_if<Guard>(&statement.node)) {
        for (Condition &condition : guard->conditions)
          replaceIn(condition.form);
        replaceIn(guard->body);
        replaceIn(guard->otherwise);
      }
    }
  }

  KernelModel &model;
  std::map<VariableId, AffineForm> known;
};
} // namespace

KernelModel Folding::fold(const KernelModel &model) const {
  // A quotient, what is left of it, and the sum in the end, of each cut.
  constexpr int64_t ofPower = 3, ofOther = 8;
  KernelModel folded = model;
  Substitution(folded).run(*this);
  folded.guardInstructions += llvm::isPowerOf2_64(grid.x()) ? ofPower : ofOther;
  if (grid.z() > 1)
    folded.guardInstructions +=
        llvm::isPowerOf2_64(grid.y()) ? ofPower : ofOther;
  return folded;
}

Formula Folding::unfold(const Formula &formula) const {
  int64_t columns = grid.x(), layer = columns * grid.y();
  bool isFlat = grid.z() == 1, isWhole = grid.count() == length;
  // Ids beyond the last full row are those of its last workgroup, for no number
  // to be out of place; what becomes of them is not used.
  std::string row = "x", text;
  if (!isWhole) {
    text = llvm::formatv("row = min(x, {0})\n", grid.count() - 1);
    row = "row";
  }
  text += isFlat
              ? llvm::formatv("fx, fy = {0} % {1}, {0} // {1}\n", row, columns)
                    .str()
              : llvm::formatv(
                    "fx, fy, fz = {0} % {1}, {0} // {1} % {2}, {0} // {3}\n",
                    row, columns, grid.y(), layer)
                    .str();
  FormulaText parts =
      splitReturn(renamed(formula.print(), {{"x", "fx"},
                                            {"y", "fy"},
                                            {"z", isFlat ? "0" : "fz"},
                                            {"gx", std::to_string(columns)},
                                            {"gy", std::to_string(grid.y())},
                                            {"gz", std::to_string(grid.z())}}));
  static constexpr const char *own[] = {"fx", "fy", "fz"};
  for (unsigned axis = parts.results.size(); axis < (isFlat ? 2u : 3u); ++axis)
    parts.results.push_back(own[axis]);
  std::string id = llvm::formatv("({0}) + {1} * ({2})", parts.results[0],
                                 columns, parts.results[1]);
  if (!isFlat)
    id += llvm::formatv(" + {0} * ({1})", layer, parts.results[2]);
  text += parts.before + "return " + id;
  if (!isWhole)
    text += llvm::formatv(" if x < {0} else x", grid.count());
  return llvm::cantFail(Formula::parse(text + "\n", "folded"));
}

} // namespace swizzle::planner
