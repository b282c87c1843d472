//===- Formula.h - A parsed remap formula -----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A formula maps the workgroup id that the hardware dealt to the id that the
// kernel shall believe it has. `Formula` is the immutable parsed text;
// `BoundFormula` is a formula on one grid, for one chip, with one value for
// each parameter, compiled for evaluation in batches.
//
//   Formula flip = cantFail(Formula::parse("return gx - 1 - x, y"));
//   Environment environment;
//   environment.grid = {4, 4};
//   auto bound = cantFail(BoundFormula::bind(flip, environment));
//   bound.evaluate({0, 2, 0});               // {3, 2, 0}
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_FORMULA_H
#define SWIZZLE_FORMULA_FORMULA_H

#include "swizzle/Formula/Syntax/AST.h"
#include "swizzle/Support/GridText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace swizzle {

/// One value for each `param`, by name.
using ParamValues = std::map<std::string, int64_t>;

/// The hardware's numbers by the names that formulas use; nullopt where the
/// chip's file leaves the number open. Empty: no chip is known.
using HardwareConstants = std::map<std::string, std::optional<int64_t>>;

/// What a formula is bound to.
struct Environment {
  Grid grid; ///< extents may be `kUnknownExtent`
  HardwareConstants hardware;
  std::string chip; ///< for messages; empty if no chip is known
  ParamValues params;
};

/// Why a formula cannot be bound or evaluated, with the code of `Refusal` (see
/// Proof.h), so that callers can tell the reasons apart.
class FormulaError : public llvm::ErrorInfo<FormulaError> {
public:
  static char ID;

  FormulaError(std::string code, std::string message)
      : code(std::move(code)), message(std::move(message)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  std::string code;
  std::string message; ///< one sentence; names the workgroup where there is one
};

class Formula {
public:
  /// Longest text that is read, in bytes.
  static constexpr size_t maxTextBytes = 16 * 1024;
  /// Most parameter combinations that a template may have.
  static constexpr uint64_t maxCombinations = 1000000;

  /// Parses `text`. The error carries `fileName:line:column`, the line and a
  /// caret.
  static llvm::Expected<Formula> parse(llvm::StringRef text,
                                       llvm::StringRef fileName = "formula");

  /// A formula from a tree that code built; the tree must be well formed.
  static Formula fromAST(FormulaAST ast);

  /// Canonical text; `parse(print())` gives an equal tree.
  std::string print() const;

  /// The same on one line, statements separated by `; `.
  std::string printLine() const;

  const FormulaAST &ast() const { return *tree; }
  llvm::ArrayRef<ParamDecl> params() const { return tree->params; }
  /// Number of results: 1, 2 or 3.
  unsigned numResults() const { return tree->results.size(); }
  /// Hardware names that the formula reads, sorted.
  std::vector<std::string> hardwareNames() const;
  /// Product of the numbers of values of all parameters.
  uint64_t numCombinations() const;
  /// The `index`-th combination, last parameter fastest.
  ParamValues combination(uint64_t index) const;

private:
  explicit Formula(std::shared_ptr<const FormulaAST> tree)
      : tree(std::move(tree)) {}
  std::shared_ptr<const FormulaAST> tree;
};

/// The names that formulas may use for hardware, sorted, whatever the chip: the
/// list of swizzle/Support/HardwareNames.def.
llvm::ArrayRef<llvm::StringLiteral> knownHardwareNames();

class BoundFormula {
public:
  /// Fails if the grid is not static, a parameter has no value or a value that
  /// is not in its set, a hardware name has no number, or a one-value formula
  /// meets a grid with more than one row. Requirements are *not* judged here.
  static llvm::Expected<BoundFormula> bind(const Formula &formula,
                                           Environment environment);

  /// True if all `require` lines hold.
  llvm::Expected<bool> feasible() const;

  /// The new id of one workgroup. Fails on overflow, division by zero, a bad
  /// shift or a result outside the grid; the message names the workgroup.
  llvm::Expected<WorkgroupId> evaluate(WorkgroupId id) const;

  /// New linear ids of the workgroups `first`, `first + 1`, ... into `out`.
  /// Same failures; the first failing id is the one named.
  llvm::Error evaluate(int64_t first, llvm::MutableArrayRef<int64_t> out) const;
  llvm::Error evaluate(int64_t first,
                       llvm::MutableArrayRef<uint32_t> out) const;

  const Formula &formula() const;
  const Environment &environment() const;

  /// The compiled form; only the evaluator and the prover look inside.
  struct Program;
  const Program &compiled() const { return *program; }

private:
  explicit BoundFormula(std::shared_ptr<const Program> program)
      : program(std::move(program)) {}
  std::shared_ptr<const Program> program;
};

} // namespace swizzle

#endif // SWIZZLE_FORMULA_FORMULA_H
