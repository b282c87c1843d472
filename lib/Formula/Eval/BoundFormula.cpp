//===- BoundFormula.cpp - A formula on one grid and one chip --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that everything the formula names has a number, compiles it, and turns
// faults into messages.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Syntax/Names.h"
#include "Syntax/Printer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace swizzle {

using namespace formula;

namespace {

llvm::Error failure(llvm::StringRef code, const llvm::Twine &message) {
  return llvm::make_error<FormulaError>(code.str(), message.str());
}

} // namespace

llvm::Error formula::checkRank(const Grid &grid, unsigned numResults) {
  if (numResults != 1 || (grid.y() <= 1 && grid.z() <= 1))
    return llvm::Error::success();
  return failure("wrong-rank", "the formula returns one value, but the grid " +
                                   toString(grid) +
                                   " has more than one row: of a linear id "
                                   "`i`, `return i % gx, i // gx`; of a "
                                   "column, return `y` as well");
}

namespace {

llvm::Error checkGrid(const Grid &grid, unsigned numResults) {
  if (!grid.isStatic())
    return failure("unknown-grid", "the grid's extents must be known to "
                                   "evaluate a formula, not " +
                                       toString(grid));
  for (int64_t extent : grid.extent)
    if (extent < 1 || extent > INT32_MAX)
      return failure("bad-grid", "each extent of the grid is 1 to 2147483647, "
                                 "not " +
                                     llvm::Twine(extent));
  if (grid.count() == INT64_MAX)
    return failure("bad-grid", "the grid " + toString(grid) +
                                   " has more than 2^63 workgroups");
  return checkRank(grid, numResults);
}

llvm::Error checkHardware(const Formula &formula,
                          const Environment &environment) {
  for (const std::string &name : formula.hardwareNames()) {
    auto known = environment.hardware.find(name);
    if (known != environment.hardware.end() && known->second)
      continue;
    if (environment.hardware.empty())
      return failure("unbound-name", "the formula reads `" + name +
                                         "`, but no chip is known: name the "
                                         "chip");
    return failure(
        "unbound-name",
        "the formula reads `" + name + "`, which " +
            (environment.chip.empty()
                 ? std::string("has no number")
                 : "the description of " + environment.chip + " leaves open"));
  }
  return llvm::Error::success();
}

llvm::Error checkParams(const Formula &formula, const ParamValues &given) {
  for (const ParamDecl &param : formula.params()) {
    auto value = given.find(param.name);
    if (value == given.end())
      return failure("unbound-name",
                     "parameter `" + param.name + "` has no value");
    if (llvm::is_contained(param.values, value->second))
      continue;
    std::string allowed;
    for (int64_t v : param.values)
      allowed += (allowed.empty() ? "" : ", ") + std::to_string(v);
    return failure("bad-param", "parameter `" + param.name + "` is one of {" +
                                    allowed + "}, not " +
                                    llvm::Twine(value->second));
  }
  for (const auto &[name, value] : given)
    if (llvm::none_of(formula.params(), [&, &name = name](const ParamDecl &p) {
          return p.name == name;
        }))
      return failure("bad-param",
                     "the formula has no parameter `" + name + "`");
  return llvm::Error::success();
}

} // namespace

llvm::StringRef formula::codeOf(Fault fault) {
  static constexpr const char *codes[] = {
      "",          "overflow",  "division-by-zero",
      "bad-shift", "bad-curve", "out-of-grid",
  };
  return codes[size_t(fault)];
}

Fault formula::faultOf(const Instruction &check) {
  switch (check.op) {
  case Op::CheckAlways:
    return Fault(check.imm);
  case Op::CheckZero:
    return Fault::DivisionByZero;
  case Op::CheckShift:
    return Fault::BadShift;
  case Op::CheckCurve:
    return Fault::BadCurve;
  case Op::CheckBelow:
    return Fault::OutOfGrid;
  default:
    return Fault::Overflow;
  }
}

std::string formula::describe(const BoundFormula::Program &program,
                              FaultAt fault) {
  const Instruction &check = program.code[fault.check];
  const Grid &grid = program.environment.grid;
  std::string where =
      "workgroup " + toString(delinearise(fault.id, grid), grid);
  std::string place;
  if (check.position.line)
    place = " (line " + std::to_string(check.position.line) + ", column " +
            std::to_string(check.position.column) + ")";
  switch (faultOf(check)) {
  case Fault::DivisionByZero:
    return "division by zero at " + where + place;
  case Fault::BadShift:
    return "a shift by less than 0 or more than 63 at " + where + place;
  case Fault::BadCurve:
    return "the curve has no such point at " + where + place +
           ": `i` must lie in 0 .. w * h - 1";
  case Fault::OutOfGrid:
    return where + " is sent outside the grid " + toString(grid) + place;
  default:
    return "the result does not fit in 64 bits at " + where + place;
  }
}

static llvm::Error failure(const BoundFormula::Program &program,
                           FaultAt fault) {
  return failure(codeOf(faultOf(program.code[fault.check])),
                 describe(program, fault));
}

/// An infeasible combination has no values.
static llvm::Error infeasible(const BoundFormula::Program &program) {
  const FormulaAST &ast = program.formula->ast();
  std::string text;
  llvm::raw_string_ostream os(text);
  printExpr(ast, ast.requirements[program.failedRequirement].condition, os);
  return failure("infeasible", "the requirement `" + text + "` does not hold");
}

llvm::Expected<BoundFormula> BoundFormula::bind(const Formula &formula,
                                                Environment environment) {
  if (llvm::Error error = checkGrid(environment.grid, formula.numResults()))
    return error;
  if (llvm::Error error = checkHardware(formula, environment))
    return error;
  if (llvm::Error error = checkParams(formula, environment.params))
    return error;
  auto program = std::make_shared<Program>();
  program->formula = formula;
  program->environment = std::move(environment);
  compile(*program);
  return BoundFormula(std::move(program));
}

llvm::Expected<BoundFormula::Program>
formula::compileGraph(const Formula &formula, const Environment &environment) {
  if (llvm::Error error = checkHardware(formula, environment))
    return error;
  if (llvm::Error error = checkParams(formula, environment.params))
    return error;
  BoundFormula::Program program;
  program.formula = formula;
  program.environment = environment;
  compile(program, /*forReader=*/true);
  if (!program.feasible)
    return infeasible(program);
  return program;
}

const Formula &BoundFormula::formula() const { return *program->formula; }

const Environment &BoundFormula::environment() const {
  return program->environment;
}

llvm::Expected<bool> BoundFormula::feasible() const {
  if (!program->feasible)
    return false;
  // What faults whatever the id is faults, here or earlier, for the first one.
  for (const Instruction &instruction : program->code)
    if (instruction.op == Op::CheckAlways && instruction.c == kNoSlot)
      if (llvm::Expected<WorkgroupId> first = evaluate({}); !first)
        return first.takeError();
  return true;
}

llvm::Expected<WorkgroupId> BoundFormula::evaluate(WorkgroupId id) const {
  const Grid &grid = program->environment.grid;
  if (id.x < 0 || id.y < 0 || id.z < 0 || id.x >= grid.x() ||
      id.y >= grid.y() || id.z >= grid.z())
    return failure("out-of-grid", "there is no workgroup " +
                                      toString(id, grid) + " in the grid " +
                                      toString(grid));
  if (!program->feasible)
    return infeasible(*program);
  WorkgroupId result;
  FaultAt fault = runProgram(*program, linearise(id, grid), result);
  if (fault.id >= 0)
    return failure(*program, fault);
  return result;
}

template <typename T>
static llvm::Error evaluateRange(const BoundFormula::Program &program,
                                 int64_t first, llvm::MutableArrayRef<T> out) {
  const Grid &grid = program.environment.grid;
  if (first < 0 || int64_t(out.size()) > grid.count() - first)
    return failure("out-of-grid",
                   "ids " + llvm::Twine(first) + " to " +
                       llvm::Twine(first + int64_t(out.size()) - 1) +
                       " are not all in the grid " + toString(grid));
  if (!program.feasible)
    return infeasible(program);
  FaultAt fault = runProgram(program, first, out.size(), out.data());
  if (fault.id >= 0)
    return failure(program, fault);
  return llvm::Error::success();
}

llvm::Error BoundFormula::evaluate(int64_t first,
                                   llvm::MutableArrayRef<int64_t> out) const {
  return evaluateRange(*program, first, out);
}

llvm::Error BoundFormula::evaluate(int64_t first,
                                   llvm::MutableArrayRef<uint32_t> out) const {
  return evaluateRange(*program, first, out);
}

} // namespace swizzle
