//===- Printer.cpp - A formula as canonical text --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One statement a line, parentheses only where the tree needs them, so that
// reading the text again gives an equal tree. Works off an explicit stack: the
// tree may be as deep as the longest text allows.
//
//===----------------------------------------------------------------------===//

#include "Printer.h"
#include "Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle {

using namespace formula;

namespace {

unsigned precedenceOf(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Conditional:
    return kConditional;
  case ExprKind::LogicalNot:
    return kNot;
  case ExprKind::Chain:
    return kComparison;
  case ExprKind::Negate:
  case ExprKind::Invert:
    return kUnary;
  case ExprKind::Literal:
    return expr.value < 0 ? kUnary : kTightest;
  default:
    break;
  }
  for (const OperatorInfo &one : operators())
    if (one.kind == expr.kind)
      return one.precedence;
  return kTightest;
}

/// A piece of text, or an expression that needs at least `precedence`.
struct Piece {
  llvm::StringRef text;
  bool isExpr = false;
  ExprId id = 0;
  unsigned precedence = 0;

  Piece(llvm::StringRef text) : text(text) {}
  Piece(const char *text) : text(text) {}
  Piece(ExprId id, unsigned precedence)
      : isExpr(true), id(id), precedence(precedence) {}
};

/// The pieces of one expression, left to right.
void expand(const Expr &expr, llvm::SmallVectorImpl<Piece> &pieces) {
  unsigned own = precedenceOf(expr);
  llvm::ArrayRef<ExprId> ops = expr.operands;
  switch (expr.kind) {
  case ExprKind::Negate:
  case ExprKind::Invert:
    // A literal after a minus would be read as one negative literal.
    pieces.append({expr.kind == ExprKind::Negate ? "-" : "~",
                   {ops[0], expr.kind == ExprKind::Negate ? 100u : own}});
    return;
  case ExprKind::LogicalNot:
    pieces.append({"not ", {ops[0], own}});
    return;
  case ExprKind::Conditional:
    pieces.append({{ops[1], own + 1},
                   " if ",
                   {ops[0], own + 1},
                   " else ",
                   {ops[2], own}});
    return;
  case ExprKind::Chain:
    pieces.push_back({ops[0], own + 1});
    for (size_t i = 1; i < ops.size(); ++i)
      pieces.append({" ", spelling(expr.chain[i - 1]), " ", {ops[i], own + 1}});
    return;
  default:
    break;
  }
  if (own == kTightest) {
    pieces.append({spelling(expr.kind), "("});
    for (size_t i = 0; i < ops.size(); ++i) {
      if (i)
        pieces.push_back(", ");
      pieces.push_back({ops[i], 0});
    }
    pieces.push_back(")");
    return;
  }
  pieces.append({{ops[0], own == kComparison ? own + 1 : own},
                 " ",
                 spelling(expr.kind),
                 " ",
                 {ops[1], own + 1}});
}

} // namespace

void formula::printExpr(const FormulaAST &ast, ExprId root,
                        llvm::raw_ostream &os) {
  llvm::SmallVector<Piece> stack, pieces;
  stack.push_back({root, 0});
  while (!stack.empty()) {
    Piece piece = stack.pop_back_val();
    if (!piece.isExpr) {
      os << piece.text;
      continue;
    }
    const Expr &expr = ast.expressions[piece.id];
    bool literal = expr.kind == ExprKind::Literal;
    // 100 marks the operand of a minus: anything as tight as a unary operator
    // stands bare, except a literal, which would read as a negative literal.
    bool parenthesise =
        piece.precedence == 100
            ? precedenceOf(expr) < kUnary || (literal && expr.value >= 0)
            : precedenceOf(expr) < piece.precedence;
    if (parenthesise) {
      os << '(';
      stack.push_back(")");
    }
    pieces.clear();
    if (literal)
      os << expr.value;
    else if (expr.kind == ExprKind::Name)
      os << expr.name;
    else
      expand(expr, pieces);
    stack.append(pieces.rbegin(), pieces.rend());
  }
}

std::string Formula::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const ParamDecl &param : tree->params) {
    os << "param " << param.name << " in {";
    llvm::interleaveComma(param.values, os);
    os << "}\n";
  }
  auto printList = [&](llvm::ArrayRef<ExprId> list) {
    llvm::interleaveComma(list, os,
                          [&](ExprId id) { printExpr(*tree, id, os); });
    os << '\n';
  };
  size_t next = 0;
  auto printRequirements = [&](size_t done) {
    for (; next < tree->requirements.size() &&
           tree->requirements[next].afterAssignments <= done;
         ++next) {
      os << "require ";
      printList(tree->requirements[next].condition);
    }
  };
  for (size_t i = 0; i < tree->assignments.size(); ++i) {
    printRequirements(i);
    llvm::interleaveComma(tree->assignments[i].targets, os);
    os << " = ";
    printList(tree->assignments[i].values);
  }
  printRequirements(tree->assignments.size());
  os << "return ";
  printList(tree->results);
  return text;
}

std::string Formula::printLine() const {
  std::string line, text = print();
  llvm::StringRef rest = llvm::StringRef(text).rtrim();
  while (!rest.empty()) {
    auto [statement, others] = rest.split('\n');
    line += (line.empty() ? "" : "; ") + statement.str();
    rest = others;
  }
  return line;
}

} // namespace swizzle
