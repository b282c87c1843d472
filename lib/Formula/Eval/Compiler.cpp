//===- Compiler.cpp - From a tree to columns ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks each expression in evaluation order with an explicit stack, keeping the
// guard under which Python would evaluate it. A condition that is the same for
// every id picks its branch here, and the other one leaves no trace.
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

namespace swizzle::formula {

namespace {

class Compiler {
public:
  /// `forReader`: see `compileGraph`.
  Compiler(BoundFormula::Program &program, bool forReader)
      : program(program), ast(program.formula->ast()), builder(program),
        forReader(forReader) {}

  void run() {
    declareNames();
    size_t next = 0;
    for (size_t i = 0; i <= ast.assignments.size(); ++i) {
      for (; next < ast.requirements.size() &&
             ast.requirements[next].afterAssignments <= i;
           ++next)
        if (!require(next))
          return;
      if (i == ast.assignments.size())
        break;
      llvm::SmallVector<Slot> values;
      for (ExprId value : ast.assignments[i].values)
        values.push_back(evaluate(value));
      for (size_t j = 0; j < values.size(); ++j)
        names[ast.assignments[i].targets[j]] = values[j];
    }
    results();
  }

private:
  /// A step of the walk: an expression and how many operands are done.
  struct Frame {
    ExprId id;
    uint32_t done = 0;
    Slot outerGuard = kNoSlot;
    Slot condition = kNoSlot;
    Slot kept =
        kNoSlot; ///< And, Or: the left operand; Chain: what holds so far
  };

  void declareNames() {
    const Grid &grid = program.environment.grid;
    const char *ids[] = {"x", "y", "z"}, *extents[] = {"gx", "gy", "gz"};
    for (unsigned axis = 0; axis < 3; ++axis) {
      bool isKnown = grid[axis] != kUnknownExtent;
      idSlots[axis] = builder.input(Op(unsigned(Op::X) + axis),
                                    (isKnown ? grid[axis] : INT32_MAX) - 1);
      names[ids[axis]] = idSlots[axis];
      names[extents[axis]] =
          isKnown ? builder.constant(grid[axis]) : builder.extent(axis);
    }
    for (const auto &[name, value] : program.environment.hardware)
      if (value)
        names[name] = builder.constant(*value);
    for (const auto &[name, value] : program.environment.params)
      names[name] = builder.constant(value);
    if (!forReader)
      declareLinear(grid);
  }

  /// `y * gx + x`, and with layers `(z * gy + y) * gx + x`, are the linear id.
  void declareLinear(const Grid &grid) {
    auto [x, y, z] = std::tuple(idSlots[0], idSlots[1], idSlots[2]);
    auto scaled = [&](Slot slot, int64_t extent) {
      return builder.binary(ExprKind::Mul, slot, builder.constant(extent), {});
    };
    Slot row = y;
    if (grid.z() > 1)
      row = builder.binary(ExprKind::Add, scaled(z, grid.y()), y, {});
    if (grid.x() == 1 || builder.isConstant(row))
      return;
    builder.declareSum(scaled(row, grid.x()), x,
                       builder.input(Op::Linear, grid.count() - 1));
  }

  /// False if compiling ends here: the requirement fails, or what stands
  /// before it always faults.
  bool require(size_t index) {
    if (builder.alwaysFaults)
      return true;
    Slot condition = evaluate(ast.requirements[index].condition);
    if (builder.alwaysFaults || !builder.isConstant(condition) ||
        builder.low(condition))
      return true;
    program.feasible = false;
    program.failedRequirement = index;
    return false;
  }

  void results() {
    const Grid &grid = program.environment.grid;
    for (unsigned axis = 0; axis < 3; ++axis)
      program.results[axis] = axis < ast.results.size()
                                  ? evaluate(ast.results[axis])
                                  : idSlots[axis];
    if (forReader)
      return;
    for (unsigned axis = 0; axis < ast.results.size(); ++axis)
      builder.checkBelow(program.results[axis], grid[axis],
                         ast.expressions[ast.results[axis]].position);
    program.linear = builder.linearise(program.results[0], program.results[1],
                                       program.results[2], grid);
  }

  Slot evaluate(ExprId root) {
    frames.push_back({root});
    while (!frames.empty())
      step();
    return values.pop_back_val();
  }

  Slot pop() { return values.pop_back_val(); }

  void finish(Slot value) {
    values.push_back(value);
    frames.pop_back();
  }

  /// Goes on with `id` in place of the current expression.
  void replace(ExprId id) { frames.back() = Frame{id}; }

  void visit(ExprId id) {
    ++frames.back().done;
    frames.push_back({id});
  }

  void step() {
    Frame &frame = frames.back();
    const Expr &expr = ast.expressions[frame.id];
    switch (expr.kind) {
    case ExprKind::Literal:
      return finish(builder.constant(expr.value));
    case ExprKind::Name:
      return finish(names.lookup(expr.name));
    case ExprKind::Conditional:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
      return lazy(frame, expr);
    case ExprKind::Chain:
      return chain(frame, expr);
    default:
      if (frame.done < expr.operands.size())
        return visit(expr.operands[frame.done]);
      return finish(strict(expr));
    }
  }

  Slot strict(const Expr &expr) {
    llvm::SmallVector<Slot, 4> ops(expr.operands.size());
    for (size_t i = ops.size(); i-- > 0;)
      ops[i] = pop();
    switch (expr.kind) {
    case ExprKind::Negate:
      return builder.negate(ops[0], expr.position);
    case ExprKind::Invert:
      return builder.binary(ExprKind::Sub, builder.constant(-1), ops[0],
                            expr.position);
    case ExprKind::LogicalNot:
      return builder.logicalNot(ops[0]);
    case ExprKind::Abs:
      return builder.absolute(ops[0], expr.position);
    case ExprKind::HilbertX:
    case ExprKind::HilbertY:
    case ExprKind::MortonX:
    case ExprKind::MortonY:
      return builder.curve(expr.kind, ops[0], ops[1], ops[2], expr.position);
    default:
      break;
    }
    Slot value = ops[0];
    for (size_t i = 1; i < ops.size(); ++i)
      value = builder.binary(expr.kind, value, ops[i], expr.position);
    return value;
  }

  /// `a and b` is `b if a else a`, `a or b` is `a if a else b`; operand 0 of
  /// these is computed once.
  void lazy(Frame &frame, const Expr &expr) {
    bool isOr = expr.kind == ExprKind::LogicalOr;
    bool isConditional = expr.kind == ExprKind::Conditional;
    if (frame.done == 0)
      return visit(expr.operands[0]);
    if (frame.done == 1) {
      Slot left = pop(), condition = builder.truth(left);
      if (builder.isConstant(condition)) {
        unsigned taken = builder.low(condition) ? (isOr ? 0 : 1)
                         : isConditional        ? 2
                                                : (isOr ? 1 : 0);
        return taken ? replace(expr.operands[taken]) : finish(left);
      }
      frame.kept = left;
      frame.condition = condition;
      frame.outerGuard = builder.guard;
      builder.guard = builder.both(
          builder.guard, isOr ? builder.logicalNot(condition) : condition);
      return visit(expr.operands[1]);
    }
    if (frame.done == 2 && isConditional) {
      builder.guard =
          builder.both(frame.outerGuard, builder.logicalNot(frame.condition));
      return visit(expr.operands[2]);
    }
    builder.guard = frame.outerGuard;
    Slot last = pop();
    Slot then = isConditional ? pop() : isOr ? frame.kept : last;
    Slot otherwise = isConditional || isOr ? last : frame.kept;
    finish(builder.select(frame.condition, then, otherwise));
  }

  void chain(Frame &frame, const Expr &expr) {
    if (frame.done == 0) {
      frame.outerGuard = builder.guard;
      return visit(expr.operands[0]);
    }
    if (frame.done == 1)
      return visit(expr.operands[1]);
    // The last two values are compared; the right one stays for the next.
    Slot right = pop(), left = pop();
    Slot holds =
        builder.binary(expr.chain[frame.done - 2], left, right, expr.position);
    // What is not looked at may be undefined.
    frame.kept = frame.kept == kNoSlot
                     ? holds
                     : builder.select(frame.kept, holds, builder.constant(0));
    bool decided = builder.isConstant(frame.kept) && !builder.low(frame.kept);
    if (frame.done == expr.operands.size() || decided) {
      builder.guard = frame.outerGuard;
      return finish(frame.kept);
    }
    builder.guard = builder.both(frame.outerGuard, frame.kept);
    if (builder.isConstant(builder.guard))
      builder.guard = kNoSlot;
    values.push_back(right);
    visit(expr.operands[frame.done]);
  }

  BoundFormula::Program &program;
  const FormulaAST &ast;
  Builder builder;
  bool forReader;
  llvm::StringMap<Slot> names;
  Slot idSlots[3] = {0, 0, 0};
  llvm::SmallVector<Frame> frames;
  llvm::SmallVector<Slot> values;
};

/// Drops what neither a result nor a check needs and lets dead values' columns
/// be used again.
void assignColumns(BoundFormula::Program &program) {
  std::vector<Instruction> &code = program.code;
  std::vector<Slot> lastUse(code.size(), kNoSlot);
  std::vector<bool> needed(code.size(), false);
  auto forOperands = [](const Instruction &instruction, auto visit) {
    for (Slot operand : {instruction.a, instruction.b, instruction.c})
      if (operand != kNoSlot)
        visit(operand);
    if (instruction.op == Op::CheckCurve)
      visit(Slot(instruction.imm));
  };
  Slot end = code.size();
  for (Slot result : {program.results[0], program.results[1],
                      program.results[2], program.linear}) {
    needed[result] = true;
    lastUse[result] = end;
  }
  program.narrow = true;
  for (Slot i = end; i-- > 0;) {
    if (!needed[i] && !isCheck(code[i].op))
      continue;
    needed[i] = true;
    program.narrow &= code[i].low >= INT32_MIN && code[i].high <= INT32_MAX;
    forOperands(code[i], [&](Slot operand) {
      needed[operand] = true;
      if (lastUse[operand] == kNoSlot)
        lastUse[operand] = i;
    });
  }
  program.columns.assign(code.size(), ~uint32_t(0));
  std::vector<uint32_t> free;
  for (Slot i = 0; i < end; ++i) {
    if (!needed[i])
      continue;
    if (!isCheck(code[i].op)) {
      if (free.empty() || code[i].op == Op::Constant) {
        program.columns[i] = program.numColumns++;
      } else {
        program.columns[i] = free.back();
        free.pop_back();
      }
    }
    forOperands(code[i], [&](Slot operand) {
      // Constants are filled once and keep their columns.
      if (lastUse[operand] == i && code[operand].op != Op::Constant) {
        free.push_back(program.columns[operand]);
        lastUse[operand] = kNoSlot;
      }
    });
  }
}

} // namespace

void compile(BoundFormula::Program &program, bool forReader) {
  Compiler(program, forReader).run();
  if (forReader)
    completeForReader(program);
  else if (program.feasible)
    assignColumns(program);
}

void completeForReader(BoundFormula::Program &program) {
  program.narrow = true;
  for (const Instruction &instruction : program.code) {
    bool hasColumn = !isCheck(instruction.op);
    program.columns.push_back(hasColumn ? program.numColumns++ : ~uint32_t(0));
    program.narrow &=
        instruction.low >= INT32_MIN && instruction.high <= INT32_MAX;
  }
}

Slot constantIn(BoundFormula::Program &program, int64_t value) {
  std::vector<Instruction> &code = program.code;
  for (Slot slot = 0; slot < code.size(); ++slot)
    if (asConstant(program, slot) == value)
      return slot;
  code.push_back(constantInstruction(value));
  program.columns.push_back(program.numColumns++);
  program.narrow &= value >= INT32_MIN && value <= INT32_MAX;
  return code.size() - 1;
}

} // namespace swizzle::formula
